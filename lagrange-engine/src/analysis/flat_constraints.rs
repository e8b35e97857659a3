//! Constraints whose gradient vanishes wherever they hold: `(x - y)^2 = 0` restricts the coordinates, but its row of J
//! is zero at every admissible state.

use crate::probe::{all_vanish, real_point};
use crate::{Complex, ConstraintKind, Graph, NodeId, Probe, Symbol, System};

/// This many starts must lead to such a point, and none to another one.
const AGREEING: usize = 3;
const STARTS: usize = 12;
/// Each coordinate is moved at most this many times; the approach to a root of high order is slow.
const SWEEPS: usize = 600;
/// The number of halvings of a step that makes the residual larger.
const HALVINGS: usize = 30;
/// A residual that falls by this factor without any rounding would fall beyond the range of doubles. It is the fourth
/// root of that range, so that derivatives remain representable.
const FALLEN: f64 = 1e-77;
/// A sweep that leaves a smaller fraction of the residual leads to a root of a parabola, simple or double.
const FAST: f64 = 1e-6;
/// The largest number of evaluations of nodes for this question.
const MOST: usize = 4_000_000;

/// For each constraint that does not always hold whether its gradient vanishes wherever it holds, as far as a search from
/// random points shows. Only holonomic constraints are tested, and none of a system that is too large.
pub fn flat_constraints(system: &System) -> Vec<bool> {
    let rows = system.constraints.len();
    let mut graph = system.graph.clone();
    let symbols = system.names.kinematics().coordinate_symbols();
    let evaluations = rows.saturating_mul(graph.len()).saturating_mul(STARTS);
    if evaluations > MOST {
        return vec![false; rows];
    }
    system
        .constraints
        .iter()
        .map(|constraint| {
            constraint.kind == ConstraintKind::Holonomic
                && is_flat(&mut graph, constraint.residual, &symbols)
        })
        .collect()
}

/// A coordinate of a residual, with the first and second derivative along it.
struct Direction {
    coordinate: usize,
    slope: NodeId,
    curvature: NodeId,
}

fn is_flat(graph: &mut Graph, residual: NodeId, symbols: &[Symbol]) -> bool {
    if all_vanish(graph, &[residual]) {
        return false;
    }
    let gradient = graph.gradient(residual, symbols);
    let unit = graph.integer(1);
    let mut directions = Vec::new();
    for (coordinate, slope) in gradient.into_iter().enumerate() {
        if !graph.is_zero(slope) {
            let curvature = graph.directional(&[slope], &[(symbols[coordinate], unit)])[0];
            directions.push(Direction {
                coordinate,
                slope,
                curvature,
            });
        }
    }
    let mut agreeing = 0;
    for start in 0..STARTS {
        let q = symbols
            .iter()
            .map(|symbol| real_point(graph, start, *symbol));
        let mut search = Search {
            graph,
            residual,
            start,
            q: q.collect(),
        };
        match search
            .spread(&directions)
            .and_then(|()| search.ends_flat(&directions))
        {
            Some(true) => agreeing += 1,
            Some(false) => return false,
            None => {}
        }
    }
    agreeing >= AGREEING
}

/// The search for a point on a constraint. It moves one coordinate at a time, to the nearest root or the vertex of the
/// parabola that approximates the residual along it. So coordinates are not compared with each other, and their sizes
/// do not matter.
struct Search<'g> {
    graph: &'g Graph,
    residual: NodeId,
    start: usize,
    q: Vec<f64>,
}

impl Search<'_> {
    /// Gives each coordinate a size at which it matters beside the current residual and the residual without
    /// coordinates, in any unit. It is called twice, because sizes depend on each other.
    fn spread(&mut self, directions: &[Direction]) -> Option<()> {
        let start = self.q.clone();
        self.q.fill(0.0);
        let without = self.residual().filter(|probe| !probe.is_rounding());
        self.q.clone_from(&start);
        for direction in [directions, directions].into_iter().flatten() {
            let [residual, slope, curvature] = self.probes(direction)?;
            let measure = without.unwrap_or(residual).value.re.abs();
            let by_slope = measure / slope.value.re.abs();
            let by_curvature = (measure / curvature.value.re.abs()).sqrt();
            let size = by_slope.min(by_curvature);
            if size > 0.0 && size.is_finite() {
                self.q[direction.coordinate] = size * start[direction.coordinate];
            }
        }
        Some(())
    }

    /// Returns whether the gradient vanishes at the end; `None` if the end is not on the constraint.
    fn ends_flat(&mut self, directions: &[Direction]) -> Option<bool> {
        let first = self.residual()?.value.re.abs();
        let mut last = f64::INFINITY;
        for _ in 0..SWEEPS {
            for direction in directions {
                let residual = self.residual()?;
                let size = residual.value.re.abs();
                if residual.is_rounding() {
                    return Some(self.is_flat_here(directions));
                }
                if size < FALLEN * first {
                    // Slowly like a length, or fast like towards a root.
                    return Some(size > FAST * last || self.is_flat_here(directions));
                }
                let probes = self.probes(direction)?;
                self.step(direction.coordinate, probes.map(|probe| probe.value.re));
            }
            let size = self.residual()?.value.re.abs();
            if size >= last {
                return None;
            }
            last = size;
        }
        None
    }

    /// Returns whether the residual has no simple root along any coordinate nearby: the slope is too small beside the
    /// product of the curvature and the distance to the root. For (x - y)^2, and for every function of one sign, this
    /// holds at every point; a length has no slope at 0.
    fn is_flat_here(&self, directions: &[Direction]) -> bool {
        let mut probes = directions.iter().filter_map(|along| self.probes(along));
        !probes.any(|[residual, slope, curvature]| {
            let off = residual.value.re.abs() + residual.rounding();
            let bound = 4.0 * (curvature.value.re.abs() + curvature.rounding()) * off;
            !slope.is_rounding() && slope.value.re.abs() > bound.sqrt()
        })
    }

    fn step(&mut self, coordinate: usize, [residual, slope, curvature]: [f64; 3]) {
        let square = slope * slope - 2.0 * residual * curvature;
        let step = if square >= 0.0 {
            -2.0 * residual / (slope + square.sqrt().copysign(slope))
        } else {
            -slope / curvature
        };
        let from = self.q[coordinate];
        let mut step = if step.is_finite() { step } else { 0.0 };
        for _ in 0..HALVINGS {
            self.q[coordinate] = from + step;
            let next = self.residual();
            if next.is_some_and(|next| next.value.re.abs() < residual.abs()) {
                return;
            }
            step /= 2.0;
        }
        self.q[coordinate] = from;
    }

    fn residual(&self) -> Option<Probe> {
        Some(self.evaluate(&[self.residual])?[0])
    }

    fn probes(&self, direction: &Direction) -> Option<[Probe; 3]> {
        let roots = [self.residual, direction.slope, direction.curvature];
        self.evaluate(&roots)?.try_into().ok()
    }

    fn evaluate(&self, roots: &[NodeId]) -> Option<Vec<Probe>> {
        let value = |symbol: Symbol| {
            Complex::real(match symbol {
                Symbol::Coordinate(i) => self.q[i as usize],
                other => real_point(self.graph, self.start, other),
            })
        };
        let probes = self.graph.evaluate_complex(roots, &value);
        let is_known = |probe: &Probe| probe.is_known() && probe.real && probe.is_zero().is_some();
        let are_known = probes.iter().all(is_known);
        are_known.then_some(probes)
    }
}

//! The zero test on a surface: is this zero wherever the constraints hold.
//!
//! Newton's method finds points of the surface from the random points of the whole space; each step is the shortest
//! relative to the sizes of the coordinates. The points are complex, because almost every choice of parameters then has
//! a solution, even if the parts of a mechanism do not reach each other. The accuracy of a point is that of the
//! rounding of the residuals; its error enters the bounds of values that are evaluated there.

use super::points::{self, Domain, POINTS};
use super::{AGREEING, Answer, refute_by_sizes, symbols_of};
use crate::{Complex, Graph, Kinematics, NodeId, Probe, Symbol};

/// The constraints: n velocities, c rows, h of them on coordinates.
pub(crate) struct Surface<'a> {
    pub(crate) kinematics: &'a Kinematics,
    /// g(q, t): h entries.
    pub(crate) residuals: &'a [NodeId],
    /// dg/dq along the directions of v: h x n.
    pub(crate) slopes: &'a [NodeId],
    /// The velocity level of the constraints: c entries.
    pub(crate) velocity: &'a [NodeId],
    /// The derivatives of the velocity level by v: c x n.
    pub(crate) jacobian: &'a [NodeId],
    /// The level of accelerations, J a - gamma: c entries, or none if accelerations do not matter.
    pub(crate) acceleration: &'a [NodeId],
}

/// The largest number of steps to the surface: a solution that is smaller than the start is approached by halves.
const STEPS: usize = 400;
/// The largest number of steps from residuals within their bounds.
const SILENT: usize = 8;
/// The longest step relative to the size of a coordinate: for an angle, functions of complex arguments grow fast.
const LONGEST: f64 = 0.7;

/// Coordinates start where their part of a residual is about as large as the rest, after at most this many corrections.
const BESIDE: std::ops::Range<f64> = 1e-3..1e3;
const SPREADINGS: usize = 12;

/// For each root whether it is zero wherever the constraints hold, at the level of velocities too.
pub(crate) fn vanishes_on(graph: &Graph, surface: &Surface<'_>, roots: &[NodeId]) -> Vec<Answer> {
    // A real one need not be within reach of any parameters.
    let numbers = (0..POINTS).filter(|number| points::domain(*number) != Domain::Real);
    let points_on_surface = numbers.filter_map(|number| {
        Point::on(graph, surface, move |symbol| {
            points::value(graph, number, symbol)
        })
    });
    let points_on_surface: Vec<Point<_>> = points_on_surface.collect();
    let values: Vec<Vec<Option<bool>>> = points_on_surface
        .iter()
        .map(|point| {
            let probes = point.evaluate(graph, roots);
            probes.into_iter().map(sign).collect()
        })
        .collect();
    let answer = |root: usize| {
        let (zeros, nonzeros): (Vec<bool>, Vec<bool>) = values
            .iter()
            .filter_map(|point| point[root])
            .partition(|is_zero| *is_zero);
        match (zeros.len(), nonzeros.len()) {
            (AGREEING.., 0) => Answer::Yes,
            (_, 1..) => Answer::No,
            _ => Answer::Unknown,
        }
    };
    let mut answers: Vec<Answer> = (0..roots.len()).map(answer).collect();
    let Some(point) = points_on_surface.first() else {
        return answers;
    };
    // With a symbol enlarged that no constraint contains, the point is on the surface too.
    let fixed = symbols_of(graph, &[surface.residuals, surface.velocity].concat());
    let zeros = (0..roots.len())
        .filter(|i| answers[*i] == Answer::Yes)
        .collect();
    refute_by_sizes(graph, roots, zeros, &mut answers, |open, large| {
        let is_large = |symbol| symbol == large && !fixed.contains(&symbol);
        graph.evaluate_probes(open, &|symbol| match symbol {
            Symbol::Coordinate(_) | Symbol::Velocity(_) | Symbol::Acceleration(_) => {
                point.value(symbol)
            }
            _ => Probe::leaf(points::with_size((point.others)(symbol), is_large(symbol))),
        })
    });
    answers
}

/// Returns whether a value is zero, if it speaks for others.
fn sign(probe: Probe) -> Option<bool> {
    let speaks = probe.is_known() && probe.exact;
    speaks.then(|| probe.is_zero()).flatten()
}

/// A state that meets the constraints to rounding, with the error of each of its numbers; other symbols have given values.
pub(crate) struct Point<F> {
    q: Vec<Probe>,
    v: Vec<Probe>,
    a: Vec<Probe>,
    others: F,
}

impl<F: Fn(Symbol) -> Complex> Point<F> {
    /// The state that is found from a start, which has the values of all symbols.
    pub(crate) fn on(graph: &Graph, surface: &Surface<'_>, start: F) -> Option<Self> {
        let of = |symbols: Vec<Symbol>| -> Vec<Probe> {
            symbols.into_iter().map(&start).map(Probe::leaf).collect()
        };
        let velocities = surface.kinematics.velocity_symbols();
        let accelerations = 0..velocities.len() as u32;
        let mut point = Point {
            q: of(surface.kinematics.coordinate_symbols()),
            v: of(velocities),
            a: of(accelerations.map(Symbol::Acceleration).collect()),
            others: start,
        };
        point.spread(graph, surface);
        let rows = [surface.residuals, surface.slopes];
        let start: Vec<f64> = point.sizes(surface);
        let sizes = |point: &Self| -> Vec<f64> {
            point
                .sizes(surface)
                .into_iter()
                .zip(&start)
                .map(|(now, then)| now.max(*then))
                .collect()
        };
        let off = point.newton(graph, rows, sizes, |point, rows, values| {
            let sizes = sizes(point);
            let step = rows.shortest(values, &sizes);
            let longest = step
                .iter()
                .zip(&sizes)
                .map(|(entry, size)| entry.abs() / size);
            let factor = (LONGEST / longest.fold(0.0, f64::max)).min(1.0);
            let step: Vec<Complex> = step.iter().map(|entry| entry.scale(factor)).collect();
            point.turn(surface, &step);
        })?;
        for off in off {
            let off = surface.kinematics.displaced(&point.values_of_q(), &off);
            widen(&mut point.q, &off);
        }
        let rows = [surface.velocity, surface.jacobian];
        let sizes = |point: &Self| point.v.iter().map(|v| v.value.abs()).collect::<Vec<f64>>();
        let off = point.newton(graph, rows, sizes, |point, rows, values| {
            let sizes = sizes(point);
            for (v, step) in point.v.iter_mut().zip(rows.shortest(values, &sizes)) {
                *v = Probe::leaf(v.value + step);
            }
        })?;
        for off in off {
            widen(&mut point.v, &off);
        }
        if surface.acceleration.is_empty() {
            return Some(point);
        }
        let rows = [surface.acceleration, surface.jacobian];
        let sizes = |point: &Self| point.a.iter().map(|a| a.value.abs()).collect::<Vec<f64>>();
        let off = point.newton(graph, rows, sizes, |point, rows, values| {
            let sizes = sizes(point);
            for (a, step) in point.a.iter_mut().zip(rows.shortest(values, &sizes)) {
                *a = Probe::leaf(a.value + step);
            }
        })?;
        for off in off {
            widen(&mut point.a, &off);
        }
        Some(point)
    }

    pub(crate) fn evaluate(&self, graph: &Graph, roots: &[NodeId]) -> Vec<Probe> {
        graph.evaluate_probes(roots, &|symbol| self.value(symbol))
    }

    /// Gives coordinates sizes at which they matter beside the residuals without them, in any units.
    fn spread(&mut self, graph: &Graph, surface: &Surface<'_>) {
        let kinematics = surface.kinematics;
        let scalars: Vec<(usize, usize)> = (0..kinematics.velocity_count())
            .filter_map(|j| Some((j, kinematics.coordinate_of_velocity(j)?)))
            .collect();
        let start = self.q.clone();
        for (_, coordinate) in &scalars {
            self.q[*coordinate] = Probe::leaf(Complex::ZERO);
        }
        let without = self.evaluate(graph, surface.residuals);
        self.q = start;
        for _ in 0..SPREADINGS {
            let slopes = self.evaluate(graph, surface.slopes);
            let mut is_spread = true;
            for (j, coordinate) in &scalars {
                let size = self.q[*coordinate].value.abs();
                let shares = slopes
                    .chunks(kinematics.velocity_count().max(1))
                    .zip(&without)
                    .filter(|(_, without)| !without.is_rounding());
                let shares =
                    shares.map(|(row, without)| row[*j].value.abs() * size / without.value.abs());
                let share = shares.fold(0.0, f64::max);
                if share > 0.0 && share.is_finite() && !BESIDE.contains(&share) {
                    // In one step if it enters by its square.
                    let scaled = self.q[*coordinate].value.scale(share.sqrt().recip());
                    self.q[*coordinate] = Probe::leaf(scaled);
                    is_spread = false;
                }
            }
            if is_spread {
                break;
            }
        }
    }

    fn value(&self, symbol: Symbol) -> Probe {
        match symbol {
            Symbol::Coordinate(i) => self.q[i as usize],
            Symbol::Velocity(i) => self.v[i as usize],
            Symbol::Acceleration(i) => self.a[i as usize],
            other => Probe::leaf((self.others)(other)),
        }
    }

    fn values_of_q(&self) -> Vec<Complex> {
        self.q.iter().map(|q| q.value).collect()
    }

    /// For each direction of v the size of the coordinate that it moves; the angles of a rotation have size 1.
    fn sizes(&self, surface: &Surface<'_>) -> Vec<f64> {
        let kinematics = surface.kinematics;
        let size = |velocity| match kinematics.coordinate_of_velocity(velocity) {
            Some(coordinate) => self.q[coordinate].value.abs(),
            None => 1.0,
        };
        (0..kinematics.velocity_count()).map(size).collect()
    }

    /// Moves until the values are zero but for rounding; returns for each of them the displacement by its scale, the shortest
    /// relative to `sizes`, so that the errors of coordinates do not depend on their units. `None`
    /// if they stay within their bounds above that.
    fn newton(
        &mut self,
        graph: &Graph,
        [values, slopes]: [&[NodeId]; 2],
        sizes: impl Fn(&Self) -> Vec<f64>,
        moves: impl Fn(&mut Self, &Rows<'_>, &[Complex]),
    ) -> Option<Vec<Vec<Complex>>> {
        let roots = [values, slopes].concat();
        let mut silent = 0;
        for _ in 0..STEPS {
            let probes = self.evaluate(graph, &roots);
            let (values, slopes) = probes.split_at(values.len());
            let are_within = values.iter().all(|value| value.is_rounding());
            silent += usize::from(are_within);
            if silent > SILENT || !probes.iter().all(|probe| probe.is_known()) {
                return None;
            }
            let slopes: Vec<Complex> = slopes.iter().map(|probe| probe.value).collect();
            let columns = slopes.len() / values.len().max(1);
            let rows = Rows {
                entries: &slopes,
                columns,
            };
            if values.iter().all(|value| value.is_zero() == Some(true)) {
                let sizes = sizes(self);
                let off = (0..values.len()).map(|row| {
                    let mut right = vec![Complex::ZERO; values.len()];
                    right[row] = Complex::real(values[row].scale);
                    rows.shortest(&right, &sizes)
                });
                return Some(off.collect());
            }
            let right: Vec<Complex> = values.iter().map(|probe| -probe.value).collect();
            moves(self, &rows, &right);
        }
        None
    }

    /// Moves q by a displacement; quaternions keep unit length.
    fn turn(&mut self, surface: &Surface<'_>, step: &[Complex]) {
        let mut q = self.values_of_q();
        let moved = surface.kinematics.displaced(&q, step);
        for (q, step) in q.iter_mut().zip(moved) {
            *q = *q + step;
        }
        for rotation in surface.kinematics.rotations() {
            let entries = &mut q[rotation.coordinate..rotation.coordinate + 4];
            let length = points::norm(entries);
            entries.iter_mut().for_each(|q| *q = *q / length);
        }
        self.q = q.into_iter().map(Probe::leaf).collect();
    }
}

/// Adds these errors to the bounds of numbers.
fn widen(numbers: &mut [Probe], off: &[Complex]) {
    for (number, off) in numbers.iter_mut().zip(off) {
        number.scale += off.abs();
    }
}

/// A matrix of `columns` columns.
struct Rows<'a> {
    entries: &'a [Complex],
    columns: usize,
}

impl Rows<'_> {
    /// The shortest x with A x = b, measured in `sizes`, by orthogonal rows. A row that is a combination of those above
    /// it, to rounding, is ignored.
    fn shortest(&self, right: &[Complex], sizes: &[f64]) -> Vec<Complex> {
        let mut basis: Vec<Vec<Complex>> = Vec::new();
        let mut x = vec![Complex::ZERO; self.columns];
        for (row, right) in self.entries.chunks(self.columns.max(1)).zip(right) {
            let scaled: Vec<Complex> = row
                .iter()
                .zip(sizes)
                .map(|(entry, size)| entry.scale(*size))
                .collect();
            let largest = scaled.iter().map(|entry| entry.abs()).fold(0.0, f64::max);
            if largest == 0.0 {
                continue;
            }
            let mut remainder: Vec<Complex> =
                scaled.iter().map(|e| e.scale(1.0 / largest)).collect();
            let before = length(&remainder);
            // Once more for the rounding errors.
            for _ in 0..2 {
                for above in &basis {
                    let along = dot(&remainder, above);
                    subtract(&mut remainder, along, above);
                }
            }
            let size = length(&remainder);
            if size <= f64::EPSILON * before * sizes.len() as f64 {
                continue;
            }
            let unit: Vec<Complex> = remainder.iter().map(|e| e.scale(1.0 / size)).collect();
            // The deficit of x along the row is corrected along the row's new direction.
            let met = scaled
                .iter()
                .zip(&x)
                .fold(Complex::ZERO, |sum, (entry, x)| {
                    sum + entry.scale(1.0 / largest) * *x
                });
            let lacks = (right.scale(1.0 / largest) - met).scale(1.0 / size);
            for (x, unit) in x.iter_mut().zip(&unit) {
                *x = *x + unit.conjugate() * lacks;
            }
            basis.push(unit);
        }
        x.iter()
            .zip(sizes)
            .map(|(x, size)| x.scale(*size))
            .collect()
    }
}

/// The product of a and the conjugates of b.
pub(crate) fn dot(a: &[Complex], b: &[Complex]) -> Complex {
    a.iter()
        .zip(b)
        .fold(Complex::ZERO, |sum, (a, b)| sum + *a * b.conjugate())
}

pub(crate) fn length(row: &[Complex]) -> f64 {
    dot(row, row).re.sqrt()
}

/// row - factor * other
pub(crate) fn subtract(row: &mut [Complex], factor: Complex, other: &[Complex]) {
    for (entry, other) in row.iter_mut().zip(other) {
        *entry = *entry - factor * *other;
    }
}

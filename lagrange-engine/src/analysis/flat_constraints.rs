//! Constraints whose gradient vanishes wherever they hold: `(x - y)^2 = 0` restricts the coordinates, but its
//! row of J is zero at every admissible state.

use crate::probe::real_point;
use crate::{Complex, ConstraintKind, Graph, NodeId, Symbol, System};

/// So many starts must lead to such a point, and none to another one.
const AGREEING: usize = 3;
const STARTS: usize = 6;
/// So many steps without a smaller residual lead nowhere.
const PATIENCE: usize = 60;
/// A step towards a multiple root of a sum of squares or powers leaves a quarter of the residual at least; one that
/// leaves less than this goes towards a simple root, and so many are enough to tell.
const FAST: f64 = 0.125;
const FAST_STEPS: usize = 3;
/// A residual that came down to this in slow steps would go on beyond the smallest doubles.
const UNDERFLOW: f64 = f64::MIN_POSITIVE / (f64::EPSILON * f64::EPSILON);
/// The most evaluations of nodes that the question is worth.
const MOST: usize = 2_000_000;

/// For each constraint whether its gradient vanishes wherever it holds, as far as Newton's method from random
/// points shows. Only holonomic constraints are judged, and none of a system that is too large.
///
/// ```
/// use lagrange_engine::{
///     Constraint, ConstraintKind, Energy, Graph, Multibody, Names, Symbol, System, flat_constraints,
/// };
/// let mut graph = Graph::new();
/// let [x, y] = [0, 1].map(|i| graph.symbol(Symbol::Coordinate(i)));
/// let difference = graph.sub(x, y);
/// let square = graph.powi(difference, 2);
/// let zero = graph.integer(0);
/// let constraint = |name: &str, residual| Constraint {
///     name: name.into(),
///     kind: ConstraintKind::Holonomic,
///     residual,
/// };
/// let system = System {
///     names: Names { coordinates: vec!["x".into(), "y".into()], ..Names::default() },
///     energy: Energy::Lagrangian(zero),
///     multibody: Multibody::default(),
///     dissipation: zero,
///     forces: vec![zero; 2],
///     constraints: vec![constraint("a", difference), constraint("b", square)],
///     outputs: vec![],
///     regressors: vec![],
///     symmetries: vec![],
///     graph,
/// };
/// assert_eq!(flat_constraints(&system), [false, true]);
/// ```
pub fn flat_constraints(system: &System) -> Vec<bool> {
    let rows = system.constraints.len();
    let mut graph = system.graph.clone();
    let symbols = system.names.kinematics().coordinate_symbols();
    let evaluations = rows.saturating_mul(graph.len()).saturating_mul(STARTS);
    if evaluations > MOST {
        return vec![false; rows];
    }
    let judged = system.constraints.iter().map(|constraint| {
        constraint.kind == ConstraintKind::Holonomic
            && is_flat(&mut graph, constraint.residual, &symbols)
    });
    judged.collect()
}

fn is_flat(graph: &mut Graph, residual: NodeId, symbols: &[Symbol]) -> bool {
    let gradient = graph.gradient(residual, symbols);
    let roots: Vec<NodeId> = [residual].into_iter().chain(gradient).collect();
    let mut agreeing = 0;
    for start in 0..STARTS {
        match ends_flat(graph, &roots, symbols, start) {
            Some(true) => agreeing += 1,
            Some(false) => return false,
            None => {}
        }
    }
    agreeing >= AGREEING
}

/// Where Newton's method along the gradient ends: whether the gradient is gone there. `None` where it finds no
/// point on the constraint.
///
/// The residual falls by halves or quarters towards a point without a gradient, until rounding or the smallest double ends
/// it, and ever faster towards another one: no size of coordinates or of the residual plays a part. Every other start measures
/// steps beside the sizes of the coordinates, which may be of several units.
fn ends_flat(graph: &Graph, roots: &[NodeId], symbols: &[Symbol], start: usize) -> Option<bool> {
    let point = |symbol: Symbol| real_point(graph, start, symbol);
    let mut q: Vec<f64> = symbols.iter().map(|symbol| point(*symbol)).collect();
    let (mut least, mut since) = (f64::INFINITY, 0);
    let (mut last, mut fast, mut was_fast) = (f64::INFINITY, 0, false);
    while since < PATIENCE {
        let value = |symbol: Symbol| {
            Complex::real(match symbol {
                Symbol::Coordinate(i) => q.get(i as usize).copied().unwrap_or(0.0),
                other => point(other),
            })
        };
        let probes = graph.evaluate_complex(roots, &value);
        if !probes.iter().all(|probe| probe.is_known() && probe.real) {
            return None;
        }
        let (residual, gradient) = probes.split_first()?;
        let size = residual.value.abs();
        if last < UNDERFLOW {
            return Some(true);
        }
        let is_fast = size + residual.rounding() <= FAST * last;
        fast = if is_fast { fast + 1 } else { 0 };
        if residual.is_rounding() {
            return least.is_finite().then_some(!(is_fast || was_fast));
        }
        if fast == FAST_STEPS {
            return Some(false);
        }
        since = if size < least { 0 } else { since + 1 };
        least = least.min(size);
        (last, was_fast) = (size, is_fast);
        let weight = |q: f64| if start % 2 == 0 { 1.0 } else { q.abs() };
        let weighted = gradient.iter().zip(&q);
        let weighted: Vec<f64> = weighted.map(|(g, q)| g.value.re * weight(*q)).collect();
        let largest = weighted.iter().fold(0.0_f64, |most, g| most.max(g.abs()));
        let square: f64 = weighted.iter().map(|g| (g / largest).powi(2)).sum();
        let scale = residual.value.re / largest / square;
        if !scale.is_finite() {
            return None;
        }
        for (q, slope) in q.iter_mut().zip(weighted) {
            *q -= scale * weight(*q) * (slope / largest);
        }
    }
    None
}

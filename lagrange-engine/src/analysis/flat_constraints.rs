//! Constraints whose gradient vanishes wherever they hold: `(x - y)^2 = 0` restricts the coordinates, but its
//! row of J is zero at every admissible state.

use crate::probe::real_point;
use crate::{ConstraintKind, Graph, NodeId, Symbol, System};

/// So many starts must lead to such a point, and none to another one.
const AGREEING: usize = 3;
const STARTS: usize = 6;
/// A double root is approached by halves.
const STEPS: usize = 60;
/// What remains of residual and gradient counts as nothing from here on, relative to the start.
const RESIDUAL: f64 = 1e-12;
const GRADIENT: f64 = 1e-5;
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
fn ends_flat(graph: &Graph, roots: &[NodeId], symbols: &[Symbol], start: usize) -> Option<bool> {
    let point = |symbol: Symbol| real_point(graph, start, symbol);
    let mut q: Vec<f64> = symbols.iter().map(|symbol| point(*symbol)).collect();
    let mut first: Option<(f64, f64)> = None;
    for _ in 0..STEPS {
        let value = |symbol: Symbol| match symbol {
            Symbol::Coordinate(i) => q.get(i as usize).copied().unwrap_or(0.0),
            other => point(other),
        };
        let values = graph.evaluate(roots, &value);
        let (residual, gradient) = values.split_first()?;
        let square: f64 = gradient.iter().map(|entry| entry * entry).sum();
        let (residual, size) = (residual.abs(), square.sqrt());
        let (residual0, size0) = *first.get_or_insert((residual, size));
        if residual0 == 0.0 || !residual0.is_finite() {
            return None;
        }
        let is_met = residual <= RESIDUAL * residual0;
        if is_met && size.is_finite() && size > GRADIENT * size0 {
            return Some(false);
        }
        if !size.is_finite() || size == 0.0 {
            return is_met.then_some(true);
        }
        let scale = values[0] / square;
        for (q, slope) in q.iter_mut().zip(gradient) {
            *q -= scale * slope;
        }
        if is_met && size <= GRADIENT * size0 {
            return Some(true);
        }
    }
    None
}

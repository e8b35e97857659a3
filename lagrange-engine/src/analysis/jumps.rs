//! A zero derivative does not exclude values that differ between pieces.
//!
//! `courses` says where a value may jump. At its borders a zero derivative is not a proof.

use std::collections::HashSet;

use super::courses::find_borders;
use crate::probe::real_point;
use crate::{
    Answer, Binary, Complex, Dependence, Graph, Node, NodeId, Symbol, Unary, is_identically_zero,
};

/// The number of points at which values are compared.
const COMPARED: usize = 8;

/// The symbols whose change may make a root jump.
pub(super) fn jumps(graph: &Graph, roots: &[NodeId]) -> HashSet<Symbol> {
    let borders = find_borders(graph, roots);
    graph.symbols_in(&borders).into_iter().collect()
}

/// Returns whether a root may jump along a direction: its border moves.
pub(super) fn jumps_along(
    graph: &mut Graph,
    roots: &[NodeId],
    direction: &[(Symbol, NodeId)],
) -> bool {
    let borders = find_borders(graph, roots);
    let moves = graph.directional(&borders, direction);
    let answers = is_identically_zero(graph, &moves);
    answers.iter().any(|answer| *answer != Answer::Yes)
}

/// Returns whether a slope of a root may jump along a motion, at a kink of `abs`, `min`, `max` or a curve: that of a constraint is an
/// impact, and costs energy.
pub(super) fn has_kinks(graph: &Graph, roots: &[NodeId]) -> bool {
    let reached = graph.reachable(roots);
    (0..reached.len())
        .filter(|index| reached[*index])
        .map(|index| NodeId(index as u32))
        .any(|id| {
            let is_kinked = match graph.node(id) {
                Node::Unary(Unary::Abs, _) | Node::Binary(Binary::Min | Binary::Max, ..) => true,
                Node::Curve { of, .. } => of.has_kinks(),
                _ => false,
            };
            is_kinked && graph.dependence(id).intersects(Dependence::MOTION)
        })
}

/// Returns whether a root has different values at random real points that differ only in those symbols.
pub(super) fn differs(graph: &Graph, roots: &[NodeId], moved: &dyn Fn(Symbol) -> bool) -> bool {
    if !graph.symbols_in(roots).into_iter().any(moved) {
        return false;
    }
    (0..COMPARED).any(|point| {
        let here = |symbol| Complex::real(real_point(graph, point, symbol));
        let there = |symbol| {
            let other = if moved(symbol) { point + 1 } else { point };
            Complex::real(real_point(graph, other, symbol))
        };
        let (here, there) = (
            graph.evaluate_complex(roots, &here),
            graph.evaluate_complex(roots, &there),
        );
        here.iter().zip(&there).any(|(here, there)| {
            let is_known = |probe: &crate::Probe| probe.is_known() && probe.real;
            let off = (here.value - there.value).abs();
            is_known(here) && is_known(there) && off > here.rounding() + there.rounding()
        })
    })
}

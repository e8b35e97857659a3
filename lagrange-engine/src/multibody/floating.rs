//! Origins that move before an attitude turns the axes.
//!
//! The velocity of a free body's origin is known in the axes before its attitude, where its square contains no
//! quaternion. In the turned axes it would contain one, and `R R^T = 1` is not recognised in symbols. So an attitude
//! starts afresh: after it velocities are relative to that of this origin, which is stored beside them:
//! `|f + v|^2 = |f|^2 + 2 f . v + |v|^2`.

use super::space::{Step, Vector};
use crate::{Graph, NodeId, Number};

/// The velocity of the origin about which the last attitude turned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floating {
    pub(super) square: NodeId,
    pub(super) in_world: Vector,
    /// In the base axes of a pose, and in its own axes.
    pub(super) in_base: Vector,
    pub(super) in_own: Vector,
}

impl Floating {
    /// The velocity for a pose with the same base axes and its own axes a step away.
    pub(super) fn moved_by_step(self, graph: &mut Graph, step: &Step) -> Self {
        let in_own = step.back(graph, self.in_base);
        Floating { in_own, ..self }
    }

    /// The velocity for a pose whose base axes are a step away and are its own.
    pub(super) fn based(self, graph: &mut Graph, step: &Step) -> Self {
        let carried = step.back(graph, self.in_base);
        Floating {
            in_base: carried,
            in_own: carried,
            ..self
        }
    }

    /// `|f + v|^2` of a relative velocity in the axes of `floating`.
    pub(super) fn square_with(
        self,
        graph: &mut Graph,
        floating: Vector,
        velocity: Vector,
    ) -> NodeId {
        let mixed = graph.dot(&floating, &velocity);
        let relative = graph.dot(&velocity, &velocity);
        let terms = [(1, self.square), (2, mixed), (1, relative)];
        let terms = terms.map(|(factor, node)| (Number::integer(factor), node));
        graph.sum(Number::ZERO, terms.to_vec())
    }
}

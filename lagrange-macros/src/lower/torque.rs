//! `torque`: generalized forces of a moment on a frame.

use lagrange_engine::{Dependence, NodeId};
use proc_macro2::Ident;
use syn::Attribute;

use super::lowering::Lowering;
use crate::syntax::ast::Expr;
use crate::tables::{ForceEntry, ForceKind};

impl Lowering<'_> {
    /// `torque t on F;`: Q_j += t . dw/dv_j with w the angular velocity of the frame.
    pub(super) fn torque(
        &mut self,
        (keyword, attributes): (&Ident, &[Attribute]),
        torque: &Expr,
        frame: &Expr,
    ) {
        let evaluator = &mut self.evaluator;
        let value = evaluator.evaluate(torque);
        let rule = "a torque is a vector of length 3";
        let vector = value.and_then(|value| evaluator.expect_vector(torque, &value, rule));
        let frame = evaluator.frame(frame);
        let (Some(vector), Some(frame)) = (vector, frame) else {
            return;
        };
        // t . w is the same in any axes; in the base axes of the frame w costs least.
        let graph = &mut evaluator.graph;
        let frames = &evaluator.frames;
        let [spin, torque] = frames.angular_velocity_beside(graph, frame, vector);
        let is_zero = torque.iter().all(|entry| graph.is_zero(*entry));
        let turns = |entry: &NodeId| graph.dependence(*entry).intersects(Dependence::VELOCITY);
        let acts = !is_zero && spin.iter().any(turns);
        let velocities = evaluator.names.velocity_symbols();
        let forces = graph.reverse(&spin, &torque, &velocities);
        let numbered = forces.into_iter().enumerate();
        let generalized = numbered.filter(|(_, force)| !graph.is_zero(*force));
        self.forces.add(ForceEntry {
            kind: ForceKind::Torque,
            keyword: keyword.span(),
            attributes: attributes.to_vec(),
            generalized: generalized.collect(),
            of_all: true,
            acts,
        });
    }
}

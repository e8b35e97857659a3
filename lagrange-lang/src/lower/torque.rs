//! `torque`: generalized forces of a moment on a frame.

use proc_macro2::Ident;
use syn::Attribute;

use super::lowering::Lowering;
use crate::syntax::ast::Expr;
use crate::tables::{ForceEntry, ForceKind};
use crate::units::{Factor, Side};

impl Lowering<'_> {
    /// `torque t on F;`: Q_j += t . dw/dv_j with w the angular velocity of the frame.
    pub(super) fn lower_torque(
        &mut self,
        (keyword, attributes): (&Ident, &[Attribute]),
        torque: &Expr,
        frame: &Expr,
    ) {
        let evaluator = &mut self.evaluator;
        let value = evaluator.evaluate(torque);
        let rule = "a torque is a vector of length 3";
        let vector = value.and_then(|value| evaluator.expect_vector(torque, &value, rule));
        let frame = evaluator.evaluate_frame(frame);
        let (Some(vector), Some(frame)) = (vector, frame) else {
            return;
        };
        if evaluator.require_linear(0, &vector).is_none() {
            return;
        }
        let energy = Side::new(vec![(Factor::Energy, 1)], "a torque");
        evaluator.note_unit(torque, &vector, &energy);
        let (work, turns) = evaluator.find_work_of_torque(frame, vector);
        let graph = &evaluator.graph;
        let is_zero = vector.iter().all(|entry| graph.is_zero(*entry));
        let generalized = work
            .into_iter()
            .enumerate()
            .filter(|(_, force)| !graph.is_zero(*force));
        self.forces.add(ForceEntry {
            kind: ForceKind::Torque,
            keyword: keyword.span(),
            attributes: attributes.to_vec(),
            generalized: generalized.collect(),
            of_all: true,
            acts: turns && !is_zero,
            point: Vec::new(),
        });
    }
}

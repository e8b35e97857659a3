//! The user's outputs and their derivatives.

use super::{Derivation, Form};
use crate::{Dependence, NodeId, Quantity, Shape};

impl Derivation<'_> {
    pub(super) fn output(&mut self, number: usize) -> Vec<NodeId> {
        let output = self.system.outputs.get(number);
        output.map_or_else(Vec::new, |output| output.entries.clone())
    }

    /// A row for each entry; nothing unless the output is a scalar or vector of q and t alone.
    pub(super) fn output_jacobian(&mut self, number: usize) -> Vec<NodeId> {
        if !self.has_output_jacobian(number) {
            return Vec::new();
        }
        let entries = self.quantity(Form::AsWritten, Quantity::Output(number));
        let rows = entries.into_iter();
        rows.flat_map(|entry| self.gradient(entry)).collect()
    }

    pub(crate) fn has_output_jacobian(&self, number: usize) -> bool {
        let beyond = Dependence::VELOCITY.union(Dependence::INPUT);
        let graph = &self.derived.graph;
        self.system.outputs.get(number).is_some_and(|output| {
            let mut entries = output.entries.iter();
            !matches!(output.shape, Shape::Matrix(..))
                && entries.all(|entry| !graph.dependence(*entry).intersects(beyond))
        })
    }
}

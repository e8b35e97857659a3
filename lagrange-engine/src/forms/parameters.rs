//! Derivatives of the equations of motion by parameters, with the accelerations and the multipliers as symbols: the
//! right-hand sides for those of a and lambda, as in `derivatives.rs`.

use super::{Derivation, Form};
use crate::simplify::flattened;
use crate::{NodeId, Quantity, Symbol};

impl Derivation<'_> {
    /// Of Q + J^T lambda - (M a + h).
    pub(super) fn equations_by_parameter(&mut self, form: Form, number: u32) -> Vec<NodeId> {
        let inertia = self.quantity(form, Quantity::InverseDynamics);
        // Terms that cancel are not differentiated.
        let inertia = match form {
            Form::Multibody | Form::MassMoments => inertia,
            _ => flattened(self.graph(), &inertia),
        };
        let forces = self.forces_and_reactions();
        let inertia = self.by_parameter(&inertia, number);
        let forces = self.by_parameter(&forces, number);
        self.subtract_entries(&forces, &inertia)
    }

    /// Of gamma - J a.
    pub(super) fn constraints_by_parameter(&mut self, number: u32) -> Vec<NodeId> {
        let rates = self.constraint_rates();
        self.by_parameter(&rates, number)
    }

    fn by_parameter(&mut self, roots: &[NodeId], number: u32) -> Vec<NodeId> {
        let graph = self.graph();
        let one = graph.integer(1);
        graph.directional(roots, &[(Symbol::Parameter(number), one)])
    }
}

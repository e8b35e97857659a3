//! M, the bias and the inverse dynamics by recursion along the bodies, with what the rest of the
//! energies adds.

use super::{Derivation, Form};
use crate::{Energy, NodeId, Quantity, Recursive, symmetric};

impl Derivation<'_> {
    pub(super) fn recursive_mass_matrix(&mut self) -> Vec<NodeId> {
        let Some((recursive, momenta)) = self.recursive_and_rest() else {
            return self.quantity(Form::AsWritten, Quantity::MassMatrix);
        };
        let rest = self.mass_matrix_of(&momenta);
        let bodies = symmetric(&recursive.mass_matrix, momenta.len());
        self.sums(&bodies, &rest)
    }

    pub(super) fn recursive_bias(&mut self) -> Vec<NodeId> {
        let Some((recursive, momenta)) = self.recursive_and_rest() else {
            return self.quantity(Form::AsWritten, Quantity::Bias);
        };
        let rest = self.bias_of(recursive.rest, &momenta);
        self.sums(&recursive.bias, &rest)
    }

    pub(super) fn recursive_inverse_dynamics(&mut self) -> Vec<NodeId> {
        let Some((recursive, momenta)) = self.recursive_and_rest() else {
            return self.quantity(Form::AsWritten, Quantity::InverseDynamics);
        };
        let rest = self.inverse_dynamics_of(recursive.rest, &momenta);
        self.sums(&recursive.inverse_dynamics, &rest)
    }

    /// The recursive forms, and the momenta of what is not theirs.
    fn recursive_and_rest(&mut self) -> Option<(Recursive, Vec<NodeId>)> {
        let recursive = self.system.recursive.clone()?;
        let lagrangian = match recursive.rest {
            Energy::Natural { kinetic, potential } => self.graph().sub(kinetic, potential),
            Energy::Lagrangian(lagrangian) => lagrangian,
        };
        let momenta = self.by_velocities(lagrangian);
        Some((recursive, momenta))
    }
}

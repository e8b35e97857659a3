//! M, the bias and the inverse dynamics by recursion along the bodies, plus the terms of the other energies.

use super::{Derivation, Form};
use crate::{Energy, NodeId, Quantity, Recursion, Split, System, symmetric};

/// The bodies in the recursion, and the energies of everything else.
#[derive(Clone, Debug)]
pub(crate) struct Recursive {
    pub(super) recursion: Recursion,
    pub(super) other_energy: Energy,
}

impl Recursive {
    /// `None` if no body is in the recursion.
    pub(crate) fn of(system: &mut System) -> Option<Self> {
        let kinematics = system.names.kinematics();
        let graph = &mut system.graph;
        let Split { recursion, rest } = system.multibody.split(graph, &kinematics);
        Some(Self {
            recursion: recursion?,
            other_energy: rest.with_energy(graph, &kinematics, system.energy),
        })
    }

    pub(super) fn recursion(&self) -> &Recursion {
        &self.recursion
    }
}

impl<'a> Derivation<'a> {
    pub(super) fn recursive_mass_matrix(&mut self, form: Form) -> Vec<NodeId> {
        let Some((recursive, momenta)) = self.recursive_and_other_momenta() else {
            return self.quantity(Form::AsWritten, Quantity::MassMatrix);
        };
        let recursion = &recursive.recursion;
        let bodies = match form {
            Form::MassMoments => recursion.mass_matrix_by_moments(self.graph()),
            _ => recursion.mass_matrix(self.graph()),
        };
        let bodies = symmetric(&bodies, momenta.len());
        let of_rest = self.mass_matrix_of(&momenta);
        self.add_entries(&bodies, &of_rest)
    }

    pub(super) fn recursive_bias(&mut self, form: Form) -> Vec<NodeId> {
        let Some((recursive, momenta)) = self.recursive_and_other_momenta() else {
            return self.quantity(Form::AsWritten, Quantity::Bias);
        };
        let recursion = &recursive.recursion;
        let bodies = match form {
            Form::MassMoments => recursion.bias_by_moments(self.graph()),
            _ => recursion.bias(self.graph()),
        };
        let of_rest = self.bias_of(recursive.other_energy, &momenta);
        self.add_entries(&bodies, &of_rest)
    }

    pub(super) fn recursive_inverse_dynamics(&mut self) -> Vec<NodeId> {
        let Some((recursive, momenta)) = self.recursive_and_other_momenta() else {
            return self.quantity(Form::AsWritten, Quantity::InverseDynamics);
        };
        let bodies = recursive.recursion.inverse_dynamics(self.graph());
        let of_rest = self.inverse_dynamics_of(recursive.other_energy, &momenta);
        self.add_entries(&bodies, &of_rest)
    }

    /// The derivatives by position and by velocity, from one derivation.
    pub(super) fn recursive_inverse_dynamics_derivatives(&mut self) -> [Vec<NodeId>; 2] {
        let Some((recursive, momenta)) = self.recursive_and_other_momenta() else {
            let forces = self.quantity(Form::AsWritten, Quantity::InverseDynamics);
            return [self.by_position(&forces), self.by_velocity(&forces)];
        };
        let bodies = recursive
            .recursion
            .inverse_dynamics_derivatives(self.graph());
        let of_rest = self.inverse_dynamics_of(recursive.other_energy, &momenta);
        let of_rest = [self.by_position(&of_rest), self.by_velocity(&of_rest)];
        [0, 1].map(|part| self.add_entries(&bodies[part], &of_rest[part]))
    }

    /// The recursive part, and the momenta of the rest.
    fn recursive_and_other_momenta(&mut self) -> Option<(&'a Recursive, Vec<NodeId>)> {
        let recursive = self.recursive?;
        let lagrangian = match recursive.other_energy {
            Energy::Natural { kinetic, potential } => self.graph().sub(kinetic, potential),
            Energy::Lagrangian(lagrangian) => lagrangian,
        };
        let momenta = self.by_velocities(lagrangian);
        Some((recursive, momenta))
    }
}

//! The linear maps of the velocities in each form.

use super::{Derivation, Form};
use crate::linear::LinearMaps;
use crate::{Energy, NodeId};

impl Derivation<'_> {
    /// The linear maps of the kinetic energy, or of L; `None` if a system has no such form, or the energy is not of
    /// degree two in the velocities by structure.
    pub(crate) fn linear_maps(&mut self, form: Form) -> Option<LinearMaps> {
        let energy = match form {
            Form::Multibody | Form::MassMoments => {
                let recursive = self.recursive?;
                let bodies = recursive.recursion.kinetic_energy(self.graph());
                self.graph().add(bodies, quadratic(recursive.other_energy))
            }
            form => quadratic(self.source(form)),
        };
        let velocities = self.kinematics.velocity_count();
        LinearMaps::of(self.graph(), energy, velocities)
    }
}

/// The expression with all terms of degree two.
fn quadratic(energy: Energy) -> NodeId {
    match energy {
        Energy::Natural { kinetic, .. } => kinetic,
        Energy::Lagrangian(lagrangian) => lagrangian,
    }
}

//! The terms of Hamilton's equations, with the momenta p as variables.
//!
//! If L is quadratic in v, `p = M v + p0` with the momenta p0 at rest, and so `M v = p - p0`. The momenta change by
//! `dp/dt = dL/dq + Q + J^T lambda - w x p`: derivatives of L at fixed v along the directions of v, and w x p, the
//! Lie-Poisson term, for the three momenta of a rotation (J. E. Marsden and T. S. Ratiu, *Introduction to Mechanics and
//! Symmetry*, 2nd ed., 1999, section 13.5).

use super::{Derivation, Form};
use crate::{NodeId, Quantity, Symbol};

impl Derivation<'_> {
    pub(super) fn kinetic_momenta(&mut self, form: Form) -> Vec<NodeId> {
        let momenta = self.quantity(form, Quantity::Momenta);
        let at_rest = self.at_rest(&momenta);
        let momenta_symbols = self.momenta_symbols();
        self.subtract_entries(&momenta_symbols, &at_rest)
    }

    pub(super) fn momentum_rate(&mut self, form: Form) -> Vec<NodeId> {
        let rate = self.quantity(form, Quantity::MomentumForces);
        if self.kinematics.is_trivial() {
            return rate;
        }
        let momenta = self.momenta_symbols();
        let turned = self
            .kinematics
            .gyroscopic(&mut self.derived.graph, &momenta);
        self.subtract_entries(&rate, &turned)
    }

    /// F = dL/dq + Q.
    pub(super) fn momentum_forces(&mut self, form: Form) -> Vec<NodeId> {
        let energy = self.source(form);
        let gradient = self.gradient_of(energy);
        let forces = self.quantity(form, Quantity::GeneralizedForces);
        self.add_entries(&gradient, &forces)
    }

    /// The symbols for the momenta.
    fn momenta_symbols(&mut self) -> Vec<NodeId> {
        let count = self.kinematics.velocity_count();
        self.graph().numbered(count, Symbol::Momentum)
    }
}

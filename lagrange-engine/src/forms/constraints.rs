//! The constraint terms, rows of holonomic ones first, each kind in order of declaration.
//!
//! - residual: g(q, t) of the holonomic rows
//! - velocity level: dg/dt = J v + dg/dt|_q, or the nonholonomic residual r(q, v, t)
//! - J = d(dg/dt)/dv, which is dg/dq along the directions of v, or dr/dv
//! - acceleration level: J a = gamma, with gamma = -(d/dt of the velocity level at a = 0)

use super::{Derivation, Form};
use crate::{ConstraintKind, NodeId, Quantity};

impl Derivation<'_> {
    fn residuals(&self, kind: ConstraintKind) -> Vec<NodeId> {
        self.system
            .constraints
            .iter()
            .filter(|constraint| constraint.kind == kind)
            .map(|constraint| constraint.residual)
            .collect()
    }

    pub(super) fn constraint_residual(&mut self) -> Vec<NodeId> {
        self.residuals(ConstraintKind::Holonomic)
    }

    pub(super) fn constraint_velocity(&mut self) -> Vec<NodeId> {
        let holonomic = self.residuals(ConstraintKind::Holonomic);
        let mut velocity = self.rates_at_constant_velocity(&holonomic);
        velocity.extend(self.residuals(ConstraintKind::Nonholonomic));
        velocity
    }

    pub(super) fn holonomic_jacobian(&mut self) -> Vec<NodeId> {
        self.residuals(ConstraintKind::Holonomic)
            .into_iter()
            .flat_map(|residual| self.gradient(residual))
            .collect()
    }

    pub(super) fn constraint_jacobian(&mut self) -> Vec<NodeId> {
        let mut jacobian = self.quantity(Form::AsWritten, Quantity::HolonomicJacobian);
        for residual in self.residuals(ConstraintKind::Nonholonomic) {
            jacobian.extend(self.by_velocities(residual));
        }
        jacobian
    }

    pub(super) fn constraint_gamma(&mut self) -> Vec<NodeId> {
        let velocity = self.quantity(Form::AsWritten, Quantity::ConstraintVelocity);
        self.rates_at_constant_velocity(&velocity)
            .into_iter()
            .map(|rate| self.derived.graph.neg(rate))
            .collect()
    }
}

//! The first-order form of the equations, `A [dq/dt; a; lambda] = b`.

use super::{Derivation, Form};
use crate::{NodeId, Quantity};

impl Derivation<'_> {
    /// `[I 0 0; 0 M -(J^T + B); 0 J 0]`, without B if no force depends on a multiplier.
    pub(super) fn mass_matrix_full(&mut self, form: Form) -> Vec<NodeId> {
        let mass = self.quantity(form, Quantity::MassMatrix);
        let jacobian = self.quantity(form, Quantity::ConstraintJacobian);
        let forces = self.quantity(form, Quantity::MultiplierForces);
        let (m, n) = (
            self.kinematics.coordinate_count(),
            self.kinematics.velocity_count(),
        );
        let size = m + n + self.system.constraints.len();
        let by_multipliers = forces.len() / n.max(1);
        let graph = &mut self.derived.graph;
        let (zero, one) = (graph.integer(0), graph.integer(1));
        let mut full = vec![zero; size * size];
        for i in 0..m {
            full[i * size + i] = one;
        }
        for (i, row) in mass.chunks(n.max(1)).enumerate() {
            let first = (m + i) * size + m;
            full[first..first + n].copy_from_slice(row);
        }
        for (k, row) in jacobian.chunks(n.max(1)).enumerate() {
            for (i, entry) in row.iter().enumerate() {
                full[(m + n + k) * size + m + i] = *entry;
                let sum = forces
                    .get(i * by_multipliers + k)
                    .copied()
                    .map_or(*entry, |force| graph.add(*entry, force));
                full[(m + i) * size + m + n + k] = graph.neg(sum);
            }
        }
        full
    }

    /// `[dq/dt; f; gamma]`.
    pub(super) fn forcing_full(&mut self, form: Form) -> Vec<NodeId> {
        let parts = [
            Quantity::CoordinateRates,
            Quantity::Forcing,
            Quantity::ConstraintGamma,
        ];
        parts.map(|quantity| self.quantity(form, quantity)).concat()
    }
}

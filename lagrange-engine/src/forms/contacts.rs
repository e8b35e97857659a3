//! The terms of contacts, in order of declaration.
//!
//! - gap: g(q, t)
//! - rate: dg/dt = J_c v + dg/dt|_q
//! - J_c = d(dg/dt)/dv, which is dg/dq along the directions of v
//! - acceleration level: the second derivative is J_c a - gamma_c
//! - sliding velocity: s(q, v, t), affine in v, with J_s = ds/dv and the rate J_s a - gamma_s

use super::{Derivation, Form};
use crate::{Contact, NodeId, Quantity, Symbol};

impl Derivation<'_> {
    pub(super) fn contact_gaps(&mut self) -> Vec<NodeId> {
        self.system
            .contacts
            .iter()
            .map(|contact| contact.gap)
            .collect()
    }

    pub(super) fn contact_gap_rates(&mut self) -> Vec<NodeId> {
        let gaps = self.contact_gaps();
        self.rates_at_constant_velocity(&gaps)
    }

    pub(super) fn contact_jacobian(&mut self) -> Vec<NodeId> {
        self.contact_gaps()
            .into_iter()
            .flat_map(|gap| self.gradient(gap))
            .collect()
    }

    pub(super) fn contact_gamma(&mut self) -> Vec<NodeId> {
        let rates = self.quantity(Form::AsWritten, Quantity::ContactGapRates);
        self.rates_at_constant_velocity(&rates)
            .into_iter()
            .map(|rate| self.derived.graph.neg(rate))
            .collect()
    }

    pub(super) fn slips(&mut self, direction: usize) -> Vec<NodeId> {
        let zero = self.derived.graph.integer(0);
        self.system
            .contacts
            .iter()
            .map(|contact| contact.slips.get(direction).copied().unwrap_or(zero))
            .collect()
    }

    pub(super) fn slip_jacobian(&mut self, direction: usize) -> Vec<NodeId> {
        let slips = self.slips(direction);
        self.by_velocity(&slips)
    }

    pub(super) fn slip_gamma(&mut self, direction: usize) -> Vec<NodeId> {
        let slips = self.slips(direction);
        self.rates_at_constant_velocity(&slips)
            .into_iter()
            .map(|rate| self.derived.graph.neg(rate))
            .collect()
    }

    /// A coefficient of each contact, 0 if it is not given.
    pub(super) fn contact_coefficients(
        &mut self,
        of: impl Fn(&Contact) -> Option<NodeId>,
    ) -> Vec<NodeId> {
        let zero = self.derived.graph.integer(0);
        self.system
            .contacts
            .iter()
            .map(|contact| of(contact).unwrap_or(zero))
            .collect()
    }

    pub(super) fn joint_limits(&self) -> Vec<NodeId> {
        self.system
            .dry_joints
            .iter()
            .map(|joint| joint.limit)
            .collect()
    }

    pub(super) fn contact_forces_by_position(&mut self) -> Vec<NodeId> {
        let forces = self.contact_forces_with_multipliers();
        self.by_position(&forces)
    }

    pub(super) fn contact_forces_by_velocity(&mut self) -> Vec<NodeId> {
        let forces = self.contact_forces_with_multipliers();
        self.by_velocity(&forces)
    }

    pub(super) fn contact_forces_by_held(&mut self) -> Vec<NodeId> {
        let forces = self.contact_forces_with_multipliers();
        self.by_held(&forces)
    }

    /// (J_c^T + B_c) F, the n entries of each contact after those of the contact before it.
    fn contact_forces_with_multipliers(&mut self) -> Vec<NodeId> {
        let n = self.system.names.velocity_count();
        let first = self.system.constraints.len();
        let forces = self.contact_forces();
        forces
            .chunks(n.max(1))
            .enumerate()
            .flat_map(|(k, forces)| self.with_multipliers(forces, first + k..first + k + 1))
            .collect()
    }

    pub(super) fn contact_impulses_by_position(&mut self) -> Vec<NodeId> {
        let impulses = self.contact_forces();
        self.by_position(&impulses)
    }

    pub(super) fn contacts_by_position(&mut self) -> Vec<NodeId> {
        let gamma = self.quantity(Form::AsWritten, Quantity::ContactGamma);
        let changes = self.changes(Quantity::ContactJacobian);
        let rows = self.subtract_entries(&gamma, &changes);
        self.by_position(&rows)
    }

    pub(super) fn contacts_by_velocity(&mut self) -> Vec<NodeId> {
        let gamma = self.quantity(Form::AsWritten, Quantity::ContactGamma);
        self.by_velocity(&gamma)
    }

    pub(super) fn impulses_by_position(&mut self) -> Vec<NodeId> {
        let impulses = self.reactions();
        let momenta = self.changes(Quantity::MassMatrix);
        let left = self.subtract_entries(&impulses, &momenta);
        self.by_position(&left)
    }

    pub(super) fn impulses_by_velocity(&mut self) -> Vec<NodeId> {
        let left: Vec<NodeId> = self
            .changes(Quantity::MassMatrix)
            .into_iter()
            .map(|m| self.derived.graph.neg(m))
            .collect();
        self.by_velocity(&left)
    }

    pub(super) fn changes_by_position(&mut self, of: Quantity) -> Vec<NodeId> {
        let changes = self.changes(of);
        self.by_position(&changes)
    }

    pub(super) fn gap_rates_by_position(&mut self) -> Vec<NodeId> {
        let rates = self.quantity(Form::AsWritten, Quantity::ContactGapRates);
        self.by_position(&rates)
    }

    /// J_c^T F of each contact after that of the contact before it, with the symbols behind those of the constraints'
    /// multipliers.
    fn contact_forces(&mut self) -> Vec<NodeId> {
        let jacobian = self.quantity(Form::AsWritten, Quantity::ContactJacobian);
        let n = self.system.names.velocity_count();
        let first = self.system.constraints.len();
        let graph = &mut self.derived.graph;
        jacobian
            .iter()
            .enumerate()
            .map(|(index, entry)| {
                let contact = (first + index / n) as u32;
                let force = graph.symbol(Symbol::Multiplier(contact));
                graph.mul(*entry, force)
            })
            .collect()
    }

    /// A matrix of n columns times a.
    fn changes(&mut self, of: Quantity) -> Vec<NodeId> {
        let matrix = self.quantity(Form::AsWritten, of);
        let a = self.accelerations();
        matrix
            .chunks(a.len().max(1))
            .map(|row| self.derived.graph.dot(row, &a))
            .collect()
    }
}

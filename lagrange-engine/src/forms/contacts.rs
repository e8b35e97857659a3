//! The terms of contacts, in order of declaration.
//!
//! - gap: g(q, t)
//! - rate: dg/dt = J_c v + dg/dt|_q
//! - J_c = d(dg/dt)/dv, which is dg/dq along the directions of v
//! - acceleration level: the second derivative is J_c a - gamma_c

use super::{Derivation, Form};
use crate::{NodeId, Quantity};

impl Derivation<'_> {
    pub(super) fn contact_gaps(&mut self) -> Vec<NodeId> {
        let contacts = self.system.contacts.iter();
        contacts.map(|contact| contact.gap).collect()
    }

    pub(super) fn contact_gap_rates(&mut self) -> Vec<NodeId> {
        let gaps = self.contact_gaps();
        self.rates_at_constant_velocity(&gaps)
    }

    pub(super) fn contact_jacobian(&mut self) -> Vec<NodeId> {
        let gaps = self.contact_gaps().into_iter();
        gaps.flat_map(|gap| self.gradient(gap)).collect()
    }

    pub(super) fn contact_gamma(&mut self) -> Vec<NodeId> {
        let rates = self.quantity(Form::AsWritten, Quantity::ContactGapRates);
        let rates = self.rates_at_constant_velocity(&rates).into_iter();
        rates.map(|rate| self.derived.graph.neg(rate)).collect()
    }
}

//! The conserved quantities of symmetries.

use super::{Derivation, Form};
use crate::{NodeId, Quantity};

impl Derivation<'_> {
    /// p . xi (E. Noether, "Invariante Variationsprobleme", 1918).
    pub(super) fn noether_momentum(&mut self, form: Form, number: usize) -> Vec<NodeId> {
        let Some(symmetry) = self.system.symmetries.get(number) else {
            return Vec::new();
        };
        let along = symmetry.along.clone();
        let momenta = self.quantity(form, Quantity::Momenta);
        vec![self.graph().dot(&momenta, &along)]
    }
}

//! The coefficients of parameters in the equations of motion.

use super::{Derivation, Form};
use crate::{NodeId, Quantity, Symbol};

/// Up to this many columns are derived one by one.
const MOST_COLUMNS: usize = 1024;

impl Derivation<'_> {
    /// Y, by rows: the derivatives of M a + h - Q at u = 0 by the parameters.
    ///
    /// In a recursion the parameters of a body enter late, with the forces on it, which are few and pass through few
    /// joints: a forward sweep for each column carries them along. In energies that are differentiated the parameters
    /// enter first, and a reverse sweep for each row gathers them at the end.
    pub(super) fn regressor(&mut self, form: Form, number: usize) -> Vec<NodeId> {
        let Some(regressor) = self.system.regressors.get(number) else {
            return Vec::new();
        };
        let symbols: Vec<Symbol> = regressor
            .parameters
            .iter()
            .map(|number| Symbol::Parameter(*number))
            .collect();
        let rows = self.equations_without_inputs(form);
        if form != Form::Multibody || symbols.len() > MOST_COLUMNS {
            return rows
                .into_iter()
                .flat_map(|row| self.graph().gradient(row, &symbols))
                .collect();
        }
        let graph = self.graph();
        let one = graph.integer(1);
        let columns: Vec<Vec<NodeId>> = symbols
            .into_iter()
            .map(|symbol| graph.directional(&rows, &[(symbol, one)]))
            .collect();
        let row = |i: usize| columns.iter().map(move |column| column[i]);
        (0..rows.len()).flat_map(row).collect()
    }

    /// M a + h - Q at u = 0.
    pub(crate) fn equations_without_inputs(&mut self, form: Form) -> Vec<NodeId> {
        let inertia = self.quantity(form, Quantity::InverseDynamics);
        let forces = self.quantity(form, Quantity::GeneralizedForces);
        let zero = self.graph().integer(0);
        let none: Vec<(Symbol, NodeId)> = (0..self.system.names.inputs.len() as u32)
            .map(|i| (Symbol::Input(i), zero))
            .collect();
        let forces = self.graph().substitute(&forces, &none);
        self.subtract_entries(&inertia, &forces)
    }
}

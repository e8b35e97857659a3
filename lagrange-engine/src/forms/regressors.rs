//! The coefficients of parameters in the equations of motion.

use super::{Derivation, Form};
use crate::{NodeId, Quantity, Symbol};

impl Derivation<'_> {
    /// Y, by rows: the derivatives of M a + h - Q at u = 0 by the parameters.
    ///
    /// A reverse sweep for each row: what the rows of one chain of bodies share, the way of a force from
    /// a body to each joint, is then formed once for all the parameters of the body.
    pub(super) fn regressor(&mut self, form: Form, number: usize) -> Vec<NodeId> {
        let Some(regressor) = self.system.regressors.get(number) else {
            return Vec::new();
        };
        let numbers = regressor.parameters.iter();
        let symbols: Vec<Symbol> = numbers.map(|number| Symbol::Parameter(*number)).collect();
        let rows = self.equations_without_inputs(form).into_iter();
        rows.flat_map(|row| self.graph().gradient(row, &symbols))
            .collect()
    }

    /// M a + h - Q at u = 0.
    pub(crate) fn equations_without_inputs(&mut self, form: Form) -> Vec<NodeId> {
        let inertia = self.quantity(form, Quantity::InverseDynamics);
        let forces = self.quantity(form, Quantity::GeneralizedForces);
        let zero = self.graph().integer(0);
        let inputs = 0..self.system.names.inputs.len() as u32;
        let none: Vec<(Symbol, NodeId)> = inputs.map(|i| (Symbol::Input(i), zero)).collect();
        let forces = self.graph().substitute(&forces, &none);
        self.difference(&inertia, &forces)
    }
}

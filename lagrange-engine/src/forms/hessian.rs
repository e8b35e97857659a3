//! Second derivatives of one weighted sum of the equations of motion, `y . (f - M a + J^T lambda) + z . (gamma - J a)`, with
//! a, lambda and the weights as symbols.
//!
//! If the weights are the adjoint solution of w, those of `w . a` by the state and the inputs follow from them: the sum is
//! zero for all variables x at a(x) and lambda(x), and linear in these. So with the derivatives Y of (a, lambda) by x, its
//! Hessian H and its mixed derivatives C, a row for each x, they are `H + C Y + (C Y)^T`.

use super::{Derivation, Form};
use crate::simplify::flattened;
use crate::{NodeId, Quantity, Symbol};

impl Derivation<'_> {
    pub(super) fn weighted_hessian(&mut self, form: Form, wanted: Quantity) -> Vec<NodeId> {
        let [gradient, of_motion] = self.weighted_gradient(form);
        let [hessian, mixed] = self.second_derivatives(&gradient, &of_motion);
        let parts = [
            (Quantity::WeightedHessian, hessian),
            (Quantity::WeightedMixed, mixed),
        ];
        self.store_parts(form, parts, wanted)
    }

    pub(super) fn weighted_gradient_change(&mut self, form: Form, wanted: Quantity) -> Vec<NodeId> {
        let [gradient, of_motion] = self.weighted_gradient(form);
        let weights = self.system.names.velocity_count() + self.system.constraints.len();
        let mut along: Vec<(Symbol, NodeId)> = Vec::new();
        for (number, direction) in self.directions().into_iter().enumerate() {
            let graph = &mut self.derived.graph;
            let share = graph.symbol(Symbol::Weight((weights + number) as u32));
            for (symbol, change) in direction {
                let change = graph.mul(share, change);
                match along.iter_mut().find(|(known, _)| *known == symbol) {
                    Some((_, sum)) => *sum = graph.add(*sum, change),
                    None => along.push((symbol, change)),
                }
            }
        }
        let roots = [&gradient[..], &of_motion].concat();
        let mut changes = self.graph().directional(&roots, &along);
        let of_motion = changes.split_off(gradient.len());
        let parts = [
            (Quantity::WeightedGradientChange, changes),
            (Quantity::WeightedMixedChange, of_motion),
        ];
        self.store_parts(form, parts, wanted)
    }

    /// The gradient along the directions of v, by v, by z and by u; and by a and lambda.
    pub(super) fn weighted_gradient(&mut self, form: Form) -> [Vec<NodeId>; 2] {
        let inertia = self.quantity(form, Quantity::InverseDynamics);
        let inertia = match form {
            Form::Multibody | Form::MassMoments => inertia,
            _ => flattened(self.graph(), &inertia),
        };
        let forces_and_rates = self.forces_and_rates();
        let weights = self.weights(forces_and_rates.len());
        let q = self.kinematics.coordinate_symbols();
        let variables = [self.kinematics.velocity_symbols(), self.held_symbols()].concat();
        let accelerations = (0..inertia.len() as u32).map(Symbol::Acceleration);
        let multipliers = (0..self.system.constraints.len() as u32).map(Symbol::Multiplier);
        let motion: Vec<Symbol> = accelerations.chain(multipliers).collect();
        let symbols = [&q[..], &variables, &motion].concat();
        let graph = &mut self.derived.graph;
        let of_inertia = graph.reverse(&inertia, &weights[..inertia.len()], &symbols);
        let of_others = graph.reverse(&forces_and_rates, &weights, &symbols);
        let mut gradient = self.subtract_entries(&of_others, &of_inertia);
        let of_motion = gradient.split_off(q.len() + variables.len());
        let graph = &mut self.derived.graph;
        let mut by_position = self
            .kinematics
            .along_directions(graph, &gradient[..q.len()]);
        by_position.extend(&gradient[q.len()..]);
        [by_position, of_motion]
    }
}

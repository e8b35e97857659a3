//! Derivatives of the equations of motion `M a = f + J^T lambda`, `J a = gamma` by the state and the
//! inputs, with the accelerations and the multipliers as symbols. The equations take first-order states z and inputs u
//! alike as given: derivatives by both are columns of one matrix, those by z first.
//!
//! By the implicit function theorem the derivatives of a and lambda follow from them: with the matrix K =
//! `[M -J^T; J 0]`, `K d(a, lambda) = d(f - M a + J^T lambda, gamma - J a)` at fixed a and lambda. Because M a + h - Q
//! = J^T lambda, the first n rows are d(Q + J^T lambda) - d(M a + h).

use super::{Derivation, Form};
use crate::simplify::flattened;
use crate::{ConstraintKind, Graph, NodeId, Number, Quantity, Symbol};

/// A direction for [`crate::Graph::directional`].
type Direction = Vec<(Symbol, NodeId)>;

impl Derivation<'_> {
    pub(super) fn inverse_dynamics_derivatives(
        &mut self,
        form: Form,
        quantity: Quantity,
    ) -> Vec<NodeId> {
        let [by_position, by_velocity] = match form {
            Form::Multibody | Form::MassMoments => self.recursive_inverse_dynamics_derivatives(),
            // Terms that cancel are not differentiated.
            Form::AsWritten | Form::ByMassMatrix => {
                let forces = self.quantity(form, Quantity::InverseDynamics);
                let forces = flattened(self.graph(), &forces);
                [self.by_position(&forces), self.by_velocity(&forces)]
            }
            Form::Factored | Form::FactoredByMassMatrix => {
                let forces = self.quantity(form, Quantity::InverseDynamics);
                let forces = self.derived.factored(&forces);
                [self.by_position(&forces), self.by_velocity(&forces)]
            }
        };
        let parts = [
            (Quantity::InverseDynamicsByPosition, by_position),
            (Quantity::InverseDynamicsByVelocity, by_velocity),
        ];
        self.store_parts(form, parts, quantity)
    }

    pub(super) fn forces_by_position(&mut self) -> Vec<NodeId> {
        let forces = self.forces_and_reactions();
        self.by_position(&forces)
    }

    pub(super) fn forces_by_velocity(&mut self) -> Vec<NodeId> {
        let forces = self.forces_with_multipliers();
        self.by_velocity(&forces)
    }

    pub(super) fn forces_by_held(&mut self) -> Vec<NodeId> {
        let forces = self.forces_with_multipliers();
        let by_held = self.by_held(&forces);
        // h depends on z by V alone.
        let gradient = self.gradient_by_states();
        let by_states = self.by_held(&gradient);
        if by_states.is_empty() {
            return by_held;
        }
        self.subtract_entries(&by_held, &by_states)
    }

    pub(super) fn constraints_by_position(&mut self) -> Vec<NodeId> {
        let rates = self.constraint_rates();
        self.by_position(&rates)
    }

    pub(super) fn constraints_by_velocity(&mut self) -> Vec<NodeId> {
        let gamma = self.quantity(Form::AsWritten, Quantity::ConstraintGamma);
        self.by_velocity(&gamma)
    }

    pub(super) fn constraint_velocity_by_position(&mut self) -> Vec<NodeId> {
        let velocity = self.quantity(Form::AsWritten, Quantity::ConstraintVelocity);
        self.by_position(&velocity)
    }

    pub(super) fn weighted_inverse_dynamics(
        &mut self,
        form: Form,
        quantity: Quantity,
    ) -> Vec<NodeId> {
        let forces = self.quantity(form, Quantity::InverseDynamics);
        let weights = self.weights(forces.len());
        let [by_position, by_velocity, _] = self.sweep(&forces, &weights);
        let parts = [
            (Quantity::WeightedInverseDynamicsByPosition, by_position),
            (Quantity::WeightedInverseDynamicsByVelocity, by_velocity),
        ];
        self.store_parts(form, parts, quantity)
    }

    pub(super) fn weighted_forces(&mut self, quantity: Quantity) -> Vec<NodeId> {
        let roots = self.forces_and_rates();
        let weights = self.weights(roots.len());
        let [by_position, by_velocity, mut by_held] = self.sweep(&roots, &weights);
        let gradient = self.gradient_by_states();
        if !gradient.is_empty() {
            let held = self.held_symbols();
            let by_states = self.graph().reverse(&gradient, &weights, &held);
            by_held = self.subtract_entries(&by_held, &by_states);
        }
        let parts = [
            (Quantity::WeightedForcesByPosition, by_position),
            (Quantity::WeightedForcesByVelocity, by_velocity),
            (Quantity::WeightedForcesByHeld, by_held),
        ];
        self.store_parts(Form::AsWritten, parts, quantity)
    }

    pub(super) fn weighted_state_rates(&mut self, quantity: Quantity) -> Vec<NodeId> {
        let weights = self.weights(self.system.state_rates.len());
        let [by_position, by_velocity, by_held] = self.sweep(&self.system.state_rates, &weights);
        let parts = [
            (Quantity::WeightedStateRatesByPosition, by_position),
            (Quantity::WeightedStateRatesByVelocity, by_velocity),
            (Quantity::WeightedStateRatesByHeld, by_held),
        ];
        self.store_parts(Form::AsWritten, parts, quantity)
    }

    /// The derivatives of `y . p + z . F`, the terms of the variational midpoint rule.
    pub(super) fn weighted_momenta(&mut self, form: Form, quantity: Quantity) -> Vec<NodeId> {
        let momenta = self.quantity(form, Quantity::Momenta);
        let forces = self.quantity(form, Quantity::MomentumForces);
        let roots = [momenta, forces].concat();
        let weights = self.weights(roots.len());
        let [by_position, by_velocity, by_held] = self.sweep(&roots, &weights);
        let parts = [
            (Quantity::WeightedMomentaByPosition, by_position),
            (Quantity::WeightedMomentaByVelocity, by_velocity),
            (Quantity::WeightedMomentaByHeld, by_held),
        ];
        self.store_parts(form, parts, quantity)
    }

    pub(super) fn weights(&mut self, count: usize) -> Vec<NodeId> {
        self.graph().numbered(count, Symbol::Weight)
    }

    /// dV/dq if V may depend on first-order states, otherwise nothing.
    fn gradient_by_states(&mut self) -> Vec<NodeId> {
        if self.system.names.states.is_empty() {
            return Vec::new();
        }
        self.quantity(Form::AsWritten, Quantity::PotentialGradient)
    }

    /// The first-order states, then the inputs.
    pub(super) fn held_symbols(&self) -> Vec<Symbol> {
        let names = &self.system.names;
        let states = (0..names.states.len() as u32).map(Symbol::State);
        let inputs = (0..names.inputs.len() as u32).map(Symbol::Input);
        states.chain(inputs).collect()
    }

    /// The derivatives of the weighted sum of the roots along the directions of v, by v, and by z and u: one
    /// reverse sweep.
    pub(super) fn sweep(&mut self, roots: &[NodeId], weights: &[NodeId]) -> [Vec<NodeId>; 3] {
        let q = self.kinematics.coordinate_symbols();
        let v = self.kinematics.velocity_symbols();
        let symbols = [&q[..], &v, &self.held_symbols()].concat();
        let graph = &mut self.derived.graph;
        let mut by_coordinate = graph.reverse(roots, weights, &symbols);
        let mut by_velocity = by_coordinate.split_off(q.len());
        let by_held = by_velocity.split_off(v.len());
        let by_position = self.kinematics.along_directions(graph, &by_coordinate);
        [by_position, by_velocity, by_held]
    }

    /// Stores all results of one derivation, and returns the requested one.
    pub(super) fn store_parts<const K: usize>(
        &mut self,
        form: Form,
        parts: [(Quantity, Vec<NodeId>); K],
        wanted: Quantity,
    ) -> Vec<NodeId> {
        let mut wanted_entries = Vec::new();
        for (quantity, entries) in parts {
            if quantity == wanted {
                wanted_entries.clone_from(&entries);
            }
            self.derived
                .known
                .quantities
                .insert((form, quantity), entries);
        }
        wanted_entries
    }

    /// Q + J^T lambda, and gamma - J a.
    pub(super) fn forces_and_rates(&mut self) -> Vec<NodeId> {
        let forces = self.forces_and_reactions();
        let rates = self.constraint_rates();
        [forces, rates].concat()
    }

    pub(super) fn forces_and_reactions(&mut self) -> Vec<NodeId> {
        let forces = self.forces_with_multipliers();
        let reactions = self.reactions();
        self.add_entries(&forces, &reactions)
    }

    /// Q + B lambda, with the multipliers of the constraints.
    pub(crate) fn forces_with_multipliers(&mut self) -> Vec<NodeId> {
        let forces = self.quantity(Form::AsWritten, Quantity::GeneralizedForces);
        let constraints = self.system.constraints.len();
        self.with_multipliers(&forces, 0..constraints)
    }

    /// Forces, and those by the multipliers of these numbers.
    pub(super) fn with_multipliers(
        &mut self,
        forces: &[NodeId],
        numbers: std::ops::Range<usize>,
    ) -> Vec<NodeId> {
        let matrix = self.quantity(Form::AsWritten, Quantity::MultiplierForces);
        if matrix.is_empty() {
            return forces.to_vec();
        }
        let count = matrix.len() / forces.len().max(1);
        let graph = &mut self.derived.graph;
        matrix
            .chunks(count.max(1))
            .zip(forces)
            .map(|(row, force)| {
                let mut terms = vec![(Number::ONE, *force)];
                for number in numbers.clone() {
                    let multiplier = graph.symbol(Symbol::Multiplier(number as u32));
                    terms.push((Number::ONE, graph.mul(row[number], multiplier)));
                }
                graph.sum(Number::ZERO, terms)
            })
            .collect()
    }

    /// B, row by row.
    pub(super) fn multiplier_forces(&mut self) -> Vec<NodeId> {
        let (of_constraints, of_contacts) = match self
            .system
            .multiplier_forces
            .split_at_checked(self.system.constraints.len())
        {
            Some(parts) if !self.system.multiplier_forces.is_empty() => parts,
            _ => return Vec::new(),
        };
        let kinds = [ConstraintKind::Holonomic, ConstraintKind::Nonholonomic];
        let columns: Vec<&Vec<NodeId>> = kinds
            .into_iter()
            .flat_map(|kind| {
                self.system
                    .constraints
                    .iter()
                    .zip(of_constraints)
                    .filter(move |(constraint, _)| constraint.kind == kind)
                    .map(|(_, column)| column)
            })
            .chain(of_contacts)
            .collect();
        (0..self.system.names.velocity_count())
            .flat_map(|j| columns.iter().map(move |column| column[j]))
            .collect()
    }

    /// J^T lambda.
    pub(super) fn reactions(&mut self) -> Vec<NodeId> {
        let jacobian = self.quantity(Form::AsWritten, Quantity::ConstraintJacobian);
        let n = self.system.names.velocity_count();
        reactions(&mut self.derived.graph, &jacobian, n)
    }

    /// gamma - J a.
    pub(super) fn constraint_rates(&mut self) -> Vec<NodeId> {
        let gamma = self.quantity(Form::AsWritten, Quantity::ConstraintGamma);
        let jacobian = self.quantity(Form::AsWritten, Quantity::ConstraintJacobian);
        let a = self.accelerations();
        let rows = jacobian.chunks(a.len().max(1)).zip(gamma);
        let graph = &mut self.derived.graph;
        rows.map(|(row, gamma)| {
            let product = graph.dot(row, &a);
            graph.sub(gamma, product)
        })
        .collect()
    }

    pub(super) fn accelerations(&mut self) -> Vec<NodeId> {
        let count = self.system.names.velocity_count();
        self.graph().numbered(count, Symbol::Acceleration)
    }

    /// The derivatives along the directions of v, a row for each root.
    pub(super) fn by_position(&mut self, roots: &[NodeId]) -> Vec<NodeId> {
        let count = self.system.names.velocity_count();
        let graph = &mut self.derived.graph;
        let directions = (0..count)
            .map(|j| self.kinematics.direction(graph, j))
            .collect();
        self.along(roots, directions)
    }

    /// The derivatives by v, a row for each root.
    pub(super) fn by_velocity(&mut self, roots: &[NodeId]) -> Vec<NodeId> {
        let symbols = self.kinematics.velocity_symbols();
        self.by_symbols(roots, &symbols)
    }

    /// The derivatives by z, a row for each root.
    pub(crate) fn by_states(&mut self, roots: &[NodeId]) -> Vec<NodeId> {
        let symbols = self.held_symbols();
        self.by_symbols(roots, &symbols[..self.system.names.states.len()])
    }

    /// The derivatives by z, then by u, a row for each root.
    pub(super) fn by_held(&mut self, roots: &[NodeId]) -> Vec<NodeId> {
        let symbols = self.held_symbols();
        self.by_symbols(roots, &symbols)
    }

    fn by_symbols(&mut self, roots: &[NodeId], symbols: &[Symbol]) -> Vec<NodeId> {
        let one = self.graph().integer(1);
        let symbols = symbols.iter();
        self.along(roots, symbols.map(|symbol| vec![(*symbol, one)]).collect())
    }

    /// The derivatives along these directions, a row for each root.
    fn along(&mut self, roots: &[NodeId], directions: Vec<Direction>) -> Vec<NodeId> {
        self.graph().jacobian(roots, &directions)
    }
}

/// J^T lambda of a J with n columns.
pub(crate) fn reactions(graph: &mut Graph, jacobian: &[NodeId], n: usize) -> Vec<NodeId> {
    let entries = (0..n).map(|j| {
        let terms = jacobian
            .iter()
            .skip(j)
            .step_by(n)
            .enumerate()
            .map(|(row, entry)| {
                let multiplier = graph.symbol(Symbol::Multiplier(row as u32));
                (Number::ONE, graph.mul(*entry, multiplier))
            })
            .collect();
        graph.sum(Number::ZERO, terms)
    });
    entries.collect()
}

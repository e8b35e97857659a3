//! Derivatives of the equations of motion `M a = f + J^T lambda`, `J a = gamma` by the state and the
//! inputs, with the accelerations and the multipliers as symbols.
//!
//! By the implicit function theorem those of a and lambda follow from them: with K the matrix
//! `[M -J^T; J 0]`, `K d(a, lambda) = d(f - M a + J^T lambda, gamma - J a)` at fixed a and lambda. Since
//! M a + h - Q = J^T lambda, the first n rows are d(Q + J^T lambda) - d(M a + h).

use super::{Derivation, Form};
use crate::{NodeId, Number, Quantity, Symbol};

/// A direction for [`crate::Graph::directional`].
type Direction = Vec<(Symbol, NodeId)>;

impl Derivation<'_> {
    pub(super) fn inverse_dynamics_by_position(&mut self, form: Form) -> Vec<NodeId> {
        if form == Form::Multibody {
            let [by_position, by_velocity] = self.recursive_inverse_dynamics_derivatives();
            let other = (form, Quantity::InverseDynamicsByVelocity);
            self.derived.quantities.insert(other, by_velocity);
            return by_position;
        }
        let forces = self.quantity(form, Quantity::InverseDynamics);
        self.by_position(&forces)
    }

    pub(super) fn inverse_dynamics_by_velocity(&mut self, form: Form) -> Vec<NodeId> {
        if form == Form::Multibody {
            let [by_position, by_velocity] = self.recursive_inverse_dynamics_derivatives();
            let other = (form, Quantity::InverseDynamicsByPosition);
            self.derived.quantities.insert(other, by_position);
            return by_velocity;
        }
        let forces = self.quantity(form, Quantity::InverseDynamics);
        self.by_velocity(&forces)
    }

    pub(super) fn forces_by_position(&mut self) -> Vec<NodeId> {
        let forces = self.quantity(Form::AsWritten, Quantity::GeneralizedForces);
        let reactions = self.reactions();
        let sums = self.sums(&forces, &reactions);
        self.by_position(&sums)
    }

    pub(super) fn forces_by_velocity(&mut self) -> Vec<NodeId> {
        let forces = self.quantity(Form::AsWritten, Quantity::GeneralizedForces);
        self.by_velocity(&forces)
    }

    pub(super) fn forces_by_input(&mut self) -> Vec<NodeId> {
        let forces = self.quantity(Form::AsWritten, Quantity::GeneralizedForces);
        let one = self.graph().integer(1);
        let inputs = 0..self.system.names.inputs.len() as u32;
        let directions = inputs.map(|i| vec![(Symbol::Input(i), one)]);
        self.along(&forces, directions.collect())
    }

    pub(super) fn constraints_by_position(&mut self) -> Vec<NodeId> {
        let gamma = self.quantity(Form::AsWritten, Quantity::ConstraintGamma);
        let jacobian = self.quantity(Form::AsWritten, Quantity::ConstraintJacobian);
        let a = self.accelerations();
        let rows = jacobian.chunks(a.len().max(1)).zip(gamma);
        let graph = &mut self.derived.graph;
        let left: Vec<NodeId> = rows
            .map(|(row, gamma)| {
                let product = graph.dot(row, &a);
                graph.sub(gamma, product)
            })
            .collect();
        self.by_position(&left)
    }

    pub(super) fn constraints_by_velocity(&mut self) -> Vec<NodeId> {
        let gamma = self.quantity(Form::AsWritten, Quantity::ConstraintGamma);
        self.by_velocity(&gamma)
    }

    pub(super) fn constraint_velocity_by_position(&mut self) -> Vec<NodeId> {
        let velocity = self.quantity(Form::AsWritten, Quantity::ConstraintVelocity);
        self.by_position(&velocity)
    }

    /// J^T lambda.
    fn reactions(&mut self) -> Vec<NodeId> {
        let jacobian = self.quantity(Form::AsWritten, Quantity::ConstraintJacobian);
        let n = self.system.names.velocity_count();
        let graph = &mut self.derived.graph;
        (0..n)
            .map(|j| {
                let column = jacobian.iter().skip(j).step_by(n).enumerate();
                let terms = column.map(|(row, entry)| {
                    let multiplier = graph.symbol(Symbol::Multiplier(row as u32));
                    (Number::ONE, graph.mul(*entry, multiplier))
                });
                let terms = terms.collect();
                graph.sum(Number::ZERO, terms)
            })
            .collect()
    }

    fn accelerations(&mut self) -> Vec<NodeId> {
        let count = self.system.names.velocity_count() as u32;
        let graph = self.graph();
        (0..count)
            .map(|j| graph.symbol(Symbol::Acceleration(j)))
            .collect()
    }

    /// The derivatives along the directions of v, a row for each root.
    pub(super) fn by_position(&mut self, roots: &[NodeId]) -> Vec<NodeId> {
        let count = self.system.names.velocity_count();
        let graph = &mut self.derived.graph;
        let directions = (0..count).map(|j| self.kinematics.direction(graph, j));
        let directions = directions.collect();
        self.along(roots, directions)
    }

    /// The derivatives by v, a row for each root.
    pub(super) fn by_velocity(&mut self, roots: &[NodeId]) -> Vec<NodeId> {
        let one = self.graph().integer(1);
        let symbols = self.kinematics.velocity_symbols().into_iter();
        self.along(roots, symbols.map(|symbol| vec![(symbol, one)]).collect())
    }

    /// The derivatives along these directions, a row for each root: a forward sweep for each of them.
    fn along(&mut self, roots: &[NodeId], directions: Vec<Direction>) -> Vec<NodeId> {
        let columns: Vec<Vec<NodeId>> = directions
            .iter()
            .map(|direction| self.derived.graph.directional(roots, direction))
            .collect();
        let rows = 0..roots.len();
        rows.flat_map(|i| columns.iter().map(move |column| column[i]))
            .collect()
    }
}

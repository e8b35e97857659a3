//! The user's outputs and their derivatives.
//!
//! - rate: d/dt of an output of q and t, linear in v; its derivative by v is the Jacobian
//! - bias: the rate of the rate at a = 0, so that the second derivative is J a + bias
//! - Hessian, by the displacement of q, by v, by z and by u: see [`Derivation::output_hessian`]

use super::{Derivation, Form};
use crate::{Dependence, NodeId, Number, Quantity, Shape, Symbol, lower_triangle, symmetric};

/// A direction of differentiation of an output: a direction of v that moves q, or a symbol.
type Direction = Vec<(Symbol, NodeId)>;

impl Derivation<'_> {
    pub(super) fn output(&mut self, number: usize) -> Vec<NodeId> {
        let output = self.system.outputs.get(number);
        output.map_or_else(Vec::new, |output| output.entries.clone())
    }

    pub(super) fn output_jacobian(&mut self, number: usize) -> Vec<NodeId> {
        self.differentiable(number)
            .into_iter()
            .flat_map(|entry| self.gradient(entry))
            .collect()
    }

    pub(super) fn output_by_velocities(&mut self, number: usize) -> Vec<NodeId> {
        self.differentiable(number)
            .into_iter()
            .flat_map(|entry| self.by_velocities(entry))
            .collect()
    }

    pub(super) fn output_by_states(&mut self, number: usize) -> Vec<NodeId> {
        let states = self.system.names.states.len();
        self.output_by(number, &self.held_symbols()[..states])
    }

    pub(super) fn output_by_inputs(&mut self, number: usize) -> Vec<NodeId> {
        let states = self.system.names.states.len();
        self.output_by(number, &self.held_symbols()[states..])
    }

    fn output_by(&mut self, number: usize, symbols: &[Symbol]) -> Vec<NodeId> {
        self.differentiable(number)
            .into_iter()
            .flat_map(|entry| self.derived.graph.gradient(entry, symbols))
            .collect()
    }

    pub(super) fn output_rate(&mut self, number: usize) -> Vec<NodeId> {
        if !self.has_output_rate(number) {
            return Vec::new();
        }
        let entries = self.output(number);
        self.rates_at_constant_velocity(&entries)
    }

    pub(super) fn output_bias(&mut self, number: usize) -> Vec<NodeId> {
        let rate = self.quantity(Form::AsWritten, Quantity::OutputRate(number));
        self.rates_at_constant_velocity(&rate)
    }

    /// The second derivatives of a scalar f, in the order q, v, z, u; empty for any other output.
    ///
    /// Displacements of a rotation do not commute: `D_i D_j f - D_j D_i f` is the derivative along the
    /// commutator of the two directions. The Hessian at d = 0 of f at R exp(d) is the mean of both
    /// orders, by the formula of Baker, Campbell and Hausdorff (J. Sola, J. Deray and D. Atchuthan, *A
    /// micro Lie theory for state estimation in robotics*, 2018).
    pub(super) fn output_hessian(&mut self, number: usize) -> Vec<NodeId> {
        let output = self.system.outputs.get(number);
        let Some(value) = output.filter(|output| output.shape == Shape::Scalar) else {
            return Vec::new();
        };
        let gradient = self.whole_gradient(value.entries[0]);
        let [hessian, _] = self.second_derivatives(&gradient, &[]);
        hessian
    }

    /// The Hessian of a function from its gradient, and the derivatives of other functions by the same variables: a row for
    /// each variable.
    pub(super) fn second_derivatives(
        &mut self,
        gradient: &[NodeId],
        other_functions: &[NodeId],
    ) -> [Vec<NodeId>; 2] {
        let directions = self.directions();
        let size = gradient.len();
        let mut lower = vec![self.graph().integer(0); lower_triangle(size, 0)];
        let mut mixed = Vec::with_capacity(size * other_functions.len());
        for (j, direction) in directions.iter().enumerate() {
            let roots = [&gradient[j..], other_functions].concat();
            let mut column = self.graph().directional(&roots, direction);
            mixed.extend(column.split_off(size - j));
            for (i, entry) in (j..size).zip(column) {
                lower[lower_triangle(i, j)] = self.symmetrize(entry, [j, i], gradient);
            }
        }
        [symmetric(&lower, size), mixed]
    }

    /// `(D_j D_i + D_i D_j) f / 2` from `D_j D_i f`.
    fn symmetrize(
        &mut self,
        derivative: NodeId,
        [j, i]: [usize; 2],
        gradient: &[NodeId],
    ) -> NodeId {
        let Some((along, is_positive)) = self.kinematics.commutator(j, i) else {
            return derivative;
        };
        let half = if is_positive {
            -Number::HALF
        } else {
            Number::HALF
        };
        let terms = vec![(Number::ONE, derivative), (half, gradient[along])];
        self.graph().sum(Number::ZERO, terms)
    }

    /// The derivatives along the directions of v, by v, by z and by u, by one reverse sweep.
    fn whole_gradient(&mut self, root: NodeId) -> Vec<NodeId> {
        let coordinates = self.kinematics.coordinate_symbols();
        let m = coordinates.len();
        let velocities = self.kinematics.velocity_symbols();
        let symbols = [coordinates, velocities, self.held_symbols()].concat();
        let derivatives = self.graph().gradient(root, &symbols);
        let (by_coordinates, by_others) = derivatives.split_at(m);
        let graph = &mut self.derived.graph;
        let mut gradient = self.kinematics.along_directions(graph, by_coordinates);
        gradient.extend(by_others);
        gradient
    }

    /// The directions of displacements, then v, z and u.
    pub(super) fn directions(&mut self) -> Vec<Direction> {
        let n = self.kinematics.velocity_count();
        let graph = &mut self.derived.graph;
        let one = graph.integer(1);
        let mut directions: Vec<Direction> = (0..n)
            .map(|j| self.kinematics.direction(graph, j))
            .collect();
        let symbols = self
            .kinematics
            .velocity_symbols()
            .into_iter()
            .chain(self.held_symbols());
        directions.extend(symbols.map(|symbol| vec![(symbol, one)]));
        directions
    }

    /// The entries of a scalar or vector; empty for a matrix.
    fn differentiable(&self, number: usize) -> Vec<NodeId> {
        self.system
            .outputs
            .get(number)
            .filter(|output| !matches!(output.shape, Shape::Matrix(..)))
            .map_or_else(Vec::new, |output| output.entries.clone())
    }

    pub(crate) fn has_output_rate(&self, number: usize) -> bool {
        let beyond = Dependence::VELOCITY
            .union(Dependence::STATE)
            .union(Dependence::INPUT);
        let graph = &self.derived.graph;
        let entries = self.differentiable(number);
        let mut entries = entries.iter();
        let is_positional = |entry: &NodeId| !graph.dependence(*entry).intersects(beyond);
        !entries.as_slice().is_empty() && entries.all(is_positional)
    }
}

//! The equations of motion as operands: M, f, J and gamma.

use crate::codegen::ir::Operand;
use crate::{Graph, NodeId, lower_triangle};

pub(super) const ZERO: Operand = Operand::Constant(0.0);

/// The terms of the equations of motion, for n coordinates and c constraints.
#[derive(Clone, Copy, Debug)]
pub struct Equation<'a> {
    /// The lower triangle of M, row by row.
    pub mass_matrix: &'a [NodeId],
    /// f: n entries.
    pub forcing: &'a [NodeId],
    /// J, row by row: c x n entries.
    pub jacobian: &'a [NodeId],
    /// gamma: c entries.
    pub gamma: &'a [NodeId],
    /// True if M is known to be singular at every state.
    pub singular: bool,
    /// Other values to compute.
    pub others: &'a [NodeId],
}

impl Equation<'_> {
    /// Returns whether there are entries of J that may give velocities.
    pub(super) fn has_units(&self, graph: &Graph) -> bool {
        self.jacobian.iter().any(|node| is_unit(graph, *node))
    }

    /// The lower triangle of M, f, J and gamma.
    pub(super) fn terms(&self) -> Vec<NodeId> {
        [self.mass_matrix, self.forcing, self.jacobian, self.gamma].concat()
    }
}

/// Returns whether the node is 1 or -1.
pub(crate) fn is_unit(graph: &Graph, node: NodeId) -> bool {
    let number = graph.as_number(node);
    number.is_some_and(|number| number.to_f64().abs() == 1.0)
}

/// M as its lower triangle, f, J by rows, gamma.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a> {
    pub(crate) matrix: &'a [Operand],
    pub(crate) forcing: &'a [Operand],
    pub(crate) jacobian: &'a [Operand],
    pub(crate) gamma: &'a [Operand],
}

impl<'a> Blocks<'a> {
    /// From the values of the terms of an equation; values that are not terms may follow.
    pub(super) fn of(values: &'a [Operand], equation: &Equation<'_>) -> Self {
        let (matrix, remaining) = values.split_at(equation.mass_matrix.len());
        let (forcing, remaining) = remaining.split_at(equation.forcing.len());
        let (jacobian, remaining) = remaining.split_at(equation.jacobian.len());
        let (gamma, _) = remaining.split_at(equation.gamma.len());
        Blocks {
            matrix,
            forcing,
            jacobian,
            gamma,
        }
    }

    pub(super) fn coordinates(&self) -> usize {
        self.forcing.len()
    }

    pub(super) fn mass(&self, i: usize, k: usize) -> Operand {
        self.matrix[lower_triangle(i.max(k), i.min(k))]
    }

    pub(super) fn row(&self, k: usize) -> &[Operand] {
        let n = self.coordinates();
        &self.jacobian[k * n..][..n]
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[Operand]> {
        self.jacobian.chunks(self.coordinates().max(1))
    }
}

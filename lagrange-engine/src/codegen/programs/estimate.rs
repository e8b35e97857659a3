//! Estimates of the length of code before the search for common parts, to choose the forms that are worth it.

use crate::codegen::cost_model::{
    DERIVED_MARGIN, LONG, LONG_DERIVED_MARGIN, LONG_SIMPLIFIED_MARGIN, QUARTERS, SIMPLIFIED_MARGIN,
};
use crate::{Graph, Node, NodeId};

/// The lowest of some estimates, and whether others are near it.
#[derive(Default)]
pub(super) struct Lowest(Option<usize>);

/// Returns whether derived expressions of this estimate are long.
pub(super) fn is_long(estimate: usize) -> bool {
    estimate > LONG
}

impl Lowest {
    /// Returns whether long derived expressions of this estimate may become the shortest.
    pub(super) fn admits_long(&mut self, estimate: usize) -> bool {
        let [factor, more] = LONG_DERIVED_MARGIN;
        estimate <= self.with(estimate).saturating_mul(factor) + more
    }

    /// Returns whether derived expressions of this estimate may become the shortest.
    pub(super) fn admits_derived(&mut self, estimate: usize) -> bool {
        let [factor, more] = DERIVED_MARGIN;
        estimate <= self.with(estimate).saturating_mul(factor) + more
    }

    /// Returns whether simplified expressions of this estimate may become the shortest.
    pub(super) fn admits_simplified(&mut self, estimate: usize) -> bool {
        let lowest = self.with(estimate);
        let [factor, more] = match is_long(lowest) {
            true => LONG_SIMPLIFIED_MARGIN,
            false => SIMPLIFIED_MARGIN,
        };
        estimate <= lowest.saturating_mul(factor) / QUARTERS + more
    }

    fn with(&mut self, estimate: usize) -> usize {
        let lowest = self.0.map_or(estimate, |lowest| lowest.min(estimate));
        *self.0.insert(lowest)
    }
}

/// The operations of expressions if each node is computed once, and nothing else is shared.
pub(super) fn estimate(graph: &Graph, roots: &[NodeId]) -> usize {
    let mut operations = 0;
    graph.for_each_in_cone(roots, |node| match node {
        Node::Number(_) | Node::Pi | Node::Symbol(_) => {}
        Node::Sum { constant, terms } => {
            let mut parts = terms.len() + usize::from(!constant.is_zero());
            let mut position = 0;
            while position < terms.len() {
                if !terms[position].0.is_sign() {
                    parts += 1;
                }
                position += 1;
            }
            operations += parts.saturating_sub(1);
        }
        Node::Product(factors) => {
            let mut parts = factors.len();
            let mut position = 0;
            while position < factors.len() {
                if factors[position].1 != 1 {
                    parts += 1;
                }
                position += 1;
            }
            operations += parts.saturating_sub(1);
        }
        _ => operations += 1,
    });
    operations
}

/// A lower bound of the operations for these expressions: the value of each sum and product is the result of at least
/// one.
pub(super) fn fewest(graph: &Graph, roots: &[NodeId]) -> u32 {
    let mut operations = 0;
    graph.for_each_in_cone(roots, |node| {
        operations += u32::from(match node {
            // The negative of a node may cost nothing.
            Node::Sum { terms, .. } => terms.len() > 1,
            Node::Product(_) => true,
            _ => false,
        });
    });
    operations
}

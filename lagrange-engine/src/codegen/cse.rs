//! From expressions to straight-line code: an ordered list of instructions on temporaries.
//!
//! All outputs of a method are scheduled together, so each common subexpression is computed once: equal nodes by the
//! graph itself, equal parts of sums and products by [`pairs`].

mod equal_coefficients;
pub(super) mod lower;
mod order;
mod pairs;
mod plan;
mod products;
mod sign_placement;
mod use_counts;

use crate::codegen::ir::{Builder, Schedule};
use crate::{Graph, NodeId};
pub(crate) use lower::Sums;

/// Schedules the roots together.
pub fn schedule(graph: &Graph, roots: &[NodeId]) -> Schedule {
    Planned::new(graph, roots).schedule(graph, roots, Sums::TermByTerm)
}

/// The plan of the code for some roots, independent of the form of its sums.
pub(crate) struct Planned(plan::Plan);

impl Planned {
    pub(crate) fn new(graph: &Graph, roots: &[NodeId]) -> Self {
        Self(plan::Plan::new(graph, roots))
    }

    /// Returns whether grouped sums make other code.
    pub(crate) fn is_groupable(&self, graph: &Graph) -> bool {
        self.0.is_groupable(graph)
    }

    /// The code for these roots, with sums written in this way.
    pub(crate) fn schedule(&self, graph: &Graph, roots: &[NodeId], sums: Sums) -> Schedule {
        let mut builder = Builder::default();
        let roots = lower::lower_planned(graph, &self.0, roots, sums, &mut builder);
        let code = builder.finish(roots);
        products::share_products(&code).unwrap_or(code)
    }
}

//! From expressions to straight-line code: an ordered list of instructions on temporaries.
//!
//! All outputs of a method are scheduled together, so each common subexpression is computed once: equal nodes by the
//! graph itself, equal parts of sums and products by [`pairs`].

mod backward_error;
mod bounds;
mod builder;
mod coordinate_partitioning;
mod critical_path;
mod elimination;
mod equal_coefficients;
mod equation;
mod factorization;
mod input_columns;
mod ir;
mod lower;
mod nan_propagation;
mod order;
mod pair_scaling;
mod pairs;
mod plan;
mod products;
mod recursive_elimination;
mod refinement_step;
mod scale_placement;
mod sensitivity;
mod sign_placement;
mod solution_derivatives;
mod solve;
mod use_counts;

use crate::{Graph, NodeId};
pub use elimination::LowerEntry;
pub(crate) use elimination::{Order, Updates};
pub use equation::Equation;
pub(crate) use equation::{Blocks, is_unit};
pub use factorization::{Factorization, Judged, SolveSchedule, SolvedColumns, SolvedInputs};
pub use ir::{Instruction, Operand, Schedule};
pub(crate) use lower::Sums;
pub(crate) use recursive_elimination::MappedEquation;
pub use refinement_step::Correction;
pub use sensitivity::{Beyond, schedule_sensitivity};
pub use solve::schedule_solve;
pub(crate) use solve::{looped_operations, schedule_solve_by};

/// Schedules the roots together.
pub fn schedule(graph: &Graph, roots: &[NodeId]) -> Schedule {
    Planned::new(graph, roots).schedule(graph, roots, Sums::AsTheyAre)
}

/// The plan of the code for some roots, independent of the form of its sums.
pub(crate) struct Planned(plan::Plan);

impl Planned {
    pub(crate) fn new(graph: &Graph, roots: &[NodeId]) -> Self {
        Self(plan::Plan::new(graph, roots))
    }

    /// Returns whether folded sums make other code.
    pub(crate) fn is_foldable(&self, graph: &Graph) -> bool {
        self.0.is_foldable(graph)
    }

    /// The code for these roots, with sums written in this way.
    pub(crate) fn schedule(&self, graph: &Graph, roots: &[NodeId], sums: Sums) -> Schedule {
        let mut builder = builder::Builder::default();
        let roots = lower::lower_planned(graph, &self.0, roots, sums, &mut builder);
        let code = builder.finish(roots);
        products::shared(&code).unwrap_or(code)
    }
}

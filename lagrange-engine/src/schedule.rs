//! From expressions to straight-line code: an ordered list of instructions on temporaries.
//!
//! All outputs of a method are scheduled together, so that each common sub-expression is computed
//! once: equal nodes by the graph itself, equal parts of sums and products by [`pairs`].

mod alike;
mod bounds;
mod builder;
mod census;
mod columns;
mod correction;
mod dependent;
mod elimination;
mod equation;
mod factorization;
mod inputs;
mod ir;
mod judgement;
mod lower;
mod mapped;
mod numbers;
mod order;
mod pairs;
mod path;
mod plan;
mod products;
mod scales;
mod sensitivity;
mod shown;
mod signs;
mod solve;

use crate::{Graph, NodeId};
pub use correction::Correction;
pub use elimination::LowerEntry;
pub(crate) use elimination::{Order, Updates};
pub use equation::Equation;
pub(crate) use equation::{Blocks, is_unit};
pub use factorization::{Factorization, Judged, SolveSchedule, SolvedColumns, SolvedInputs};
pub use ir::{Instruction, Operand, Schedule};
pub(crate) use lower::Sums;
pub(crate) use mapped::MappedEquation;
pub use sensitivity::{Beyond, schedule_sensitivity};
pub use solve::schedule_solve;
pub(crate) use solve::{NEVER_UNROLLED, looped_operations, schedule_solve_by};

/// Schedules the roots together.
///
/// ```
/// use lagrange_engine::{Graph, Symbol, schedule};
/// let mut graph = Graph::new();
/// let (x, y) = (graph.symbol(Symbol::Coordinate(0)), graph.symbol(Symbol::Coordinate(1)));
/// let sum = graph.add(x, y);
/// let square = graph.powi(sum, 2);
/// let code = schedule(&graph, &[sum, square]);
/// assert_eq!(code.operations().to_string(), "1 add, 1 mul");
/// assert_eq!(code.evaluate(&|_| 1.5), [3.0, 9.0]);
/// ```
pub fn schedule(graph: &Graph, roots: &[NodeId]) -> Schedule {
    Planned::new(graph, roots).schedule(graph, roots, Sums::AsTheyAre)
}

/// What code for some roots consists of, whichever way its sums are written.
pub(crate) struct Planned(plan::Plan);

impl Planned {
    pub(crate) fn new(graph: &Graph, roots: &[NodeId]) -> Self {
        Self(plan::Plan::new(graph, roots))
    }

    /// Whether folded sums make other code.
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

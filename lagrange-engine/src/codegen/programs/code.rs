//! Code for some quantities, with the expressions that it computes.

use std::ops::Range;
use std::sync::Arc;

use crate::{Graph, NodeId, Operand, Operations, Schedule};

/// Straight-line code for a set of quantities.
///
/// ```
/// use lagrange_engine::{Dynamics, Quantity, Symbol, System, plain_names};
/// // A mass thrown upwards, along y.
/// let text = "coordinates x y\nparameters m g\nnode %0 = velocity 0\nnode %1 = velocity 1\n\
///             node %2 = product %0^2\nnode %3 = product %1^2\nnode %4 = sum 0 1/2*%2 1/2*%3\n\
///             node %5 = parameter 0\nnode %6 = product %4^1 %5^1\nkinetic %6\nnode %7 = coordinate 1\n\
///             node %8 = parameter 1\nnode %9 = product %5^1 %7^1 %8^1\npotential %9\n";
/// let dynamics = Dynamics::new(text.parse::<System>()?);
/// let program = dynamics.program(&[Quantity::Momenta, Quantity::Forcing]);
/// assert_eq!(program.part_count(), 2);
/// assert_eq!(program.operations().to_string(), "1 add, 3 mul");
/// let written = |node| program.graph.text(node, &plain_names);
/// assert_eq!(written(program.expressions_of(0)[1]), "v1*p0");
/// assert_eq!(written(program.expressions_of(1)[1]), "-p0*p1");
/// // Their operands are the roots, in the same order.
/// assert_eq!(program.results(1), &program.schedule.roots[2..]);
/// assert_eq!(program.schedule.evaluate(&|_: Symbol| 3.0), [9.0, 9.0, 0.0, -9.0]);
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    /// The code; its roots are all entries, quantity by quantity.
    pub schedule: Schedule,
    /// The graph of the expressions.
    pub graph: Arc<Graph>,
    /// The same entries as expressions, simplified.
    pub expressions: Vec<NodeId>,
    /// The entries of each requested quantity.
    pub(super) parts: Vec<Range<usize>>,
    /// The number of all operations.
    pub(super) total: u32,
}

impl Program {
    pub(super) fn new(
        schedule: Schedule,
        expressions: Vec<NodeId>,
        parts: Vec<Range<usize>>,
    ) -> Self {
        Self {
            total: schedule.operations().total(),
            schedule,
            graph: Arc::default(),
            expressions,
            parts,
        }
    }

    /// The same with a graph of its own, from the graph of its expressions.
    pub(super) fn with_own_graph(mut self, graph: &Graph) -> Self {
        let (part, expressions) = graph.part(&self.expressions);
        self.graph = Arc::new(part);
        self.expressions = expressions;
        self
    }

    /// The operations it takes.
    pub fn operations(&self) -> Operations {
        self.schedule.operations()
    }

    pub(super) fn total(&self) -> u32 {
        self.total
    }

    /// The number of requested quantities.
    pub fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// The results of the requested quantity at this position, row by row.
    pub fn results(&self, position: usize) -> &[Operand] {
        &self.schedule.roots[self.parts[position].clone()]
    }

    /// The expressions of the requested quantity at this position, row by row.
    pub fn expressions_of(&self, position: usize) -> &[NodeId] {
        &self.expressions[self.parts[position].clone()]
    }
}

//! How large a declaration may become. What is larger is refused where it grows too large, before a
//! compiler has to be waited for.

use lagrange_engine::{Graph, Node, NodeId, Symbol};

use super::evaluator::Evaluator;
use crate::errors::SpanRange;
use crate::syntax::ast::{Statement, StatementKind};

/// The most elementwise operations that its evaluation may take.
const MAX_OPERATIONS: usize = 2_000_000;
/// The most distinct expressions that it may have.
const MAX_EXPRESSIONS: usize = 50_000;
/// The most pairs of an expression and a coordinate that it depends on: derivatives are taken for each
/// coordinate of what depends on it.
const MAX_PAIRS: usize = 250_000;

/// An expression is deep that is a function of a function .. of a coordinate, so many times over.
const DEEP: u32 = 64;
/// The most deep expressions: the derivatives of each have terms for many of those inside of it, a
/// thousand for each of an unrolled iteration.
const MAX_DEEP: usize = 3_000;

/// What was used so far.
#[derive(Default)]
pub(super) struct Budget {
    operations: usize,
    exhausted: bool,
    pairs: Pairs,
}

/// The coordinates that each node depends on, as bits.
#[derive(Default)]
struct Pairs {
    words: usize,
    bits: Vec<u64>,
    nodes: usize,
    count: usize,
    /// How often each node is a function of a function of a coordinate, sums not counted.
    depths: Vec<u32>,
    deep: usize,
}

impl Pairs {
    /// Counts the nodes that are new. Children precede their parents.
    fn update(&mut self, graph: &Graph, coordinates: usize) {
        self.words = coordinates.div_ceil(64).max(1);
        self.bits.resize(graph.len() * self.words, 0);
        for id in graph.since(self.nodes) {
            let node = graph.node(id);
            let coordinates = self.add(id, node);
            self.count += coordinates;
            let depth = if coordinates > 0 {
                self.depth_of(node)
            } else {
                0
            };
            self.depths.push(depth);
            self.deep += usize::from(depth > DEEP);
        }
        self.nodes = graph.len();
    }

    fn depth_of(&self, node: &Node) -> u32 {
        let mut inner = 0;
        node.for_each_child(|child| inner = inner.max(self.depths[child.index()]));
        let is_function = !matches!(node, Node::Sum { .. } | Node::Select { .. });
        inner + u32::from(is_function)
    }

    /// The number of coordinates that the node depends on.
    fn add(&mut self, id: NodeId, node: &Node) -> usize {
        let (known, own) = self.bits.split_at_mut(id.index() * self.words);
        let own = &mut own[..self.words];
        if let Node::Symbol(Symbol::Coordinate(i) | Symbol::Velocity(i)) = node {
            let i = *i as usize;
            own[i / 64] |= 1 << (i % 64);
        }
        node.for_each_child(|child| {
            let child = &known[child.index() * own.len()..];
            for (own, child) in own.iter_mut().zip(child) {
                *own |= child;
            }
        });
        own.iter().map(|word| word.count_ones() as usize).sum()
    }
}

impl Evaluator<'_> {
    /// Counts work and stops, once, when a declaration becomes too large. Called before the work is
    /// done.
    pub(super) fn afford(&mut self, place: impl Into<SpanRange>, operations: usize) -> Option<()> {
        if self.budget.exhausted {
            return None;
        }
        self.budget.operations = self.budget.operations.saturating_add(operations);
        let limit = if self.budget.operations > MAX_OPERATIONS {
            format!("{MAX_OPERATIONS} operations")
        } else if self.graph.len() > MAX_EXPRESSIONS {
            format!("{MAX_EXPRESSIONS} distinct expressions")
        } else {
            return Some(());
        };
        let message = format!(
            "{} makes the system too large: more than {limit}",
            self.subject()
        );
        self.exhaust(place, message)
    }

    /// Judges what a statement added by how long its derivatives will take.
    pub(super) fn afford_derivatives(&mut self, statement: &Statement) {
        if self.budget.exhausted {
            return;
        }
        let coordinates = self.names.coordinates.len();
        self.budget.pairs.update(&self.graph, coordinates);
        let pairs = &self.budget.pairs;
        let limit = if pairs.count > MAX_PAIRS {
            format!("{MAX_PAIRS} pairs of an expression and a coordinate that it depends on")
        } else if pairs.deep > MAX_DEEP {
            format!("{MAX_DEEP} expressions that are functions of functions, {DEEP} deep or more")
        } else {
            return;
        };
        let Some(place) = place(statement) else {
            return;
        };
        let message = format!(
            "{} makes the system too large: more than {limit}",
            self.subject()
        );
        let _reported: Option<()> = self.exhaust(place, message);
    }

    /// Says why nothing is evaluated from here on.
    pub(super) fn exhaust<T>(
        &mut self,
        place: impl Into<SpanRange>,
        message: impl std::fmt::Display,
    ) -> Option<T> {
        if self.budget.exhausted {
            return None;
        }
        self.budget.exhausted = true;
        self.complete = false;
        self.refuse(place, message)
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.budget.exhausted
    }
}

/// The word by which a statement is known. The statements of a loop are judged one by one.
fn place(statement: &Statement) -> Option<SpanRange> {
    let ident = match &statement.kind {
        StatementKind::For { .. } => return None,
        StatementKind::Let { name, .. }
        | StatementKind::Constraint { name, .. }
        | StatementKind::Frame { name, .. } => name,
        StatementKind::Assign { target, .. } => target,
        StatementKind::Energy { keyword, .. }
        | StatementKind::GeneralizedForce { keyword, .. }
        | StatementKind::Force { keyword, .. }
        | StatementKind::Torque { keyword, .. }
        | StatementKind::Gravity { keyword, .. }
        | StatementKind::Block { keyword, .. } => keyword,
    };
    Some(ident.into())
}

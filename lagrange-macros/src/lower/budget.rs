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
}

impl Pairs {
    /// Counts the nodes that are new. Children precede their parents.
    fn update(&mut self, graph: &Graph, coordinates: usize) {
        self.words = coordinates.div_ceil(64).max(1);
        self.bits.resize(graph.len() * self.words, 0);
        for id in graph.since(self.nodes) {
            self.count += self.add(id, graph.node(id));
        }
        self.nodes = graph.len();
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
            self.subject
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
        let Some(place) = place(statement).filter(|_| self.budget.pairs.count > MAX_PAIRS) else {
            return;
        };
        let message = format!(
            "{} makes the system too large: more than {MAX_PAIRS} pairs of an expression and a \
             coordinate that it depends on",
            self.subject
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

//! Limits on the size of a declaration.

use lagrange_engine::{Graph, Node, NodeId, Symbol};

/// Maximum number of elementwise operations of the evaluation.
const MAX_OPERATIONS: usize = 2_000_000;
/// Maximum number of distinct expressions.
const MAX_EXPRESSIONS: usize = 50_000;
/// Maximum number of pairs of an expression and a coordinate on which it depends. An expression is differentiated
/// by each coordinate on which it depends.
const MAX_PAIRS: usize = 250_000;

/// Nesting depth of functions of coordinates from which an expression counts as deep.
const DEEP: u32 = 64;
/// Maximum number of deep expressions. The derivatives of each have terms for many expressions inside it. In an
/// unrolled iteration these are a thousand for each expression.
const MAX_DEEP: usize = 3_000;

/// The amounts used so far.
#[derive(Default)]
pub(super) struct Budget {
    operations: usize,
    pub(super) exhausted: bool,
    pairs: Pairs,
}

impl Budget {
    /// Counts work. Returns the limit that this exceeds, if any.
    pub(super) fn spend(&mut self, operations: usize, graph: &Graph) -> Option<String> {
        self.operations = self.operations.saturating_add(operations);
        if self.operations > MAX_OPERATIONS {
            Some(format!("{MAX_OPERATIONS} operations"))
        } else if graph.len() > MAX_EXPRESSIONS {
            Some(format!("{MAX_EXPRESSIONS} distinct expressions"))
        } else {
            None
        }
    }

    /// Estimates from the new nodes in the graph how long their derivatives take. Returns the limit that this
    /// exceeds, if any.
    pub(super) fn judge_derivatives(
        &mut self,
        graph: &Graph,
        coordinates: usize,
    ) -> Option<String> {
        self.pairs.update(graph, coordinates);
        if self.pairs.count > MAX_PAIRS {
            Some(format!(
                "{MAX_PAIRS} pairs of an expression and a coordinate that it depends on"
            ))
        } else if self.pairs.deep > MAX_DEEP {
            Some(format!(
                "{MAX_DEEP} expressions that are functions of functions, {DEEP} deep or more"
            ))
        } else {
            None
        }
    }
}

/// The coordinates that each node depends on, as bits.
#[derive(Default)]
struct Pairs {
    words: usize,
    bits: Vec<u64>,
    nodes: usize,
    count: usize,
    /// The depth of each node: how many functions are nested in it around a coordinate. Sums do not count.
    depths: Vec<u32>,
    deep: usize,
}

impl Pairs {
    /// Counts the new nodes. Children precede their parents.
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

    /// The number of coordinates on which the node depends.
    fn add(&mut self, id: NodeId, node: &Node) -> usize {
        let (known, bits) = self.bits.split_at_mut(id.index() * self.words);
        let bits = &mut bits[..self.words];
        if let Node::Symbol(Symbol::Coordinate(i) | Symbol::Velocity(i)) = node {
            let i = *i as usize;
            bits[i / 64] |= 1 << (i % 64);
        }
        node.for_each_child(|child| {
            let child = &known[child.index() * bits.len()..];
            for (word, child) in bits.iter_mut().zip(child) {
                *word |= child;
            }
        });
        bits.iter().map(|word| word.count_ones() as usize).sum()
    }
}

//! The expression graph: an arena of immutable, interned nodes.
//!
//! Equal expressions are one node, and children precede their parents, so that a pass over the graph is a loop over
//! ids. Nodes are made only by the smart constructors in `construct`, which lists their simplifications.

mod arena;
mod cone;
mod construct;
mod intern;
mod mark;
mod node;
mod products;
mod pythagoras;
mod sums;

use std::collections::HashMap;

use self::arena::Arena;
use std::sync::Arc;

use crate::{Curve, Dependence, Kinematics, NodeId, Number, Symbol};
pub(crate) use cone::{Members, Renaming, room};
pub(crate) use intern::{Mix, Table};
pub(crate) use mark::GraphMark;
pub use node::Node;

/// An arena of interned expressions.
///
/// ```
/// use lagrange_engine::{Graph, Symbol};
/// let mut graph = Graph::new();
/// let x = graph.symbol(Symbol::Coordinate(0));
/// let two_x = graph.add(x, x);
/// let also = graph.add(x, x);
/// assert_eq!(two_x, also);
/// let nothing = graph.sub(two_x, also);
/// assert!(graph.is_zero(nothing));
/// // The opposite of a product by one.
/// let one = graph.integer(1);
/// let product = graph.mul(one, x);
/// assert_eq!(product, x);
/// let opposite = graph.neg(x);
/// assert_eq!(graph.add(opposite, x), nothing);
/// assert!(!graph.is_empty() && graph.len() < 10);
/// ```
#[derive(Clone, Default, Debug)]
pub struct Graph {
    nodes: Arena<Node>,
    dependence: Arena<Dependence>,
    table: Table,
    /// The square of each `hypot`.
    squares: HashMap<NodeId, NodeId>,
    /// The first coordinates of unit quaternions.
    rotations: Vec<u32>,
    /// Each curve once, in order of first use.
    curves: Vec<Arc<Curve>>,
}

impl Graph {
    /// An empty graph.
    pub fn new() -> Self {
        Self::default()
    }

    /// Assumes that the four coordinates of each rotation have unit length together: evaluation points satisfy this. No
    /// formula changes.
    pub fn assume_rotations(&mut self, kinematics: &Kinematics) {
        let rotations = kinematics.rotations();
        self.rotations = rotations
            .map(|rotation| rotation.coordinate as u32)
            .collect();
    }

    /// The first coordinate of the unit quaternion that a symbol belongs to.
    pub(crate) fn rotation_of(&self, symbol: Symbol) -> Option<u32> {
        let Symbol::Coordinate(i) = symbol else {
            return None;
        };
        let before = self.rotations.partition_point(|first| *first <= i);
        let first = self.rotations.get(before.checked_sub(1)?)?;
        (i - first < 4).then_some(*first)
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes that were added since the graph had `len` of them, children before their parents.
    pub fn since(&self, len: usize) -> impl Iterator<Item = NodeId> {
        (len as u32..self.len() as u32).map(NodeId)
    }

    /// The number of a curve among those of its kind, from 1.
    pub(crate) fn curve_number(&self, curve: &Curve) -> usize {
        self.curves
            .iter()
            .filter(|known| known.kind() == curve.kind())
            .take_while(|known| ***known != *curve)
            .count()
            + 1
    }

    /// Returns whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 0
    }

    /// The operation of a node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes.all[id.0 as usize]
    }

    /// The kinds of symbols in the expression.
    pub fn dependence(&self, id: NodeId) -> Dependence {
        self.dependence.all[id.0 as usize]
    }

    /// The value of a node that is a number.
    pub fn as_number(&self, id: NodeId) -> Option<Number> {
        match self.node(id) {
            Node::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns whether the node is the number 0.
    pub fn is_zero(&self, id: NodeId) -> bool {
        matches!(self.node(id), Node::Number(number) if number.is_zero())
    }

    /// For each node up to the last root, whether some root contains it.
    pub fn reachable(&self, roots: &[NodeId]) -> Vec<bool> {
        let len = roots.iter().map(|root| root.index() + 1).max();
        let mut reached = vec![false; len.unwrap_or(0)];
        for id in self.cone(roots) {
            reached[id.index()] = true;
        }
        reached
    }

    /// The symbols that the roots contain, in ascending order of their nodes.
    pub(crate) fn symbols_in(&self, roots: &[NodeId]) -> Vec<Symbol> {
        self.cone(roots)
            .into_iter()
            .filter_map(|id| match self.node(id) {
                Node::Symbol(symbol) => Some(*symbol),
                _ => None,
            })
            .collect()
    }

    /// Returns whether the expression contains this symbol.
    pub fn contains(&self, root: NodeId, symbol: Symbol) -> bool {
        self.dependence(root).intersects(Dependence::of(symbol))
            && self
                .reachable(&[root])
                .iter()
                .zip(&self.nodes.all[..])
                .any(|(reached, node)| *reached && *node == Node::Symbol(symbol))
    }

    /// The existing node for this operation, or a new one.
    fn intern(&mut self, node: Node) -> NodeId {
        let hash = intern::hash(&node);
        if let Some(id) = self.find(hash, &node) {
            return id;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        let mut dependence = match &node {
            Node::Symbol(symbol) => Dependence::of(*symbol),
            _ => Dependence::NONE,
        };
        let known = &self.dependence.all;
        node.for_each_child(|child| dependence = dependence.union(known[child.0 as usize]));
        self.table.insert(hash, id.0);
        self.nodes.push(node);
        self.dependence.push(dependence);
        id
    }

    /// The existing node for this operation.
    fn lookup(&self, node: &Node) -> Option<NodeId> {
        self.find(intern::hash(node), node)
    }

    fn find(&self, hash: u32, node: &Node) -> Option<NodeId> {
        let nodes = &self.nodes.all;
        let id = self
            .table
            .find(hash, |id| nodes[id as usize].is_same(node))?;
        Some(NodeId(id))
    }
}

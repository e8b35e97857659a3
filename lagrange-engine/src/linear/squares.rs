//! The terms of degree two of an energy, down to expressions that are linear in the velocities.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Dependence, Graph, Node, NodeId, Number};

/// Sums of `k x y`: the terms of k by x and y.
pub(super) type Squares = BTreeMap<(NodeId, NodeId), Vec<(Number, NodeId)>>;

/// For each linear node that is a sum: its terms and their coefficients.
pub(super) type Sums = BTreeMap<NodeId, Vec<(NodeId, NodeId)>>;

/// The terms of degree two, and the sums in their linear nodes; `None` if the structure of the energy shows terms of a
/// higher degree.
pub(super) fn squares(graph: &mut Graph, energy: NodeId) -> Option<(Squares, Sums)> {
    let degrees = degrees(graph, energy)?;
    let mut search = Search {
        graph,
        degrees: &degrees,
    };
    let squares = search.squares(energy);
    let sums = search.sums(squares.keys().flat_map(|(x, y)| [*x, *y]).collect());
    Some((squares, sums))
}

/// The degree in the velocities of each node up to the root, by structure; `None` if that of the root exceeds two.
fn degrees(graph: &Graph, root: NodeId) -> Option<Vec<u8>> {
    let reached = graph.reachable(&[root]);
    let mut degrees = vec![0; reached.len()];
    for index in (0..reached.len()).filter(|index| reached[*index]) {
        let id = NodeId(index as u32);
        if graph.dependence(id).intersects(Dependence::VELOCITY) {
            degrees[index] = degree(graph.node(id), &degrees);
        }
    }
    let most = degrees.last().copied().unwrap_or(0);
    (most <= 2).then_some(degrees)
}

/// The degree of a function that is not a polynomial, or of a polynomial of too high a degree.
const TOO_HIGH: u8 = 3;

/// The degree of a node that depends on velocities.
fn degree(node: &Node, degrees: &[u8]) -> u8 {
    let of = |node: &NodeId| degrees[node.index()];
    match node {
        Node::Symbol(_) => 1,
        Node::Sum { terms, .. } => terms.iter().map(|(_, term)| of(term)).max().unwrap_or(0),
        Node::Product(factors) => {
            let mut sum = 0_i32;
            for (base, exponent) in factors {
                match of(base) {
                    0 => {}
                    _ if *exponent < 0 => return TOO_HIGH,
                    degree => sum = sum.saturating_add(exponent.saturating_mul(degree.into())),
                }
            }
            u8::try_from(sum).map_or(TOO_HIGH, |sum| sum.min(TOO_HIGH))
        }
        _ => TOO_HIGH,
    }
}

struct Search<'a> {
    graph: &'a mut Graph,
    degrees: &'a [u8],
}

impl Search<'_> {
    fn degree(&self, node: NodeId) -> u8 {
        self.degrees.get(node.index()).copied().unwrap_or(0)
    }

    /// One sweep from the energy down: the factors of each quadratic node add up.
    fn squares(&mut self, energy: NodeId) -> Squares {
        let mut squares = Squares::new();
        let mut weights: BTreeMap<NodeId, Vec<(Number, NodeId)>> = BTreeMap::new();
        if self.degree(energy) == 2 {
            let one = self.graph.integer(1);
            weights.insert(energy, vec![(Number::ONE, one)]);
        }
        while let Some((node, terms)) = weights.pop_last() {
            let weight = self.graph.sum(Number::ZERO, terms);
            if let Node::Sum { terms, .. } = self.graph.node(node).clone() {
                for (factor, term) in terms.iter().filter(|(_, term)| self.degree(*term) == 2) {
                    weights.entry(*term).or_default().push((*factor, weight));
                }
                continue;
            }
            let (factor, moving) = self.split(node);
            let weight = self.graph.mul(weight, factor);
            match moving[..] {
                [(square, 1)] => weights
                    .entry(square)
                    .or_default()
                    .push((Number::ONE, weight)),
                [(x, _)] => self.add_square(&mut squares, weight, [x, x]),
                [(x, _), (y, _)] => self.add_square(&mut squares, weight, [x, y]),
                _ => {}
            }
        }
        squares
    }

    /// A product as a factor free of velocities and the other powers.
    fn split(&mut self, product: NodeId) -> (NodeId, Vec<(NodeId, i32)>) {
        let factors = match self.graph.node(product) {
            Node::Product(factors) => factors.to_vec(),
            _ => vec![(product, 1)],
        };
        let is_moving = |factor: &(NodeId, i32)| self.degree(factor.0) > 0;
        let (moving, free) = factors.into_iter().partition(is_moving);
        (self.graph.product(free), moving)
    }

    fn add_square(&mut self, squares: &mut Squares, weight: NodeId, [x, y]: [NodeId; 2]) {
        let ([x, a], [y, b]) = (self.base(x), self.base(y));
        let weight = self.graph.product(vec![(weight, 1), (a, 1), (b, 1)]);
        let pair = (x.min(y), x.max(y));
        squares.entry(pair).or_default().push((Number::ONE, weight));
    }

    /// The velocity or sum of which a linear node is a multiple, and the factor; terms free of velocities are ignored.
    fn base(&mut self, mut node: NodeId) -> [NodeId; 2] {
        let mut factor = self.graph.integer(1);
        while let Some((inner, part)) = self.multiple(node) {
            factor = self.graph.mul(factor, part);
            node = inner;
        }
        [node, factor]
    }

    /// The only linear node in another one, and its factor.
    fn multiple(&mut self, node: NodeId) -> Option<(NodeId, NodeId)> {
        match self.graph.node(node).clone() {
            Node::Sum { terms, .. } => {
                let mut moving = terms.iter().filter(|(_, term)| self.degree(*term) > 0);
                let (number, term) = moving.next()?;
                if moving.next().is_some() {
                    return None;
                }
                Some((*term, self.graph.number(*number)))
            }
            Node::Product(_) => {
                let (free, moving) = self.split(node);
                Some((moving.first()?.0, free))
            }
            _ => None,
        }
    }

    /// The terms of these nodes and of their terms, the last nodes first.
    fn sums(&mut self, mut open: BTreeSet<NodeId>) -> Sums {
        let mut sums = Sums::new();
        while let Some(node) = open.pop_last() {
            let Node::Sum { terms, .. } = self.graph.node(node).clone() else {
                continue;
            };
            let is_moving = |term: &&(Number, NodeId)| self.degree(term.1) > 0;
            let terms: Vec<(Number, NodeId)> = terms.iter().filter(is_moving).copied().collect();
            let mut sum = Vec::with_capacity(terms.len());
            for (number, term) in terms {
                let [base, factor] = self.base(term);
                sum.push((base, self.graph.scale(number, factor)));
                open.insert(base);
            }
            sums.insert(node, sum);
        }
        sums
    }
}

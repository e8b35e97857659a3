//! What to compute in which order, and which parts are shared.

use std::collections::HashMap;

use super::pairs::{Atom, Term, extract_pairs};
use super::signs::{negated, turned};
use crate::{Graph, Node, NodeId, Number, Unary};

/// The lists of all sums and products, with their common pairs as atoms of their own.
pub(super) struct Plan {
    /// Every node that the roots contain, children first.
    pub(super) order: Vec<NodeId>,
    /// The terms of each sum, as computed from what is computed of them. An atom below the graph's size is a node, the others are pairs.
    pub(super) sums: HashMap<NodeId, Vec<Term>>,
    pub(super) sum_pairs: Vec<[Term; 2]>,
    /// The factors of each product.
    pub(super) products: HashMap<NodeId, Factors>,
    /// What the first atoms of products stand for: powers; the others are pairs.
    pub(super) powers: Vec<(NodeId, i32)>,
    pub(super) product_pairs: Vec<[Term; 2]>,
    /// Per node: products and sums that are part of the one sum that uses them.
    pub(super) fused: Vec<bool>,
    /// Per node: whether its negative is computed.
    pub(super) turned: Vec<bool>,
    /// Per node: an angle whose sine and cosine are both needed.
    pub(super) both: Vec<bool>,
}

/// A product: atoms to multiply, and the bases and exponents to divide by.
#[derive(Clone, Default)]
pub(super) struct Factors {
    pub(super) numerator: Vec<Term>,
    pub(super) denominator: Vec<(NodeId, u32)>,
}

impl Plan {
    pub(super) fn new(graph: &Graph, roots: &[NodeId]) -> Self {
        let order = postorder(graph, roots);
        let mut plan = Self {
            sums: HashMap::new(),
            sum_pairs: Vec::new(),
            products: HashMap::new(),
            powers: Vec::new(),
            product_pairs: Vec::new(),
            fused: vec![false; graph.len()],
            turned: turned(graph, roots, &order),
            both: angles_of_both(graph, &order),
            order,
        };
        plan.collect_sums(graph);
        plan.collect_products(graph);
        plan.find_fused(graph, roots);
        plan
    }

    fn collect_sums(&mut self, graph: &Graph) {
        let mut lists = Vec::new();
        let mut owners = Vec::new();
        for id in &self.order {
            if let Node::Sum { terms, .. } = graph.node(*id) {
                let is_turned = |node: &NodeId| self.turned[node.index()];
                let signed = |(c, term): &(Number, NodeId)| {
                    let c = if is_turned(id) == is_turned(term) {
                        *c
                    } else {
                        -*c
                    };
                    (c, term.0)
                };
                owners.push(*id);
                lists.push(terms.iter().map(signed).collect());
            }
        }
        self.sum_pairs = extract_pairs(&mut lists, graph.len() as Atom);
        self.sums = owners.into_iter().zip(lists).collect();
    }

    fn collect_products(&mut self, graph: &Graph) {
        let divisors = divisor_counts(graph, &self.order);
        let mut atoms: HashMap<(NodeId, i32), Atom> = HashMap::new();
        let mut owners = Vec::new();
        let mut lists: Vec<Vec<Term>> = Vec::new();
        let mut denominators = Vec::new();
        for id in &self.order {
            let Node::Product(factors) = graph.node(*id) else {
                continue;
            };
            let mut numerator = Vec::new();
            let mut denominator = Vec::new();
            for (base, exponent) in factors {
                // One reciprocal serves several quotients; a single quotient is a division.
                if *exponent < 0 && divisors.get(base) == Some(&1) {
                    denominator.push((*base, exponent.unsigned_abs()));
                    continue;
                }
                let power = (*base, *exponent);
                let atom = *atoms.entry(power).or_insert_with(|| {
                    self.powers.push(power);
                    self.powers.len() as Atom - 1
                });
                numerator.push((Number::ONE, atom));
            }
            owners.push(*id);
            lists.push(numerator);
            denominators.push(denominator);
        }
        self.product_pairs = extract_pairs(&mut lists, self.powers.len() as Atom);
        let factors = lists.into_iter().zip(denominators);
        let factors = factors.map(|(numerator, denominator)| Factors {
            numerator,
            denominator,
        });
        self.products = owners.into_iter().zip(factors).collect();
    }

    /// A product that one sum uses once becomes a multiply-add there; a sum that is only used with
    /// a minus sign is computed with its signs turned.
    fn find_fused(&mut self, graph: &Graph, roots: &[NodeId]) {
        let mut uses = vec![0_u32; graph.len()];
        let mut in_sums = vec![0_u32; graph.len()];
        for root in roots {
            uses[root.index()] += 1;
        }
        for id in &self.order {
            match graph.node(*id) {
                Node::Sum { .. } => {}
                node => node.for_each_child(|child| uses[child.index()] += 1),
            }
        }
        let terms = self.sums.values().flatten();
        for (_, atom) in terms.chain(self.sum_pairs.iter().flatten()) {
            if let Some(count) = in_sums.get_mut(*atom as usize) {
                *count += 1;
            }
        }
        for id in &self.order {
            let at = id.index();
            let once = uses[at] == 0 && in_sums[at] == 1;
            self.fused[at] = once && matches!(graph.node(*id), Node::Product(_));
        }
        for id in &self.order {
            let inner = negated(graph, *id).map(|inner| (inner.index(), graph.node(inner)));
            if let Some((at, Node::Sum { .. })) = inner {
                self.fused[at] |= uses[at] == 0 && in_sums[at] == 1;
            }
        }
    }
}

/// Children before parents, each as late as its first parent allows.
fn postorder(graph: &Graph, roots: &[NodeId]) -> Vec<NodeId> {
    let mut order = Vec::new();
    let mut seen = vec![false; graph.len()];
    // A node is pushed once to be opened and once more to be closed after its children.
    let mut stack: Vec<(NodeId, bool)> = roots.iter().rev().map(|root| (*root, false)).collect();
    while let Some((id, opened)) = stack.pop() {
        if opened {
            order.push(id);
        } else if !std::mem::replace(&mut seen[id.index()], true) {
            stack.push((id, true));
            let first = stack.len();
            graph
                .node(id)
                .for_each_child(|child| stack.push((child, false)));
            stack[first..].reverse();
        }
    }
    order
}

fn angles_of_both(graph: &Graph, order: &[NodeId]) -> Vec<bool> {
    let mut found = vec![(false, false); graph.len()];
    for id in order {
        match graph.node(*id) {
            Node::Unary(Unary::Sin, angle) => found[angle.index()].0 = true,
            Node::Unary(Unary::Cos, angle) => found[angle.index()].1 = true,
            _ => {}
        }
    }
    found
        .into_iter()
        .map(|(sine, cosine)| sine && cosine)
        .collect()
}

/// In how many products each base stands below the line.
fn divisor_counts(graph: &Graph, order: &[NodeId]) -> HashMap<NodeId, u32> {
    let mut counts = HashMap::new();
    for id in order {
        if let Node::Product(factors) = graph.node(*id) {
            for (base, _) in factors.iter().filter(|(_, exponent)| *exponent < 0) {
                *counts.entry(*base).or_default() += 1;
            }
        }
    }
    counts
}

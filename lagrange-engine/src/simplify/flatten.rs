//! Sums that are used once become part of the sum that uses them.
//!
//! A product with such a sum as a factor stays as it is, unless its terms cancel others of the
//! outer sum: `(a - b) s + b s = a s`.

use super::use_counts;
use crate::{Graph, Node, NodeId, Number};

/// A coefficient and the node that it scales.
type Term = (Number, NodeId);

pub(super) fn flatten(graph: &mut Graph, roots: &[NodeId]) -> Vec<NodeId> {
    let uses = use_counts(graph, roots);
    let mut pass = Flattening {
        graph,
        new: (0..uses.len() as u32).map(NodeId).collect(),
        once: uses.iter().map(|count| *count == 1).collect(),
    };
    for index in (0..uses.len()).filter(|index| uses[*index] > 0) {
        let id = NodeId(index as u32);
        pass.new[index] = match pass.graph.node(id).clone() {
            Node::Sum { constant, terms } => pass.sum(constant, &terms),
            _ => pass.graph.rebuild(id, |child| pass.new[child.index()]),
        };
    }
    roots.iter().map(|root| pass.new[root.index()]).collect()
}

struct Flattening<'a> {
    graph: &'a mut Graph,
    /// What each node that was reached has become.
    new: Vec<NodeId>,
    /// Whether the node is used in one place only.
    once: Vec<bool>,
}

impl Flattening<'_> {
    fn sum(&mut self, mut constant: Number, terms: &[Term]) -> NodeId {
        let mut flat = Vec::with_capacity(terms.len());
        for (coefficient, term) in terms {
            let new = self.new[term.index()];
            let spliced = self.once[term.index()]
                .then(|| scaled_terms(self.graph, *coefficient, new))
                .flatten()
                .and_then(|(inner, terms)| Some((constant.checked_add(inner)?, terms)));
            match spliced {
                Some((total, terms)) => {
                    constant = total;
                    flat.extend(terms);
                }
                None => flat.push((*coefficient, new)),
            }
        }
        self.cancel(&mut flat, terms);
        self.graph.sum(constant, flat)
    }

    /// Distributes products over their sum where that makes the list shorter.
    fn cancel(&mut self, flat: &mut Vec<Term>, old: &[Term]) {
        for (_, term) in old {
            if !self.once[term.index()] {
                continue;
            }
            let product = self.new[term.index()];
            let Some(at) = flat.iter().position(|(_, node)| *node == product) else {
                continue;
            };
            let Some(parts) = self.distributed(*term, flat[at].0) else {
                continue;
            };
            let mut longer = flat.clone();
            longer.swap_remove(at);
            let met = parts
                .iter()
                .filter(|(_, part)| longer.iter().any(|(_, node)| node == part))
                .count();
            // Each part that meets its like takes itself away, and its like if they cancel.
            if parts.len() - met <= 1 {
                longer.extend(parts);
                *flat = longer;
            }
        }
    }

    /// The parts of `coefficient * old`, if it is a product with a sum that is used only there.
    fn distributed(&mut self, old: NodeId, coefficient: Number) -> Option<Vec<Term>> {
        let Node::Product(factors) = self.graph.node(old) else {
            return None;
        };
        let is_sum = |(base, exponent): &&(NodeId, i32)| {
            *exponent == 1
                && self.once[base.index()]
                && matches!(self.graph.node(*base), Node::Sum { .. })
        };
        let inner = self.new[factors.iter().find(is_sum)?.0.index()];
        let (constant, terms) = scaled_terms(self.graph, coefficient, inner)?;
        let product = self.new[old.index()];
        let others = self.graph.product(vec![(product, 1), (inner, -1)]);
        let mut parts = Vec::with_capacity(terms.len() + 1);
        for (scale, term) in terms {
            parts.push((scale, self.graph.mul(others, term)));
        }
        if !constant.is_zero() {
            parts.push((constant, others));
        }
        Some(parts)
    }
}

/// `coefficient * node` as the constant and terms of a sum, if the node is one.
fn scaled_terms(graph: &Graph, coefficient: Number, node: NodeId) -> Option<(Number, Vec<Term>)> {
    let Node::Sum { constant, terms } = graph.node(node) else {
        return None;
    };
    let scaled = terms
        .iter()
        .map(|(c, term)| Some((c.checked_mul(coefficient)?, *term)))
        .collect::<Option<Vec<_>>>()?;
    match scaled[..] {
        // A scaled sum: its content stands outside.
        [(content, inner)]
            if constant.is_zero() && matches!(graph.node(inner), Node::Sum { .. }) =>
        {
            scaled_terms(graph, content, inner)
        }
        _ => Some((constant.checked_mul(coefficient)?, scaled)),
    }
}

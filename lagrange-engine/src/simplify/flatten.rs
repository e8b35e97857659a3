//! Sums that are used once become part of the sum that uses them.

use super::use_counts;
use crate::{Graph, Node, NodeId, Number};

pub(super) fn flatten(graph: &mut Graph, roots: &[NodeId]) -> Vec<NodeId> {
    let uses = use_counts(graph, roots);
    let mut new: Vec<NodeId> = (0..uses.len() as u32).map(NodeId).collect();
    for index in (0..uses.len()).filter(|index| uses[*index] > 0) {
        let id = NodeId(index as u32);
        new[index] = match graph.node(id).clone() {
            Node::Sum { constant, terms } => flat_sum(graph, constant, &terms, &new, &uses),
            _ => graph.rebuild(id, |child| new[child.index()]),
        };
    }
    roots.iter().map(|root| new[root.index()]).collect()
}

fn flat_sum(
    graph: &mut Graph,
    mut constant: Number,
    terms: &[(Number, NodeId)],
    new: &[NodeId],
    uses: &[u32],
) -> NodeId {
    let mut flat = Vec::with_capacity(terms.len());
    for (coefficient, term) in terms {
        let replaced = new[term.index()];
        let spliced = (uses[term.index()] == 1)
            .then(|| scaled_terms(graph, *coefficient, replaced))
            .flatten()
            .and_then(|(inner, terms)| Some((constant.checked_add(inner)?, terms)));
        match spliced {
            Some((total, terms)) => {
                constant = total;
                flat.extend(terms);
            }
            None => flat.push((*coefficient, replaced)),
        }
    }
    graph.sum(constant, flat)
}

/// `coefficient * node` as the constant and terms of a sum, if the node is one.
#[allow(clippy::type_complexity)] // a sum's two parts, as in the constructors
fn scaled_terms(
    graph: &Graph,
    coefficient: Number,
    node: NodeId,
) -> Option<(Number, Vec<(Number, NodeId)>)> {
    match graph.node(node) {
        Node::Sum { constant, terms } => {
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
        _ => None,
    }
}

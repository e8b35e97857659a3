//! Free minus signs: `-(x (a - b))` is `x (b - a)`.

use std::collections::HashMap;

use super::order::Order;
use super::use_counts::Census;
use crate::{Graph, Node, NodeId, Number};

/// The nodes whose negative is computed: products that are only used with a minus sign, each with a difference among
/// its factors that can be reversed. Sums with such a node as a term subtract it instead.
pub(super) fn find_turned(graph: &Graph, order: &Order, census: &Census) -> Box<[bool]> {
    let uses = &census.uses[..];
    let mut turned = order.table(false);
    let candidates = find_candidates(graph, order, census);
    if candidates.is_empty() {
        return turned;
    }
    let users = sums_that_use(graph, order, &candidates);
    for product in candidates {
        let Node::Product(factors) = graph.node(product) else {
            continue;
        };
        let can_turn = |(base, exponent): &&(NodeId, i32)| {
            let Some(users) = users.get(base).filter(|_| *exponent == 1) else {
                return false;
            };
            let in_no_other_product = uses[order.at(*base)] as usize == users.len() + 1;
            in_no_other_product && users.iter().all(|user| can_subtract(graph, *user, *base))
        };
        if let Some((difference, _)) = factors.iter().find(can_turn) {
            turned[order.at(*difference)] = true;
            turned[order.at(product)] = true;
        }
    }
    turned
}

/// x if the node is -x.
pub(super) fn negated(graph: &Graph, id: NodeId) -> Option<NodeId> {
    match graph.node(id) {
        Node::Sum { constant, terms } if constant.is_zero() && terms.len() == 1 => {
            let (coefficient, inner) = terms[0];
            (coefficient == Number::MINUS_ONE).then_some(inner)
        }
        _ => None,
    }
}

/// The products that are only used with a minus sign, in order.
fn find_candidates(graph: &Graph, order: &Order, census: &Census) -> Vec<NodeId> {
    census
        .negatives
        .iter()
        .map(|(_, product)| *product)
        .filter(|product| {
            census.uses[order.at(*product)] == 1 && matches!(graph.node(*product), Node::Product(_))
        })
        .collect()
}

/// The sums that have each node as a term, for the factors of these products that are worth reversing.
fn sums_that_use(
    graph: &Graph,
    order: &Order,
    products: &[NodeId],
) -> HashMap<NodeId, Vec<NodeId>> {
    let mut users = HashMap::new();
    let mut is_factor = order.table(false);
    for product in products {
        graph.node(*product).for_each_child(|base| {
            let number = order.at(base);
            if !is_factor[number] && has_both_signs(graph, base) {
                is_factor[number] = true;
                users.insert(base, Vec::new());
            }
        });
    }
    if users.is_empty() {
        return users;
    }
    for id in &order.nodes {
        if let Node::Sum { terms, .. } = graph.node(*id) {
            let mut number = 0;
            while number < terms.len() {
                let term = terms[number].1;
                if is_factor[order.at(term)]
                    && let Some(sums) = users.get_mut(&term)
                {
                    sums.push(*id);
                }
                number += 1;
            }
        }
    }
    users
}

/// Returns whether a sum costs the same with opposite signs: one of its terms comes first without a minus sign.
fn has_both_signs(graph: &Graph, id: NodeId) -> bool {
    let mut signs = signs(graph, id).map(|(_, negative)| negative);
    let first = signs.next();
    signs.any(|negative| Some(negative) != first)
}

/// Returns whether a sum costs the same with the opposite sign of this term.
fn can_subtract(graph: &Graph, sum: NodeId, turned: NodeId) -> bool {
    signs(graph, sum).any(|(term, negative)| negative == (term == Some(turned)))
}

/// The terms of a sum and its constant, and whether they have a minus sign.
fn signs(graph: &Graph, id: NodeId) -> impl Iterator<Item = (Option<NodeId>, bool)> {
    let (constant, terms) = match graph.node(id) {
        Node::Sum { constant, terms } => (*constant, &terms[..]),
        _ => (Number::ZERO, &[][..]),
    };
    let constant = (!constant.is_zero()).then(|| (None, constant.is_negative()));
    terms
        .iter()
        .map(|(coefficient, term)| (Some(*term), coefficient.is_negative()))
        .chain(constant)
}

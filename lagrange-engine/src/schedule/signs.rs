//! Minus signs that cost nothing: `-(x (a - b))` is `x (b - a)`.

use std::collections::HashMap;

use crate::{Graph, Node, NodeId, Number};

/// The nodes of which the negative is computed: products that nothing but a minus sign uses, each with a
/// difference among its factors that may be taken the other way round. Sums that have such a node as a term
/// subtract it instead.
pub(super) fn turned(graph: &Graph, roots: &[NodeId], order: &[NodeId]) -> Vec<bool> {
    let uses = uses(graph, roots, order);
    let mut turned = vec![false; graph.len()];
    let candidates = candidates(graph, order, &uses);
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
            let in_no_other_product = uses[base.index()] as usize == users.len() + 1;
            in_no_other_product && users.iter().all(|user| can_subtract(graph, *user, *base))
        };
        if let Some((difference, _)) = factors.iter().find(can_turn) {
            turned[difference.index()] = true;
            turned[product.index()] = true;
        }
    }
    turned
}

/// x where the node is -x.
pub(super) fn negated(graph: &Graph, id: NodeId) -> Option<NodeId> {
    match graph.node(id) {
        Node::Sum { constant, terms } if constant.is_zero() && terms.len() == 1 => {
            let (coefficient, inner) = terms[0];
            (coefficient == Number::MINUS_ONE).then_some(inner)
        }
        _ => None,
    }
}

/// How often each node is used.
fn uses(graph: &Graph, roots: &[NodeId], order: &[NodeId]) -> Vec<u32> {
    let mut uses = vec![0_u32; graph.len()];
    let uses_of = &mut uses[..];
    for root in roots {
        uses_of[root.index()] += 1;
    }
    for id in order {
        graph
            .node(*id)
            .for_each_child(|child| uses_of[child.0 as usize] += 1);
    }
    uses
}

/// The products that nothing but a minus sign uses, in order.
fn candidates(graph: &Graph, order: &[NodeId], uses: &[u32]) -> Vec<NodeId> {
    let mut found = Vec::new();
    for id in order {
        if let Some(product) = negated(graph, *id)
            && uses[product.0 as usize] == 1
            && let Node::Product(_) = graph.node(product)
        {
            found.push(product);
        }
    }
    found
}

/// The sums that have each node as a term: of the factors of these products that are worth turning.
fn sums_that_use(
    graph: &Graph,
    order: &[NodeId],
    products: &[NodeId],
) -> HashMap<NodeId, Vec<NodeId>> {
    let mut users = HashMap::new();
    let mut is_factor = vec![false; graph.len()];
    for product in products {
        graph.node(*product).for_each_child(|base| {
            if !is_factor[base.index()] && has_both_signs(graph, base) {
                is_factor[base.index()] = true;
                users.insert(base, Vec::new());
            }
        });
    }
    if users.is_empty() {
        return users;
    }
    for id in order {
        if let Node::Sum { terms, .. } = graph.node(*id) {
            for (_, term) in &terms[..] {
                if is_factor[term.0 as usize]
                    && let Some(found) = users.get_mut(term)
                {
                    found.push(*id);
                }
            }
        }
    }
    users
}

/// Whether a sum costs the same with its signs turned: one of its terms comes first without a minus sign.
fn has_both_signs(graph: &Graph, id: NodeId) -> bool {
    let mut signs = signs(graph, id).map(|(_, negative)| negative);
    let first = signs.next();
    signs.any(|negative| Some(negative) != first)
}

/// Whether a sum costs the same with the sign of this term turned.
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
    let terms = terms.iter();
    terms
        .map(|(coefficient, term)| (Some(*term), coefficient.is_negative()))
        .chain(constant)
}

//! Minus signs that cost nothing: `-(x (a - b))` is `x (b - a)`.

use crate::{Graph, Node, NodeId, Number};

/// The nodes of which the negative is computed: products that nothing but a minus sign uses, each with a
/// difference among its factors that may be taken the other way round. Sums that have such a node as a term
/// subtract it instead.
pub(super) fn turned(graph: &Graph, roots: &[NodeId], order: &[NodeId]) -> Vec<bool> {
    let uses = graph.use_counts(roots);
    let users = sums_that_use(graph, order);
    let mut turned = vec![false; graph.len()];
    for id in order {
        let Some(product) = negated(graph, *id).filter(|inner| uses[inner.index()] == 1) else {
            continue;
        };
        let Node::Product(factors) = graph.node(product) else {
            continue;
        };
        let can_turn = |(base, exponent): &&(NodeId, i32)| {
            let users = &users[base.index()];
            let in_no_other_product = uses[base.index()] as usize == users.len() + 1;
            *exponent == 1
                && in_no_other_product
                && has_both_signs(graph, *base)
                && users.iter().all(|user| can_subtract(graph, *user, *base))
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

/// The sums that have each node as a term.
fn sums_that_use(graph: &Graph, order: &[NodeId]) -> Vec<Vec<NodeId>> {
    let mut users = vec![Vec::new(); graph.len()];
    for id in order {
        if let Node::Sum { terms, .. } = graph.node(*id) {
            for (_, term) in terms {
                users[term.index()].push(*id);
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

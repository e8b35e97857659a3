//! Factoring of sums: `a b + a c + d = a (b + c) + d`.
//!
//! There are two ways, because a factor taken out of one sum may be part of a product that many
//! others share, which is better left whole: [`greedy`] takes out whatever it can, and [`content`]
//! only what leaves nothing but parameters behind. Each schedule uses the one that costs it less.

use super::use_counts;
use crate::{Dependence, Graph, Node, NodeId, Number};

/// Longer sums than this are left as they are: the greedy choice is quadratic in the terms.
const MAX_TERMS: usize = 256;

/// A way to rewrite one sum.
type Rewrite = fn(&mut Graph, Number, Vec<(Number, NodeId)>) -> NodeId;

/// The factor that most terms share is taken out first, then those of what is left, inside and
/// outside (the multivariate Horner scheme of Ceberio and Kreinovich, 2004).
pub(super) fn greedy(graph: &mut Graph, roots: &[NodeId]) -> Vec<NodeId> {
    each_sum(graph, roots, factored)
}

/// What all terms share is taken out where that leaves a sum of parameters, as in
/// `m1 l c + m2 l c = (m1 + m2) l c`.
pub(super) fn content(graph: &mut Graph, roots: &[NodeId]) -> Vec<NodeId> {
    each_sum(graph, roots, without_content)
}

fn each_sum(graph: &mut Graph, roots: &[NodeId], rewrite: Rewrite) -> Vec<NodeId> {
    let uses = use_counts(graph, roots);
    let mut new: Vec<NodeId> = (0..uses.len() as u32).map(NodeId).collect();
    for index in (0..uses.len()).filter(|index| uses[*index] > 0) {
        let id = NodeId(index as u32);
        let rebuilt = graph.rebuild(id, |child| new[child.index()]);
        new[index] = match graph.node(rebuilt).clone() {
            Node::Sum { constant, terms } if (2..=MAX_TERMS).contains(&terms.len()) => {
                rewrite(graph, constant, terms.into_vec())
            }
            _ => rebuilt,
        };
    }
    roots.iter().map(|root| new[root.index()]).collect()
}

/// The sum with shared factors taken out. Each round of the loop takes one factor out of at least
/// two terms, so that there are fewer rounds than terms.
fn factored(graph: &mut Graph, constant: Number, terms: Vec<(Number, NodeId)>) -> NodeId {
    let mut open = terms;
    let mut done = Vec::new();
    while let Some((base, exponent)) = most_shared_factor(graph, &open) {
        let (with, without): (Vec<_>, Vec<_>) = open.into_iter().partition(|(_, term)| {
            exponent_in(graph, *term, base).is_some_and(|e| same_sign(e, exponent))
        });
        let cofactors = with
            .into_iter()
            .map(|(c, term)| (c, graph.product(vec![(term, 1), (base, -exponent)])))
            .collect();
        let inner = graph.sum(Number::ZERO, cofactors);
        let inner = match graph.node(inner).clone() {
            Node::Sum { constant, terms } if terms.len() > 1 => {
                factored(graph, constant, terms.into_vec())
            }
            _ => inner,
        };
        done.push((
            Number::ONE,
            graph.product(vec![(base, exponent), (inner, 1)]),
        ));
        open = without;
    }
    done.extend(open);
    graph.sum(constant, done)
}

fn without_content(graph: &mut Graph, constant: Number, terms: Vec<(Number, NodeId)>) -> NodeId {
    let common = common_factors(graph, &terms);
    if !constant.is_zero() || common.is_empty() {
        return graph.sum(constant, terms);
    }
    let inverse: Vec<_> = common.iter().map(|(base, e)| (*base, -*e)).collect();
    let mut cofactors = Vec::with_capacity(terms.len());
    for (coefficient, term) in &terms {
        let mut factors = inverse.clone();
        factors.push((*term, 1));
        cofactors.push((*coefficient, graph.product(factors)));
    }
    let varies = |node| graph.dependence(node).intersects(Dependence::STATE);
    if cofactors.iter().any(|(_, cofactor)| varies(*cofactor)) {
        return graph.sum(constant, terms);
    }
    let inner = graph.sum(constant, cofactors);
    graph.product([common, vec![(inner, 1)]].concat())
}

/// The factors that every term contains, with the smallest of their exponents.
fn common_factors(graph: &Graph, terms: &[(Number, NodeId)]) -> Vec<(NodeId, i32)> {
    let Some(((_, first), others)) = terms.split_first() else {
        return Vec::new();
    };
    let mut common = match graph.node(*first) {
        Node::Product(factors) => factors.to_vec(),
        _ => vec![(*first, 1)],
    };
    for (_, term) in others {
        common.retain_mut(|(base, least)| {
            let exponent = exponent_in(graph, *term, *base).filter(|e| same_sign(*e, *least));
            *least = exponent.map_or(*least, |e| if e.abs() < least.abs() { e } else { *least });
            exponent.is_some()
        });
    }
    common
}

/// The base that the most terms contain as a factor, with the smallest of its exponents there.
/// Ties go to the later node: the more expensive ones come later in the arena.
fn most_shared_factor(graph: &Graph, terms: &[(Number, NodeId)]) -> Option<(NodeId, i32)> {
    let mut seen: Vec<(NodeId, i32)> = Vec::new();
    for (_, term) in terms {
        match graph.node(*term) {
            Node::Product(factors) => seen.extend(factors.iter().copied()),
            _ => seen.push((*term, 1)),
        }
    }
    seen.sort_unstable();
    let mut best: Option<(usize, NodeId, i32)> = None;
    for group in seen.chunk_by(|a, b| a.0 == b.0 && same_sign(a.1, b.1)) {
        let least = group.iter().min_by_key(|(_, exponent)| exponent.abs());
        let better = group.len() > 1 && best.is_none_or(|(count, ..)| group.len() >= count);
        if let Some((base, exponent)) = least.filter(|_| better) {
            best = Some((group.len(), *base, *exponent));
        }
    }
    best.map(|(_, base, exponent)| (base, exponent))
}

fn same_sign(a: i32, b: i32) -> bool {
    (a < 0) == (b < 0)
}

fn exponent_in(graph: &Graph, term: NodeId, base: NodeId) -> Option<i32> {
    match graph.node(term) {
        Node::Product(factors) => factors.iter().find(|(b, _)| *b == base).map(|(_, e)| *e),
        _ => (term == base).then_some(1),
    }
}

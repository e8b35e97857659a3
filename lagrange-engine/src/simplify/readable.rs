//! Expressions in their shortest readable form: for print, not for code.
//!
//! Sums inside sums are expanded if like terms then merge or a pair of parentheses disappears. Products of sines and
//! cosines of two angles become one of their sum or difference. Both may split shared expressions, which costs
//! operations, but does not matter to a reader.
//!
//! One loop over the arena; each sum is rewritten a bounded number of times, and only if the written form becomes
//! shorter.

use std::collections::HashMap;

use crate::codegen::cost_model::MOST_TERMS_READ;
use crate::graph::Renaming;
use crate::{Graph, Node, NodeId, Number, Unary};

type Term = (Number, NodeId);

/// The same expressions, shorter to read.
pub(crate) fn readable(graph: &mut Graph, roots: &[NodeId]) -> Vec<NodeId> {
    let cone = graph.cone(roots);
    let mut new = Renaming::of(&cone);
    let mut sizes = Sizes::default();
    for id in cone {
        let rebuilt = graph.rebuild(id, |child| new.get(child));
        new.set(id, shorten(graph, &mut sizes, rebuilt));
    }
    new.all(roots)
}

/// The number of nodes of an expression without sharing; 0 if it is not computed yet.
#[derive(Default)]
struct Sizes(Vec<u64>);

impl Sizes {
    fn of(&mut self, graph: &Graph, id: NodeId) -> u64 {
        if self.0.len() <= id.index() {
            let mut wider = vec![0; graph.len() * 2];
            wider[..self.0.len()].copy_from_slice(&self.0);
            self.0 = wider;
        }
        let sizes = &mut self.0[..];
        // A node stays on the stack as long as a child is open.
        let mut open = vec![id];
        while let Some(top) = open.last().copied() {
            let count = open.len();
            let node = graph.node(top);
            let mut size = 1_u64;
            node.for_each_child(|child| {
                let child_size = sizes[child.index()];
                size = size.saturating_add(child_size);
                if child_size == 0 {
                    open.push(child);
                }
            });
            if open.len() > count {
                continue;
            }
            if let Node::Sum { terms, .. } = node {
                let scaled = terms.iter().filter(|(c, _)| !c.abs().is_one());
                size = size.saturating_add(scaled.count() as u64);
            }
            sizes[top.index()] = size;
            open.pop();
        }
        sizes[id.index()]
    }
}

/// A sum, expanded and contracted if that makes it shorter.
fn shorten(graph: &mut Graph, sizes: &mut Sizes, id: NodeId) -> NodeId {
    let mut best = id;
    for rewrite in [open_inner_sums, contract] {
        let candidate = rewrite(graph, best);
        if sizes.of(graph, candidate) <= sizes.of(graph, best) {
            best = candidate;
        }
    }
    distribute(graph, sizes, best)
}

/// The sum with products over sums multiplied out, if their terms then merge with equal ones: `a b + b (c - a) = b c`.
fn distribute(graph: &mut Graph, sizes: &mut Sizes, id: NodeId) -> NodeId {
    let Node::Sum { terms, .. } = graph.node(id).clone() else {
        return id;
    };
    if terms.len() > MOST_TERMS_READ {
        return id;
    }
    let mut best = id;
    for (coefficient, term) in terms.iter().copied() {
        let Some(parts) = multiply_out(graph, term) else {
            continue;
        };
        let mut terms_of_sum = vec![(Number::ONE, best), (-coefficient, term)];
        terms_of_sum.extend(parts.into_iter().map(|part| (coefficient, part)));
        let candidate = splice(graph, Number::ZERO, &terms_of_sum);
        if sizes.of(graph, candidate) < sizes.of(graph, best) {
            best = candidate;
        }
    }
    best
}

/// The terms of a product with one short sum.
fn multiply_out(graph: &mut Graph, term: NodeId) -> Option<Vec<NodeId>> {
    let Node::Product(factors) = graph.node(term).clone() else {
        return None;
    };
    let is_sum = |(base, exponent): &&(NodeId, i32)| {
        *exponent == 1 && matches!(graph.node(*base), Node::Sum { terms, .. } if terms.len() <= 4)
    };
    let (sum, _) = *factors.iter().find(is_sum)?;
    let Node::Sum { constant, terms } = graph.node(sum).clone() else {
        return None;
    };
    let cofactor = factors.iter().copied().filter(|(base, _)| *base != sum);
    let cofactor = graph.product(cofactor.collect());
    let mut parts = Vec::with_capacity(terms.len() + 1);
    for (coefficient, inner) in terms.iter().copied() {
        let product = graph.mul(cofactor, inner);
        parts.push(graph.scale(coefficient, product));
    }
    if !constant.is_zero() {
        parts.push(graph.scale(constant, cofactor));
    }
    Some(parts)
}

/// The sums among the terms of a sum, term by term.
fn open_inner_sums(graph: &mut Graph, id: NodeId) -> NodeId {
    match graph.node(id).clone() {
        Node::Sum { constant, terms } => splice(graph, constant, &terms),
        _ => id,
    }
}

/// The sum of the terms of these sums.
fn splice(graph: &mut Graph, mut constant: Number, terms: &[Term]) -> NodeId {
    let mut flat: Vec<Term> = Vec::with_capacity(terms.len());
    for (coefficient, term) in terms.iter().copied() {
        let inner = terms_of(graph, coefficient, term);
        let inner = inner
            .filter(|(_, inner)| flat.len() + inner.len() <= MOST_TERMS_READ)
            .and_then(|(more, terms)| Some((constant.checked_add(more)?, terms)));
        match inner {
            Some((total, terms)) => {
                constant = total;
                flat.extend(terms);
            }
            None => flat.push((coefficient, term)),
        }
    }
    graph.sum(constant, flat)
}

/// The constant and terms of a scaled sum, including one whose content is outside.
fn terms_of(graph: &Graph, mut by: Number, mut id: NodeId) -> Option<(Number, Vec<Term>)> {
    while let Node::Sum { constant, terms } = graph.node(id) {
        match terms[..] {
            [(content, inner)]
                if constant.is_zero() && matches!(graph.node(inner), Node::Sum { .. }) =>
            {
                by = by.checked_mul(content)?;
                id = inner;
            }
            _ => {
                let scaled: Option<Vec<Term>> = terms
                    .iter()
                    .map(|(c, term)| Some((c.checked_mul(by)?, *term)))
                    .collect();
                return Some((constant.checked_mul(by)?, scaled?));
            }
        }
    }
    None
}

/// A product with sines or cosines of two angles, in parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Pair {
    /// The product without the two.
    cofactor: NodeId,
    angles: [NodeId; 2],
}

/// `c c + s s`, `s c - c s` and their like, as functions of the sum or difference of both angles:
/// `cos a cos b + sin a sin b = cos(a - b)`.
fn contract(graph: &mut Graph, id: NodeId) -> NodeId {
    let Node::Sum { constant, terms } = graph.node(id).clone() else {
        return id;
    };
    if terms.len() > MOST_TERMS_READ {
        return id;
    }
    let mut open: Vec<Term> = terms.to_vec();
    let mut done: Vec<Term> = Vec::new();
    // Each round removes two terms.
    while let Some((first, second, merged)) = find_contraction(graph, &open) {
        open.swap_remove(second.max(first));
        open.swap_remove(second.min(first));
        done.push(merged);
    }
    open.extend(done);
    graph.sum(constant, open)
}

/// The first two terms that contract, and their contraction.
fn find_contraction(graph: &mut Graph, terms: &[Term]) -> Option<(usize, usize, Term)> {
    let mut cosines: HashMap<Pair, usize> = HashMap::new();
    let mut mixed: HashMap<Pair, usize> = HashMap::new();
    for position in 0..terms.len() {
        for (kinds, pair) in find_pairs(graph, terms[position].1) {
            let reversed = Pair {
                cofactor: pair.cofactor,
                angles: [pair.angles[1], pair.angles[0]],
            };
            match kinds {
                [Unary::Cos, Unary::Cos] | [Unary::Sin, Unary::Sin] => {
                    // Ordered by id, so that both products have one key.
                    let key = if pair.angles[0] < pair.angles[1] {
                        pair
                    } else {
                        reversed
                    };
                    let is_sine = kinds[0] == Unary::Sin;
                    if let Some(partner) = cosines.get(&key).copied() {
                        let partner_is_of_sines = is_of_sines(graph, terms[partner].1, key);
                        if partner_is_of_sines != is_sine && partner != position {
                            let (sines, cosines) = if is_sine {
                                (position, partner)
                            } else {
                                (partner, position)
                            };
                            if let Some(merged) =
                                contract_to_cosine(graph, terms[cosines].0, terms[sines].0, key)
                            {
                                return Some((sines, cosines, merged));
                            }
                        }
                    } else {
                        cosines.insert(key, position);
                    }
                }
                // sin a cos b is stored until cos a sin b, which is sin b cos a.
                _ => {
                    if let Some(partner) = mixed.get(&reversed).copied()
                        && partner != position
                    {
                        let merged =
                            contract_to_sine(graph, terms[partner].0, terms[position].0, reversed);
                        if let Some(merged) = merged {
                            return Some((partner, position, merged));
                        }
                    }
                    mixed.entry(pair).or_insert(position);
                }
            }
        }
    }
    None
}

/// Returns whether this term contains the sines of both angles.
fn is_of_sines(graph: &mut Graph, term: NodeId, key: Pair) -> bool {
    let pairs_of_term = find_pairs(graph, term);
    pairs_of_term.iter().any(|(kinds, pair)| {
        let reversed = [pair.angles[1], pair.angles[0]];
        pair.cofactor == key.cofactor
            && (pair.angles == key.angles || reversed == key.angles)
            && *kinds == [Unary::Sin; 2]
    })
}

/// Every way to take a sine or cosine of two different angles out of a product; a mixed pair has the
/// sine first.
fn find_pairs(graph: &mut Graph, term: NodeId) -> Vec<([Unary; 2], Pair)> {
    let Node::Product(factors) = graph.node(term).clone() else {
        return Vec::new();
    };
    let waves: Vec<(NodeId, Unary, NodeId)> = factors
        .iter()
        .filter_map(|(base, exponent)| match graph.node(*base) {
            Node::Unary(kind @ (Unary::Sin | Unary::Cos), angle) if *exponent == 1 => {
                Some((*base, *kind, *angle))
            }
            _ => None,
        })
        .collect();
    let mut pairs_so_far = Vec::new();
    for (i, first) in waves.iter().enumerate() {
        for second in &waves[i + 1..] {
            let mut cofactor = factors.to_vec();
            cofactor.retain(|(base, _)| *base != first.0 && *base != second.0);
            let cofactor = graph.product(cofactor);
            let (a, b) = if first.1 == Unary::Cos && second.1 == Unary::Sin {
                (second, first)
            } else {
                (first, second)
            };
            let angles = [a.2, b.2];
            pairs_so_far.push(([a.1, b.1], Pair { cofactor, angles }));
        }
    }
    pairs_so_far
}

/// `k cos a cos b + k' sin a sin b` with k' = k or -k.
fn contract_to_cosine(
    graph: &mut Graph,
    cosines: Number,
    sines: Number,
    pair: Pair,
) -> Option<Term> {
    let sign = if sines == cosines {
        Number::MINUS_ONE
    } else if sines == -cosines {
        Number::ONE
    } else {
        return None;
    };
    Some((cosines, scaled_wave(graph, Unary::Cos, pair, sign)))
}

/// `k sin a cos b + k' cos a sin b` with k' = k or -k.
fn contract_to_sine(graph: &mut Graph, first: Number, second: Number, pair: Pair) -> Option<Term> {
    let sign = if second == first {
        Number::ONE
    } else if second == -first {
        Number::MINUS_ONE
    } else {
        return None;
    };
    Some((first, scaled_wave(graph, Unary::Sin, pair, sign)))
}

/// `rest f(a + sign b)`
fn scaled_wave(graph: &mut Graph, function: Unary, pair: Pair, sign: Number) -> NodeId {
    let [a, b] = pair.angles;
    let angle = graph.sum(Number::ZERO, vec![(Number::ONE, a), (sign, b)]);
    let wave = graph.unary(function, angle);
    graph.mul(pair.cofactor, wave)
}

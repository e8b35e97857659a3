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
        new.set(id, shorter(graph, &mut sizes, rebuilt));
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
                let own = sizes[child.index()];
                size = size.saturating_add(own);
                if own == 0 {
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
fn shorter(graph: &mut Graph, sizes: &mut Sizes, id: NodeId) -> NodeId {
    let mut best = id;
    for rewrite in [opened, contracted] {
        let candidate = rewrite(graph, best);
        if sizes.of(graph, candidate) <= sizes.of(graph, best) {
            best = candidate;
        }
    }
    distributed(graph, sizes, best)
}

/// The sum with products over sums multiplied out, if their terms then merge with equal ones: `a b + b (c - a) = b c`.
fn distributed(graph: &mut Graph, sizes: &mut Sizes, id: NodeId) -> NodeId {
    let Node::Sum { terms, .. } = graph.node(id).clone() else {
        return id;
    };
    if terms.len() > MOST_TERMS_READ {
        return id;
    }
    let mut best = id;
    for (coefficient, term) in terms.iter().copied() {
        let Some(parts) = multiplied_out(graph, term) else {
            continue;
        };
        let mut all = vec![(Number::ONE, best), (-coefficient, term)];
        all.extend(parts.into_iter().map(|part| (coefficient, part)));
        let candidate = spliced(graph, Number::ZERO, &all);
        if sizes.of(graph, candidate) < sizes.of(graph, best) {
            best = candidate;
        }
    }
    best
}

/// The terms of a product with one short sum.
fn multiplied_out(graph: &mut Graph, term: NodeId) -> Option<Vec<NodeId>> {
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
    let others = factors.iter().copied().filter(|(base, _)| *base != sum);
    let others = graph.product(others.collect());
    let mut parts = Vec::with_capacity(terms.len() + 1);
    for (coefficient, inner) in terms.iter().copied() {
        let product = graph.mul(others, inner);
        parts.push(graph.scale(coefficient, product));
    }
    if !constant.is_zero() {
        parts.push(graph.scale(constant, others));
    }
    Some(parts)
}

/// The sums among the terms of a sum, term by term.
fn opened(graph: &mut Graph, id: NodeId) -> NodeId {
    match graph.node(id).clone() {
        Node::Sum { constant, terms } => spliced(graph, constant, &terms),
        _ => id,
    }
}

/// The sum of the terms of these sums.
fn spliced(graph: &mut Graph, mut constant: Number, terms: &[Term]) -> NodeId {
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
    rest: NodeId,
    angles: [NodeId; 2],
}

/// `c c + s s`, `s c - c s` and their like, as functions of the sum or difference of both angles:
/// `cos a cos b + sin a sin b = cos(a - b)`.
fn contracted(graph: &mut Graph, id: NodeId) -> NodeId {
    let Node::Sum { constant, terms } = graph.node(id).clone() else {
        return id;
    };
    if terms.len() > MOST_TERMS_READ {
        return id;
    }
    let mut open: Vec<Term> = terms.to_vec();
    let mut done: Vec<Term> = Vec::new();
    // Each round removes two terms.
    while let Some((first, second, merged)) = meeting(graph, &open) {
        open.swap_remove(second.max(first));
        open.swap_remove(second.min(first));
        done.push(merged);
    }
    open.extend(done);
    graph.sum(constant, open)
}

/// The first two terms that contract, and their contraction.
fn meeting(graph: &mut Graph, terms: &[Term]) -> Option<(usize, usize, Term)> {
    let mut cosines: HashMap<Pair, usize> = HashMap::new();
    let mut mixed: HashMap<Pair, usize> = HashMap::new();
    for at in 0..terms.len() {
        for (kinds, pair) in pairs(graph, terms[at].1) {
            let other = Pair {
                rest: pair.rest,
                angles: [pair.angles[1], pair.angles[0]],
            };
            match kinds {
                [Unary::Cos, Unary::Cos] | [Unary::Sin, Unary::Sin] => {
                    // Ordered by id, so that both products have one key.
                    let key = if pair.angles[0] < pair.angles[1] {
                        pair
                    } else {
                        other
                    };
                    let is_sine = kinds[0] == Unary::Sin;
                    if let Some(found) = cosines.get(&key).copied() {
                        let found_sine = is_of_sines(graph, terms[found].1, key);
                        if found_sine != is_sine && found != at {
                            let (sines, cosines) = if is_sine { (at, found) } else { (found, at) };
                            if let Some(merged) =
                                cosine(graph, terms[cosines].0, terms[sines].0, key)
                            {
                                return Some((sines, cosines, merged));
                            }
                        }
                    } else {
                        cosines.insert(key, at);
                    }
                }
                // sin a cos b is stored until cos a sin b, which is sin b cos a.
                _ => {
                    if let Some(found) = mixed.get(&other).copied()
                        && found != at
                    {
                        let merged = sine(graph, terms[found].0, terms[at].0, other);
                        if let Some(merged) = merged {
                            return Some((found, at, merged));
                        }
                    }
                    mixed.entry(pair).or_insert(at);
                }
            }
        }
    }
    None
}

/// Returns whether this term contains the sines of both angles.
fn is_of_sines(graph: &mut Graph, term: NodeId, key: Pair) -> bool {
    let all = pairs(graph, term);
    all.iter().any(|(kinds, pair)| {
        let reversed = [pair.angles[1], pair.angles[0]];
        pair.rest == key.rest
            && (pair.angles == key.angles || reversed == key.angles)
            && *kinds == [Unary::Sin; 2]
    })
}

/// Every way to take a sine or cosine of two different angles out of a product; a mixed pair has the
/// sine first.
fn pairs(graph: &mut Graph, term: NodeId) -> Vec<([Unary; 2], Pair)> {
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
    let mut all = Vec::new();
    for (i, first) in waves.iter().enumerate() {
        for second in &waves[i + 1..] {
            let mut rest = factors.to_vec();
            rest.retain(|(base, _)| *base != first.0 && *base != second.0);
            let rest = graph.product(rest);
            let (a, b) = if first.1 == Unary::Cos && second.1 == Unary::Sin {
                (second, first)
            } else {
                (first, second)
            };
            let angles = [a.2, b.2];
            all.push(([a.1, b.1], Pair { rest, angles }));
        }
    }
    all
}

/// `k cos a cos b + k' sin a sin b` with k' = k or -k.
fn cosine(graph: &mut Graph, cosines: Number, sines: Number, pair: Pair) -> Option<Term> {
    let sign = if sines == cosines {
        Number::MINUS_ONE
    } else if sines == -cosines {
        Number::ONE
    } else {
        return None;
    };
    Some((cosines, wave(graph, Unary::Cos, pair, sign)))
}

/// `k sin a cos b + k' cos a sin b` with k' = k or -k.
fn sine(graph: &mut Graph, first: Number, second: Number, pair: Pair) -> Option<Term> {
    let sign = if second == first {
        Number::ONE
    } else if second == -first {
        Number::MINUS_ONE
    } else {
        return None;
    };
    Some((first, wave(graph, Unary::Sin, pair, sign)))
}

/// `rest f(a + sign b)`
fn wave(graph: &mut Graph, function: Unary, pair: Pair, sign: Number) -> NodeId {
    let [a, b] = pair.angles;
    let angle = graph.sum(Number::ZERO, vec![(Number::ONE, a), (sign, b)]);
    let wave = graph.unary(function, angle);
    graph.mul(pair.rest, wave)
}

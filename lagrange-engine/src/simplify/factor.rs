//! Factoring of sums: `a b + a c + d = a (b + c) + d`.
//!
//! There are several ways, because a factor taken out of one sum may be part of a product that many others share, which
//! is better kept whole. [`factor_greedily`] takes out all common factors, [`factor_thoroughly`] also the factors that
//! become common only after that, [`factor_outside`] the same as `factor_greedily` except from sums that are scaled
//! inside another one, and [`factor_content`] only factors that leave a sum of parameters. Each program uses its
//! cheapest way.

use crate::codegen::cost_model::{FACTORING_FOR_EACH_NODE, LEAST_FACTORING, MOST_TERMS_FACTORED};
use crate::graph::Renaming;
use crate::{Dependence, Graph, Node, NodeId, Number};

/// A coefficient and the node that it scales.
pub(super) type Term = (Number, NodeId);

/// A way to rewrite sums.
#[derive(Clone, Copy)]
struct Rewriting {
    /// The replacement of a sum.
    rewrite: fn(&mut Graph, Number, Vec<Term>, &mut Work) -> NodeId,
    /// The sums that it rewrites.
    within: Within,
}

/// The sum in a node, and its scale.
type Within = fn(&Graph, NodeId) -> Option<(Number, Number, Vec<Term>)>;

/// The replacements of nodes in each of the ways. The replacement depends only on the node, so a sum in several
/// programs is factored once.
#[derive(Clone, Default, Debug)]
pub(crate) struct Factored {
    greedy: Renaming,
    thorough: Renaming,
    outer: Renaming,
    content: Renaming,
    /// A table that is all zeros between the sums.
    counts: Vec<u32>,
}

/// The remaining work of a pass, and its table of counts.
struct Work<'a> {
    left: usize,
    counts: &'a mut Vec<u32>,
}

impl Work<'_> {
    fn spend(&mut self, factors: usize) {
        self.left = self.left.saturating_sub(factors);
    }
}

/// The most frequent factor is taken out first, then those of the remainder, inside and outside (the multivariate
/// Horner scheme of Ceberio and Kreinovich, 2004).
pub(super) fn factor_greedily(
    graph: &mut Graph,
    known: &mut Factored,
    roots: &[NodeId],
) -> Vec<NodeId> {
    let rewriting = Rewriting {
        rewrite: |graph, constant, terms, work| factor_sum(graph, constant, terms, GREEDY, work),
        within: sum_within,
    };
    rewrite_sums(
        graph,
        (&mut known.greedy, &mut known.counts),
        roots,
        rewriting,
    )
}

/// The same, and then common factors of the inner and outer parts:
/// `a c - b c - a d + b d = c (a - b) - d (a - b) = (a - b) (c - d)`. Sums that meet there are split.
pub(super) fn factor_thoroughly(
    graph: &mut Graph,
    known: &mut Factored,
    roots: &[NodeId],
) -> Vec<NodeId> {
    let rewriting = Rewriting {
        rewrite: |graph, constant, terms, work| factor_sum(graph, constant, terms, THOROUGH, work),
        within: sum_within,
    };
    rewrite_sums(
        graph,
        (&mut known.thorough, &mut known.counts),
        roots,
        rewriting,
    )
}

/// The same without sums that are scaled inside another one, and without their nodes: their terms remain products, of
/// which others may contain a part.
pub(super) fn factor_outside(
    graph: &mut Graph,
    known: &mut Factored,
    roots: &[NodeId],
) -> Vec<NodeId> {
    let rewriting = Rewriting {
        rewrite: |graph, constant, terms, work| factor_sum(graph, constant, terms, OUTER, work),
        within: bare_sum,
    };
    rewrite_sums(
        graph,
        (&mut known.outer, &mut known.counts),
        roots,
        rewriting,
    )
}

/// The common factors of all terms are taken out if that leaves a sum of parameters, as in
/// `m1 l c + m2 l c = (m1 + m2) l c`.
pub(super) fn factor_content(
    graph: &mut Graph,
    known: &mut Factored,
    roots: &[NodeId],
) -> Vec<NodeId> {
    let rewriting = Rewriting {
        rewrite: take_out_content,
        within: sum_within,
    };
    rewrite_sums(
        graph,
        (&mut known.content, &mut known.counts),
        roots,
        rewriting,
    )
}

fn rewrite_sums(
    graph: &mut Graph,
    (known, counts): (&mut Renaming, &mut Vec<u32>),
    roots: &[NodeId],
    rewriting: Rewriting,
) -> Vec<NodeId> {
    let cone = graph.cone_beyond(roots, known);
    let mut work = Work {
        left: LEAST_FACTORING.saturating_add(cone.len().saturating_mul(FACTORING_FOR_EACH_NODE)),
        counts,
    };
    known.make_room(&cone);
    // If the work ends, the rest is not stored for others.
    let mut unfinished = None;
    for (position, id) in cone.iter().enumerate() {
        let rebuilt = graph.rebuild(*id, |child| known.get(child));
        let new = match (rewriting.within)(graph, rebuilt) {
            Some((scale, constant, terms)) if terms.len() <= MOST_TERMS_FACTORED => {
                let sum = (rewriting.rewrite)(graph, constant, terms, &mut work);
                graph.scale(scale, sum)
            }
            _ => rebuilt,
        };
        known.set(*id, new);
        if work.left == 0 && unfinished.is_none() {
            unfinished = Some(position);
        }
    }
    let new = known.all(roots);
    for id in unfinished.map_or(&[][..], |position| &cone[position..]) {
        known.forget(*id);
    }
    new
}

/// A sum of several terms and its scale: the graph takes the content out of a sum, so a new sum may be inside another
/// one.
fn sum_within(graph: &Graph, node: NodeId) -> Option<(Number, Number, Vec<Term>)> {
    let mut scale = Number::ONE;
    let mut inner = node;
    if let Node::Sum { constant, terms } = graph.node(node)
        && let [(coefficient, term)] = terms[..]
        && constant.is_zero()
    {
        (scale, inner) = (coefficient, term);
    }
    let (_, constant, terms) = bare_sum(graph, inner)?;
    Some((scale, constant, terms))
}

/// A sum of several terms without a scale.
fn bare_sum(graph: &Graph, node: NodeId) -> Option<(Number, Number, Vec<Term>)> {
    match graph.node(node) {
        Node::Sum { constant, terms } if terms.len() > 1 => {
            Some((Number::ONE, *constant, terms.to_vec()))
        }
        _ => None,
    }
}

/// The extent to which factors are taken out.
#[derive(Clone, Copy)]
struct Taking {
    /// The sums that they are taken out of.
    within: Within,
    /// True if the remainder is examined again.
    again: bool,
}

const GREEDY: Taking = Taking {
    within: sum_within,
    again: false,
};
const THOROUGH: Taking = Taking {
    within: sum_within,
    again: true,
};
const OUTER: Taking = Taking {
    within: bare_sum,
    again: false,
};

/// A sum whose shared factors are being taken out.
struct Open {
    constant: Number,
    /// Terms that may still share factors.
    terms: Vec<Term>,
    /// Terms that are finished.
    done: Vec<Term>,
    /// True if a factor was taken out since the last examination of all terms.
    is_shorter: bool,
    /// The coefficient and power whose cofactor is this sum, in the sum below it on the stack.
    factor: Option<(Number, NodeId, i32)>,
}

impl Open {
    fn new(constant: Number, terms: Vec<Term>, factor: Option<(Number, NodeId, i32)>) -> Self {
        Self {
            constant,
            terms,
            done: Vec::new(),
            is_shorter: false,
            factor,
        }
    }
}

/// The sum with shared factors taken out, while there is `work` left.
///
/// It ends for any amount of work: each round takes a factor out of at least two terms of one sum, and removes it from
/// the list of factors itself, so that both have fewer factors, including those of inner products. Terms are examined
/// again only after that. The depth of the stack is that of the nesting of factors.
fn factor_sum(
    graph: &mut Graph,
    constant: Number,
    terms: Vec<Term>,
    taking: Taking,
    work: &mut Work,
) -> NodeId {
    let mut stack: Vec<Open> = Vec::new();
    let mut top = Open::new(constant, terms, None);
    loop {
        if let Some((base, exponent)) = find_most_shared_factor(graph, &top.terms, work) {
            let (mut cofactors, left) = take_out(graph, top.terms, base, exponent);
            if taking.again {
                cofactors = split_inner_sums(graph, cofactors);
            }
            let inner = graph.sum(Number::ZERO, cofactors);
            top.terms = left;
            top.is_shorter = true;
            match (taking.within)(graph, inner) {
                Some((scale, constant, terms)) => {
                    let factor = Some((scale, base, exponent));
                    let inner = Open::new(constant, terms, factor);
                    stack.push(std::mem::replace(&mut top, inner));
                }
                None => top.done.push((
                    Number::ONE,
                    graph.product(vec![(base, exponent), (inner, 1)]),
                )),
            }
            continue;
        }
        if taking.again && top.is_shorter {
            top.terms.append(&mut top.done);
            top.is_shorter = false;
            continue;
        }
        top.done.extend(top.terms);
        let sum = graph.sum(top.constant, top.done);
        let (Some(mut below), Some((scale, base, exponent))) = (stack.pop(), top.factor) else {
            return sum;
        };
        let product = graph.product(vec![(base, exponent), (sum, 1)]);
        below.done.push((scale, product));
        top = below;
    }
}

/// The cofactor of base^exponent in the terms, and the terms without that factor.
fn take_out(
    graph: &mut Graph,
    terms: Vec<Term>,
    base: NodeId,
    exponent: i32,
) -> (Vec<Term>, Vec<Term>) {
    let (with, without): (Vec<Term>, Vec<Term>) = terms.into_iter().partition(|(_, term)| {
        exponent_in(graph, *term, base).is_some_and(|e| same_sign(e, exponent))
    });
    let cofactors = with
        .into_iter()
        .map(|(c, term)| (c, divide(graph, term, &[(base, exponent)])))
        .collect();
    (cofactors, without)
}

/// The terms of a sum, with inner sums split if that leaves no more terms: `a - (a - b) = b`.
fn split_inner_sums(graph: &Graph, mut terms: Vec<Term>) -> Vec<Term> {
    let mut position = 0;
    while position < terms.len() {
        let (coefficient, term) = terms[position];
        if let Some(parts) = parts_of(graph, coefficient, term) {
            let mut shorter: Vec<Term> = terms
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != position)
                .map(|(_, term)| *term)
                .collect();
            if add_terms(&mut shorter, parts) && shorter.len() <= terms.len() {
                terms = shorter;
                position = 0;
                continue;
            }
        }
        position += 1;
    }
    terms
}

/// `coefficient * term`, a sum without a constant, by its terms.
fn parts_of(graph: &Graph, coefficient: Number, term: NodeId) -> Option<Vec<Term>> {
    let Node::Sum { constant, terms } = graph.node(term) else {
        return None;
    };
    let scaled = |(scale, term): &Term| Some((scale.checked_mul(coefficient)?, *term));
    constant
        .is_zero()
        .then(|| terms.iter().map(scaled).collect())
        .flatten()
}

/// Adds terms to others and removes those that cancel; `false` if a coefficient overflows.
fn add_terms(terms: &mut Vec<Term>, parts: Vec<Term>) -> bool {
    for (coefficient, part) in parts {
        let Some(position) = terms.iter().position(|(_, term)| *term == part) else {
            terms.push((coefficient, part));
            continue;
        };
        let Some(sum) = terms[position].0.checked_add(coefficient) else {
            return false;
        };
        if sum.is_zero() {
            terms.remove(position);
        } else {
            terms[position].0 = sum;
        }
    }
    true
}

/// term / divisor, for a divisor whose powers are all parts of the term's factors: divided as lists, because a product
/// of both may be too long to be merged.
fn divide(graph: &mut Graph, term: NodeId, divisor: &[(NodeId, i32)]) -> NodeId {
    let mut factors = factors_of(graph, term);
    for (base, exponent) in &mut factors {
        let taken = divisor.iter().find(|(other, _)| other == base);
        *exponent -= taken.map_or(0, |(_, taken)| *taken);
    }
    graph.product(factors)
}

fn take_out_content(
    graph: &mut Graph,
    constant: Number,
    terms: Vec<Term>,
    work: &mut Work,
) -> NodeId {
    let common = common_factors(graph, &terms, work);
    if !constant.is_zero() || common.is_empty() {
        return graph.sum(constant, terms);
    }
    let mut cofactors = Vec::with_capacity(terms.len());
    for (coefficient, term) in &terms {
        cofactors.push((*coefficient, divide(graph, *term, &common)));
    }
    let varies = |node| graph.dependence(node).intersects(Dependence::MOTION);
    if cofactors.iter().any(|(_, cofactor)| varies(*cofactor)) {
        return graph.sum(constant, terms);
    }
    let inner = graph.sum(constant, cofactors);
    graph.product([common, vec![(inner, 1)]].concat())
}

/// The factors that every term contains, with the smallest of their exponents.
fn common_factors(graph: &Graph, terms: &[Term], work: &mut Work) -> Vec<(NodeId, i32)> {
    let Some(((_, first), other_terms)) = terms.split_first().filter(|_| work.left > 0) else {
        return Vec::new();
    };
    let mut common = factors_of(graph, *first);
    for (_, term) in other_terms {
        if common.is_empty() {
            break;
        }
        work.spend(common.len());
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
fn find_most_shared_factor(
    graph: &Graph,
    terms: &[Term],
    work: &mut Work,
) -> Option<(NodeId, i32)> {
    if work.left == 0 || terms.len() < 2 {
        return None;
    }
    let groups = 2 * graph.len();
    if work.counts.len() < groups {
        *work.counts = vec![0; 2 * groups];
    }
    let counts = &mut work.counts[..];
    let (mut most, mut best, mut seen) = (1, 0, 0);
    for_each_factor(graph, terms, |base, exponent| {
        let group = group_of(base, exponent);
        let count = counts[group] + 1;
        counts[group] = count;
        if count > most || (count == most && group > best) {
            (most, best) = (count, group);
        }
        seen += 1;
    });
    let mut shared: Option<(NodeId, i32)> = None;
    for_each_factor(graph, terms, |base, exponent| {
        let group = group_of(base, exponent);
        counts[group] = 0;
        if most > 1 && group == best {
            let least = shared.map_or(exponent, |(_, least)| {
                if exponent.abs() < least.abs() {
                    exponent
                } else {
                    least
                }
            });
            shared = Some((base, least));
        }
    });
    work.spend(seen);
    shared
}

/// Calls `visit` for each factor of each term; a term that is not a product is its own factor.
fn for_each_factor(graph: &Graph, terms: &[Term], mut visit: impl FnMut(NodeId, i32)) {
    let mut position = 0;
    while position < terms.len() {
        let term = terms[position].1;
        position += 1;
        match graph.node(term) {
            Node::Product(factors) => {
                let mut position = 0;
                while position < factors.len() {
                    visit(factors[position].0, factors[position].1);
                    position += 1;
                }
            }
            _ => visit(term, 1),
        }
    }
}

/// The place of factors of one base and sign of the exponent, in ascending order of the bases.
fn group_of(base: NodeId, exponent: i32) -> usize {
    let place = base.0 as usize * 2;
    if exponent < 0 { place } else { place + 1 }
}

fn same_sign(a: i32, b: i32) -> bool {
    (a < 0) == (b < 0)
}

/// The factors of a product; another term is its own factor.
pub(super) fn factors_of(graph: &Graph, term: NodeId) -> Vec<(NodeId, i32)> {
    match graph.node(term) {
        Node::Product(factors) => factors.to_vec(),
        _ => vec![(term, 1)],
    }
}

/// The exponent of one of [`factors_of`].
fn exponent_in(graph: &Graph, term: NodeId, base: NodeId) -> Option<i32> {
    match graph.node(term) {
        // In ascending order, as the graph keeps them.
        Node::Product(factors) => {
            let position = factors.binary_search_by_key(&base, |(base, _)| *base);
            position.ok().map(|position| factors[position].1)
        }
        _ => (term == base).then_some(1),
    }
}

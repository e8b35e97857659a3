//! Common pairs: parts that several sums, or several products, share.
//!
//! A list is a sum `c1 x1 + c2 x2 + ..`, or a product, where every coefficient is 1. The pair that
//! stands in the most lists becomes an atom of its own, and so on while some pair stands in two
//! (the greedy kernel extraction of Breuer, *Generation of optimal code for expressions via
//! factorization*, CACM 12, 1969).

use std::collections::{BinaryHeap, HashMap};

use crate::Number;

/// A term or factor: the lists' users give it a meaning.
pub(super) type Atom = u32;

/// A coefficient and an atom.
pub(super) type Term = (Number, Atom);

/// Longer lists take no part: the pairs of a list are quadratic in its length.
const MAX_LENGTH: usize = 40;

/// `x + ratio y` with x < y.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Pair {
    x: Atom,
    y: Atom,
    ratio: Number,
}

/// Replaces common pairs by new atoms, numbered from `first_new` on; returns what these stand for.
pub(super) fn extract_pairs(lists: &mut [Vec<Term>], first_new: Atom) -> Vec<[Term; 2]> {
    let mut extraction = Extraction {
        users: HashMap::new(),
        order: Vec::new(),
        heap: BinaryHeap::new(),
    };
    for (index, list) in lists.iter().enumerate() {
        if list.len() <= MAX_LENGTH {
            extraction.add_all_pairs(index, list);
        }
    }
    let mut new = Vec::new();
    while let Some((pair, users)) = extraction.next_common(lists) {
        let atom = first_new + new.len() as Atom;
        new.push([(Number::ONE, pair.x), (pair.ratio, pair.y)]);
        for index in users {
            let coefficient = replace(&mut lists[index], pair, atom);
            extraction.add_pairs_with(index, &lists[index], (coefficient, atom));
        }
    }
    new
}

/// The lists that contain each pair, and the pairs by how many these are. Neither is kept exact:
/// `next_common` checks what it takes out.
struct Extraction {
    users: HashMap<Pair, (usize, Vec<usize>)>,
    /// Pairs by first appearance, which breaks ties.
    order: Vec<Pair>,
    /// How many lists, and the position in `order`, the earlier the better.
    heap: BinaryHeap<(usize, std::cmp::Reverse<usize>)>,
}

impl Extraction {
    fn add_all_pairs(&mut self, index: usize, list: &[Term]) {
        for (at, first) in list.iter().enumerate() {
            for second in &list[at + 1..] {
                self.add(index, *first, *second);
            }
        }
    }

    fn add_pairs_with(&mut self, index: usize, list: &[Term], term: Term) {
        for other in list.iter().filter(|other| other.1 != term.1) {
            self.add(index, *other, term);
        }
    }

    fn add(&mut self, index: usize, a: Term, b: Term) {
        let Some(pair) = pair_of(a, b) else { return };
        let order = &mut self.order;
        let (position, users) = self.users.entry(pair).or_insert_with(|| {
            order.push(pair);
            (order.len() - 1, Vec::new())
        });
        users.push(index);
        if users.len() > 1 {
            self.heap.push((users.len(), std::cmp::Reverse(*position)));
        }
    }

    /// The pair that stands in the most lists, and these, if there are at least two.
    fn next_common(&mut self, lists: &[Vec<Term>]) -> Option<(Pair, Vec<usize>)> {
        while let Some((claimed, std::cmp::Reverse(position))) = self.heap.pop() {
            let pair = self.order[position];
            let Some((_, users)) = self.users.get_mut(&pair) else {
                continue;
            };
            users.retain(|index| contains(&lists[*index], pair));
            users.dedup();
            match users.len() {
                0 | 1 => {}
                count if count < claimed => {
                    self.heap.push((count, std::cmp::Reverse(position)));
                }
                _ => return Some((pair, std::mem::take(users))),
            }
        }
        None
    }
}

fn pair_of(a: Term, b: Term) -> Option<Pair> {
    let (first, second) = if a.1 < b.1 { (a, b) } else { (b, a) };
    let ratio = second.0.checked_mul(first.0.recip()?)?;
    (first.1 != second.1).then_some(Pair {
        x: first.1,
        y: second.1,
        ratio,
    })
}

fn coefficient_of(list: &[Term], atom: Atom) -> Option<Number> {
    list.iter().find(|(_, a)| *a == atom).map(|(c, _)| *c)
}

fn contains(list: &[Term], pair: Pair) -> bool {
    match (coefficient_of(list, pair.x), coefficient_of(list, pair.y)) {
        (Some(x), Some(y)) => x.checked_mul(pair.ratio) == Some(y),
        _ => false,
    }
}

/// Puts the new atom in place of the pair and returns its coefficient.
fn replace(list: &mut Vec<Term>, pair: Pair, atom: Atom) -> Number {
    let coefficient = coefficient_of(list, pair.x).unwrap_or(Number::ONE);
    list.retain(|(_, a)| *a != pair.x && *a != pair.y);
    list.push((coefficient, atom));
    coefficient
}

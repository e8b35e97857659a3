//! Common pairs: parts that several sums, or several products, share.
//!
//! A list is a sum `c1 x1 + c2 x2 + ..`, or a product, in which every coefficient is 1. The pair that occurs in the
//! most lists becomes an atom of its own, and so on while a pair occurs in two lists (the greedy kernel extraction of
//! Breuer, *Generation of optimal code for expressions via factorization*, CACM 12, 1969).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::Number;
use crate::codegen::cost_model::{MOST_COMMON_PAIRS, MOST_TERMS_PAIRED};
use crate::graph::{Mix, Table};

/// A term or factor; its meaning depends on the list.
pub(super) type Atom = u32;

/// A coefficient and an atom.
pub(super) type Term = (Number, Atom);

/// `x + ratio y` with x < y.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pair {
    x: Atom,
    y: Atom,
    ratio: Number,
}

/// Replaces common pairs by new atoms, numbered from `first_new` on; returns their pairs.
///
/// It ends because each round shortens two or more lists by one.
pub(super) fn extract_pairs(lists: &mut [Vec<Term>], first_new: Atom) -> Vec<[Term; 2]> {
    let longest = longest_to_take_part(lists);
    let mut extraction = Extraction {
        shared: shared_atoms(lists, longest),
        ..Extraction::default()
    };
    for (index, list) in lists.iter().enumerate() {
        if list.len() <= longest {
            extraction.add_all_pairs(index, list);
        }
    }
    extraction.queue_new_pairs();
    let mut new = Vec::new();
    while let Some((pair, users)) = extraction.take_most_common(lists) {
        let atom = first_new + new.len() as Atom;
        new.push([(Number::ONE, pair.x), (pair.ratio, pair.y)]);
        for index in users {
            let coefficient = replace(&mut lists[index], pair, atom);
            extraction.add_pairs_with(index, &lists[index], (coefficient, atom));
        }
        extraction.queue_new_pairs();
    }
    new
}

/// The length up to which all lists together have no more than [`MOST_COMMON_PAIRS`] pairs.
fn longest_to_take_part(lists: &[Vec<Term>]) -> usize {
    let mut of_length = [0_usize; MOST_TERMS_PAIRED + 1];
    for list in lists {
        if let Some(count) = of_length.get_mut(list.len()) {
            *count += 1;
        }
    }
    let mut pairs = 0_usize;
    let fits = |(length, count): (usize, usize)| {
        pairs += count * length * length.saturating_sub(1) / 2;
        pairs <= MOST_COMMON_PAIRS
    };
    of_length
        .into_iter()
        .enumerate()
        .map(fits)
        .take_while(|fits| *fits)
        .count()
        .saturating_sub(1)
}

/// For each atom whether it occurs in several of the lists up to this length.
fn shared_atoms(lists: &[Vec<Term>], longest: usize) -> Box<[bool]> {
    let mut last = 0;
    for list in lists {
        let list = &list[..];
        let mut position = 0;
        while position < list.len() {
            let atom = list[position].1 as usize;
            if atom > last {
                last = atom;
            }
            position += 1;
        }
    }
    let mut seen: Box<[bool]> = vec![false; last + 1].into_boxed_slice();
    let mut shared: Box<[bool]> = vec![false; last + 1].into_boxed_slice();
    for list in lists.iter().filter(|list| list.len() <= longest) {
        let list = &list[..];
        let mut place = 0;
        while place < list.len() {
            let position = list[place].1 as usize;
            if seen[position] {
                shared[position] = true;
            }
            seen[position] = true;
            place += 1;
        }
    }
    shared
}

/// The pairs with the lists that contain each, and a queue of them by the number of lists. Neither is exact:
/// `take_most_common` checks each entry.
#[derive(Default)]
struct Extraction {
    /// By first appearance, which breaks ties.
    pairs: Vec<(Pair, Users)>,
    /// The position of each pair.
    positions: Table,
    /// For each atom at the beginning, whether several lists have it. A pair with another atom is in one list only.
    shared: Box<[bool]>,
    /// The number of lists, and the position, the earlier the better: one entry for each pair in several lists.
    queue: BinaryHeap<(usize, Reverse<usize>)>,
    /// The pairs before this one are in the queue.
    lined_up: usize,
}

/// The lists that contain a pair: usually one.
struct Users {
    first: usize,
    further: Vec<usize>,
}

impl Users {
    fn count(&self) -> usize {
        1 + self.further.len()
    }
}

impl Extraction {
    fn is_shared(&self, atom: Atom) -> bool {
        let index = atom as usize;
        index >= self.shared.len() || self.shared[index]
    }

    fn add_all_pairs(&mut self, index: usize, list: &[Term]) {
        let mut first = 0;
        while first + 1 < list.len() {
            if self.is_shared(list[first].1) {
                let mut second = first + 1;
                while second < list.len() {
                    if self.is_shared(list[second].1) {
                        self.add(index, list[first], list[second]);
                    }
                    second += 1;
                }
            }
            first += 1;
        }
    }

    /// Adds the new pairs of a term.
    fn add_pairs_with(&mut self, index: usize, list: &[Term], term: Term) {
        for other in list {
            if other.1 != term.1 && self.is_shared(other.1) {
                self.add(index, *other, term);
            }
        }
    }

    fn add(&mut self, index: usize, a: Term, b: Term) {
        let Some(pair) = pair_of(a, b) else { return };
        let pairs = &self.pairs[..];
        let hash = hash(pair);
        let known = |place: u32| {
            let other = &pairs[place as usize].0;
            other.x == pair.x && other.y == pair.y && other.ratio == pair.ratio
        };
        match self.positions.find(hash, known) {
            Some(place) => self.pairs[place as usize].1.further.push(index),
            None => {
                self.positions.insert(hash, self.pairs.len() as u32);
                let users = Users {
                    first: index,
                    further: Vec::new(),
                };
                self.pairs.push((pair, users));
            }
        }
    }

    /// Adds the new pairs to the queue.
    fn queue_new_pairs(&mut self) {
        let new = self.lined_up..self.pairs.len();
        for (position, (_, users)) in new.clone().zip(&self.pairs[new]) {
            if users.count() > 1 {
                self.queue.push((users.count(), Reverse(position)));
            }
        }
        self.lined_up = self.pairs.len();
    }

    /// The pair that occurs in the most lists, and these, if there are at least two.
    fn take_most_common(&mut self, lists: &[Vec<Term>]) -> Option<(Pair, Vec<usize>)> {
        while let Some((claimed, Reverse(position))) = self.queue.pop() {
            let (pair, users) = &mut self.pairs[position];
            let further = std::mem::take(&mut users.further);
            let mut containing = vec![users.first];
            containing.extend(further);
            containing.retain(|index| contains(&lists[*index], *pair));
            match containing.len() {
                0 | 1 => {}
                count if count < claimed => {
                    users.first = containing[0];
                    users.further = containing.split_off(1);
                    self.queue.push((count, Reverse(position)));
                }
                _ => return Some((*pair, containing)),
            }
        }
        None
    }
}

fn hash(pair: Pair) -> u32 {
    let mut mix = Mix(0);
    mix.mix(u64::from(pair.x) << 32 | u64::from(pair.y));
    mix.mix(pair.ratio.word());
    mix.hash()
}

fn pair_of(a: Term, b: Term) -> Option<Pair> {
    let (first, second) = if a.1 < b.1 { (a, b) } else { (b, a) };
    if first.1 == second.1 {
        return None;
    }
    let ratio = if first.0.is_one() {
        second.0
    } else if first.0 == second.0 {
        Number::ONE
    } else if first.0 == Number::MINUS_ONE {
        -second.0
    } else {
        second.0.checked_mul(first.0.recip()?)?
    };
    Some(Pair {
        x: first.1,
        y: second.1,
        ratio,
    })
}

fn coefficient_of(list: &[Term], atom: Atom) -> Option<Number> {
    let mut position = 0;
    while position < list.len() {
        if list[position].1 == atom {
            return Some(list[position].0);
        }
        position += 1;
    }
    None
}

fn contains(list: &[Term], pair: Pair) -> bool {
    match (coefficient_of(list, pair.x), coefficient_of(list, pair.y)) {
        (Some(x), Some(y)) => x.checked_mul(pair.ratio) == Some(y),
        _ => false,
    }
}

/// Replaces the pair by the new atom and returns its coefficient.
fn replace(list: &mut Vec<Term>, pair: Pair, atom: Atom) -> Number {
    let coefficient = coefficient_of(list, pair.x).unwrap_or(Number::ONE);
    list.retain(|(_, a)| *a != pair.x && *a != pair.y);
    list.push((coefficient, atom));
    coefficient
}

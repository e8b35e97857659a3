//! Which factor of a product takes the number that scales it: where `a x / 2` and `b x / 2` are parts of sums, both
//! have `x / 2`.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::pairs::{Atom, Term};
use crate::Number;

/// For products, each with the number that scales it and its factors: the factor that takes the number, where others
/// have both. The pair of number and factor that most products have comes first, and so on with the products that are
/// left.
pub(super) fn scaled_factors(products: &[(Number, Atom, &[Term])]) -> HashMap<Atom, Atom> {
    // Size of the number by its bits, factor and product, each below the one before: words are sorted in fewer steps.
    let mut found: Vec<u128> = Vec::new();
    for (number, product, factors) in products {
        let size = u128::from(number.abs().word()) << 64;
        let mut at = 0;
        while at < factors.len() {
            let factor = u128::from(factors[at].1) << 32;
            found.push(size | factor | u128::from(*product));
            at += 1;
        }
    }
    found.sort_unstable();
    let found = &found[..];
    let mut groups: Vec<&[u128]> = Vec::new();
    let mut first = 0;
    while first < found.len() {
        let mut end = first + 1;
        while end < found.len() && found[end] >> 32 == found[first] >> 32 {
            end += 1;
        }
        if end - first > 1 {
            groups.push(&found[first..end]);
        }
        first = end;
    }
    let sizes = groups.iter().zip(0..);
    let sizes = sizes.map(|(group, at)| (group.len(), Reverse(at)));
    let mut largest: BinaryHeap<(usize, Reverse<usize>)> = sizes.collect();
    let mut chosen: HashMap<Atom, Atom> = HashMap::new();
    // Ends because a group comes back only when it has become smaller.
    while let Some((size, Reverse(at))) = largest.pop() {
        let group = groups[at].iter();
        let open = group.map(|word| (*word as Atom, (*word >> 32) as Atom));
        let open = open.filter(|(product, _)| !chosen.contains_key(product));
        let open: Vec<(Atom, Atom)> = open.collect();
        if open.len() == size {
            chosen.extend(open);
        } else if open.len() > 1 {
            largest.push((open.len(), Reverse(at)));
        }
    }
    chosen
}

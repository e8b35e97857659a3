//! The factor of a product that takes the number: if `a x / 2` and `b x / 2` are parts of sums, both use `x / 2`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::pairs::{Atom, Term};
use crate::Number;

/// For products, each with its scale, its position and its factors: the factor that takes the number, plus 1, if others
/// share both, by positions; else 0. The most frequent pair of number and factor comes first, and so on with the
/// remaining products.
pub(super) fn scaled_factors(
    products: &[(Number, u32, &[Term])],
    mut chosen: Box<[u32]>,
) -> Box<[u32]> {
    // Size of the number by its bits, factor and position, each below the one before: words are sorted in fewer steps.
    let mut found: Vec<u128> = Vec::new();
    for (number, place, factors) in products {
        let size = u128::from(number.abs().word()) << 64;
        let mut at = 0;
        while at < factors.len() {
            let factor = u128::from(factors[at].1) << 32;
            found.push(size | factor | u128::from(*place));
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
    // It ends because a group returns only after it has become smaller.
    while let Some((size, Reverse(at))) = largest.pop() {
        let group = groups[at];
        let factor = (group[0] >> 32) as Atom;
        let places = group.iter().map(|word| *word as u32 as usize);
        let open = places.filter(|place| chosen[*place] == 0);
        let open: Vec<usize> = open.collect();
        if open.len() == size {
            open.into_iter()
                .for_each(|place| chosen[place] = factor + 1);
        } else if open.len() > 1 {
            largest.push((open.len(), Reverse(at)));
        }
    }
    chosen
}

//! Which factor of a product takes the number that scales it: where `a x / 2` and `b x / 2` are parts of sums, both
//! have `x / 2`.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::pairs::{Atom, Term};
use crate::Number;

/// Sizes of numbers and factors, by the bits of the number.
type Key = (u64, Atom);

/// For products, each with the number that scales it and its factors: the factor that takes the number, where others
/// have both. The pair of number and factor that most products have comes first, and so on with the products that are
/// left.
pub(super) fn scaled_factors(products: &[(Number, Atom, &[Term])]) -> HashMap<Atom, Atom> {
    let mut found: Vec<(Key, Atom)> = Vec::new();
    for (number, product, factors) in products {
        let size = number.abs().word();
        for (_, factor) in &factors[..] {
            found.push(((size, *factor), *product));
        }
    }
    found.sort_unstable();
    let groups = found.chunk_by(|a, b| a.0 == b.0);
    let groups = groups.filter(|group| group.len() > 1);
    let groups: Vec<&[(Key, Atom)]> = groups.collect();
    let sizes = groups.iter().zip(0..);
    let sizes = sizes.map(|(group, at)| (group.len(), Reverse(at)));
    let mut largest: BinaryHeap<(usize, Reverse<usize>)> = sizes.collect();
    let mut chosen: HashMap<Atom, Atom> = HashMap::new();
    // Ends because a group comes back only when it has become smaller.
    while let Some((size, Reverse(at))) = largest.pop() {
        let group = groups[at].iter();
        let open = group.filter(|(_, product)| !chosen.contains_key(product));
        let open: Vec<&(Key, Atom)> = open.collect();
        if open.len() == size {
            chosen.extend(
                open.iter()
                    .map(|((_, factor), product)| (*product, *factor)),
            );
        } else if open.len() > 1 {
            largest.push((open.len(), Reverse(at)));
        }
    }
    chosen
}

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

#[cfg(test)]
mod tests {
    use super::scaled_factors;
    use crate::schedule::schedule;
    use crate::{Graph, Number, Symbol};

    #[test]
    fn the_factor_that_most_have_takes_the_number() {
        let [half, third] = [2, 3].map(|n| Number::rational(1, n).unwrap());
        let one = |atom| (Number::ONE, atom);
        let products = [
            (half, 10, [one(0), one(1)]),
            (-half, 11, [one(1), one(2)]),
            (half, 12, [one(2), one(0)]),
            (half, 13, [one(1), one(3)]),
            (third, 14, [one(2), one(4)]),
        ];
        let products: Vec<(Number, u32, &[_])> = products
            .iter()
            .map(|(number, atom, factors)| (*number, *atom, &factors[..]))
            .collect();
        let chosen = scaled_factors(&products);
        let factors = [10, 11, 12, 13, 14].map(|product| chosen.get(&product).copied());
        assert_eq!(factors, [Some(1), Some(1), None, Some(1), None]);
    }

    #[test]
    fn a_number_is_multiplied_once() {
        let mut graph = Graph::new();
        let [a, b, c, x, y] = [0, 1, 2, 3, 4].map(|i| graph.symbol(Symbol::Coordinate(i)));
        let roots = [a, b, c].map(|factor| {
            let product = graph.product(vec![(factor, 1), (x, 1)]);
            let scaled = graph.scale(Number::HALF, product);
            graph.add(scaled, y)
        });
        let code = schedule(&graph, &roots);
        assert_eq!(code.operations().to_string(), "3 add, 4 mul");
        let value = |symbol| match symbol {
            Symbol::Coordinate(i) => 1.0 + f64::from(i),
            _ => 0.0,
        };
        assert_eq!(code.evaluate(&value), [7.0, 9.0, 11.0]);
    }
}

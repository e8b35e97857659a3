//! Conditions on arrays, for each lane.

use super::block::{Lanes, Mask};
use crate::codegen::routine::{Condition, Sum, View};

/// The entry of a view at a row and a column.
type Entry<'a, const L: usize> = dyn Fn(View, usize, usize) -> Lanes<L> + 'a;

/// The lanes where a condition holds.
pub(super) fn holds<const L: usize>(condition: &Condition, entry: &Entry<L>) -> Mask<L> {
    let scalar = |view: View| entry(view, 0, 0);
    match condition {
        Condition::Library { parts, .. } | Condition::All(parts) => parts
            .iter()
            .map(|condition| holds(condition, entry))
            .fold([true; L], and),
        Condition::Pivots {
            pivots,
            share,
            floor,
        } => {
            let floor = floor.as_ref().map_or([0.0; L], |floor| {
                let sum = sum(&floor.sum, entry);
                sum.map(|sum| sum * floor.factor.double + floor.least.double)
            });
            let are_above = entries(pivots.entries, entry).fold([true; L], |are_above, pivot| {
                std::array::from_fn(|lane| are_above[lane] && pivot[lane] > floor[lane])
            });
            entries(pivots.reduced, entry)
                .zip(entries(pivots.diagonal, entry))
                .fold(are_above, |are_above, (pivot, diagonal)| {
                    std::array::from_fn(|lane| {
                        let least = share.double * diagonal[lane] + floor[lane];
                        are_above[lane] && pivot[lane] > least
                    })
                })
        }
        Condition::AtMost(values, most) => sum(values, entry).map(|sum| sum <= most.double),
        Condition::ZeroOrAtLeast(values, least) => {
            sum(values, entry).map(|sum| sum >= least.double || sum == 0.0)
        }
        Condition::FiniteSum(values) => sum(values, entry).map(f64::is_finite),
        Condition::Regular {
            pivots,
            diagonal,
            share,
        } => all_pairs(*pivots, *diagonal, entry, |pivot, entry| {
            pivot > share * entry && share * entry > 0.0
        }),
        Condition::Finite(views) => are_finite(views, entry),
        Condition::Not(condition) => holds(condition, entry).map(|holds| !holds),
        Condition::Within {
            values,
            limits,
            times,
        } => all_pairs(*values, *limits, entry, |value, limit| {
            value.abs() * times.double <= limit
        }),
        Condition::Below {
            left,
            right,
            factor,
        } => {
            let (left, right) = (scalar(*left), scalar(*right));
            std::array::from_fn(|lane| left[lane] < factor * right[lane])
        }
        Condition::Equal(a, b) => all_pairs(*a, *b, entry, |a, b| a == b),
        Condition::Is(view, value) => scalar(*view).map(|entry| entry == *value),
    }
}

/// The lanes where all entries of these views are finite.
pub(super) fn are_finite<const L: usize>(views: &[View], entry: &Entry<L>) -> Mask<L> {
    views
        .iter()
        .flat_map(|view| entries(*view, entry))
        .fold([true; L], |are_finite, values| {
            std::array::from_fn(|lane| are_finite[lane] && values[lane].is_finite())
        })
}

fn entries<'a, const L: usize>(
    view: View,
    entry: &'a Entry<'a, L>,
) -> impl Iterator<Item = Lanes<L>> + 'a {
    (0..view.rows).flat_map(move |i| (0..view.columns).map(move |j| entry(view, i, j)))
}

fn and<const L: usize>(a: Mask<L>, b: Mask<L>) -> Mask<L> {
    std::array::from_fn(|lane| a[lane] && b[lane])
}

fn all_pairs<const L: usize>(
    a: View,
    b: View,
    entry: &Entry<L>,
    holds: impl Fn(f64, f64) -> bool,
) -> Mask<L> {
    entries(a, entry)
        .zip(entries(b, entry))
        .fold([true; L], |all_hold, (a, b)| {
            std::array::from_fn(|lane| all_hold[lane] && holds(a[lane], b[lane]))
        })
}

fn sum<const L: usize>(sum: &Sum, entry: &Entry<L>) -> Lanes<L> {
    let [mut total, mut sizes] = [[0.0; L]; 2];
    for values in sum.entries.iter().flat_map(|view| entries(*view, entry)) {
        total = add(total, values);
    }
    for values in sum.sizes.iter().flat_map(|view| entries(*view, entry)) {
        sizes = add(sizes, values.map(f64::abs));
    }
    add(total, sizes)
}

fn add<const L: usize>(a: Lanes<L>, b: Lanes<L>) -> Lanes<L> {
    std::array::from_fn(|lane| a[lane] + b[lane])
}

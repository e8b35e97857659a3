//! Conditions on arrays, for each lane.

use super::block::{Lanes, Mask};
use crate::codegen::kernels;
use crate::codegen::ldlt::threshold;
use crate::codegen::routine::{AcceptanceTest, Condition, Pivots, View};

/// The entry of a view at a row and a column.
type Entry<'a, const L: usize> = dyn Fn(View, usize, usize) -> Lanes<L> + 'a;

/// The lanes where a condition holds.
pub(super) fn holds<const L: usize>(condition: &Condition, entry: &Entry<L>) -> Mask<L> {
    let scalar = |view: View| entry(view, 0, 0);
    match condition {
        Condition::Accepted { finite, test } => {
            and(are_finite(finite, entry), is_accepted(test, entry))
        }
        Condition::Met { residual, terms } => is_met(*residual, *terms, entry),
        Condition::Regular {
            pivots,
            diagonal,
            share,
        } => all_pairs(*pivots, *diagonal, entry, |pivot, entry| {
            pivot > share * entry && share * entry > 0.0
        }),
        Condition::Finite(views) => are_finite(views, entry),
        Condition::All(all) => {
            let parts = all.iter().map(|condition| holds(condition, entry));
            parts.fold([true; L], and)
        }
        Condition::Not(condition) => holds(condition, entry).map(|holds| !holds),
        Condition::Within {
            values,
            limits,
            times,
        } => all_pairs(*values, *limits, entry, |value, limit| {
            value.abs() * times <= limit
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
    let entries = views.iter().flat_map(|view| entries(*view, entry));
    entries.fold([true; L], |all, values| {
        std::array::from_fn(|lane| all[lane] && values[lane].is_finite())
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
    let pairs = entries(a, entry).zip(entries(b, entry));
    pairs.fold([true; L], |all, (a, b)| {
        std::array::from_fn(|lane| all[lane] && holds(a[lane], b[lane]))
    })
}

fn is_met<const L: usize>(residual: View, terms: View, entry: &Entry<L>) -> Mask<L> {
    all_pairs(residual, terms, entry, |left, size| {
        left.abs() <= kernels::ACCEPTED * f64::EPSILON * size
    })
}

/// The sum of values, from zero on.
fn sum<const L: usize>(values: impl Iterator<Item = Lanes<L>>) -> Lanes<L> {
    values.fold([0.0; L], |sum, values| {
        std::array::from_fn(|lane| sum[lane] + values[lane])
    })
}

fn is_accepted<const L: usize>(test: &AcceptanceTest, entry: &Entry<L>) -> Mask<L> {
    let all = |view: View| entries(view, entry);
    let count = |pivots: &Pivots| pivots.entries.len() + pivots.reduced.len();
    let AcceptanceTest {
        mass, complement, ..
    } = test;
    let share = threshold(count(mass), f64::EPSILON);
    let are_positive = all(mass.entries).fold([true; L], |positive, pivot| {
        std::array::from_fn(|lane| positive[lane] && pivot[lane] > 0.0)
    });
    let are_large = all_pairs(mass.reduced, mass.diagonal, entry, |pivot, entry| {
        pivot > share * entry
    });
    let are_regular = and(are_positive, are_large);
    if !test.is_constrained {
        let sum = sum(all(mass.entries).chain(all(test.values)));
        return and(are_regular, sum.map(f64::is_finite));
    }
    let (least, most) = kernels::ORDINARY;
    let scale = sum(all(complement.entries).chain(all(complement.diagonal)));
    let floor = scale.map(|scale| scale * f64::EPSILON + least);
    let share = threshold(count(complement), f64::EPSILON);
    let pivots = sum(all(mass.entries).chain(all(mass.reduced)));
    let size = sum(all(test.terms));
    let values = sum(all(test.values).map(|values| values.map(f64::abs)));
    let sizes: Mask<L> = std::array::from_fn(|lane| {
        pivots[lane] <= most
            && scale[lane] <= most
            && size[lane] + values[lane] <= most
            && (size[lane] >= least || size[lane] == 0.0)
    });
    let are_above = all(complement.entries).fold([true; L], |above, pivot| {
        std::array::from_fn(|lane| above[lane] && pivot[lane] > floor[lane])
    });
    let pairs = all(complement.reduced).zip(all(complement.diagonal));
    let are_above = pairs.fold(are_above, |above, (pivot, entry)| {
        std::array::from_fn(|lane| above[lane] && pivot[lane] > share * entry[lane] + floor[lane])
    });
    let is_met = is_met(test.residual, test.terms, entry);
    [sizes, are_above, is_met]
        .into_iter()
        .fold(are_regular, and)
}

//! Terms of one size: `c x - c y + z` is `c (x - y) + z`.
//!
//! Each two of them save an operation, unless the products `c x` exist for other uses too. Only the whole code shows
//! that, so the caller compares.

use super::pairs::Term;
use crate::Number;

/// Terms with one coefficient, except for their signs: the coefficient, and the terms without it.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) coefficient: Number,
    pub(super) terms: Vec<Term>,
}

/// The terms of a sum that share their coefficients with no others, and those that do, all in order. A coefficient of 1
/// or -1 is free.
pub(super) fn group_terms(terms: &[Term]) -> (Vec<Term>, Vec<Group>) {
    let mut scaled: Vec<(Number, usize)> = terms
        .iter()
        .map(|(coefficient, _)| coefficient.abs())
        .zip(0..)
        .collect();
    scaled.retain(|(size, _)| !size.is_one());
    scaled.sort_unstable_by_key(|(size, position)| (size.word(), *position));
    let mut groups: Vec<&[(Number, usize)]> = scaled
        .chunk_by(|(a, _), (b, _)| a == b)
        .filter(|group| group.len() > 1)
        .collect();
    if groups.is_empty() {
        return (terms.to_vec(), Vec::new());
    }
    groups.sort_unstable_by_key(|group| group[0].1);
    let mut is_single = vec![true; terms.len()];
    let alike = groups
        .into_iter()
        .map(|group| {
            group
                .iter()
                .for_each(|(_, position)| is_single[*position] = false);
            Group::of(
                group[0].0,
                group.iter().map(|(_, position)| terms[*position]),
            )
        })
        .collect();
    let single = terms.iter().zip(is_single).filter(|(_, single)| *single);
    (single.map(|(term, _)| *term).collect(), alike)
}

/// Returns whether any terms share a coefficient.
pub(super) fn has_equal_coefficients(terms: &[Term]) -> bool {
    let mut scaled: Vec<Number> = Vec::new();
    let mut position = 0;
    while position < terms.len() {
        if !terms[position].0.is_sign() {
            scaled.push(terms[position].0.abs());
        }
        position += 1;
    }
    if scaled.len() < 2 {
        return false;
    }
    scaled.sort_unstable_by_key(|size| size.word());
    scaled.windows(2).any(|two| two[0] == two[1])
}

impl Group {
    /// A sum with only minus signs would be negated: these have theirs outside.
    fn of(size: Number, terms: impl Iterator<Item = Term>) -> Self {
        let mut terms: Vec<Term> = terms
            .map(|(coefficient, atom)| {
                let sign = if coefficient.is_negative() {
                    Number::MINUS_ONE
                } else {
                    Number::ONE
                };
                (sign, atom)
            })
            .collect();
        let mut coefficient = size;
        if terms.iter().all(|(sign, _)| sign.is_negative()) {
            coefficient = -size;
            terms.iter_mut().for_each(|(sign, _)| *sign = Number::ONE);
        }
        Self { coefficient, terms }
    }
}

//! What an unknown takes from the form as it leaves, kept for one step more.
//!
//! After an elimination `A - e e^T / d` is left. Where A is a chain, the next pivot d' waits for all of that to be
//! mapped by definitions, and the one after it for the same again: a processor that could do four operations at a
//! time does one. Kept apart, e is mapped as A is, and `d' = A_jj - (e_j / d) e_j` waits for `1 / d` alone. What is
//! left of `e e^T / d` is taken then, while `1 / d'` is on its way. It takes some operations more. (Of dense matrices
//! that is known as look-ahead: Strazdins, "A comparison of lookahead and algorithmic blocking techniques for parallel
//! matrix factorization", TR-CS-98-07, Australian National University, 1998.)

use std::collections::BTreeMap;

use super::{Signed, Term};
use crate::schedule::builder::Builder;

/// When it is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Updates {
    /// As the unknown leaves.
    AtOnce,
    /// As the next one leaves.
    Late,
}

/// A - e e^T / d is meant where A is written.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    /// 1 / d
    pub(super) reciprocal: Signed,
    /// e
    pub(super) entries: BTreeMap<usize, Signed>,
}

impl Pending {
    pub(super) fn new(reciprocal: Signed, row: &[Term]) -> Self {
        let entries = row.iter().map(|term| (term.variable, term.coefficient));
        Pending {
            reciprocal,
            entries: entries.collect(),
        }
    }

    /// The definition takes the place of a node.
    pub(super) fn substitute(&mut self, builder: &mut Builder, node: usize, definition: &[Term]) {
        let Some(own) = self.entries.remove(&node) else {
            return;
        };
        for term in definition {
            let before = self.entry(term.variable);
            let entry = before.plus_product(builder, term.coefficient, own);
            self.entries.insert(term.variable, entry);
        }
        self.entries.retain(|_, entry| !entry.is_zero());
    }

    /// Takes its part from the pivot and the row of an unknown that leaves.
    pub(super) fn take_from(
        &mut self,
        builder: &mut Builder,
        unknown: usize,
        pivot: &mut Signed,
        row: &mut Vec<Term>,
    ) {
        let Some(own) = self.entries.remove(&unknown) else {
            return;
        };
        // The square would not wait for the reciprocal, but underflow where masses are small.
        let factor = own.times(builder, self.reciprocal).negated();
        *pivot = pivot.plus_product(builder, factor, own);
        let given = row.drain(..).map(|term| (term.variable, term.coefficient));
        let mut entries: BTreeMap<usize, Signed> = given.collect();
        for (variable, entry) in &self.entries {
            let before = entries.entry(*variable).or_insert(Signed::ZERO);
            *before = before.plus_product(builder, factor, *entry);
        }
        let left = entries.into_iter().filter(|(_, entry)| !entry.is_zero());
        row.extend(left.map(|(variable, coefficient)| Term {
            variable,
            coefficient,
        }));
    }

    fn entry(&self, variable: usize) -> Signed {
        self.entries.get(&variable).copied().unwrap_or(Signed::ZERO)
    }
}

//! Lookahead: the update of the form by an eliminated unknown is deferred for one step.
//!
//! After an elimination `A - e e^T / d` remains. If A is a chain, the next pivot d' waits until definitions have mapped
//! all of that, and the pivot after it waits again: a processor that could do four operations at a time does one. If e
//! is kept separately and mapped like A, `d' = A_jj - (e_j / d) e_j` waits only for `1 / d`. The rest of `e e^T / d` is
//! subtracted while `1 / d'` is computed. This takes some more operations. (For dense matrices: Strazdins, "A
//! comparison of lookahead and algorithmic blocking techniques for parallel matrix factorization", TR-CS-98-07,
//! Australian National University, 1998.)

use crate::codegen::ir::{Builder, Signed};
use std::collections::BTreeMap;

use super::Term;

/// The time of the update.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Updates {
    /// When the unknown leaves.
    AtOnce,
    /// When the next unknown leaves.
    Late,
}

/// The form is A - e e^T / d.
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

    /// Substitutes the definition of a node.
    pub(super) fn substitute(&mut self, builder: &mut Builder, node: usize, definition: &[Term]) {
        let Some(node_entry) = self.entries.remove(&node) else {
            return;
        };
        for term in definition {
            let before = self.entry(term.variable);
            let entry = before.plus_product(builder, term.coefficient, node_entry);
            self.entries.insert(term.variable, entry);
        }
        self.entries.retain(|_, entry| !entry.is_zero());
    }

    /// Subtracts its part from the pivot and the row of an unknown that leaves.
    pub(super) fn take_from(
        &mut self,
        builder: &mut Builder,
        unknown: usize,
        pivot: &mut Signed,
        row: &mut Vec<Term>,
    ) {
        let Some(unknown_entry) = self.entries.remove(&unknown) else {
            return;
        };
        // The square would not wait for the reciprocal, but would underflow for small masses.
        let factor = unknown_entry.times(builder, self.reciprocal).negated();
        *pivot = pivot.plus_product(builder, factor, unknown_entry);
        let mut entries: BTreeMap<usize, Signed> = row
            .drain(..)
            .map(|term| (term.variable, term.coefficient))
            .collect();
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

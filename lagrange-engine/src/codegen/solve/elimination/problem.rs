//! The quadratic form at the start of the elimination.

use crate::codegen::ir::{Operand, Signed};
use std::collections::BTreeMap;
use std::ops::Range;

/// A quadratic form.
///
/// Variables are the velocities, then the multipliers, then the nodes.
#[derive(Clone, Default, Debug)]
pub(in crate::codegen::solve) struct Problem {
    /// The number of velocities.
    pub(in crate::codegen::solve) velocities: usize,
    /// The number of multipliers.
    pub(in crate::codegen::solve) multipliers: usize,
    /// The definition of each node: a sum over variables before it.
    pub(in crate::codegen::solve) definitions: Vec<Vec<Term>>,
    /// Velocities that are nodes, because constraints give them.
    pub(in crate::codegen::solve) dependents: BTreeMap<usize, Dependent>,
    /// The coefficients of the dependent velocities in rows of J.
    pub(in crate::codegen::solve) couplings: Vec<Coupling>,
    /// Numbers that must not be small beside others.
    pub(in crate::codegen::solve) sizes: Vec<[Operand; 2]>,
    /// For some nodes the other node of a pair: both are the same two variables, turned by an angle.
    pub(in crate::codegen::solve) partners: BTreeMap<usize, usize>,
    /// The nonzero entries of A: row, column up to the row, value.
    pub(in crate::codegen::solve) form: Vec<(usize, usize, Signed)>,
    /// The scales of the pivots of the velocities: entries of M, or sums like them.
    pub(in crate::codegen::solve) scales: Vec<Signed>,
}

impl Problem {
    pub(super) fn unknowns(&self) -> usize {
        self.velocities + self.multipliers
    }

    pub(super) fn size(&self) -> usize {
        self.unknowns() + self.definitions.len()
    }

    /// The entries of J, each with the multiplier of its row.
    pub(super) fn bound(&self) -> impl Iterator<Item = (usize, Term)> {
        self.form
            .iter()
            .copied()
            .map(|(row, variable, coefficient)| {
                let term = Term {
                    variable,
                    coefficient,
                };
                (row, term)
            })
            .filter(|(row, _)| self.is_multiplier(*row))
    }

    pub(super) fn is_multiplier(&self, variable: usize) -> bool {
        (self.velocities..self.unknowns()).contains(&variable)
    }

    /// The variables that are nodes from the beginning, except velocities.
    pub(super) fn nodes(&self) -> Range<usize> {
        self.unknowns()..self.size()
    }

    pub(super) fn definition(&self, node: usize) -> &[Term] {
        match self.dependents.get(&node) {
            Some(dependent) => &dependent.terms,
            None => &self.definitions[node - self.unknowns()],
        }
    }

    pub(super) fn partner(&self, node: usize) -> Option<usize> {
        self.partners.get(&node).copied()
    }
}

/// One term of a definition.
#[derive(Clone, Copy, Debug)]
pub(in crate::codegen::solve) struct Term {
    pub(in crate::codegen::solve) variable: usize,
    pub(in crate::codegen::solve) coefficient: Signed,
}

/// A velocity that a row of J gives; the multiplier of the row is not an unknown either.
#[derive(Clone, Debug)]
pub(in crate::codegen::solve) struct Dependent {
    /// The terms that give the velocity, without the part from gamma.
    pub(in crate::codegen::solve) terms: Vec<Term>,
    pub(in crate::codegen::solve) row: SatisfiedRow,
}

/// A row of J that holds by construction of a velocity.
#[derive(Clone, Debug)]
pub(in crate::codegen::solve) struct SatisfiedRow {
    pub(in crate::codegen::solve) multiplier: usize,
    /// True if the velocity's entry in the row is -1, and not 1.
    pub(in crate::codegen::solve) minus: bool,
    /// The velocity's own equation, without this multiplier.
    pub(in crate::codegen::solve) equation: Vec<Term>,
}

/// The coefficient in a row of J of a velocity that another row gives.
#[derive(Clone, Copy, Debug)]
pub(in crate::codegen::solve) struct Coupling {
    pub(in crate::codegen::solve) multiplier: usize,
    pub(in crate::codegen::solve) velocity: usize,
    pub(in crate::codegen::solve) coefficient: Signed,
}

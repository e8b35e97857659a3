//! Velocities that constraints give, in the form and in its remainder: `coordinate_partitioning.rs` chooses
//! them.

use super::Elimination;
use super::factors::{Dependence, Factors};
use super::problem::{Dependent, Problem, Term};
use crate::codegen::ir::{Builder, Operand, Signed};

impl Problem {
    /// Stores the pivots of the elimination, and adds their further scales.
    pub(super) fn measure(&self, builder: &mut Builder, factors: &mut Factors) {
        let multipliers: Vec<usize> = self.multipliers_of_dependents().collect();
        let is_unknown = |i: &usize| !self.dependents.contains_key(i) && !multipliers.contains(i);
        let unknowns = (0..self.unknowns()).filter(is_unknown);
        let (of_mass, of_complement): (Vec<usize>, Vec<usize>) =
            unknowns.partition(|i| *i < self.velocities);
        let mut measured: Vec<[Operand; 2]> = Vec::new();
        let pivot = |i: &usize| [factors.pivots[*i], factors.diagonal[*i]];
        measured.extend(of_mass.iter().map(pivot));
        measured.extend(&self.sizes);
        let pivots_of_mass = measured.len();
        measured.extend(of_complement.iter().map(pivot));
        if !of_complement.is_empty() {
            // A row must not count as independent if it is small beside those that give velocities: these are parts of
            // its diagonal entry in J M^-1 J^T.
            let mut parts = Vec::new();
            for i in self.dependents.keys() {
                let part = self.scales[*i].recip(builder).operand(builder);
                if !parts.contains(&[part; 2]) {
                    parts.push([part; 2]);
                }
            }
            measured.extend(parts);
        }
        factors.pivots = measured.iter().map(|[pivot, _]| *pivot).collect();
        factors.diagonal = measured.iter().map(|[_, entry]| *entry).collect();
        factors.pivots_of_mass = pivots_of_mass;
        factors.lower = Vec::new();
    }

    /// The multipliers that are not unknowns.
    pub(super) fn multipliers_of_dependents(&self) -> impl Iterator<Item = usize> {
        self.dependents
            .values()
            .map(|dependent| dependent.row.multiplier)
    }
}

impl Elimination<'_> {
    /// The scale of a pivot grows with its terms: that of a velocity with the contributions of multipliers, and that of
    /// a multiplier with those of velocities.
    pub(super) fn add_to_scale(
        &mut self,
        variable: usize,
        by_multiplier: bool,
        factor: Signed,
        entry: Signed,
    ) {
        if self.problem.dependents.is_empty()
            || self.problem.is_multiplier(variable) == by_multiplier
        {
            return;
        }
        if let Some(scale) = self.scales[variable] {
            let scale = scale.plus_product(self.builder, factor, entry);
            self.scales[variable] = Some(scale);
        }
    }

    /// A velocity is replaced by the others of its row: the scales of their pivots grow with them, and its own equation
    /// is kept for the part of gamma.
    pub(super) fn store_dependence(
        &mut self,
        node: usize,
        dependent: &Dependent,
        diagonal: Signed,
        row_terms: Vec<Term>,
    ) {
        let scale = self.scales[node].unwrap_or(diagonal);
        for term in &dependent.terms {
            let part = term.coefficient.times(self.builder, scale);
            let before = self.scales[term.variable].unwrap_or(Signed::ZERO);
            let after = before.plus_product(self.builder, term.coefficient, part);
            self.scales[term.variable] = Some(after);
        }
        if let Some(rule) = self.factors.rules.last_mut() {
            rule.dependence = Some(Dependence {
                row: dependent.row.clone(),
                diagonal,
                row_terms,
            });
        }
    }
}

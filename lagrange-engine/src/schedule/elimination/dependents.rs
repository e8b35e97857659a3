//! Velocities that constraints give, in the form and in what is left of it: `schedule/coordinate_partitioning.rs` tells which.

use super::Elimination;
use super::factors::{Dependence, Factors};
use super::problem::{Dependent, Problem, Term};
use super::signed::Signed;
use crate::Operand;
use crate::schedule::builder::Builder;

impl Problem {
    /// Leaves the pivots of what was eliminated, and adds what else they are measured by.
    pub(super) fn measure(&self, builder: &mut Builder, factors: &mut Factors) {
        let held: Vec<usize> = self.held().collect();
        let is_unknown = |i: &usize| !self.dependents.contains_key(i) && !held.contains(i);
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
            // A row is not to be taken for one where it is small beside those that give velocities, of whose diagonal
            // entries in J M^-1 J^T these are parts.
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

    /// The multipliers that are no unknowns.
    pub(super) fn held(&self) -> impl Iterator<Item = usize> {
        let held = self.dependents.values();
        held.map(|dependent| dependent.held.multiplier)
    }
}

impl Elimination<'_> {
    /// What a pivot is measured by grows with what it is made of: that of a velocity with what multipliers give to it, and
    /// that of a multiplier with what velocities do.
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

    /// A velocity gives way to the others of its row: what their pivots are measured by grows as these do, and its own
    /// equation is kept for gamma's part.
    pub(super) fn depend(
        &mut self,
        node: usize,
        dependent: &Dependent,
        own: Signed,
        others: Vec<Term>,
    ) {
        let scale = self.scales[node].unwrap_or(own);
        for term in &dependent.terms {
            let part = term.coefficient.times(self.builder, scale);
            let before = self.scales[term.variable].unwrap_or(Signed::ZERO);
            let after = before.plus_product(self.builder, term.coefficient, part);
            self.scales[term.variable] = Some(after);
        }
        if let Some(way) = self.factors.ways.last_mut() {
            way.dependence = Some(Dependence {
                held: dependent.held.clone(),
                own,
                others,
            });
        }
    }
}

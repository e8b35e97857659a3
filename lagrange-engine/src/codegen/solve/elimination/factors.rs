//! The result of the elimination: the rules by which the unknowns follow, for one right-hand side after the other.

use crate::codegen::ir::{Builder, Operand, Signed};
use std::collections::BTreeSet;

use super::problem::{Coupling, SatisfiedRow, Term};
use crate::lower_triangle;

/// The factors after the elimination of everything.
#[derive(Clone, Default, Debug)]
pub(in crate::codegen::solve) struct Factors {
    pub(super) velocities: usize,
    /// The number of pivots that are those of M, or measured like them.
    pub(in crate::codegen::solve) pivots_of_mass: usize,
    /// The number of variables.
    pub(super) size: usize,
    /// Coefficients of the dependent velocities in rows of J.
    pub(super) couplings: Vec<Coupling>,
    /// The entries of J, each with the multiplier of its row.
    pub(super) bound: Vec<(usize, Term)>,
    /// The rules by which the variables follow from others, in the order in which they left.
    pub(super) rules: Vec<Rule>,
    /// One pivot for each unknown; those of multipliers are negated.
    pub(in crate::codegen::solve) pivots: Vec<Operand>,
    /// The scales of the pivots.
    pub(in crate::codegen::solve) diagonal: Vec<Operand>,
    /// L D below the diagonal, column by column, if there are no nodes.
    pub(in crate::codegen::solve) lower: Vec<LowerEntry>,
}

/// `variable = its part of g / pivot + the terms`; g gains the terms' coefficients times that part.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) variable: usize,
    /// `None` if a definition alone gives the variable.
    pub(super) pivot: Option<Signed>,
    pub(super) terms: Vec<Term>,
    /// Only for a velocity that a constraint gives.
    pub(super) dependence: Option<Dependence>,
}

/// `variable = the part from gamma + the terms`, and its other couplings.
#[derive(Clone, Debug)]
pub(super) struct Dependence {
    pub(super) row: SatisfiedRow,
    /// The velocity's diagonal entry of A.
    pub(super) diagonal: Signed,
    /// The other entries of the velocity's row of A.
    pub(super) row_terms: Vec<Term>,
}

/// The number of right-hand sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::codegen::solve) enum Sides {
    /// One: if a pivot divides only one value, this is a division.
    One,
    /// Several: all values are multiplied by the reciprocals of the pivots, because divisions take longer.
    Several,
}

impl SatisfiedRow {
    /// The part of the velocity from gamma.
    fn part_from_gamma(&self, right_side: &[Signed]) -> Signed {
        right_side[self.multiplier].negated_if(self.minus)
    }
}

impl Factors {
    /// L, row by row, up to its diagonal, with zeros for the ones; only if all was eliminated in the order of the rows.
    pub(in crate::codegen::solve) fn unit_lower(&self, builder: &mut Builder) -> Vec<Operand> {
        let size = self.pivots.len();
        let mut lower = vec![Operand::Constant(0.0); size * (size + 1) / 2];
        for rule in &self.rules {
            for term in &rule.terms {
                let place = lower_triangle(term.variable, rule.variable);
                lower[place] = term.coefficient.negated().operand(builder);
            }
        }
        lower
    }

    /// Returns whether constraints give velocities.
    pub(in crate::codegen::solve) fn is_partitioned(&self) -> bool {
        self.rules.iter().any(|rule| rule.dependence.is_some())
    }

    /// The number of entries of a substitution, in either direction.
    pub(in crate::codegen::solve) fn entries(&self) -> usize {
        let of_rule = |rule: &Rule| {
            let row = rule.dependence.as_ref().map(|dependence| &dependence.row);
            rule.terms.len() + row.map_or(0, |row| row.equation.len())
        };
        self.rules.iter().map(of_rule).sum()
    }

    /// The velocities to whose equations other equations were added before the velocity was eliminated.
    pub(in crate::codegen::solve) fn velocities_of_mixed_equations(&self) -> BTreeSet<usize> {
        let added = |rule: &Rule| {
            let tied = rule
                .dependence
                .iter()
                .flat_map(|dependence| &dependence.row_terms);
            rule.terms
                .iter()
                .chain(tied)
                .map(|term| term.variable)
                .collect::<Vec<usize>>()
        };
        self.rules
            .iter()
            .flat_map(added)
            .filter(|variable| *variable < self.velocities)
            .collect()
    }

    /// a and -lambda for a right-hand side: the forces, and the wanted J a.
    pub(in crate::codegen::solve) fn solve(
        &self,
        builder: &mut Builder,
        forces: &[Operand],
        gamma: &[Operand],
        sides: Sides,
    ) -> [Vec<Signed>; 2] {
        let size = self.size;
        let mut right: Vec<Signed> = forces
            .iter()
            .chain(gamma)
            .map(|entry| Signed::of_right_side(*entry))
            .collect();
        right.resize(size, Signed::ZERO);
        let unknowns = forces.len() + gamma.len();
        let mut needed: Vec<bool> = (0..size).map(|variable| variable < unknowns).collect();
        for rule in self.rules.iter() {
            let variables: Vec<usize> = rule
                .terms
                .iter()
                .filter(|_| needed[rule.variable])
                .map(|term| term.variable)
                .collect();
            variables
                .into_iter()
                .for_each(|variable| needed[variable] = true);
        }
        let values = self.follow(builder, right, sides, |variable| needed[variable]);
        let (a, multipliers) = values[..unknowns].split_at(self.velocities);
        [a.to_vec(), multipliers.to_vec()]
    }

    /// A column of the inverse from one row on, if all was eliminated in the order of the rows.
    pub(in crate::codegen::solve) fn column_of_inverse(
        &self,
        builder: &mut Builder,
        column: usize,
        first: usize,
    ) -> Vec<Signed> {
        let mut right = vec![Signed::ZERO; self.size];
        right[column] = Signed::new(false, Operand::Constant(1.0));
        let mut values = self.follow(builder, right, Sides::Several, |variable| variable >= first);
        values.split_off(first)
    }

    /// Returns whether nothing else is divided by a pivot, and it has not been there for long when this is to be.
    fn divides(&self, builder: &Builder, rule: &Rule, part: Signed, pivot: Signed) -> bool {
        if !rule.terms.is_empty() || !builder.is_sooner_divided(part.value(), pivot.value()) {
            return false;
        }
        self.rules
            .iter()
            .filter_map(|rule| rule.pivot)
            .filter(|other| other.value() == pivot.value())
            .count()
            == 1
    }

    /// The required variables, for a right-hand side; zeros for the variables that are not required.
    ///
    /// The equation of a coupled velocity holds to rounding of its own terms only if its right-hand side is complete
    /// before the terms of other velocities are added: f alone may be much larger than f + J^T lambda, and the part of f
    /// for the other velocities would be lost. So if multipliers are known, coupled velocities follow from f and
    /// J^T lambda together.
    fn follow(
        &self,
        builder: &mut Builder,
        mut right: Vec<Signed>,
        sides: Sides,
        is_needed: impl Fn(usize) -> bool,
    ) -> Vec<Signed> {
        let right_side = right.clone();
        for coupling in &self.couplings {
            let start = self.part_from_gamma(coupling.velocity, &right_side);
            let row = &mut right[coupling.multiplier];
            *row = row.plus_product(builder, coupling.coefficient.negated(), start);
        }
        let is_coupled = self.find_coupled();
        let leads_on = self.leads_on(&is_coupled);
        for rule in &self.rules {
            if let Some(dependence) = &rule.dependence {
                let start = dependence.row.part_from_gamma(&right_side);
                let sum = &mut right[rule.variable];
                *sum = sum.plus_product(builder, dependence.diagonal.negated(), start);
                for other in &dependence.row_terms {
                    let sum = &mut right[other.variable];
                    *sum = sum.plus_product(builder, other.coefficient.negated(), start);
                }
            }
            let part = right[rule.variable];
            for term in rule.terms.iter().filter(|term| leads_on[term.variable]) {
                let sum = &mut right[term.variable];
                *sum = sum.plus_product(builder, term.coefficient, part);
            }
        }
        let mut values = vec![Signed::ZERO; right.len()];
        let needed = self
            .rules
            .iter()
            .rev()
            .filter(|rule| is_needed(rule.variable));
        // Multipliers need no coupled variables.
        let (later, first): (Vec<&Rule>, Vec<&Rule>) =
            needed.partition(|rule| is_coupled[rule.variable]);
        for rule in first {
            let known = [&right_side[..], &right, &values];
            values[rule.variable] = self.value(builder, rule, rule.terms.iter(), known, sides);
        }
        self.add_reactions(builder, &is_coupled, [&right_side, &values], &mut right);
        for rule in later {
            let terms = rule.terms.iter().filter(|term| is_coupled[term.variable]);
            let known = [&right_side[..], &right, &values];
            values[rule.variable] = self.value(builder, rule, terms, known, sides);
        }
        self.find_dependent_multipliers(builder, &right_side, &mut values);
        values
    }

    /// A variable from its part of a right-hand side and these terms.
    fn value<'a>(
        &self,
        builder: &mut Builder,
        rule: &Rule,
        terms: impl Iterator<Item = &'a Term>,
        [right_side, right, values]: [&[Signed]; 3],
        sides: Sides,
    ) -> Signed {
        let part = right[rule.variable];
        let start = match rule.pivot {
            Some(pivot) if sides == Sides::One && self.divides(builder, rule, part, pivot) => {
                part.over(builder, pivot)
            }
            Some(pivot) => pivot.recip(builder).times(builder, part),
            None => {
                let dependence = rule.dependence.as_ref();
                dependence.map_or(Signed::ZERO, |dependence| {
                    dependence.row.part_from_gamma(right_side)
                })
            }
        };
        // Products are added to a variable with coefficient 1, and not the other way round.
        let (units, mut products): (Vec<&Term>, Vec<&Term>) =
            terms.partition(|term| term.coefficient.is_unit());
        if sides == Sides::One {
            // The latest value comes last.
            products.sort_by_key(|term| builder.end(values[term.variable].value()));
        }
        units.into_iter().chain(products).fold(start, |sum, term| {
            sum.plus_product(builder, term.coefficient, values[term.variable])
        })
    }

    fn is_multiplier(&self, variable: usize) -> bool {
        (self.velocities..self.pivots.len()).contains(&variable)
    }

    /// The velocities and nodes with other velocities or nodes among their terms, and these terms, if there are
    /// multipliers; empty if constraints give velocities: then a multiplier need not come after all velocities.
    fn find_coupled(&self) -> Vec<bool> {
        let mut is_coupled = vec![false; self.size];
        if self.bound.is_empty() || self.is_partitioned() {
            return is_coupled;
        }
        let is_other = |variable: usize| !self.is_multiplier(variable);
        for rule in self.rules.iter().filter(|rule| is_other(rule.variable)) {
            for other in rule
                .terms
                .iter()
                .map(|term| term.variable)
                .filter(|variable| is_other(*variable))
            {
                is_coupled[rule.variable] = true;
                is_coupled[other] = true;
            }
        }
        is_coupled
    }

    /// For each variable whether it passes its part of a right-hand side on to a multiplier, or follows from one.
    fn leads_on(&self, is_coupled: &[bool]) -> Vec<bool> {
        let mut leads_on: Vec<bool> = is_coupled.iter().map(|is_coupled| !is_coupled).collect();
        for rule in self.rules.iter().rev() {
            leads_on[rule.variable] |= rule.terms.iter().any(|term| leads_on[term.variable]);
        }
        leads_on
    }

    /// The right-hand side of coupled variables, f + J^T lambda, after the elimination.
    fn add_reactions(
        &self,
        builder: &mut Builder,
        is_coupled: &[bool],
        [right_side, values]: [&[Signed]; 2],
        right: &mut [Signed],
    ) {
        is_coupled
            .iter()
            .enumerate()
            .filter(|(_, is)| **is)
            .for_each(|(variable, _)| right[variable] = right_side[variable]);
        let mut bound = self.bound.clone();
        bound.retain(|(_, term)| is_coupled[term.variable]);
        bound.sort_by_key(|(multiplier, _)| builder.end(values[*multiplier].value()));
        for (multiplier, term) in bound {
            let sum = &mut right[term.variable];
            *sum = sum.plus_product(builder, term.coefficient.negated(), values[multiplier]);
        }
        for rule in self.rules.iter().filter(|rule| is_coupled[rule.variable]) {
            let part = right[rule.variable];
            for term in rule.terms.iter().filter(|term| is_coupled[term.variable]) {
                let sum = &mut right[term.variable];
                *sum = sum.plus_product(builder, term.coefficient, part);
            }
        }
    }

    /// The multipliers of the rows that give velocities, by the residuals of the velocities' own equations: first for the
    /// velocities that give no other velocity.
    fn find_dependent_multipliers(
        &self,
        builder: &mut Builder,
        right_side: &[Signed],
        values: &mut [Signed],
    ) {
        for rule in &self.rules {
            let Some(Dependence { row, .. }) = &rule.dependence else {
                continue;
            };
            let mut equation: Vec<&Term> = row.equation.iter().collect();
            equation.sort_by_key(|term| builder.end(values[term.variable].value()));
            let residual = equation
                .into_iter()
                .fold(right_side[rule.variable], |sum, term| {
                    let value = values[term.variable];
                    sum.plus_product(builder, term.coefficient.negated(), value)
                });
            values[row.multiplier] = residual.negated_if(row.minus);
        }
    }

    fn part_from_gamma(&self, velocity: usize, right_side: &[Signed]) -> Signed {
        let dependence = self
            .rules
            .iter()
            .filter(|rule| rule.variable == velocity)
            .find_map(|rule| rule.dependence.as_ref());
        dependence.map_or(Signed::ZERO, |dependence| {
            dependence.row.part_from_gamma(right_side)
        })
    }
}

/// An entry of L D below the diagonal.
#[derive(Clone, Copy, Debug)]
pub struct LowerEntry {
    /// The unknown of its row: a velocity, or a multiplier behind all velocities.
    pub row: usize,
    /// The unknown of its column, which was eliminated before that of the row.
    pub column: usize,
    /// True if the entry is the negative of the value.
    pub minus: bool,
    /// The value.
    pub value: Operand,
}

impl LowerEntry {
    pub(super) fn new(row: usize, column: usize, entry: Signed) -> Self {
        Self {
            row,
            column,
            minus: entry.is_minus(),
            value: entry.value(),
        }
    }
}

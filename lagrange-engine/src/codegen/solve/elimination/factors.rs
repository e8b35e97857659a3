//! The result of the elimination: the rules by which the unknowns follow, for one right-hand side after the other.

use crate::codegen::ir::{Builder, Operand, Signed};
use std::collections::BTreeSet;

use super::problem::{Carried, Held, Term};
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
    pub(super) carried: Vec<Carried>,
    /// The entries of J, each with the multiplier of its row.
    pub(super) bound: Vec<(usize, Term)>,
    /// The rules by which the variables follow from others, in the order in which they left.
    pub(super) ways: Vec<Way>,
    /// One pivot for each unknown; those of multipliers are negated.
    pub(in crate::codegen::solve) pivots: Vec<Operand>,
    /// The scales of the pivots.
    pub(in crate::codegen::solve) diagonal: Vec<Operand>,
    /// L D below the diagonal, column by column, if there are no nodes.
    pub(in crate::codegen::solve) lower: Vec<LowerEntry>,
}

/// `variable = its part of g / pivot + the terms`; g gains the terms' coefficients times that part.
#[derive(Clone, Debug)]
pub(super) struct Way {
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
    pub(super) held: Held,
    /// Its entry of A.
    pub(super) own: Signed,
    /// The others of its row.
    pub(super) others: Vec<Term>,
}

/// The number of right-hand sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::codegen::solve) enum Sides {
    /// One: if a pivot divides only one value, this is a division.
    One,
    /// Several: all values are multiplied by the reciprocals of the pivots, because divisions take longer.
    Several,
}

impl Held {
    /// The part of the velocity from gamma.
    fn made_by_gamma(&self, given: &[Signed]) -> Signed {
        given[self.multiplier].negated_if(self.minus)
    }
}

impl Factors {
    /// L, row by row, up to its diagonal, with zeros for the ones; only if all was eliminated in the order of the rows.
    pub(in crate::codegen::solve) fn unit_lower(&self, builder: &mut Builder) -> Vec<Operand> {
        let size = self.pivots.len();
        let mut lower = vec![Operand::Constant(0.0); size * (size + 1) / 2];
        for way in &self.ways {
            for term in &way.terms {
                let place = lower_triangle(term.variable, way.variable);
                lower[place] = term.coefficient.negated().operand(builder);
            }
        }
        lower
    }

    /// Returns whether constraints give velocities.
    pub(in crate::codegen::solve) fn is_partitioned(&self) -> bool {
        self.ways.iter().any(|way| way.dependence.is_some())
    }

    /// The number of entries of a substitution, in either direction.
    pub(in crate::codegen::solve) fn entries(&self) -> usize {
        let of_way = |way: &Way| {
            let held = way.dependence.as_ref().map(|own| &own.held);
            way.terms.len() + held.map_or(0, |held| held.equation.len())
        };
        self.ways.iter().map(of_way).sum()
    }

    /// The velocities to whose equations others were added before their elimination.
    pub(in crate::codegen::solve) fn mixed(&self) -> BTreeSet<usize> {
        let added = |way: &Way| {
            let tied = way.dependence.iter().flat_map(|own| &own.others);
            way.terms
                .iter()
                .chain(tied)
                .map(|term| term.variable)
                .collect::<Vec<usize>>()
        };
        self.ways
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
        for way in self.ways.iter() {
            let variables: Vec<usize> = way
                .terms
                .iter()
                .filter(|_| needed[way.variable])
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
    fn divides(&self, builder: &Builder, way: &Way, own: Signed, pivot: Signed) -> bool {
        if !way.terms.is_empty() || !builder.is_sooner_divided(own.value(), pivot.value()) {
            return false;
        }
        self.ways
            .iter()
            .filter_map(|way| way.pivot)
            .filter(|other| other.value() == pivot.value())
            .count()
            == 1
    }

    /// The required variables, for a right-hand side; zeros for the others.
    ///
    /// The equation of a coupled velocity holds to rounding of its own terms only if its right-hand side is complete
    /// before the terms of others are added: f alone may be much larger than f + J^T lambda, and its part for the
    /// others would be lost. So if multipliers are known, coupled velocities follow from both together.
    fn follow(
        &self,
        builder: &mut Builder,
        mut right: Vec<Signed>,
        sides: Sides,
        is_needed: impl Fn(usize) -> bool,
    ) -> Vec<Signed> {
        let given = right.clone();
        for carried in &self.carried {
            let start = self.made_by_gamma(carried.velocity, &given);
            let row = &mut right[carried.multiplier];
            *row = row.plus_product(builder, carried.coefficient.negated(), start);
        }
        let is_coupled = self.coupled();
        let leads_on = self.leads_on(&is_coupled);
        for way in &self.ways {
            if let Some(dependence) = &way.dependence {
                let start = dependence.held.made_by_gamma(&given);
                let own = &mut right[way.variable];
                *own = own.plus_product(builder, dependence.own.negated(), start);
                for other in &dependence.others {
                    let sum = &mut right[other.variable];
                    *sum = sum.plus_product(builder, other.coefficient.negated(), start);
                }
            }
            let own = right[way.variable];
            for term in way.terms.iter().filter(|term| leads_on[term.variable]) {
                let sum = &mut right[term.variable];
                *sum = sum.plus_product(builder, term.coefficient, own);
            }
        }
        let mut values = vec![Signed::ZERO; right.len()];
        let needed = self.ways.iter().rev().filter(|way| is_needed(way.variable));
        // Multipliers need no coupled variables.
        let (later, first): (Vec<&Way>, Vec<&Way>) =
            needed.partition(|way| is_coupled[way.variable]);
        for way in first {
            let known = [&given[..], &right, &values];
            values[way.variable] = self.value(builder, way, way.terms.iter(), known, sides);
        }
        self.gather(builder, &is_coupled, [&given, &values], &mut right);
        for way in later {
            let terms = way.terms.iter().filter(|term| is_coupled[term.variable]);
            let known = [&given[..], &right, &values];
            values[way.variable] = self.value(builder, way, terms, known, sides);
        }
        self.hold(builder, &given, &mut values);
        values
    }

    /// A variable from its part of a right-hand side and these of its terms.
    fn value<'a>(
        &self,
        builder: &mut Builder,
        way: &Way,
        terms: impl Iterator<Item = &'a Term>,
        [given, right, values]: [&[Signed]; 3],
        sides: Sides,
    ) -> Signed {
        let own = right[way.variable];
        let start = match way.pivot {
            Some(pivot) if sides == Sides::One && self.divides(builder, way, own, pivot) => {
                own.over(builder, pivot)
            }
            Some(pivot) => pivot.recip(builder).times(builder, own),
            None => {
                let dependence = way.dependence.as_ref();
                dependence.map_or(Signed::ZERO, |own| own.held.made_by_gamma(given))
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

    /// The velocities and nodes with others of these among their terms, and those others, if there are multipliers;
    /// empty if constraints give velocities, whose multipliers need not come after all of them.
    fn coupled(&self) -> Vec<bool> {
        let mut is_coupled = vec![false; self.size];
        if self.bound.is_empty() || self.is_partitioned() {
            return is_coupled;
        }
        let is_other = |variable: usize| !self.is_multiplier(variable);
        for way in self.ways.iter().filter(|way| is_other(way.variable)) {
            for other in way
                .terms
                .iter()
                .map(|term| term.variable)
                .filter(|variable| is_other(*variable))
            {
                is_coupled[way.variable] = true;
                is_coupled[other] = true;
            }
        }
        is_coupled
    }

    /// For each variable whether it passes its part of a right-hand side on to a multiplier, or follows from one.
    fn leads_on(&self, is_coupled: &[bool]) -> Vec<bool> {
        let mut leads_on: Vec<bool> = is_coupled.iter().map(|is_coupled| !is_coupled).collect();
        for way in self.ways.iter().rev() {
            leads_on[way.variable] |= way.terms.iter().any(|term| leads_on[term.variable]);
        }
        leads_on
    }

    /// The right-hand side of coupled variables, f + J^T lambda, after the elimination.
    fn gather(
        &self,
        builder: &mut Builder,
        is_coupled: &[bool],
        [given, values]: [&[Signed]; 2],
        right: &mut [Signed],
    ) {
        is_coupled
            .iter()
            .enumerate()
            .filter(|(_, is)| **is)
            .for_each(|(variable, _)| right[variable] = given[variable]);
        let mut bound = self.bound.clone();
        bound.retain(|(_, term)| is_coupled[term.variable]);
        bound.sort_by_key(|(multiplier, _)| builder.end(values[*multiplier].value()));
        for (multiplier, term) in bound {
            let sum = &mut right[term.variable];
            *sum = sum.plus_product(builder, term.coefficient.negated(), values[multiplier]);
        }
        for way in self.ways.iter().filter(|way| is_coupled[way.variable]) {
            let own = right[way.variable];
            for term in way.terms.iter().filter(|term| is_coupled[term.variable]) {
                let sum = &mut right[term.variable];
                *sum = sum.plus_product(builder, term.coefficient, own);
            }
        }
    }

    /// The multipliers of the rows that give velocities, by the residuals of the equations of these: first those of
    /// velocities by which no other one is given.
    fn hold(&self, builder: &mut Builder, given: &[Signed], values: &mut [Signed]) {
        for way in &self.ways {
            let Some(Dependence { held, .. }) = &way.dependence else {
                continue;
            };
            let mut equation: Vec<&Term> = held.equation.iter().collect();
            equation.sort_by_key(|term| builder.end(values[term.variable].value()));
            let left = equation.into_iter().fold(given[way.variable], |sum, term| {
                let value = values[term.variable];
                sum.plus_product(builder, term.coefficient.negated(), value)
            });
            values[held.multiplier] = left.negated_if(held.minus);
        }
    }

    fn made_by_gamma(&self, velocity: usize, given: &[Signed]) -> Signed {
        let dependence = self
            .ways
            .iter()
            .filter(|way| way.variable == velocity)
            .find_map(|way| way.dependence.as_ref());
        dependence.map_or(Signed::ZERO, |own| own.held.made_by_gamma(given))
    }
}

/// An entry of L D below the diagonal.
#[derive(Clone, Copy, Debug)]
pub struct LowerEntry {
    /// The unknown of its row: a velocity, or a multiplier behind all velocities.
    pub row: usize,
    /// That of its column, which was eliminated before.
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

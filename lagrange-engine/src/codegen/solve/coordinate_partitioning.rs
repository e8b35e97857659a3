//! Coordinate partitioning: velocities that constraints give by others, and the multipliers of these constraints.
//!
//! A row of J with an entry 1 or -1, for example of points tied together, gives a velocity by the others of the row
//! without a division. The velocity is then a node of the quadratic form instead of an unknown, with the row as its
//! definition (coordinate partitioning: Wehage and Haug, "Generalized coordinate partitioning for dimension reduction
//! in analysis of constrained dynamic systems", *J. Mech. Des.* 104, 1982). The row holds by construction, and its
//! multiplier follows from the residual force of the velocity's own equation. Other rows, for example those that close
//! loops, keep their multipliers and are written in terms of the remaining velocities.
//!
//! For a linkage of bodies described by their centres this leaves the unknowns of a tree of joints with closed loops:
//! O(n), and most rows need no test.

use crate::codegen::ir::{Builder, Operand, Signed};
use std::collections::{BTreeMap, BTreeSet};

use super::elimination::{Coupling, Dependent, Problem, SatisfiedRow, Term};
use super::equation::{Blocks, ZERO};
use super::factorization::{Size, TestedEquations};
use crate::Unary;
use crate::codegen::cost_model::MOST_TERMS_OF_DEPENDENT;

/// The rows that give velocities, each by velocities before it and by independent ones.
pub(super) struct Partition {
    /// Row and velocity.
    pairs: Vec<[usize; 2]>,
}

impl Partition {
    /// `None` if no row gives a velocity.
    pub(super) fn of(blocks: &Blocks<'_>) -> Option<Self> {
        let rows: Vec<Vec<(usize, bool)>> = blocks.rows().map(nonzero_entries).collect();
        let n = blocks.coordinates();
        let mut is_open = vec![false; n];
        let is_massive = |i: usize| blocks.mass(i, i) != ZERO;
        for (i, is_unit) in rows.iter().flatten() {
            is_open[*i] |= *is_unit && is_massive(*i);
        }
        let mut is_used: Vec<bool> = rows
            .iter()
            .map(|row| row.len() > MOST_TERMS_OF_DEPENDENT)
            .collect();
        let mut pairs = Vec::new();
        loop {
            let ready = (0..rows.len()).filter(|k| !is_used[*k]).filter_map(|k| {
                let mut open = rows[k].iter().filter(|(i, _)| is_open[*i]);
                let (i, _) = open.next().filter(|(_, is_unit)| *is_unit)?;
                open.next().is_none().then_some([k, *i])
            });
            // The shortest rows first, for example pins: the bodies that they tie together then move as one.
            if let Some([k, i]) = ready.min_by_key(|[k, _]| rows[*k].len()) {
                is_used[k] = true;
                is_open[i] = false;
                pairs.push([k, i]);
                continue;
            }
            // If no row is tied to the velocities so far, one of the others is the first.
            let mut left = (0..rows.len())
                .filter(|k| !is_used[*k])
                .flat_map(|k| &rows[k])
                .map(|(i, _)| *i);
            match left.find(|i| is_open[*i]) {
                Some(i) => is_open[i] = false,
                None => break,
            }
        }
        (!pairs.is_empty()).then_some(Partition { pairs })
    }

    /// Rows that give velocities hold by construction, and so do the equations of these velocities. The equation of an
    /// independent velocity need not hold if it is only a part of the equation for the velocity: the sum with those of
    /// all velocities that follow from it. A `mixed` equation need not hold either: others, with forces that
    /// constraints balance, were added to it before its velocity was eliminated.
    pub(super) fn choose_tested(
        &self,
        blocks: &Blocks<'_>,
        mixed: &BTreeSet<usize>,
    ) -> TestedEquations {
        let (n, c) = (blocks.coordinates(), blocks.gamma.len());
        let rows: Vec<Vec<(usize, bool)>> = blocks.rows().map(nonzero_entries).collect();
        let mut is_tested = vec![true; c];
        let mut is_forced = vec![false; n];
        mixed.iter().for_each(|i| is_forced[*i] = true);
        for [k, _] in &self.pairs {
            is_tested[*k] = false;
            rows[*k].iter().for_each(|(i, _)| is_forced[*i] = true);
        }
        self.pairs.iter().for_each(|[_, i]| is_forced[*i] = false);
        // A multiplier, and with it an acceleration, affects the equations of the other velocities of its row. These
        // equations are tested, or they give multipliers that occur in tested ones.
        let mut shows = is_forced.clone();
        for [k, i] in &self.pairs {
            is_forced[*i] = !rows[*k].iter().any(|(j, _)| shows[*j]);
            shows[*i] = true;
        }
        for (row, _) in rows
            .iter()
            .zip(&is_tested)
            .filter(|(_, is_tested)| **is_tested)
        {
            row.iter().for_each(|(i, _)| shows[*i] = true);
        }
        TestedEquations {
            forces: (0..n).filter(|i| is_forced[*i]).collect(),
            rows: (0..c).filter(|k| is_tested[*k]).collect(),
            untested: (0..n).filter(|i| !shows[*i]).collect(),
            size: Size::Sum,
        }
    }
}

impl Blocks<'_> {
    /// The problem after the partition of multipliers and velocities.
    pub(super) fn partitioned(&self, builder: &mut Builder, partition: &Partition) -> Problem {
        let n = self.coordinates();
        let mut problem = self.problem(self.matrix);
        for [k, i] in &partition.pairs {
            let dependent = self.express_dependent(builder, *k, *i);
            problem.dependents.insert(*i, dependent);
        }
        problem.form.retain(|(row, ..)| *row < n);
        let rows: Vec<usize> = partition.pairs.iter().map(|[k, _]| *k).collect();
        for k in (0..self.gamma.len()).filter(|k| !rows.contains(k)) {
            let written = self.express_independently(builder, k, partition, &problem.dependents);
            let multiplier = n + k;
            let entries = written
                .entries
                .iter()
                .map(|(i, entry)| (multiplier, *i, *entry));
            problem.form.extend(entries);
            problem.sizes.extend(written.size(builder));
            let couplings = written
                .couplings
                .into_iter()
                .map(|(velocity, coefficient)| Coupling {
                    multiplier,
                    velocity,
                    coefficient,
                });
            problem.couplings.extend(couplings);
        }
        problem
    }

    /// The velocity i by row k: `v_i = s (gamma_k - sum J_kj v_j)` with the sign s of its entry.
    fn express_dependent(&self, builder: &Builder, k: usize, i: usize) -> Dependent {
        let n = self.coordinates();
        let row = self.row(k);
        let minus = Signed::new(false, row[i]).is_minus();
        let terms = row
            .iter()
            .enumerate()
            .filter(|(j, entry)| *j != i && **entry != ZERO)
            .map(|(variable, entry)| Term {
                variable,
                coefficient: builder.without_sign(*entry).negated_if(!minus),
            });
        let of_mass = (0..n).map(|j| (j, self.mass(i, j)));
        let of_rows = self
            .rows()
            .enumerate()
            .filter(|(row, _)| *row != k)
            .map(|(row, entries)| (n + row, entries[i]));
        let equation = of_mass
            .chain(of_rows)
            .filter(|(_, entry)| *entry != ZERO)
            .map(|(variable, entry)| Term {
                variable,
                coefficient: builder.without_sign(entry),
            });
        Dependent {
            terms: terms.collect(),
            row: SatisfiedRow {
                multiplier: n + k,
                minus,
                equation: equation.collect(),
            },
        }
    }

    /// A row by independent velocities: the last dependent ones are replaced first.
    fn express_independently(
        &self,
        builder: &mut Builder,
        k: usize,
        partition: &Partition,
        dependents: &BTreeMap<usize, Dependent>,
    ) -> Written {
        let mut written = Written::default();
        for (i, entry) in self.row(k).iter().enumerate() {
            let entry = builder.without_sign(*entry);
            written.add(builder, i, entry);
        }
        for [_, i] in partition.pairs.iter().rev() {
            let Some(coefficient) = written.entries.remove(i) else {
                continue;
            };
            written.sizes.remove(i);
            written.couplings.push((*i, coefficient));
            for term in &dependents[i].terms {
                let product = coefficient.times(builder, term.coefficient);
                written.add(builder, term.variable, product);
            }
        }
        written
    }
}

/// A row of J by independent velocities.
#[derive(Default)]
struct Written {
    entries: BTreeMap<usize, Signed>,
    /// The sizes of the terms of an entry, if these may have cancelled.
    sizes: BTreeMap<usize, Operand>,
    /// The coefficient in it of each velocity that a row gives.
    couplings: Vec<(usize, Signed)>,
}

impl Written {
    fn add(&mut self, builder: &mut Builder, i: usize, entry: Signed) {
        let before = self.entries.get(&i).copied().unwrap_or(Signed::ZERO);
        let sum = before.plus(builder, entry);
        if sum.is_zero() {
            self.entries.remove(&i);
            self.sizes.remove(&i);
            return;
        }
        self.entries.insert(i, sum);
        if before.is_zero() || entry.is_zero() {
            return;
        }
        let size = self
            .sizes
            .get(&i)
            .copied()
            .unwrap_or_else(|| builder.unary(Unary::Abs, before.value()));
        let added = builder.unary(Unary::Abs, entry.value());
        self.sizes.insert(i, builder.add(size, added));
    }

    /// If entries may have cancelled: the size of the row, and its size without cancellation. The remainder of a row
    /// that is a multiple of another one must not count as a row.
    fn size(&self, builder: &mut Builder) -> Option<[Operand; 2]> {
        if self.sizes.is_empty() {
            return None;
        }
        let [mut remaining, mut uncancelled] = [ZERO; 2];
        for (i, entry) in &self.entries {
            let size = builder.unary(Unary::Abs, entry.value());
            remaining = builder.add(remaining, size);
            uncancelled = builder.add(uncancelled, self.sizes.get(i).copied().unwrap_or(size));
        }
        Some([remaining, uncancelled])
    }
}

/// The nonzero entries of a row, and whether they are 1 or -1.
fn nonzero_entries(row: &[Operand]) -> Vec<(usize, bool)> {
    row.iter()
        .enumerate()
        .filter(|(_, entry)| **entry != ZERO)
        .map(|(i, entry)| (i, Signed::new(false, *entry).is_unit()))
        .collect()
}

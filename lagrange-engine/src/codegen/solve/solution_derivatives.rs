//! The derivatives of the solution of the equations of motion, column by column.
//!
//! If they are few and short they are code like the solution: structural zeros are left out, and nothing has to be
//! written to memory to solve columns side by side. With constraints the solution is tested by its equations, and each
//! column by the derivatives of these.

use super::elimination::Sides;
use super::equation::{Blocks, Equation, ZERO};
use super::factorization::{Factorization, SolvedColumns, is_corrected};
use crate::codegen::cost_model::{
    DERIVATIVES_ALWAYS_UNROLLED, DERIVATIVES_NEVER_UNROLLED, DERIVATIVES_SHARE,
};
use crate::codegen::ir::{Builder, Operand, Signed};

/// The columns of right-hand sides.
pub(super) struct Columns<'a> {
    /// The derivatives of `M a - f - J^T lambda` by position and by velocity, those of f by the inputs.
    pub(super) forces: [&'a [Operand]; 3],
    /// The derivatives of `J a - gamma` by position and by velocity.
    pub(super) rates: [&'a [Operand]; 2],
    /// The equations of the solution.
    blocks: Blocks<'a>,
}

/// One column: f and gamma, or minus these.
struct Column {
    minus: bool,
    forces: Vec<Operand>,
    rates: Vec<Operand>,
}

impl<'a> Columns<'a> {
    /// From the values of the terms of an equation, and of the values after its solution.
    pub(super) fn of(
        terms: &'a [Operand],
        mut others: &'a [Operand],
        equation: &Equation<'_>,
        inputs: usize,
    ) -> Self {
        let (n, c) = (equation.forcing.len(), equation.gamma.len());
        let mut take = |length: usize| {
            let (part, remaining) = others.split_at(length.min(others.len()));
            others = remaining;
            part
        };
        Columns {
            forces: [n, n, inputs].map(|columns| take(n * columns)),
            rates: [n, n].map(|columns| take(c * columns)),
            blocks: Blocks::of(terms, equation),
        }
    }

    /// The number of values of the right-hand sides.
    pub(super) fn len(&self) -> usize {
        self.forces
            .iter()
            .chain(&self.rates)
            .map(|values| values.len())
            .sum()
    }

    /// The solutions, if these are short.
    pub(super) fn solved(
        &self,
        builder: &mut Builder,
        factors: &Factorization,
    ) -> Option<SolvedColumns> {
        let (n, c) = (factors.solution.len(), factors.multipliers.len());
        let columns = self.columns(n, c);
        let nonzero = columns.iter().flatten().filter(|column| !column.is_zero());
        // Each entry of L is used twice, and all columns are tested by J.
        let of_jacobian = self.blocks.jacobian.iter().filter(|entry| **entry != ZERO);
        let entries = factors.entries() + of_jacobian.count();
        let operations = nonzero.count() * (2 * entries + n + c);
        let count: usize = columns.iter().map(Vec::len).sum();
        if !is_short(operations, count, n, c) {
            return None;
        }
        let mut solved = SolvedColumns {
            accelerations: [0, 1, 2].map(|of| vec![ZERO; n * columns[of].len()]),
            multipliers: [0, 1, 2].map(|of| vec![ZERO; c * columns[of].len()]),
            residual: Vec::new(),
            terms: Vec::new(),
            sums: vec![ZERO; n + c],
        };
        let is_tested = |i: usize| i < n && !factors.tested.untested.contains(&i);
        for (of, columns) in columns.iter().enumerate() {
            for (number, column) in columns.iter().enumerate() {
                let [mut a, mut lambda] = column.solved(builder, factors);
                if is_corrected(factors) {
                    self.correct(builder, factors, column, [&mut a, &mut lambda]);
                }
                for (i, entry) in a.iter().chain(&lambda).enumerate() {
                    let place = match i.checked_sub(n) {
                        None => &mut solved.accelerations[of][i * columns.len() + number],
                        Some(k) => &mut solved.multipliers[of][k * columns.len() + number],
                    };
                    *place = *entry;
                    // An infinite value of the others appears in the residuals.
                    if !is_tested(i) {
                        solved.sums[i] = builder.add(solved.sums[i], *entry);
                    }
                }
                for [left, terms] in
                    self.evaluate_residuals(builder, factors, column, [&a, &lambda])
                {
                    if left != ZERO {
                        solved.residual.push(left);
                        solved.terms.push(terms);
                    }
                }
            }
        }
        solved.sums.retain(|sum| *sum != ZERO);
        Some(solved)
    }

    /// The residuals of a column in the derivatives of those equations that test the solution, and the sizes of their
    /// terms.
    fn evaluate_residuals(
        &self,
        builder: &mut Builder,
        factors: &Factorization,
        column: &Column,
        [a, lambda]: [&[Operand]; 2],
    ) -> Vec<[Operand; 2]> {
        let tested = &factors.tested;
        let mut forcing = vec![ZERO; a.len()];
        for i in &tested.forces {
            forcing[*i] = column.signed(builder, column.forces[*i]);
        }
        let derivatives = Blocks {
            forcing: &forcing,
            gamma: &column.rates(builder),
            ..self.blocks
        };
        let minus_lambda: Vec<Signed> = lambda
            .iter()
            .map(|lambda| Signed::new(true, *lambda))
            .collect();
        derivatives.evaluate_residuals(builder, tested, a, &minus_lambda)
    }

    /// A step of iterative refinement for the residuals of a column in those equations.
    fn correct(
        &self,
        builder: &mut Builder,
        factors: &Factorization,
        column: &Column,
        [a, lambda]: [&mut [Operand]; 2],
    ) {
        let (tested, blocks) = (&factors.tested, &self.blocks);
        let mut left = Column {
            minus: false,
            forces: vec![ZERO; a.len()],
            rates: column.rates(builder),
        };
        for k in &tested.rows {
            for (entry, a) in blocks.row(*k).iter().zip(&*a) {
                left.rates[*k] = builder.neg_mul_add(*entry, *a, left.rates[*k]);
            }
        }
        // The other rows hold.
        (0..lambda.len())
            .filter(|k| !tested.rows.contains(k))
            .for_each(|k| left.rates[k] = ZERO);
        for i in &tested.forces {
            let mut force = column.signed(builder, column.forces[*i]);
            for (k, a) in a.iter().enumerate() {
                force = builder.neg_mul_add(blocks.mass(*i, k), *a, force);
            }
            for (row, lambda) in blocks.rows().zip(&*lambda) {
                force = builder.mul_add(row[*i], *lambda, force);
            }
            left.forces[*i] = force;
        }
        for (values, changes) in [a, lambda].into_iter().zip(left.solved(builder, factors)) {
            for (value, change) in values.iter_mut().zip(changes) {
                *value = builder.add(*value, change);
            }
        }
    }

    fn columns(&self, n: usize, c: usize) -> [Vec<Column>; 3] {
        [0, 1, 2].map(|of| {
            let forces = self.forces[of];
            let count = forces.len() / n.max(1);
            let column = |entries: &[Operand], rows: usize, number: usize| {
                let entry = |row: usize| entries.get(row * count + number).copied();
                (0..rows).map(|row| entry(row).unwrap_or(ZERO)).collect()
            };
            let rates = self.rates.get(of).copied().unwrap_or_default();
            (0..count)
                .map(|number| Column {
                    minus: of < 2,
                    forces: column(forces, n, number),
                    rates: column(rates, c, number),
                })
                .collect()
        })
    }
}

/// Returns whether so many operations for `count` columns may be written out.
pub(super) fn is_short(operations: usize, count: usize, n: usize, c: usize) -> bool {
    let looped = count * (n + c).pow(2);
    let always = DERIVATIVES_ALWAYS_UNROLLED[usize::from(c > 0)];
    operations <= (looped / DERIVATIVES_SHARE).clamp(always, DERIVATIVES_NEVER_UNROLLED)
}

impl Column {
    fn is_zero(&self) -> bool {
        self.forces
            .iter()
            .chain(&self.rates)
            .all(|entry| *entry == ZERO)
    }

    /// The wanted product of J and the solution.
    fn rates(&self, builder: &mut Builder) -> Vec<Operand> {
        self.rates
            .iter()
            .map(|rate| self.signed(builder, *rate))
            .collect()
    }

    fn signed(&self, builder: &mut Builder, entry: Operand) -> Operand {
        Signed::new(self.minus, entry).operand(builder)
    }

    /// The derivatives of a and of lambda.
    fn solved(&self, builder: &mut Builder, factors: &Factorization) -> [Vec<Operand>; 2] {
        let [a, minus_lambda] =
            factors
                .factors
                .solve(builder, &self.forces, &self.rates, Sides::Several);
        let mut signed = |entry: Signed, minus: bool| {
            let entry = if minus { entry.negated() } else { entry };
            entry.operand(builder)
        };
        let a = a
            .into_iter()
            .map(|entry| signed(entry, self.minus))
            .collect();
        let lambda = minus_lambda
            .into_iter()
            .map(|entry| signed(entry, !self.minus));
        [a, lambda.collect()]
    }
}

//! A step of iterative refinement, as code that follows an unrolled solution.
//!
//! Forces that parts pass on to each other are large beside their remainder, the acceleration, and J a = gamma often
//! holds only to some hundred eps. One step with the same factors corrects that (Higham, *Accuracy and Stability of
//! Numerical Algorithms*, 2nd ed., chapter 12). After it all equations are tested, including those of the forces.

use super::elimination::Sides;
use super::equation::{Blocks, ZERO};
use super::factorization::{Factorization, TestedEquations};
use crate::Symbol;
use crate::codegen::ir::{Builder, Instruction, Operand, Schedule, Signed};

/// A step of iterative refinement: code that follows that of a solution and reads its values.
#[derive(Clone, Debug)]
pub struct Correction {
    /// The operations; their temporaries are numbered from the last one of the schedule on.
    pub instructions: Vec<Instruction>,
    /// a.
    pub solution: Vec<Operand>,
    /// lambda.
    pub multipliers: Vec<Operand>,
    /// The residuals of M a = f + J^T lambda, row by row, and of J a = gamma; the rows that were already tested come
    /// last.
    pub residual: Vec<Operand>,
    /// Lower bounds of the sums of the absolute values of the terms of these equations, to within the residuals.
    pub terms: Vec<Operand>,
}

impl Correction {
    /// The same as code of its own, and the values of the solution that it reads, as symbols `Weight`.
    pub(in crate::codegen) fn apart(&self, solved: &Schedule) -> (Self, Vec<Operand>) {
        let count: u32 = solved.instructions.iter().map(Instruction::results).sum();
        let mut read = Vec::new();
        let mut symbols = vec![None; count as usize];
        let mut rename = |operand: Operand| match operand {
            Operand::Temporary(at) if at >= count => Operand::Temporary(at - count),
            Operand::Temporary(at) => {
                let symbol = *symbols[at as usize].get_or_insert_with(|| {
                    read.push(operand);
                    Symbol::Weight(read.len() as u32 - 1)
                });
                Operand::Symbol(symbol)
            }
            _ => operand,
        };
        let instructions = self.instructions.iter();
        let instructions = instructions
            .map(|instruction| instruction.with_operands(&mut rename))
            .collect();
        let mut renamed = |values: &[Operand]| {
            values
                .iter()
                .map(|value| rename(*value))
                .collect::<Vec<_>>()
        };
        let apart = Self {
            instructions,
            solution: renamed(&self.solution),
            multipliers: renamed(&self.multipliers),
            residual: renamed(&self.residual),
            terms: renamed(&self.terms),
        };
        (apart, read)
    }
}

impl Blocks<'_> {
    /// A step of iterative refinement after the code of a solution.
    pub(crate) fn correct(&self, solved: &Schedule, factors: &Factorization) -> Correction {
        let mut continued = Builder::after(&solved.instructions);
        let corrected = self.corrected(&mut continued, factors);
        let mut instructions = continued.finish(Vec::new()).instructions;
        Correction {
            instructions: instructions.split_off(solved.instructions.len()),
            ..corrected
        }
    }

    /// The same in the builder of the solution, which has the instructions.
    pub(super) fn corrected(&self, builder: &mut Builder, factors: &Factorization) -> Correction {
        let (n, c) = (self.coordinates(), self.gamma.len());
        let tested = &factors.tested;
        let (mut right, mut rows) = (vec![ZERO; n], vec![ZERO; c]);
        let residual = |position: usize| factors.residual[position];
        let (forces, constraints) = (tested.forces.iter(), tested.rows.iter());
        for (position, i) in forces.enumerate() {
            right[*i] = residual(position);
        }
        for (position, k) in constraints.enumerate() {
            rows[*k] = residual(tested.forces.len() + position);
        }
        // The operations for M + J^T W J instead of M.
        for (k, weight) in factors.weights.iter().enumerate() {
            let weighted = builder.mul(*weight, rows[k]);
            for (entry, sum) in self.jacobian[k * n..].iter().zip(&mut right) {
                *sum = builder.mul_add(*entry, weighted, *sum);
            }
        }
        let [by_velocity, minus_by_constraint] =
            factors
                .factors
                .solve(builder, &right, &rows, Sides::Several);
        let mut sum = |value: &Operand, change: Signed| {
            let sum = Signed::new(false, *value).plus(builder, change);
            sum.operand(builder)
        };
        let solution: Vec<_> = factors
            .solution
            .iter()
            .zip(by_velocity)
            .map(|(a, change)| sum(a, change))
            .collect();
        let multipliers: Vec<_> = factors
            .multipliers
            .iter()
            .zip(minus_by_constraint)
            .map(|(l, change)| sum(l, change.negated()))
            .collect();
        let minus_multipliers: Vec<_> = multipliers.iter().map(|l| Signed::new(true, *l)).collect();
        let not_among = |before: &[usize], count: usize| -> Vec<usize> {
            (0..count).filter(|i| !before.contains(i)).collect()
        };
        // The rows that are tested again come last.
        let also = TestedEquations {
            forces: not_among(&tested.forces, n),
            rows: not_among(&tested.rows, c),
            ..TestedEquations::default()
        };
        let again = TestedEquations {
            forces: tested.forces.clone(),
            rows: tested.rows.clone(),
            ..TestedEquations::default()
        };
        let mut residuals = self.evaluate_residuals(builder, &also, &solution, &minus_multipliers);
        residuals.extend(self.evaluate_residuals(builder, &again, &solution, &minus_multipliers));
        Correction {
            instructions: Vec::new(),
            residual: residuals.iter().map(|[residual, _]| *residual).collect(),
            terms: residuals.iter().map(|[_, terms]| *terms).collect(),
            solution,
            multipliers,
        }
    }
}

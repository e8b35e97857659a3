//! The unrolled solution: its operands, and its tests.

use super::elimination::{Factors, LowerEntry, Sides};
use crate::codegen::cost_model::REFINED_WITH_DERIVATIVES;
use crate::codegen::ir::{Builder, Operand, Schedule, Signed};

/// Code for the terms of the equations and, if it is not too long, their solution.
#[derive(Clone, Debug)]
pub struct SolveSchedule {
    /// The instructions; its roots are the lower triangle of M row by row, f, J row by row, gamma,
    /// and the others.
    pub schedule: Schedule,
    /// The unrolled solution, unless it would be too long or a pivot is zero by structure.
    pub factorization: Option<Factorization>,
}

/// The results of the unrolled factorisation.
#[derive(Clone, Debug)]
pub struct Factorization {
    /// The pivots: n of M, and c of the Schur complement J M^-1 J^T. With coordinate partitioning, those of the other
    /// velocities and of the remaining rows, and other values that must not be small.
    pub pivots: Vec<Operand>,
    /// The number of pivots of M.
    pub pivots_of_mass: usize,
    /// The diagonal entries of M and of the Schur complement, the scales of the pivots.
    pub diagonal: Vec<Operand>,
    /// The entries of L D below the diagonal that are not zero by structure, column by column, in the order of
    /// elimination. Many of them are entries of M or of J. Empty if M itself was not factored, and with coordinate
    /// partitioning.
    pub lower: Vec<LowerEntry>,
    /// L, row by row, up to its diagonal, with zeros for the ones, for derivatives of the solution whose columns are
    /// not among these. Empty unless all was eliminated in the order of the rows.
    pub unit_lower: Vec<Operand>,
    /// The derivatives of a and lambda, if they are requested, few and short; see [`Beyond`](crate::Beyond).
    pub columns: Option<SolvedColumns>,
    /// Otherwise the derivatives of a by the inputs, if these take few operations.
    pub by_input: Option<SolvedInputs>,
    /// W, if M + J^T W J replaces M; otherwise empty.
    pub weights: Vec<Operand>,
    /// The tested residuals of M a = f + J^T lambda, then those of J a = gamma.
    pub residual: Vec<Operand>,
    /// The equations of these residuals.
    pub tested: TestedEquations,
    /// The sums of the absolute values of the terms of these equations, or lower bounds, to within the residuals.
    pub terms: Vec<Operand>,
    /// a.
    pub solution: Vec<Operand>,
    /// lambda.
    pub multipliers: Vec<Operand>,
    /// -lambda.
    pub(super) minus_multipliers: Vec<Signed>,
    /// The factors for other right-hand sides.
    pub(super) factors: Factors,
}

impl Factorization {
    /// A solution without tests so far.
    pub(super) fn new(
        builder: &mut Builder,
        factors: Factors,
        forcing: &[Operand],
        gamma: &[Operand],
        sides: Sides,
    ) -> Self {
        let [solution, minus_multipliers] = factors.solve(builder, forcing, gamma, sides);
        let multipliers = minus_multipliers
            .iter()
            .map(|value| value.negated().operand(builder))
            .collect();
        Factorization {
            pivots: factors.pivots.clone(),
            pivots_of_mass: factors.pivots_of_mass,
            diagonal: factors.diagonal.clone(),
            lower: factors.lower.clone(),
            unit_lower: Vec::new(),
            columns: None,
            by_input: None,
            weights: Vec::new(),
            residual: Vec::new(),
            tested: TestedEquations::default(),
            terms: Vec::new(),
            solution: solution.iter().map(|a| a.operand(builder)).collect(),
            multipliers,
            minus_multipliers,
            factors,
        }
    }

    /// Stores the residuals of the tested equations.
    pub(super) fn store_residuals(&mut self, residuals: &[[Operand; 2]]) {
        self.residual = residuals.iter().map(|[left, _]| *left).collect();
        self.terms = residuals.iter().map(|[_, terms]| *terms).collect();
    }

    /// The number of entries of a substitution, in either direction.
    pub(super) fn entries(&self) -> usize {
        self.factors.entries()
    }

    /// The solution for another right-hand side: f and gamma. The multipliers are -lambda.
    pub(super) fn substitute(
        &self,
        builder: &mut Builder,
        forcing: &[Operand],
        gamma: &[Operand],
    ) -> Vec<Operand> {
        let solved = self
            .factors
            .solve(builder, forcing, gamma, Sides::Several)
            .concat();
        solved.iter().map(|value| value.operand(builder)).collect()
    }

    /// Returns whether constraints give velocities, so that neither these nor their multipliers were eliminated.
    pub fn is_partitioned(&self) -> bool {
        self.factors.is_partitioned()
    }

    /// A column of M^-1 from one row on, if all was eliminated in the order of the rows.
    pub(super) fn column_of_inverse(
        &self,
        builder: &mut Builder,
        column: usize,
        first: usize,
    ) -> Vec<Signed> {
        self.factors.column_of_inverse(builder, column, first)
    }

    /// Stores L too, if all was eliminated in the order of the rows.
    pub(super) fn store_unit_lower(&mut self, builder: &mut Builder) {
        self.unit_lower = self.factors.unit_lower(builder);
    }
}

/// The measure of the size of the terms of an equation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Size {
    /// A lower bound.
    #[default]
    AtLeast,
    /// The sum of the sizes of all terms.
    Sum,
}

/// The tested equations: those that do not hold by construction.
#[derive(Clone, Default, Debug)]
pub struct TestedEquations {
    /// Rows of M a = f + J^T lambda.
    pub forces: Vec<usize>,
    /// Rows of J a = gamma.
    pub rows: Vec<usize>,
    /// The velocities whose accelerations occur in none of these.
    pub untested: Vec<usize>,
    /// The measure of the sizes of their terms.
    pub(super) size: Size,
}

/// The derivatives of a and lambda by position, by velocity and by the inputs, all row by row.
#[derive(Clone, Debug)]
pub struct SolvedColumns {
    /// The derivatives of a: n x n, n x n, and n x as many as there are inputs.
    pub accelerations: [Vec<Operand>; 3],
    /// The derivatives of lambda.
    pub multipliers: [Vec<Operand>; 3],
    /// The residuals of the derivatives of J a = gamma, except those that are zero by structure.
    pub residual: Vec<Operand>,
    /// Lower bounds of the sums of the absolute values of the terms of these equations, to within the residuals.
    pub terms: Vec<Operand>,
    /// Sums of the entries that J does not bind, and of the derivatives of lambda: finite only if all of these are.
    pub sums: Vec<Operand>,
}

/// The derivatives of accelerations by inputs.
#[derive(Clone, Debug)]
pub struct SolvedInputs {
    /// Row by row.
    pub entries: Vec<Operand>,
    /// The sum of those that differ, which is finite only if all are.
    pub sum: Operand,
}

pub(super) fn is_corrected(factors: &Factorization) -> bool {
    factors.multipliers.len() >= REFINED_WITH_DERIVATIVES[usize::from(factors.is_partitioned())]
}

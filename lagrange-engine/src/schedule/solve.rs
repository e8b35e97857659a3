//! The solution of the equations of motion as instructions: an LDL^T factorisation, unrolled over
//! the entries that are not structurally zero.
//!
//! With constraints the system is `M a - J^T lambda = f`, `J a = gamma`, and the matrix factored is
//! `[M J^T; J 0]` with the unknowns a and -lambda; without, it is M. K = L D L^T with unit lower
//! triangular L and diagonal D (Golub and Van Loan, *Matrix Computations*, 4th ed., section 4.1.2),
//! by columns and without pivoting: for positive definite M, the first n pivots are positive and
//! the others are minus those of the Schur complement J M^-1 J^T. The pivots are results too: where
//! one is not well above zero relative to its diagonal entry before elimination, the caller solves
//! by a method that pivots.
//!
//! Without pivoting the constraints' equations may lose digits where a light coordinate carries a force:
//! M a = f + J^T lambda holds to rounding by the way a is computed, J a = gamma need not. So what a
//! leaves of J a = gamma, and a size that the terms have at least, are results as well: an equation that
//! holds to some eps of its terms is solved as well as any can be (Oettli and Prager, "Compatibility of
//! approximate solution of linear equations", *Numer. Math.* 6, 1964). The sum of all terms would cost as
//! much as the residual does.
//!
//! Where M is singular everywhere, M + J^T W J takes its place, and f + J^T W gamma that of f, which
//! leaves the solution what it is (Golub and Greif, "On solving block-structured indefinite linear
//! systems", *SIAM J. Sci. Comput.* 24, 2003). The sum loses digits of M, so that all equations are
//! judged then.

use super::builder::Builder;
use super::{Operand, Schedule, lower};
use crate::{Graph, NodeId, Unary, lower_triangle};

/// Longer factorisations are loops at run time: unrolled they would crowd the instruction cache and
/// the compiler.
const MAX_UNROLLED: u32 = 4000;

pub(super) const ZERO: Operand = Operand::Constant(0.0);

/// What the equations of motion are made of: n coordinates and c constraints.
#[derive(Clone, Copy, Debug)]
pub struct Equation<'a> {
    /// The lower triangle of M, row by row.
    pub mass_matrix: &'a [NodeId],
    /// f: n entries.
    pub forcing: &'a [NodeId],
    /// J, row by row: c x n entries.
    pub jacobian: &'a [NodeId],
    /// gamma: c entries.
    pub gamma: &'a [NodeId],
    /// Whether M is known to be singular at every state.
    pub singular: bool,
    /// What else is to be computed.
    pub others: &'a [NodeId],
}

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
    /// The pivots: n of M, and c of the Schur complement J M^-1 J^T.
    pub pivots: Vec<Operand>,
    /// The diagonal entries of M and of the Schur complement, which the pivots are measured by.
    pub diagonal: Vec<Operand>,
    /// The entries of L D below the diagonal that are not zero by structure, row by row: row, column, entry.
    /// Many of them are entries of M or of J.
    pub lower: Vec<(usize, usize, Operand)>,
    /// L, row by row, up to its diagonal: the ones there are zeros.
    pub unit_lower: Vec<Operand>,
    /// The reciprocals of D.
    pub reciprocals: Vec<Operand>,
    /// W, if it is M + J^T W J that stands in the place of M; else nothing.
    pub weights: Vec<Operand>,
    /// What the solution leaves of J a = gamma, and before these, if augmented, of M a = f + J^T lambda.
    pub residual: Vec<Operand>,
    /// What the sums of the absolute values of the terms of these equations are at least, to within the
    /// residuals.
    pub terms: Vec<Operand>,
    /// a.
    pub solution: Vec<Operand>,
    /// lambda.
    pub multipliers: Vec<Operand>,
}

impl Factorization {
    fn judged(&mut self, [residual, terms]: [Operand; 2]) {
        self.residual.push(residual);
        self.terms.push(terms);
    }

    /// The solution for another right-hand side (f, gamma), where M is what was factored; the multipliers are
    /// -lambda.
    pub(super) fn substitute(&self, builder: &mut Builder, right: &[Operand]) -> Vec<Operand> {
        substitute(builder, &self.unit_lower, &self.reciprocals, right)
    }
}

impl Equation<'_> {
    /// The lower triangle of M, f, J and gamma.
    pub(super) fn terms(&self) -> Vec<NodeId> {
        [self.mass_matrix, self.forcing, self.jacobian, self.gamma].concat()
    }
}

/// Schedules the terms and the solution of the equations of motion together.
pub fn schedule_solve(graph: &Graph, equation: Equation<'_>) -> SolveSchedule {
    let roots = [&equation.terms(), equation.others].concat();
    let mut builder = Builder::default();
    let values = lower::lower(graph, &roots, &mut builder);
    let factorization = Blocks::of(&values, &equation).unrolled(&mut builder, equation.singular);
    SolveSchedule {
        schedule: builder.finish(values),
        factorization,
    }
}

/// M as its lower triangle, f, J by rows, gamma.
pub(super) struct Blocks<'a> {
    matrix: &'a [Operand],
    forcing: &'a [Operand],
    jacobian: &'a [Operand],
    gamma: &'a [Operand],
}

impl<'a> Blocks<'a> {
    /// From the values of the terms of an equation, which others may follow.
    pub(super) fn of(values: &'a [Operand], equation: &Equation<'_>) -> Self {
        let (matrix, rest) = values.split_at(equation.mass_matrix.len());
        let (forcing, rest) = rest.split_at(equation.forcing.len());
        let (jacobian, rest) = rest.split_at(equation.jacobian.len());
        let (gamma, _) = rest.split_at(equation.gamma.len());
        Blocks {
            matrix,
            forcing,
            jacobian,
            gamma,
        }
    }

    /// The solution, unless it is too long, or a pivot is zero by structure.
    pub(super) fn unrolled(&self, builder: &mut Builder, singular: bool) -> Option<Factorization> {
        let is_short = unrolled_operations(self, singular) <= MAX_UNROLLED;
        let is_augmented = singular && !self.gamma.is_empty();
        is_short
            .then(|| self.solve(builder, is_augmented))
            .flatten()
    }

    fn coordinates(&self) -> usize {
        self.forcing.len()
    }

    fn rows(&self) -> impl Iterator<Item = &[Operand]> {
        self.jacobian.chunks(self.coordinates().max(1))
    }

    /// `None` where a pivot is zero by structure.
    fn solve(&self, builder: &mut Builder, augmented: bool) -> Option<Factorization> {
        let n = self.coordinates();
        let (mut matrix, mut forcing) = (self.matrix.to_vec(), self.forcing.to_vec());
        let mut weights = Vec::new();
        if augmented {
            weights = self.augment(builder, &mut matrix, &mut forcing);
        }
        let saddle = saddle_point_matrix(&matrix, self.jacobian, n);
        let right = [&forcing, self.gamma].concat();
        let mut factors = factorize(builder, &saddle, &right, n)?;
        factors.weights = weights;
        if augmented {
            for i in 0..n {
                self.judge_force(builder, i, &mut factors);
            }
        }
        for (row, gamma) in self.rows().zip(self.gamma) {
            let products = row.iter().copied().zip(factors.solution.iter().copied());
            let judged = judge(builder, *gamma, products.collect());
            factors.judged(judged);
        }
        for lambda in &mut factors.multipliers {
            *lambda = builder.neg(*lambda);
        }
        Some(factors)
    }

    /// f - M a + J^T lambda in row i, where the multipliers have their signs still to change.
    fn judge_force(&self, builder: &mut Builder, i: usize, factors: &mut Factorization) {
        let mass = |k: usize| self.matrix[lower_triangle(i.max(k), i.min(k))];
        let inertial = factors.solution.iter().enumerate();
        let mut products: Vec<_> = inertial.map(|(k, a)| (mass(k), *a)).collect();
        for (row, lambda) in self.rows().zip(&factors.multipliers) {
            products.push((row[i], *lambda));
        }
        let judged = judge(builder, self.forcing[i], products);
        factors.judged(judged);
    }

    /// Adds J^T W J to M and J^T W gamma to f. The weights make both terms alike in size among the
    /// coordinates of each constraint: (sum of M_ii J_ki^2) / |J_k|^4.
    ///
    /// Returns the weights.
    fn augment(
        &self,
        builder: &mut Builder,
        matrix: &mut [Operand],
        forcing: &mut [Operand],
    ) -> Vec<Operand> {
        let mut weights = Vec::with_capacity(self.gamma.len());
        for (row, gamma) in self.rows().zip(self.gamma) {
            let (mut square, mut inertia) = (ZERO, ZERO);
            for (i, entry) in row.iter().enumerate() {
                let own = builder.mul(*entry, *entry);
                square = builder.add(square, own);
                inertia = builder.mul_add(self.matrix[lower_triangle(i, i)], own, inertia);
            }
            let scale = builder.recip(square);
            let weight = builder.mul(inertia, scale);
            let weight = builder.mul(weight, scale);
            weights.push(weight);
            for i in 0..row.len() {
                let weighted = builder.mul(weight, row[i]);
                forcing[i] = builder.mul_add(weighted, *gamma, forcing[i]);
                for j in 0..=i {
                    let entry = &mut matrix[lower_triangle(i, j)];
                    *entry = builder.mul_add(weighted, row[j], *entry);
                }
            }
        }
        weights
    }

    /// The pattern of M + J^T J.
    fn augmented_pattern(&self) -> Vec<Operand> {
        let mut pattern = self.matrix.to_vec();
        for row in self.rows() {
            for i in 0..row.len() {
                for j in 0..=i {
                    if row[i] != ZERO && row[j] != ZERO {
                        pattern[lower_triangle(i, j)] = Operand::Constant(1.0);
                    }
                }
            }
        }
        pattern
    }
}

/// What is left of a right-hand side after these products, and what the terms are at least: the size of
/// the right-hand side, and what the last product has to make up for.
fn judge(
    builder: &mut Builder,
    right: Operand,
    mut products: Vec<(Operand, Operand)>,
) -> [Operand; 2] {
    products.retain(|(entry, x)| *entry != ZERO && *x != ZERO);
    let (mut left, mut before) = (right, right);
    for (entry, x) in products {
        before = left;
        left = builder.neg_mul_add(entry, x, left);
    }
    let [right, before] = [right, before].map(|part| builder.unary(Unary::Abs, part));
    [left, builder.add(right, before)]
}

/// The lower triangle of `[M J^T; J 0]`.
fn saddle_point_matrix(matrix: &[Operand], jacobian: &[Operand], n: usize) -> Vec<Operand> {
    let mut saddle = matrix.to_vec();
    for (i, row) in jacobian.chunks(n.max(1)).enumerate() {
        saddle.extend(row);
        saddle.extend(std::iter::repeat_n(ZERO, i + 1));
    }
    saddle
}

/// `None` where a pivot is zero by structure. The multipliers are -lambda, as they come out.
fn factorize(
    builder: &mut Builder,
    matrix: &[Operand],
    right: &[Operand],
    n: usize,
) -> Option<Factorization> {
    let size = right.len();
    let mut lower = vec![ZERO; matrix.len()];
    let mut scaled = vec![ZERO; matrix.len()];
    let mut reciprocals = Vec::with_capacity(size);
    let (mut pivots, mut diagonal) = (Vec::with_capacity(size), Vec::with_capacity(size));
    for j in 0..size {
        for i in j..size {
            // (L D)_ij = K_ij - sum_k L_jk (L D)_ik
            let mut entry = matrix[lower_triangle(i, j)];
            for k in 0..j {
                if i == j && k == n {
                    diagonal.push(builder.neg(entry));
                }
                let (a, b) = (lower[lower_triangle(j, k)], scaled[lower_triangle(i, k)]);
                entry = builder.neg_mul_add(a, b, entry);
            }
            scaled[lower_triangle(i, j)] = entry;
            if i != j {
                lower[lower_triangle(i, j)] = builder.mul(entry, reciprocals[j]);
                continue;
            }
            if entry == ZERO {
                return None;
            }
            if j < n {
                diagonal.push(matrix[lower_triangle(j, j)]);
                pivots.push(entry);
            } else {
                pivots.push(builder.neg(entry));
            }
            if j == n {
                diagonal.push(pivots[j]);
            }
            reciprocals.push(builder.recip(entry));
        }
    }
    let mut solution = substitute(builder, &lower, &reciprocals, right);
    let multipliers = solution.split_off(n);
    Some(Factorization {
        pivots,
        diagonal,
        lower: entries_of(&scaled, size),
        unit_lower: lower,
        reciprocals,
        weights: Vec::new(),
        residual: Vec::new(),
        terms: Vec::new(),
        solution,
        multipliers,
    })
}

/// The entries below the diagonal of a lower triangle of so many rows that are not zero.
fn entries_of(lower: &[Operand], rows: usize) -> Vec<(usize, usize, Operand)> {
    let places = (0..rows).flat_map(|i| (0..i).map(move |k| (i, k)));
    let entries = places.map(|(i, k)| (i, k, lower[lower_triangle(i, k)]));
    entries.filter(|(_, _, entry)| *entry != ZERO).collect()
}

/// L y = f forwards, then D L^T a = y backwards.
fn substitute(
    builder: &mut Builder,
    lower: &[Operand],
    reciprocals: &[Operand],
    right: &[Operand],
) -> Vec<Operand> {
    let n = right.len();
    let mut x = right.to_vec();
    for i in 0..n {
        for k in 0..i {
            x[i] = builder.neg_mul_add(lower[lower_triangle(i, k)], x[k], x[i]);
        }
    }
    for i in (0..n).rev() {
        x[i] = builder.mul(x[i], reciprocals[i]);
        for k in i + 1..n {
            x[i] = builder.neg_mul_add(lower[lower_triangle(k, i)], x[k], x[i]);
        }
    }
    x
}

/// The operations of [`factorize`], counted on the pattern of zeros alone.
fn unrolled_operations(blocks: &Blocks, singular: bool) -> u32 {
    let matrix = if singular {
        blocks.augmented_pattern()
    } else {
        blocks.matrix.to_vec()
    };
    let matrix = saddle_point_matrix(&matrix, blocks.jacobian, blocks.coordinates());
    let n = blocks.forcing.len() + blocks.gamma.len();
    let mut filled: Vec<bool> = matrix.iter().map(|entry| *entry != ZERO).collect();
    let mut count = 0_u32;
    for j in 0..n {
        for i in j..n {
            for k in 0..j {
                if filled[lower_triangle(j, k)] && filled[lower_triangle(i, k)] {
                    filled[lower_triangle(i, j)] = true;
                    count += 2;
                }
            }
            // The column's scaling, and both substitutions.
            count += if filled[lower_triangle(i, j)] { 5 } else { 0 };
        }
        if count > MAX_UNROLLED {
            break;
        }
    }
    count
}

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

use super::builder::Builder;
use super::{Operand, Schedule, lower};
use crate::{Graph, NodeId, lower_triangle};

/// Longer factorisations are loops at run time: unrolled they would crowd the instruction cache and
/// the compiler.
const MAX_UNROLLED: u32 = 4000;

const ZERO: Operand = Operand::Constant(0.0);

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
}

/// Code for the terms of the equations and, if it is not too long, their solution.
#[derive(Clone, Debug)]
pub struct SolveSchedule {
    /// The instructions; its roots are the lower triangle of M row by row, f, J row by row, gamma.
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
    /// a.
    pub solution: Vec<Operand>,
    /// lambda.
    pub multipliers: Vec<Operand>,
}

/// Schedules the terms and the solution of the equations of motion together.
pub fn schedule_solve(graph: &Graph, equation: Equation<'_>) -> SolveSchedule {
    let Equation {
        mass_matrix,
        forcing,
        jacobian,
        gamma,
    } = equation;
    let roots = [mass_matrix, forcing, jacobian, gamma].concat();
    let mut builder = Builder::default();
    let values = lower::lower(graph, &roots, &mut builder);
    let (matrix, rest) = values.split_at(mass_matrix.len());
    let (forcing, rest) = rest.split_at(forcing.len());
    let (jacobian, gamma) = rest.split_at(jacobian.len());
    let saddle = saddle_point_matrix(matrix, jacobian, forcing.len());
    let right = [forcing, gamma].concat();
    let short = unrolled_operations(&saddle, right.len()) <= MAX_UNROLLED;
    let factorization = short
        .then(|| factorize(&mut builder, &saddle, &right, forcing.len()))
        .flatten();
    SolveSchedule {
        schedule: builder.finish(values),
        factorization,
    }
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

/// `None` where a pivot is zero by structure.
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
        solution,
        multipliers: multipliers.into_iter().map(|x| builder.neg(x)).collect(),
    })
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
fn unrolled_operations(matrix: &[Operand], n: usize) -> u32 {
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

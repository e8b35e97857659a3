//! The solution of M a = f as instructions: an LDL^T factorisation, unrolled over the entries of M
//! that are not structurally zero.
//!
//! M = L D L^T with unit lower triangular L and diagonal D (Golub and Van Loan, *Matrix
//! Computations*, 4th ed., section 4.1.2), by columns, each entry of L computed once from its row of
//! L D; without pivoting, so that the pivots are results too: where one is not well above zero
//! relative to its diagonal entry, the caller solves by a method that pivots.

use super::builder::Builder;
use super::{Operand, Schedule, lower};
use crate::{Graph, NodeId, lower_triangle};

/// Longer factorisations are loops at run time: unrolled they would crowd the instruction cache and
/// the compiler.
const MAX_UNROLLED: u32 = 1200;

const ZERO: Operand = Operand::Constant(0.0);

/// Code for M, f and, if it is small, the solution of M a = f.
#[derive(Clone, Debug)]
pub struct SolveSchedule {
    /// The instructions; its roots are the lower triangle of M row by row, and then f.
    pub schedule: Schedule,
    /// The unrolled solution, unless it would be too long.
    pub factorization: Option<Factorization>,
}

/// The results of the unrolled factorisation.
#[derive(Clone, Debug)]
pub struct Factorization {
    /// The diagonal of D.
    pub pivots: Vec<Operand>,
    /// a.
    pub solution: Vec<Operand>,
}

/// Schedules M, f and the solution of M a = f together.
pub fn schedule_solve(graph: &Graph, mass_matrix: &[NodeId], forcing: &[NodeId]) -> SolveSchedule {
    let roots = [mass_matrix, forcing].concat();
    let mut builder = Builder::default();
    let values = lower::lower(graph, &roots, &mut builder);
    let (matrix, right) = values.split_at(mass_matrix.len());
    let short = unrolled_operations(matrix, forcing.len()) <= MAX_UNROLLED;
    let factorization = short.then(|| factorize(&mut builder, matrix, right));
    SolveSchedule {
        schedule: builder.finish(values),
        factorization,
    }
}

fn factorize(builder: &mut Builder, matrix: &[Operand], right: &[Operand]) -> Factorization {
    let n = right.len();
    let mut lower = vec![ZERO; matrix.len()];
    let mut scaled = vec![ZERO; matrix.len()];
    let mut pivots = Vec::with_capacity(n);
    let mut reciprocals = Vec::with_capacity(n);
    for j in 0..n {
        for i in j..n {
            // (L D)_ij = M_ij - sum_k L_jk (L D)_ik
            let mut entry = matrix[lower_triangle(i, j)];
            for k in 0..j {
                let (a, b) = (lower[lower_triangle(j, k)], scaled[lower_triangle(i, k)]);
                entry = builder.neg_mul_add(a, b, entry);
            }
            scaled[lower_triangle(i, j)] = entry;
            if i == j {
                pivots.push(entry);
                reciprocals.push(builder.recip(entry));
            } else {
                lower[lower_triangle(i, j)] = builder.mul(entry, reciprocals[j]);
            }
        }
    }
    Factorization {
        pivots,
        solution: substitute(builder, &lower, &reciprocals, right),
    }
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

//! L D Lᵀ without pivoting, for positive definite matrices.
//!
//! No pivoting is needed for a positive definite M, and scaling the coordinates does not change the accuracy (Golub & Van
//! Loan, *Matrix Computations*, 4th ed., section 4.1).

use nalgebra::SimdRealField;

use super::{
    multi_rhs::subtract,
    out_parameters::{diagonal_of, mirror},
};
use crate::math::{constant, neg_mul_add, recip};

/// Factors a symmetric A by its lower triangle, as [`factor`] does, and returns the pivots. Entries below the diagonal, and
/// the diagonal, stay.
#[inline]
pub(super) fn factor_lower<S: SimdRealField + Copy, const N: usize>(
    rows: &mut [[S; N]; N],
) -> [S; N] {
    mirror(rows);
    let mut pivots = diagonal_of(rows);
    factor(rows, &mut pivots);
    pivots
}

/// Factors a symmetric A = L D Lᵀ. `rows` has the first `R` columns of A strictly above the diagonal, and `pivots` its
/// diagonal. Lᵀ and D replace these entries; the entries below the diagonal, and in further columns, stay.
///
/// It goes by rows of Lᵀ and subtracts each from those below it (Golub & Van Loan, *Matrix Computations*, 4th ed.,
/// section 4.1). The pivots are not checked.
#[inline]
pub(super) fn factor<S: SimdRealField + Copy, const R: usize, const W: usize>(
    rows: &mut [[S; W]; R],
    pivots: &mut [S; R],
) {
    if R > W {
        return;
    }
    for k in 0..R {
        let row = rows[k];
        let reciprocal = recip(pivots[k]);
        for i in k + 1..R {
            let factor = row[i] * reciprocal;
            pivots[i] = neg_mul_add(factor, row[i], pivots[i]);
            for j in i + 1..R {
                rows[i][j] = neg_mul_add(factor, row[j], rows[i][j]);
            }
            rows[k][i] = factor;
        }
    }
}

/// Replaces x by A⁻¹ x.
#[inline]
pub(super) fn solve<S: SimdRealField + Copy, const R: usize, const W: usize>(
    rows: &[[S; W]; R],
    pivots: &[S; R],
    x: &mut [S; R],
) {
    if R > W {
        return;
    }
    for k in 0..R {
        let value = x[k];
        for i in k + 1..R {
            x[i] = neg_mul_add(rows[k][i], value, x[i]);
        }
    }
    for k in (0..R).rev() {
        let mut entry = x[k] / pivots[k];
        for i in k + 1..R {
            entry = neg_mul_add(rows[k][i], x[i], entry);
        }
        x[k] = entry;
    }
}

/// Replaces the columns of x by A⁻¹ times them.
#[inline]
pub(super) fn solve_abreast<
    S: SimdRealField + Copy,
    const R: usize,
    const V: usize,
    const W: usize,
>(
    rows: &[[S; V]; R],
    pivots: &[S; R],
    x: &mut [[S; W]; R],
) {
    if R > V {
        return;
    }
    for k in 0..R {
        let mut entries = x[k];
        for i in 0..k {
            subtract(rows[i][k], &x[i], &mut entries);
        }
        x[k] = entries;
    }
    for k in (0..R).rev() {
        let reciprocal = recip(pivots[k]);
        let mut entries = x[k];
        for entry in &mut entries {
            *entry *= reciprocal;
        }
        for i in k + 1..R {
            subtract(rows[k][i], &x[i], &mut entries);
        }
        x[k] = entries;
    }
}

/// The lanes in which every pivot is more than `share` of its diagonal entry. NaN is not.
#[inline]
pub(super) fn regular_lanes<S: SimdRealField + Copy>(
    pivots: &[S],
    diagonal: &[S],
    share: f64,
) -> S::SimdBool {
    let zero = S::zero();
    let mut regular = zero.simd_eq(zero);
    for k in 0..pivots.len().min(diagonal.len()) {
        let floor = diagonal[k] * constant(share);
        regular = regular & pivots[k].simd_gt(floor) & floor.simd_gt(zero);
    }
    regular
}

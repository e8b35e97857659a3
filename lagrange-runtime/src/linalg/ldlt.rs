//! L D Lᵀ without pivoting, for positive definite matrices.

use nalgebra::{RealField, SimdRealField};

use super::{
    multi_rhs::subtract,
    out_parameters::{diagonal_of, mirror},
    tolerances::are_regular,
};
use crate::math::{constant, neg_mul_add, recip};

/// The factors of M = L D Lᵀ, with L unit lower triangular and D diagonal.
///
/// No pivoting is needed for a positive definite M, and scaling the coordinates does not change the accuracy (Golub & Van
/// Loan, *Matrix Computations*, 4th ed., section 4.1).
///
/// ```
/// use lagrange_runtime::linalg::Ldlt;
///
/// let factors = Ldlt::try_factor(&[[4.0, 2.0], [2.0, 2.0]]).expect("positive definite");
/// assert_eq!(factors.solve(&[8.0, 6.0]), [1.0, 2.0]);
/// assert_eq!(factors.solve(&[4.0, 2.0]), [1.0, 0.0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ldlt<S, const N: usize> {
    /// Lᵀ above its diagonal.
    rows: [[S; N]; N],
    pivots: [S; N],
}

impl<S: SimdRealField + Copy, const N: usize> Ldlt<S, N> {
    /// Factors M without any check. Only the lower triangle is read.
    ///
    /// ```
    /// use lagrange_runtime::linalg::Ldlt;
    ///
    /// // Nothing tells that the matrix is singular, but what comes out.
    /// let solution = Ldlt::factor(&[[1.0, 1.0], [1.0, 1.0]]).solve(&[1.0, 2.0]);
    /// assert!(!solution.iter().all(|entry: &f64| entry.is_finite()));
    /// ```
    #[inline]
    pub fn factor(m: &[[S; N]; N]) -> Self {
        let mut rows = *m;
        let pivots = factor_lower(&mut rows);
        Self { rows, pivots }
    }

    /// The solution x of `M x = b`.
    #[inline]
    pub fn solve(&self, b: &[S; N]) -> [S; N] {
        let mut x = *b;
        solve(&self.rows, &self.pivots, &mut x);
        x
    }
}

impl<S: RealField + Copy, const N: usize> Ldlt<S, N> {
    /// Factors M; `None` if a pivot is not [`regular`](super::regular).
    #[inline]
    pub fn try_factor(m: &[[S; N]; N]) -> Option<Self> {
        // A bad pivot affects only later pivots, so a test at the end misses none.
        let factors = Self::factor(m);
        are_regular(&factors.pivots, &diagonal_of(m)).then_some(factors)
    }
}

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

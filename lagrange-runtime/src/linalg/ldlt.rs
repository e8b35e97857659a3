//! L D Lᵀ without pivoting, for positive definite matrices.

use nalgebra::{RealField, SimdRealField};

use super::tolerances::regular;
use crate::math::{neg_mul_add, recip};

/// The factors of M = L D Lᵀ, with L unit lower triangular and D diagonal.
///
/// Computed row by row (Golub & Van Loan, *Matrix Computations*, 4th ed., section 4.1). No pivoting is
/// needed for a positive definite M, and scaling the coordinates does not change the accuracy.
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
    /// L below its diagonal; the rest is zero.
    lower: [[S; N]; N],
    pivots: [S; N],
    reciprocals: [S; N],
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
        let zero = S::zero();
        let mut lower = [[zero; N]; N];
        let mut pivots = [zero; N];
        let mut reciprocals = [zero; N];
        for i in 0..N {
            // First the row of L D, by substitution with the rows above, then that of L.
            let mut row = m[i];
            for j in 0..i {
                let mut entry = row[j];
                for k in 0..j {
                    entry = neg_mul_add(row[k], lower[j][k], entry);
                }
                row[j] = entry;
            }
            let mut pivot = row[i];
            for j in 0..i {
                let factor = row[j] * reciprocals[j];
                pivot = neg_mul_add(row[j], factor, pivot);
                lower[i][j] = factor;
            }
            pivots[i] = pivot;
            reciprocals[i] = recip(pivot);
        }
        Self {
            lower,
            pivots,
            reciprocals,
        }
    }

    /// The solution x of `M x = b`.
    #[inline]
    pub fn solve(&self, b: &[S; N]) -> [S; N] {
        let mut x = *b;
        for i in 0..N {
            let mut entry = x[i];
            for j in 0..i {
                entry = neg_mul_add(self.lower[i][j], x[j], entry);
            }
            x[i] = entry;
        }
        for i in 0..N {
            x[i] *= self.reciprocals[i];
        }
        for i in (0..N).rev() {
            let solved = x[i];
            for j in 0..i {
                x[j] = neg_mul_add(self.lower[i][j], solved, x[j]);
            }
        }
        x
    }
}

impl<S: RealField + Copy, const N: usize> Ldlt<S, N> {
    /// Factors M; `None` if a pivot is not [`regular`].
    #[inline]
    pub fn try_factor(m: &[[S; N]; N]) -> Option<Self> {
        // A bad pivot affects only later pivots, so a test at the end misses none.
        let factors = Self::factor(m);
        for i in 0..N {
            if !regular(factors.pivots[i], m[i][i], N) {
                return None;
            }
        }
        Some(factors)
    }
}

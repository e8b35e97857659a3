//! LU factorisation with complete pivoting, for any square matrix.

use nalgebra::RealField;

use crate::math::neg_mul_add;

/// The factors of P A Q = L U. The permutations P and Q move the largest remaining entry to each pivot.
///
/// Complete pivoting takes as many comparisons as multiplications, which is negligible at these sizes. Unlike partial
/// pivoting it shows the rank reliably (Golub & Van Loan, *Matrix Computations*, 4th ed., section 3.4; Higham,
/// *Accuracy and Stability of Numerical Algorithms*, 2nd ed., chapter 9).
#[derive(Clone, Copy, Debug)]
pub(super) struct PivotedLu<S, const N: usize> {
    /// U, and below the diagonal L without its unit diagonal.
    factors: [[S; N]; N],
    /// The row that step k exchanged with row k, and likewise for columns.
    row_swaps: [usize; N],
    column_swaps: [usize; N],
}

impl<S: RealField + Copy, const N: usize> PivotedLu<S, N> {
    /// Factors `a`; `None` if a pivot is not above `tolerance` times the largest entry of `a`.
    pub(super) fn factor(mut a: [[S; N]; N], tolerance: S) -> Option<Self> {
        let mut row_swaps = [0; N];
        let mut column_swaps = [0; N];
        let mut threshold = S::zero();
        for k in 0..N {
            let (row, column, size) = largest(&a, k);
            if k == 0 {
                threshold = tolerance * size;
            }
            // In this form NaN fails too.
            if !matches!(
                size.partial_cmp(&threshold),
                Some(core::cmp::Ordering::Greater)
            ) {
                return None;
            }
            exchange(&mut a, k, row);
            for i in 0..N {
                exchange(&mut a[i], k, column);
            }
            row_swaps[k] = row;
            column_swaps[k] = column;
            eliminate(&mut a, k);
        }
        Some(Self {
            factors: a,
            row_swaps,
            column_swaps,
        })
    }

    /// The solution x of `A x = b`.
    pub(super) fn solve(&self, b: &[S; N]) -> [S; N] {
        let mut x = *b;
        for k in 0..N {
            exchange(&mut x, k, self.row_swaps[k]);
        }
        for i in 0..N {
            let mut entry = x[i];
            for j in 0..i {
                entry = neg_mul_add(self.factors[i][j], x[j], entry);
            }
            x[i] = entry;
        }
        for i in (0..N).rev() {
            let mut entry = x[i];
            for j in i + 1..N {
                entry = neg_mul_add(self.factors[i][j], x[j], entry);
            }
            x[i] = entry / self.factors[i][i];
        }
        for k in (0..N).rev() {
            exchange(&mut x, k, self.column_swaps[k]);
        }
        x
    }
}

/// The inverse of a matrix; `None` if a pivot is 0 or NaN.
pub(crate) fn inverse<S: RealField + Copy, const N: usize>(a: [[S; N]; N]) -> Option<[[S; N]; N]> {
    let factors = PivotedLu::factor(a, S::zero())?;
    let mut inverse = [[S::zero(); N]; N];
    for j in 0..N {
        let mut unit = [S::zero(); N];
        unit[j] = S::one();
        let column = factors.solve(&unit);
        for i in 0..N {
            inverse[i][j] = column[i];
        }
    }
    Some(inverse)
}

/// Row, column and absolute value of the largest entry from row and column `k` on.
fn largest<S: RealField + Copy, const N: usize>(a: &[[S; N]; N], k: usize) -> (usize, usize, S) {
    let mut best = (k, k, S::zero());
    for i in k..N {
        for j in k..N {
            let size = a[i][j].abs();
            if size > best.2 {
                best = (i, j, size);
            }
        }
    }
    best
}

/// Subtracts multiples of row `k` from the rows below it and keeps the multipliers in column `k`.
fn eliminate<S: RealField + Copy, const N: usize>(a: &mut [[S; N]; N], k: usize) {
    let Some(&pivot_row) = a.get(k) else { return };
    let Some(&pivot) = pivot_row.get(k) else {
        return;
    };
    for i in k + 1..N {
        let factor = a[i][k] / pivot;
        a[i][k] = factor;
        for j in k + 1..N {
            a[i][j] = neg_mul_add(factor, pivot_row[j], a[i][j]);
        }
    }
}

/// Swaps two items. The indices are always in range; the test tells the compiler so.
#[inline(always)]
pub(crate) fn exchange<T>(items: &mut [T], i: usize, j: usize) {
    if i < items.len() && j < items.len() {
        items.swap(i, j);
    }
}

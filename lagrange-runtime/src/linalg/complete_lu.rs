//! LU factorisation with complete pivoting, for any square matrix by its blocks.

use nalgebra::RealField;

use super::{
    bordered::{Bordered, Parts, part, part_mut, swap},
    kkt_residual::Pair,
    tolerances::magnitude,
    vectors::{add_multiple, subtract_dot},
};

/// The order of the pivots of P A Q = L U. The permutations P and Q move the largest remaining entry to each pivot.
///
/// Complete pivoting takes as many comparisons as multiplications, which is negligible at these sizes. Unlike partial
/// pivoting it shows the rank reliably (Golub & Van Loan, *Matrix Computations*, 4th ed., section 3.4; Higham,
/// *Accuracy and Stability of Numerical Algorithms*, 2nd ed., chapter 9).
#[derive(Clone, Copy, Debug)]
pub(super) struct CompleteLu<const N: usize, const C: usize> {
    rows: Parts<usize, N, C>,
    columns: Parts<usize, N, C>,
}

impl<const N: usize, const C: usize> CompleteLu<N, C> {
    /// Replaces `a` by U, and below the diagonal by L without its unit diagonal; `None` if a pivot is not above the limit
    /// for the largest entry of `a`.
    pub(super) fn factor<S: RealField + Copy>(
        a: &mut Bordered<S, N, C>,
        limit: impl Fn(f64) -> f64,
    ) -> Option<Self> {
        let order = (core::array::from_fn(|i| i), core::array::from_fn(|k| N + k));
        let mut this = Self {
            rows: order,
            columns: order,
        };
        let mut first = None;
        for k in 0..N + C {
            let (row, column, size) = largest(a, k);
            // In this form NaN fails too.
            let is_regular = size > *first.get_or_insert_with(|| limit(size));
            if !is_regular {
                return None;
            }
            a.swap_rows(k, row);
            for i in 0..N + C {
                if let Some(entries) = a.row_mut(i) {
                    swap(entries, k, column);
                }
            }
            swap(&mut this.rows, k, row);
            swap(&mut this.columns, k, column);
            eliminate(a, k);
        }
        Some(this)
    }

    /// The solution x of `A x = b` by the factors.
    pub(super) fn solve<S: RealField + Copy>(
        &self,
        factors: &Bordered<S, N, C>,
        b: &Pair<S, N, C>,
    ) -> Pair<S, N, C> {
        let zeros = ([S::zero(); N], [S::zero(); C]);
        let (mut x, mut solution) = (zeros, zeros);
        for i in 0..N + C {
            let Some(row) = factors.row(i) else {
                continue;
            };
            let mut sum = part(&self.rows, i)
                .and_then(|row| part(b, *row))
                .copied()
                .unwrap_or_else(S::zero);
            let solved = (i.min(N), i.saturating_sub(N));
            if let (Some(first), Some(last)) = (row.0.get(..solved.0), row.1.get(..solved.1)) {
                sum = subtract_dot(last, &x.1, subtract_dot(first, &x.0, sum));
            }
            if let Some(place) = part_mut(&mut x, i) {
                *place = sum;
            }
        }
        for i in (0..N + C).rev() {
            let (Some(row), Some(&sum)) = (factors.row(i), part(&x, i)) else {
                continue;
            };
            let ([first, last], [of_x, last_of_x]) = (after(row, i), after(&x, i));
            let sum = subtract_dot(last, last_of_x, subtract_dot(first, of_x, sum));
            let value = part(row, i).map_or(sum, |pivot| sum / *pivot);
            let column = part(&self.columns, i).and_then(|index| part_mut(&mut solution, *index));
            for place in column.into_iter().chain(part_mut(&mut x, i)) {
                *place = value;
            }
        }
        solution
    }
}

/// The inverse of a matrix; `None` if a pivot is 0 or NaN.
pub(crate) fn inverse<S: RealField + Copy, const N: usize>(a: [[S; N]; N]) -> Option<[[S; N]; N]> {
    let mut factors = Bordered::<S, N, 0>::zeros();
    factors.set(&a, |_, _| S::zero(), &[], &[]);
    let order = CompleteLu::factor(&mut factors, |_| 0.0)?;
    let mut inverse = [[S::zero(); N]; N];
    for j in 0..N {
        let mut unit = [S::zero(); N];
        unit[j] = S::one();
        let (column, []) = order.solve(&factors, &(unit, []));
        for i in 0..N {
            inverse[i][j] = column[i];
        }
    }
    Some(inverse)
}

/// Row, column and absolute value of the largest entry from row and column `k` on.
fn largest<S: RealField + Copy, const N: usize, const C: usize>(
    a: &Bordered<S, N, C>,
    k: usize,
) -> (usize, usize, f64) {
    let mut best = (k, k, 0.0);
    for i in k..N + C {
        for j in k..N + C {
            let size = magnitude(a.get(i, j));
            if size > best.2 {
                best = (i, j, size);
            }
        }
    }
    best
}

/// Subtracts multiples of row `k` from the rows below it and keeps the multipliers in column `k`.
fn eliminate<S: RealField + Copy, const N: usize, const C: usize>(
    a: &mut Bordered<S, N, C>,
    k: usize,
) {
    let Some(&above) = a.row(k) else {
        return;
    };
    let Some(&pivot) = part(&above, k) else {
        return;
    };
    let [first, last] = after(&above, k);
    for i in k + 1..N + C {
        let Some(row) = a.row_mut(i) else {
            return;
        };
        let Some(entry) = part_mut(row, k) else {
            return;
        };
        *entry /= pivot;
        let factor = -*entry;
        let next = (k + 1).saturating_sub(N);
        add_multiple(factor, first, row.0.get_mut(k + 1..).unwrap_or_default());
        add_multiple(factor, last, row.1.get_mut(next..).unwrap_or_default());
    }
}

/// The values after an index.
#[inline(always)]
fn after<T, const N: usize, const C: usize>(parts: &Parts<T, N, C>, index: usize) -> [&[T]; 2] {
    let next = index + 1;
    [
        parts.0.get(next..).unwrap_or_default(),
        parts.1.get(next.saturating_sub(N)..).unwrap_or_default(),
    ]
}

/// Swaps two items. The indices are always in range; the test tells the compiler so.
#[inline(always)]
pub(crate) fn exchange<T>(items: &mut [T], i: usize, j: usize) {
    if i < items.len() && j < items.len() {
        items.swap(i, j);
    }
}

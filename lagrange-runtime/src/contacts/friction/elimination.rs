//! Square systems whose rows may depend on each other.

use nalgebra::RealField;

use super::rows::{PerRow, Rows, Sizes, Square};
use crate::math::constant;

/// The equations `A x = b` of some rows, in units in which the significant entries of A are about 1.
pub(super) struct Equations<S: Clone, L: Sizes> {
    pub(super) matrix: Square<S, 3, 1, L>,
    pub(super) right: PerRow<S, L>,
    /// The rows that are equations, and the unknowns of the same numbers. The others are not read.
    pub(super) active: PerRow<bool, L>,
}

/// The solution of [`Equations`].
#[doc(hidden)]
#[derive(Clone)]
pub struct Solution<S: Clone, L: Sizes> {
    pub x: PerRow<S, L>,
    /// The first row that depends on the others.
    pub dependent: Option<usize>,
    /// The largest entry that is left of dependent rows, in parts of the largest pivot.
    pub(super) remainder: S,
    /// The determinant; 0 if the rows depend on each other up to the root of rounding errors.
    pub(super) determinant: S,
}

impl<S: RealField + Copy, L: Sizes> Equations<S, L> {
    /// The solution by Gauss and Jordan's elimination with complete pivoting. If rows depend on each other, it is the
    /// one with the least sum of squares of the unknowns times `weights`.
    pub(super) fn solve(&mut self, weights: &PerRow<S, L>) -> Solution<S, L> {
        let count = self.right.count();
        let mut row_of = Rows::filled(self.right.sizes, None);
        let mut is_left = self.active.clone();
        let mut pivots = 0_usize;
        let mut largest = None;
        let mut determinant = S::one();
        let mut remainder = S::zero();
        while let Some((row, column, size)) = self.pivot(&is_left, &row_of) {
            let largest = *largest.get_or_insert(size);
            // The negation is true for NaN, too.
            if !(size > largest * self.dependent_share()) {
                determinant = S::zero();
                remainder = size / largest;
                break;
            }
            if !(size > largest * S::default_epsilon().sqrt()) {
                determinant = S::zero();
            }
            determinant *= self.entry(row, column);
            if self.is_odd(row, column, &is_left, &row_of) {
                determinant = -determinant;
            }
            self.eliminate(row, column);
            is_left.set(row, false);
            row_of.set(column, Some(row));
            pivots = pivots.wrapping_add(1);
        }
        let mut solution = Solution {
            x: Rows::filled(self.right.sizes, S::zero()),
            dependent: None,
            remainder,
            determinant,
        };
        for k in 0..count {
            if is_left.get(k) == Some(&true) {
                solution.dependent = solution.dependent.or(Some(k));
            }
            if let Some(row) = row_of.get(k).copied().flatten() {
                let value = self.right_of(row) / self.entry(row, k);
                solution.x.set(k, value);
            }
        }
        if solution.dependent.is_some() && pivots > 0 {
            self.shorten(&mut solution.x, &row_of, weights);
        }
        solution
    }

    /// The share of the largest entry up to which an entry is rounding: rows of which less than about 1e-6 is orthogonal
    /// to the others depend on them, as the entries are products of two rows.
    fn dependent_share(&self) -> S {
        let count = self.right.count();
        constant::<S>(64.0) * constant(count as f64) * S::default_epsilon()
    }

    fn entry(&self, row: usize, column: usize) -> S {
        let row = self.matrix.get(row);
        row.and_then(|row| row.get(column))
            .copied()
            .unwrap_or_else(S::zero)
    }

    fn right_of(&self, row: usize) -> S {
        self.right.get(row).copied().unwrap_or_else(S::zero)
    }

    /// The largest entry in the rows that are left and the columns without a row.
    fn pivot(
        &self,
        is_left: &PerRow<bool, L>,
        row_of: &PerRow<Option<usize>, L>,
    ) -> Option<(usize, usize, S)> {
        let mut best: Option<(usize, usize, S)> = None;
        let rows = (0..self.right.count()).zip(self.matrix.iter().zip(is_left.iter()));
        for (i, (row, _)) in rows.filter(|(_, (_, is_left))| **is_left) {
            let columns = row.iter().zip(self.active.iter()).zip(row_of.iter());
            for (j, ((entry, is_active), taken)) in (0..self.right.count()).zip(columns) {
                let size = entry.abs();
                if *is_active && taken.is_none() && best.is_none_or(|(_, _, most)| size > most) {
                    best = Some((i, j, size));
                }
            }
        }
        best
    }

    /// Returns true if an odd number of exchanges makes this row and this column the first ones of those that are left.
    fn is_odd(
        &self,
        row: usize,
        column: usize,
        is_left: &PerRow<bool, L>,
        row_of: &PerRow<Option<usize>, L>,
    ) -> bool {
        let rows = is_left.iter().take(row).filter(|is_left| **is_left);
        let columns = self
            .active
            .iter()
            .zip(row_of.iter())
            .take(column)
            .filter(|(is_active, taken)| **is_active && taken.is_none());
        let is_odd = rows.fold(false, |is_odd, _| !is_odd);
        columns.fold(is_odd, |is_odd, _| !is_odd)
    }

    /// Removes an unknown from all rows but one.
    fn eliminate(&mut self, row: usize, column: usize) {
        let source_right = self.right_of(row);
        let Some(source) = self.matrix.get(row).cloned() else {
            return;
        };
        let Some(&pivot) = source.get(column) else {
            return;
        };
        let count = self.right.count();
        let rows = self.matrix.iter_mut().zip(self.right.iter_mut());
        for (i, (target, right)) in (0..count).zip(rows) {
            if i == row || self.active.get(i) != Some(&true) {
                continue;
            }
            let factor = target.get(column).copied().unwrap_or_else(S::zero) / pivot;
            if factor.is_zero() {
                continue;
            }
            for (value, source) in target.iter_mut().zip(source.iter()) {
                *value -= factor * *source;
            }
            target.set(column, S::zero());
            *right -= factor * source_right;
        }
    }

    /// Makes the solution that is 0 in the unknowns without a row the shortest one.
    fn shorten(
        &self,
        x: &mut PerRow<S, L>,
        row_of: &PerRow<Option<usize>, L>,
        weights: &PerRow<S, L>,
    ) {
        let count = self.right.count();
        let is_free = |k: usize| {
            self.active.get(k) == Some(&true) && row_of.get(k).is_some_and(Option::is_none)
        };
        // The change of all unknowns by a free one, in units of the weights.
        let change = |free: usize| {
            let mut change = Rows::filled(self.right.sizes, S::zero());
            for k in 0..count {
                let weight = weights.get(k).copied().unwrap_or_else(S::one);
                if k == free {
                    change.set(k, weight);
                } else if let Some(row) = row_of.get(k).copied().flatten() {
                    change.set(k, -self.entry(row, free) / self.entry(row, k) * weight);
                }
            }
            change
        };
        let zeros = Rows::filled(self.right.sizes, S::zero());
        let mut normal = Equations {
            matrix: Rows::filled(self.right.sizes, zeros.clone()),
            right: zeros,
            active: Rows::filled(self.right.sizes, false),
        };
        let mut weighted = x.clone();
        for (value, weight) in weighted.iter_mut().zip(weights.iter()) {
            *value *= *weight;
        }
        for i in (0..count).filter(|k| is_free(*k)) {
            let of_row = change(i);
            normal.active.set(i, true);
            normal.right.set(i, -product(&of_row, &weighted));
            for j in (0..count).filter(|k| is_free(*k)) {
                if let Some(row) = normal.matrix.get_mut(i) {
                    row.set(j, product(&of_row, &change(j)));
                }
            }
        }
        let free = normal.solve_regular();
        for i in (0..count).filter(|k| is_free(*k)) {
            let amount = free.get(i).copied().unwrap_or_else(S::zero);
            let changes = change(i);
            for ((value, change), weight) in x.iter_mut().zip(changes.iter()).zip(weights.iter()) {
                if !weight.is_zero() {
                    *value += amount * *change / *weight;
                }
            }
        }
    }

    /// The solution where no row depends on others.
    fn solve_regular(&mut self) -> PerRow<S, L> {
        let mut row_of = Rows::filled(self.right.sizes, None);
        let mut is_left = self.active.clone();
        while let Some((row, column, size)) = self.pivot(&is_left, &row_of) {
            if !(size > S::zero()) {
                break;
            }
            self.eliminate(row, column);
            is_left.set(row, false);
            row_of.set(column, Some(row));
        }
        let mut x = Rows::filled(self.right.sizes, S::zero());
        for k in 0..self.right.count() {
            if let Some(row) = row_of.get(k).copied().flatten() {
                x.set(k, self.right_of(row) / self.entry(row, k));
            }
        }
        x
    }
}

/// The sum of the products of the values.
fn product<S: RealField + Copy, L: Sizes>(x: &PerRow<S, L>, y: &PerRow<S, L>) -> S {
    x.iter()
        .zip(y.iter())
        .map(|(x, y)| *x * *y)
        .fold(S::zero(), |sum, value| sum + value)
}

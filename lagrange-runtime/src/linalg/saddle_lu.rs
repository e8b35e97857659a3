//! LU factorisation with complete pivoting of `[K -Aᵀ; B 0]`, where K need not be symmetric, nor A equal to B.

use core::ops::Range;

use nalgebra::RealField;

use super::{
    binary::{exponent, scale_by},
    tolerances::{magnitude, tolerance},
};
use crate::math::neg_mul_add;

/// The matrix, overwritten by its factors. Rows and columns are scaled by powers of two to entries of about 1, so that
/// units do not matter; `N` rows of K come before `C` rows of B. The scales are those of K. Those of A and B follow, or
/// an A of 1 would make a K of 1e-16 a rounding error.
///
/// Complete pivoting shows the rank reliably; see [`PivotedLu`](super::complete_lu). Rows and columns stay at their places;
/// `rows` and `columns` have the places of the pivots in their order.
#[derive(Clone, Debug)]
pub(crate) struct SaddleLu<S, const N: usize, const C: usize> {
    first: [Row<S, N, C>; N],
    last: [Row<S, N, C>; C],
    rows: Places<N, C>,
    columns: Places<N, C>,
    row_scales: ([i32; N], [i32; C]),
    column_scales: ([i32; N], [i32; C]),
    left_out: [bool; C],
}

type Row<S, const N: usize, const C: usize> = ([S; N], [S; C]);

/// An order of N + C numbers.
#[derive(Clone, Copy, Debug)]
struct Places<const N: usize, const C: usize>([usize; N], [usize; C]);

impl<S: RealField + Copy, const N: usize, const C: usize> SaddleLu<S, N, C> {
    /// Factors the matrix of K, A and B, all given by rows. The multiplier of a row that is `left_out` is 0, and its row
    /// of B need not hold. `None` if a pivot is only a rounding error beside the largest entry.
    pub(crate) fn factor(
        k: &[[S; N]; N],
        a: &[[S; N]; C],
        b: &[[S; N]; C],
        left_out: &[bool; C],
    ) -> Option<Self> {
        let zero = S::zero();
        let mut this = Self {
            first: [([zero; N], [zero; C]); N],
            last: [([zero; N], [zero; C]); C],
            rows: Places::new(),
            columns: Places::new(),
            row_scales: ([0; N], [0; C]),
            column_scales: ([0; N], [0; C]),
            left_out: *left_out,
        };
        for i in 0..N {
            this.first[i].0 = k[i];
            for c in 0..C {
                if !left_out[c] {
                    this.first[i].1[c] = -a[c][i];
                }
            }
        }
        for c in 0..C {
            if left_out[c] {
                this.last[c].1[c] = S::one();
            } else {
                this.last[c].0 = b[c];
            }
        }
        this.equilibrate();
        this.eliminate().then_some(this)
    }

    /// Scales the rows, then the columns, of K by the square root of their largest entries. The largest entries of A and B
    /// then give the scales of multipliers and constraints, and of rows and columns that are zero in K, alternately.
    fn equilibrate(&mut self) {
        let (own, others) = (0..N, N..N + C);
        for _ in 0..3 {
            for row in own.clone() {
                self.scale_row(row, &own, 1);
            }
            for column in own.clone() {
                self.scale_column(column, &own, 1);
            }
        }
        for _ in 0..3 {
            for i in own.clone() {
                if own.clone().all(|j| self.size(i, j).is_none()) {
                    self.scale_row(i, &others, 0);
                }
                if own.clone().all(|j| self.size(j, i).is_none()) {
                    self.scale_column(i, &others, 0);
                }
            }
            for k in others.clone() {
                self.scale_row(k, &own, 0);
                self.scale_column(k, &own, 0);
            }
        }
    }

    /// Divides a row by its largest entry in these columns, after so many square roots.
    fn scale_row(&mut self, row: usize, columns: &Range<usize>, roots: u32) {
        let entries = columns.clone().map(|column| self.size(row, column)).max();
        let shift = shift_of(entries.flatten(), roots);
        for column in 0..N + C {
            self.scale(row, column, shift);
        }
        add(&mut self.row_scales, row, shift);
    }

    /// Divides a column by its largest entry in these rows, after so many square roots.
    fn scale_column(&mut self, column: usize, rows: &Range<usize>, roots: u32) {
        let entries = rows.clone().map(|row| self.size(row, column)).max();
        let shift = shift_of(entries.flatten(), roots);
        for row in 0..N + C {
            self.scale(row, column, shift);
        }
        add(&mut self.column_scales, column, shift);
    }

    fn size(&self, row: usize, column: usize) -> Option<i32> {
        exponent(magnitude(self.at(row, column)))
    }

    fn scale(&mut self, row: usize, column: usize, shift: i32) {
        if let Some(entry) = self.place(row, column) {
            *entry = scale_by(*entry, shift);
        }
    }

    fn eliminate(&mut self) -> bool {
        let mut threshold = S::zero();
        for step in 0..N + C {
            let (row, column, size) = self.largest(step);
            if step == 0 {
                threshold = tolerance::<S>(N + C) * size;
            }
            // In this form NaN fails too.
            let is_regular = size > threshold;
            if !is_regular {
                return false;
            }
            self.rows.exchange(step, row);
            self.columns.exchange(step, column);
            self.subtract(step);
        }
        true
    }

    /// The places in the order, and the absolute value, of the largest entry from a step on.
    fn largest(&self, step: usize) -> (usize, usize, S) {
        let mut best = (step, step, S::zero());
        for i in step..N + C {
            for j in step..N + C {
                let size = self.at(self.rows.get(i), self.columns.get(j)).abs();
                if size > best.2 {
                    best = (i, j, size);
                }
            }
        }
        best
    }

    /// Subtracts multiples of the row of this pivot from the later ones, and keeps the multipliers in its column.
    fn subtract(&mut self, step: usize) {
        let (row, column) = (self.rows.get(step), self.columns.get(step));
        let pivot = self.at(row, column);
        for i in step + 1..N + C {
            let below = self.rows.get(i);
            let factor = self.at(below, column) / pivot;
            if let Some(entry) = self.place(below, column) {
                *entry = factor;
            }
            for j in step + 1..N + C {
                let other = self.columns.get(j);
                let above = self.at(row, other);
                if let Some(entry) = self.place(below, other) {
                    *entry = neg_mul_add(factor, above, *entry);
                }
            }
        }
    }

    /// The solution of the equations with this right-hand side.
    pub(crate) fn solve(&self, right: &Row<S, N, C>) -> Row<S, N, C> {
        let mut right = scaled(right, &self.row_scales);
        for (entry, is_left_out) in right.1.iter_mut().zip(self.left_out) {
            if is_left_out {
                *entry = S::zero();
            }
        }
        let mut solution = ([S::zero(); N], [S::zero(); C]);
        for step in 0..N + C {
            let pivot = value(&right, self.rows.get(step));
            let column = self.columns.get(step);
            for i in step + 1..N + C {
                let below = self.rows.get(i);
                let factor = self.at(below, column);
                if let Some(entry) = entry(&mut right, below) {
                    *entry = neg_mul_add(factor, pivot, *entry);
                }
            }
        }
        for step in (0..N + C).rev() {
            let (row, column) = (self.rows.get(step), self.columns.get(step));
            let mut sum = value(&right, row);
            for j in step + 1..N + C {
                let other = self.columns.get(j);
                sum = neg_mul_add(self.at(row, other), value(&solution, other), sum);
            }
            if let Some(entry) = entry(&mut solution, column) {
                *entry = sum / self.at(row, column);
            }
        }
        scaled(&solution, &self.column_scales)
    }

    fn at(&self, row: usize, column: usize) -> S {
        let row = if row < N {
            self.first.get(row)
        } else {
            self.last.get(row - N)
        };
        row.map_or(S::zero(), |row| value(row, column))
    }

    fn place(&mut self, row: usize, column: usize) -> Option<&mut S> {
        let row = if row < N {
            self.first.get_mut(row)
        } else {
            self.last.get_mut(row - N)
        };
        entry(row?, column)
    }
}

impl<const N: usize, const C: usize> Places<N, C> {
    fn new() -> Self {
        Self(core::array::from_fn(|i| i), core::array::from_fn(|i| N + i))
    }

    fn get(&self, at: usize) -> usize {
        get(&(self.0, self.1), at).unwrap_or(0)
    }

    fn exchange(&mut self, i: usize, j: usize) {
        let (first, second) = (self.get(i), self.get(j));
        for (at, value) in [(i, second), (j, first)] {
            let place = if at < N {
                self.0.get_mut(at)
            } else {
                self.1.get_mut(at - N)
            };
            if let Some(place) = place {
                *place = value;
            }
        }
    }
}

/// The shift to entries of about 1, halved so many times.
#[inline]
fn shift_of(exponent: Option<i32>, roots: u32) -> i32 {
    -exponent.unwrap_or(0).wrapping_shr(roots)
}

fn add<const N: usize, const C: usize>(scales: &mut ([i32; N], [i32; C]), at: usize, shift: i32) {
    if let Some(scale) = entry(scales, at) {
        *scale += shift;
    }
}

fn get<T: Copy, const N: usize, const C: usize>(row: &([T; N], [T; C]), at: usize) -> Option<T> {
    let value = if at < N {
        row.0.get(at)
    } else {
        row.1.get(at - N)
    };
    value.copied()
}

fn value<S: RealField + Copy, const N: usize, const C: usize>(row: &Row<S, N, C>, at: usize) -> S {
    get(row, at).unwrap_or(S::zero())
}

fn entry<T, const N: usize, const C: usize>(
    row: &mut ([T; N], [T; C]),
    at: usize,
) -> Option<&mut T> {
    if at < N {
        row.0.get_mut(at)
    } else {
        row.1.get_mut(at - N)
    }
}

fn scaled<S: RealField + Copy, const N: usize, const C: usize>(
    row: &Row<S, N, C>,
    scales: &([i32; N], [i32; C]),
) -> Row<S, N, C> {
    let mut scaled = *row;
    for i in 0..N {
        scaled.0[i] = scale_by(row.0[i], scales.0[i]);
    }
    for c in 0..C {
        scaled.1[c] = scale_by(row.1[c], scales.1[c]);
    }
    scaled
}

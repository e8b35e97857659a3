//! Vectors and matrices of N + C rows by their blocks.

use nalgebra::{RealField, SimdRealField};

use super::{binary::scaled, kkt_residual::Pair};

/// Values of N + C rows or columns.
pub(super) type Parts<T, const N: usize, const C: usize> = ([T; N], [T; C]);

/// A square matrix of N + C rows by its blocks: the memory for the factors of [`Reacting`](super::Reacting). Large
/// factors would be copied several times in a debug build if they were returned.
///
/// ```
/// use lagrange_runtime::linalg::{Bordered, Reacting};
///
/// let mut work = Bordered::zeros();
/// assert!(Reacting::factor(&[[2.0]], &[[]], &[], &mut work).is_ok());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Bordered<S, const N: usize, const C: usize> {
    // A pair of both would be built apart and copied, which takes twice the stack in a debug build.
    first: [Pair<S, N, C>; N],
    last: [Pair<S, N, C>; C],
}

impl<S: SimdRealField + Copy, const N: usize, const C: usize> Bordered<S, N, C> {
    /// All entries are 0.
    pub fn zeros() -> Self {
        let row = ([S::zero(); N], [S::zero(); C]);
        Self {
            first: [row; N],
            last: [row; C],
        }
    }

    /// Sets the matrix to `[M -K; J 0]`. Rows that are left out, and their multipliers, have only a 1 on the diagonal.
    #[inline(always)]
    pub(super) fn set(
        &mut self,
        mass: &[[S; N]; N],
        forces: impl Fn(usize, usize) -> S,
        jacobian: &[[S; N]; C],
        left_out: &[bool; C],
    ) {
        let zero = S::zero();
        for i in 0..N {
            self.first[i].0 = mass[i];
            for k in 0..C {
                let force = if left_out[k] { zero } else { -forces(i, k) };
                self.first[i].1[k] = force;
            }
        }
        for k in 0..C {
            self.last[k] = (jacobian[k], [zero; C]);
            if left_out[k] {
                self.last[k].0 = [zero; N];
                self.last[k].1[k] = S::one();
            }
        }
    }

    #[inline(always)]
    pub(super) fn row(&self, index: usize) -> Option<&Pair<S, N, C>> {
        match index.checked_sub(N) {
            None => self.first.get(index),
            Some(index) => self.last.get(index),
        }
    }

    #[inline(always)]
    pub(super) fn row_mut(&mut self, index: usize) -> Option<&mut Pair<S, N, C>> {
        match index.checked_sub(N) {
            None => self.first.get_mut(index),
            Some(index) => self.last.get_mut(index),
        }
    }

    #[inline(always)]
    pub(super) fn swap_rows(&mut self, i: usize, j: usize) {
        let (first, second) = (self.row(i).copied(), self.row(j).copied());
        for (index, value) in [(i, second), (j, first)] {
            if let (Some(place), Some(value)) = (self.row_mut(index), value) {
                *place = value;
            }
        }
    }

    #[inline(always)]
    pub(super) fn at(&mut self, row: usize, column: usize) -> Option<&mut S> {
        part_mut(self.row_mut(row)?, column)
    }

    #[inline(always)]
    pub(super) fn get(&self, row: usize, column: usize) -> S {
        self.row(row)
            .and_then(|row| part(row, column))
            .copied()
            .unwrap_or_else(S::zero)
    }
}

/// The value at an index.
#[inline(always)]
pub(super) fn part<T, const N: usize, const C: usize>(
    parts: &Parts<T, N, C>,
    index: usize,
) -> Option<&T> {
    match index.checked_sub(N) {
        None => parts.0.get(index),
        Some(index) => parts.1.get(index),
    }
}

#[inline(always)]
pub(super) fn part_mut<T, const N: usize, const C: usize>(
    parts: &mut Parts<T, N, C>,
    index: usize,
) -> Option<&mut T> {
    match index.checked_sub(N) {
        None => parts.0.get_mut(index),
        Some(index) => parts.1.get_mut(index),
    }
}

/// Exchanges the values at two indices.
#[inline(always)]
pub(super) fn swap<T: Copy, const N: usize, const C: usize>(
    parts: &mut Parts<T, N, C>,
    i: usize,
    j: usize,
) {
    let (first, second) = (part(parts, i).copied(), part(parts, j).copied());
    for (index, value) in [(i, second), (j, first)] {
        if let (Some(place), Some(value)) = (part_mut(parts, index), value) {
            *place = value;
        }
    }
}

/// Values with zeros for what is left out.
pub(super) fn without_left_out<S: SimdRealField + Copy, const C: usize>(
    values: &[S; C],
    left_out: &[bool; C],
) -> [S; C] {
    core::array::from_fn(|k| if left_out[k] { S::zero() } else { values[k] })
}

/// Values times powers of two.
pub(super) fn scaled_parts<S: RealField + Copy, const N: usize, const C: usize>(
    values: &Pair<S, N, C>,
    scales: &Parts<i32, N, C>,
) -> Pair<S, N, C> {
    (scaled(&values.0, &scales.0), scaled(&values.1, &scales.1))
}

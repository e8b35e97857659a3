//! Several right-hand sides side by side, solved at once.

use nalgebra::SimdRealField;

use crate::math::neg_mul_add;

/// The group size for few right-hand sides.
pub(super) const FEW: usize = 4;
/// The group size for more.
pub(super) const SOME: usize = 8;
/// The group size for many: sums in several registers that do not wait for each other.
pub(super) const MANY: usize = 16;

/// The size of the next group of right-hand sides. It may include zeros if they are cheaper than another pass.
pub(super) fn columns_at_once(left: usize) -> usize {
    match left {
        0..=4 => FEW,
        5..=11 => SOME,
        _ => MANY,
    }
}

/// Rows of the first, second, .. entry of each, aligned so that no load of four numbers straddles two cache lines.
#[repr(align(32))]
#[derive(Clone, Copy)]
pub(super) struct Group<S, const R: usize, const W: usize>(pub(super) [[S; W]; R]);

impl<S: SimdRealField + Copy, const R: usize, const W: usize> Group<S, R, W> {
    pub(super) fn zeros() -> Self {
        Self([[S::zero(); W]; R])
    }

    /// At most `W` columns, filled up with zeros.
    #[inline(always)]
    pub(super) fn of<'a>(columns: impl Iterator<Item = &'a [S]>) -> Self
    where
        S: 'a,
    {
        let mut group = Self::zeros();
        for (at, column) in (0..W).zip(columns) {
            for (row, entry) in group.0.iter_mut().zip(column) {
                if let Some(place) = row.get_mut(at) {
                    *place = *entry;
                }
            }
        }
        group
    }

    /// Writes the columns back to their places.
    #[inline(always)]
    pub(super) fn write<'a>(&self, columns: impl Iterator<Item = &'a mut [S]>)
    where
        S: 'a,
    {
        for (at, column) in (0..W).zip(columns) {
            for (row, entry) in self.0.iter().zip(column) {
                if let Some(value) = row.get(at) {
                    *entry = *value;
                }
            }
        }
    }
}

/// Subtracts `factor * x` from y, in vector registers.
#[inline(always)]
pub(super) fn subtract<S: SimdRealField + Copy, const W: usize>(
    factor: S,
    x: &[S; W],
    y: &mut [S; W],
) {
    for (entry, value) in y.iter_mut().zip(x) {
        *entry = neg_mul_add(factor, *value, *entry);
    }
}

/// Adds x to y.
#[inline]
pub(super) fn add_rows<S: SimdRealField + Copy, const W: usize>(y: &mut [[S; W]], x: &[[S; W]]) {
    for (row, values) in y.iter_mut().zip(x) {
        for (entry, value) in row.iter_mut().zip(values) {
            *entry += *value;
        }
    }
}

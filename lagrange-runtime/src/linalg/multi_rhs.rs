//! Several right-hand sides next to each other, which are solved for at once.

use nalgebra::SimdRealField;

use crate::math::neg_mul_add;

/// So many are solved for at once where there are few.
pub(super) const FEW: usize = 4;
/// So many where there are more.
pub(super) const SOME: usize = 8;
/// So many where there are many: sums in several registers, of which none waits for another.
pub(super) const MANY: usize = 16;

/// How many of the right-hand sides that are left are solved for next, with as many zeros among them as are not worth
/// another pass.
pub(super) fn columns_at_once(left: usize) -> usize {
    match left {
        0..=4 => FEW,
        5..=11 => SOME,
        _ => MANY,
    }
}

/// Rows of the first, second, .. entry of each, where no load of four numbers straddles two lines of the cache.
#[repr(align(32))]
#[derive(Clone, Copy)]
pub(super) struct Group<S, const R: usize, const W: usize>(pub(super) [[S; W]; R]);

impl<S: SimdRealField + Copy, const R: usize, const W: usize> Group<S, R, W> {
    pub(super) fn zeros() -> Self {
        Self([[S::zero(); W]; R])
    }

    /// At most `W` columns, and zeros.
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

    /// Writes the columns to where they belong.
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

/// Takes `factor * x` from y, in registers that hold several numbers.
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

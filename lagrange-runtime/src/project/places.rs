//! The matrices of a projection, and small operations on arrays.

use nalgebra::{RealField, SVector};

/// The memory of all matrices.
pub(super) struct Places<'a, S, const N: usize, const C: usize> {
    /// M in the lower triangle; its factors above the diagonal.
    pub(super) mass: &'a mut [[S; N]; N],
    pub(super) jacobian: &'a mut [[S; N]; C],
    /// For the factors, and for J at neighbours.
    pub(super) spare: &'a mut [[S; N]; C],
}

/// A place of zeros.
pub(super) fn clear<S: RealField + Copy, const N: usize>(rows: &mut [[S; N]]) {
    rows.as_flattened_mut().fill(S::zero());
}

/// `x + fraction * step`.
///
/// By entries: sums of nalgebra's vectors compare their shapes and contain a panic for different ones.
pub(super) fn moved<S: RealField + Copy, const N: usize>(
    x: &SVector<S, N>,
    step: &[S; N],
    fraction: S,
) -> SVector<S, N> {
    let mut moved = *x;
    let entries = &mut moved.data.0[0];
    for i in 0..N {
        entries[i] += fraction * step[i];
    }
    moved
}

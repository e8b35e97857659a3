//! The first constraint, if any, that adds nothing to those above it.

use nalgebra::RealField;

use super::{refinement::largest, tolerances::tolerance};
use crate::math::constant;

/// The first row of `j` that is, to working precision, a combination of the rows above it.
///
/// With τ = (N + C) eps, row k is dependent if
///
/// - its largest entry is at most τ times the largest entry of `j`: rounding residues of zeros have this size, such as
///   `sin(pi)` in a stretched linkage; or
/// - its part orthogonal to the rows above is at most 4 τ times its length. The rows are orthogonalised by the modified
///   Gram-Schmidt method, each row twice, which makes the basis orthogonal to working precision ("twice is enough": B.
///   N. Parlett, *The Symmetric Eigenvalue Problem*, section 6.9), even for nearly dependent rows.
///
/// Only the values decide, not derivatives. They must be finite.
///
/// If rows of rounding errors are zeros already, only rows of zeros count as such: sizes of rows have units.
///
/// The basis overwrites `basis`.
pub(super) fn first_dependent<S: RealField + Copy, const N: usize, const C: usize>(
    j: &[[S; N]; C],
    basis: &mut [[S; N]; C],
    are_significant: bool,
) -> Option<usize> {
    let tau: f64 = nalgebra::convert_unchecked(tolerance::<S>(N + C));
    let mut most: f64 = 0.0;
    for k in 0..C {
        most = most.max(largest(&values(&j[k])));
    }
    let zero_size = if are_significant { 0.0 } else { tau * most };
    for k in 0..C {
        let mut row = values(&j[k]);
        let size = largest(&row);
        if size <= zero_size || k >= N {
            return Some(k);
        }
        for entry in &mut row {
            *entry /= size;
        }
        let above = basis.get(..k).unwrap_or_default();
        let remainder = remove(&remove(&row, above), above);
        // The squares of 4 τ and of the lengths, so that no square root is needed.
        let (square, limit) = (dot(&remainder, &remainder), 4.0 * tau);
        if square <= limit * limit * dot(&row, &row) {
            return Some(k);
        }
        if let Some(direction) = basis.get_mut(k) {
            // Only the direction matters; the size is about 1, so that squares do not underflow.
            let size = largest(&remainder);
            for i in 0..N {
                direction[i] = constant(remainder[i] / size);
            }
        }
    }
    None
}

/// `row` without its components along orthogonal directions.
fn remove<S: RealField + Copy, const N: usize>(row: &[f64; N], directions: &[[S; N]]) -> [f64; N] {
    let mut remainder = *row;
    for direction in directions {
        let direction = values(direction);
        let factor = dot(&remainder, &direction) / dot(&direction, &direction);
        for i in 0..N {
            remainder[i] -= factor * direction[i];
        }
    }
    remainder
}

/// The values of scalars, without their derivatives.
fn values<S: RealField + Copy, const N: usize>(row: &[S; N]) -> [f64; N] {
    let mut values = [0.0; N];
    for i in 0..N {
        values[i] = nalgebra::convert_unchecked(row[i]);
    }
    values
}

#[inline]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len().min(y.len()) {
        sum += x[i] * y[i];
    }
    sum
}

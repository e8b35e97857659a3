//! Which constraint, if any, adds nothing to those above it.

use nalgebra::RealField;

use super::tolerance;
use crate::math::constant;

/// The first row of `j` that is, to working precision, a combination of the rows above it.
///
/// With τ = (N + C) eps, row k is dependent when
///
/// - its largest entry is at most τ times the largest entry of `j`: such a row is what rounding leaves
///   of zeros, as of `sin(pi)` where a linkage is stretched; or
/// - what remains of it orthogonal to the rows above is at most 4 τ times its length. The rows
///   are orthogonalised by the modified Gram-Schmidt method, each one twice, which makes the basis
///   orthogonal to working precision ("twice is enough": B. N. Parlett, *The Symmetric Eigenvalue
///   Problem*, section 6.9), however nearly dependent the rows are.
///
/// The values alone decide, derivatives do not take part. They must be finite.
///
/// The basis takes the place of what `basis` holds.
pub(super) fn first_dependent<S: RealField + Copy, const N: usize, const C: usize>(
    j: &[[S; N]; C],
    basis: &mut [[S; N]; C],
) -> Option<usize> {
    let values = |row: &[S; N]| -> [f64; N] { row.map(value) };
    let tau: f64 = nalgebra::convert_unchecked(tolerance::<S>(N + C));
    let zero_size = tau
        * j.iter()
            .map(|row| largest(&values(row)))
            .fold(0.0, f64::max);
    for k in 0..C {
        let row = values(&j[k]);
        let size = largest(&row);
        if size <= zero_size || k >= N {
            return Some(k);
        }
        let row = row.map(|entry| entry / size);
        let above = basis.get(..k).unwrap_or_default();
        let rest = remove(&remove(&row, above), above);
        // The squares of 4 τ and of the lengths, so that no square root is needed.
        let (square, limit) = (dot(&rest, &rest), 4.0 * tau);
        if square <= limit * limit * dot(&row, &row) {
            return Some(k);
        }
        if let Some(direction) = basis.get_mut(k) {
            // Only the direction matters; about unit size, so that squares do not underflow.
            let size = largest(&rest);
            *direction = rest.map(|entry| constant(entry / size));
        }
    }
    None
}

/// `row` without its components along orthogonal directions.
fn remove<S: RealField + Copy, const N: usize>(row: &[f64; N], directions: &[[S; N]]) -> [f64; N] {
    let mut rest = *row;
    for direction in directions {
        let direction = direction.map(value);
        let factor = dot(&rest, &direction) / dot(&direction, &direction);
        for (entry, &component) in rest.iter_mut().zip(&direction) {
            *entry -= factor * component;
        }
    }
    rest
}

/// The value of a scalar, without its derivatives.
fn value<S: RealField + Copy>(x: S) -> f64 {
    nalgebra::convert_unchecked(x)
}

fn largest<const N: usize>(row: &[f64; N]) -> f64 {
    row.iter().fold(0.0, |size, entry| entry.abs().max(size))
}

fn dot<const N: usize>(x: &[f64; N], y: &[f64; N]) -> f64 {
    x.iter().zip(y).map(|(left, right)| left * right).sum()
}

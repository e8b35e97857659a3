//! Rows of a Jacobian that are zero but for rounding.
//!
//! The size of a row has a unit, so it says nothing about rounding. Running error bounds do.

use nalgebra::{RealField, SMatrix};

use super::tolerances::tolerance;
use crate::math::{constant, is_finite};

/// A residual counts as a rounding error when it is at most this many error bounds.
pub(crate) const MULTIPLE: f64 = 4.0;

/// The largest values that count as rounding errors, for bounds in units of half of the machine epsilon: four bounds, and
/// nothing if that is not finite.
///
/// ```
/// use lagrange_runtime::linalg::limits;
///
/// let [of_one, useless] = limits(&[1.0, f64::INFINITY]);
/// assert!(of_one == 2.0 * f64::EPSILON && useless == 0.0);
/// ```
pub fn limits<S: RealField + Copy, const R: usize>(bounds: &[S; R]) -> [S; R] {
    let unit = constant::<S>(0.5 * MULTIPLE) * S::default_epsilon();
    // Below the least normal number rounding is no longer relative.
    let least = S::max_value().map_or(S::zero(), |most| constant::<S>(4.0) / most);
    let mut limits = *bounds;
    for limit in &mut limits {
        *limit = unit * *limit + least;
        // A bound that overflows is useless.
        if !is_finite(*limit) {
            *limit = S::zero();
        }
    }
    limits
}

/// A matrix J with zeros for each row whose entries are rounding errors by their bounds, which are in units of half of the
/// machine epsilon. An entry is a rounding error if it is at most `2 (N + R)` bounds.
///
/// ```
/// use lagrange_runtime::{linalg::significant, nalgebra::matrix};
///
/// // The cosine of a right angle, and a small number that is exact.
/// let rows = matrix![6.1e-17, 0.0; 6.1e-17, 0.0];
/// let bounds = matrix![2.0, 0.0; 1e-17, 0.0];
/// assert_eq!(significant(&rows, &bounds), matrix![0.0, 0.0; 6.1e-17, 0.0]);
/// ```
pub fn significant<S: RealField + Copy, const R: usize, const N: usize>(
    rows: &SMatrix<S, R, N>,
    bounds: &SMatrix<S, R, N>,
) -> SMatrix<S, R, N> {
    let unit = tolerance::<S>(N + R);
    let mut significant_rows = *rows;
    for k in 0..R {
        let mut is_rounding = true;
        for (column, bounds) in rows.data.0.iter().zip(&bounds.data.0) {
            // A bound that overflows is useless. NaN is no rounding error.
            is_rounding &= column[k].abs() <= unit * bounds[k] && bounds[k].is_finite();
        }
        if is_rounding {
            for column in &mut significant_rows.data.0 {
                column[k] = S::zero();
            }
        }
    }
    significant_rows
}

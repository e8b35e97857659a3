//! Tests that arguments are neither NaN nor infinite, and errors that name the first one that is.

use nalgebra::RealField;

use super::sums::{in_four_sums, joined};
use crate::{Error, math::mul_add};

/// Returns whether no value is NaN or infinite.
///
/// ```
/// use lagrange_runtime::linalg::all_finite;
///
/// assert!(all_finite(&[1.0, -2.0]) && !all_finite(&[1.0, f64::NAN]));
/// ```
#[inline]
pub fn all_finite<S: RealField + Copy>(values: &[S]) -> bool {
    are_finite(&[values])
}

/// Returns whether no value of several arrays is NaN or infinite.
///
/// ```
/// use lagrange_runtime::linalg::are_finite;
///
/// assert!(are_finite(&[&[1.0, -2.0], &[f64::MAX, f64::MAX]]) && !are_finite(&[&[1.0], &[f64::NAN]]));
/// ```
#[inline(always)]
pub fn are_finite<S: RealField + Copy>(arrays: &[&[S]]) -> bool {
    // A product with 0 is 0 if the value is finite, and NaN otherwise. So no value needs a branch, and no sum
    // overflows. Added to -0, the first products keep their signs.
    let zero = S::zero();
    let mut sums = [-zero; 4];
    for array in arrays {
        sums = in_four_sums(sums, array, |sum, value| mul_add(value, zero, sum));
    }
    joined(sums) == zero
}

/// Fails if an entry of J, or of the lower triangle of M, is NaN or infinite.
#[inline(always)]
pub(super) fn check_matrix<S: RealField + Copy, const N: usize, const C: usize>(
    mass: &[[S; N]; N],
    jacobian: &[[S; N]; C],
) -> Result<(), Error> {
    for i in 0..N {
        if !all_finite(&mass[i][..=i]) {
            return Err(Error::NOT_FINITE);
        }
    }
    for k in 0..C {
        if !all_finite(&jacobian[k]) {
            return Err(Error::NOT_FINITE);
        }
    }
    Ok(())
}

/// The error of a factorisation; that of a right-hand side that is not finite comes before it.
#[cold]
#[inline(never)]
pub(crate) fn error_of_factors<S: RealField + Copy>(error: Error, right_side: &[&[S]]) -> Error {
    if are_finite(right_side) {
        error
    } else {
        Error::NOT_FINITE
    }
}

/// Fails with the name of the first of the arguments that has an entry which is NaN or infinite.
///
/// # Errors
///
/// [`Error::NotFinite`] with that name.
///
/// ```
/// use lagrange_runtime::{Error, linalg::check_finite};
///
/// let arguments: [(_, &[f64]); 2] = [("q", &[1.0, f64::NAN]), ("v", &[f64::NAN])];
/// assert_eq!(check_finite(&arguments), Err(Error::NotFinite { argument: "q" }));
/// ```
#[inline(always)]
pub fn check_finite<S: RealField + Copy>(arguments: &[(&'static str, &[S])]) -> Result<(), Error> {
    let zero = S::zero();
    let mut sums = [-zero; 4];
    for (_, array) in arguments {
        sums = in_four_sums(sums, array, |sum, value| mul_add(value, zero, sum));
    }
    if joined(sums) == zero {
        Ok(())
    } else {
        Err(first_not_finite(arguments))
    }
}

/// The error that names the first of the arguments that has an entry which is NaN or infinite, or the result.
///
/// ```
/// use lagrange_runtime::{Error, linalg::first_not_finite};
///
/// let error = first_not_finite(&[("q", &[1.0]), ("v", &[2.0, f64::INFINITY])]);
/// assert_eq!(error, Error::NotFinite { argument: "v" });
/// ```
#[cold]
#[inline(never)]
pub fn first_not_finite<S: RealField + Copy>(arguments: &[(&'static str, &[S])]) -> Error {
    arguments
        .iter()
        .find(|(_, array)| !all_finite(array))
        .map_or(Error::NOT_FINITE, |(argument, _)| Error::NotFinite {
            argument,
        })
}

/// The error of a computation with finite arguments. It names the first parameter with an entry that is NaN or
/// infinite. Each entry of an array of parameters has a name.
///
/// ```
/// use lagrange_runtime::{Error, linalg::blame};
///
/// let error = Error::NotFinite { argument: "result" };
/// let parameters: [(&[f64], &[&str]); 2] = [(&[1.0], &["self.m"]), (&[2.0, f64::NAN], &["self.c[0]", "self.c[1]"])];
/// assert_eq!(blame(error, &parameters), Error::NotFinite { argument: "self.c[1]" });
/// assert_eq!(blame(Error::SingularMassMatrix, &parameters), Error::SingularMassMatrix);
/// ```
#[cold]
#[inline(never)]
pub fn blame<S: RealField + Copy>(error: Error, parameters: &[(&[S], &[&'static str])]) -> Error {
    if !matches!(error, Error::NotFinite { .. }) {
        return error;
    }
    for (entries, names) in parameters {
        for (entry, argument) in entries.iter().zip(*names) {
            if !all_finite(&[*entry]) {
                return Error::NotFinite { argument };
            }
        }
    }
    Error::NOT_FINITE
}

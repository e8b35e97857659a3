//! Tests for regular pivots, and for numbers that are neither too large nor too small.

use nalgebra::{RealField, SimdBool, SimdRealField};

use super::binary::root_of_power_of_two;
use crate::math::constant;

/// Returns whether a pivot of L D Lᵀ is far enough above rounding errors to be trusted:
/// `pivot > sqrt(n eps) * diagonal`, with its `diagonal` entry of M and the size `n`. NaN is not regular.
///
/// A pivot that fails is a reason to solve with pivoting, not yet to call M singular.
/// Elimination without pivoting starts from errors of about n eps and multiplies them by up to `diagonal / pivot` at
/// each small pivot (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., section 10.3, on semidefinite
/// matrices). With the square root no error reaches the threshold; with n eps itself, one in ten singular matrices
/// would pass.
///
/// The square root is rounded to a power of two, which is 2⁻²⁶ for n = 2 in `f64`.
///
/// ```
/// use lagrange_runtime::linalg::regular;
///
/// assert!(regular(1e-6, 1.0, 2));
/// assert!(!regular(1e-10, 1.0, 2) && !regular(-1.0, 1.0, 2) && !regular(f64::NAN, 1.0, 2));
/// ```
#[inline(always)]
pub fn regular<S: RealField + Copy>(pivot: S, diagonal: S, n: usize) -> bool {
    pivot > threshold::<S>(n) * diagonal
}

/// Returns whether all pivots of L D Lᵀ are [`regular`]; their number is the size of the matrix.
///
/// ```
/// use lagrange_runtime::linalg::are_regular;
///
/// assert!(are_regular(&[2.0, 1e-6], &[2.0, 1.0]));
/// assert!(!are_regular(&[2.0, 1e-10], &[2.0, 1.0]) && !are_regular(&[f64::NAN], &[1.0]));
/// ```
#[inline(always)]
pub fn are_regular<S: RealField + Copy>(pivots: &[S], diagonal: &[S]) -> bool {
    let size = pivots.len();
    holds(pivots, diagonal, |pivot, entry| regular(pivot, entry, size))
}

/// Returns whether a comparison holds for all pairs of entries, four at a time without a branch.
///
/// More of them would become one comparison of vectors of 512 bits on targets that have them, and these slow down all
/// other computations on Intel's processors.
#[inline(always)]
pub(super) fn holds<S: Copy, B: SimdBool>(
    values: &[S],
    sizes: &[S],
    comparison: impl Fn(S, S) -> B,
) -> bool {
    let (fours, remaining) = values.as_chunks::<4>();
    let (fours_of_sizes, remaining_sizes) = sizes.as_chunks::<4>();
    for k in 0..fours.len().min(fours_of_sizes.len()) {
        let mut holds = true;
        for i in 0..4 {
            holds &= comparison(fours[k][i], fours_of_sizes[k][i]).all();
        }
        if !holds {
            return false;
        }
    }
    let mut holds = fours.len() == fours_of_sizes.len();
    for k in 0..remaining.len().min(remaining_sizes.len()) {
        holds &= comparison(remaining[k], remaining_sizes[k]).all();
    }
    holds
}

/// The fraction of its diagonal entry that a regular pivot exceeds.
#[inline(always)]
pub(super) fn threshold<S: RealField + Copy>(n: usize) -> S {
    let rounding: f64 = nalgebra::convert_unchecked(tolerance::<S>(n));
    constant(root_of_power_of_two(rounding))
}

/// Returns whether all pivots of L D Lᵀ are well above zero in all lanes: more than 1e-6 of their diagonal entries. NaN
/// is not.
///
/// ```
/// use lagrange_runtime::linalg::regular_lanes;
///
/// assert!(regular_lanes(&[0.5], &[1.0]));
/// assert!(!regular_lanes(&[0.0], &[0.0]) && !regular_lanes(&[-1.0], &[1.0]));
/// ```
#[inline]
pub fn regular_lanes<S: SimdRealField + Copy>(pivots: &[S], diagonal: &[S]) -> bool {
    let share = constant::<S>(1e-6);
    holds(pivots, diagonal, |pivot, entry| {
        pivot.simd_gt(entry * share)
    }) && holds(diagonal, diagonal, |entry, _| {
        (entry * share).simd_gt(S::zero())
    })
}

/// Returns whether all values are 0 or have a size whose products neither overflow nor underflow: within 1e±100 for
/// `f64`, and 1e±12 for `f32`. NaN does not.
#[inline]
pub(super) fn all_ordinary<S: RealField + Copy>(values: &[S]) -> bool {
    let (least, most) = ordinary::<S>();
    for value in values {
        let size = value.abs();
        let is_ordinary = size <= most && (size >= least || size == S::zero());
        if !is_ordinary {
            return false;
        }
    }
    true
}

/// The smallest and the largest ordinary size.
#[inline(always)]
pub(super) fn ordinary<S: RealField + Copy>() -> (S, S) {
    let digits: f64 = nalgebra::convert_unchecked(S::default_epsilon());
    let (least, most) = if digits < 1e-12 {
        (1e-100, 1e100)
    } else {
        (1e-12, 1e12)
    };
    (constant(least), constant(most))
}

/// The relative size below which a pivot of an `n` x `n` system is rounding error: n eps.
#[inline(always)]
pub(super) fn tolerance<S: RealField + Copy>(n: usize) -> S {
    constant::<S>(n as f64) * S::default_epsilon()
}

/// Returns whether equations are met to working precision: each residual is at most 32 eps of the size of its terms.
/// NaN is not; for lanes all must be. A lower bound of the size of the terms is enough.
///
/// Small residuals mean small errors: see [`Kkt`](super::Kkt) for the bounds.
///
/// ```
/// use lagrange_runtime::linalg::met;
///
/// assert!(met(&[1e-15, 0.0], &[1.0, 0.0]));
/// assert!(!met(&[1e-14], &[1.0]) && !met(&[0.0], &[f64::NAN]));
/// ```
#[inline(always)]
pub fn met<S: SimdRealField + Copy>(residual: &[S], terms: &[S]) -> bool {
    let unit = constant::<S>(ACCEPTED) * S::simd_default_epsilon();
    holds(residual, terms, |left, size| {
        left.simd_abs().simd_le(unit * size)
    })
}

/// The largest backward error, in eps, of an accepted solution.
pub(super) const ACCEPTED: f64 = 32.0;

/// The absolute value of a scalar, without its derivatives.
#[inline]
pub(super) fn magnitude<S: RealField + Copy>(x: S) -> f64 {
    let value: f64 = nalgebra::convert_unchecked(x);
    value.abs()
}

/// The fraction of a dependent row of J that may be orthogonal to the others: sqrt(eps), rounded to a power of two.
pub(crate) fn dependent_share<S: RealField + Copy>() -> S {
    threshold::<S>(1)
}

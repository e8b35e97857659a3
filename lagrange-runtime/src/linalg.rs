//! Solves of symmetric systems of fixed size, for generated code.
//!
//! Matrices are arrays of rows. Only the lower triangle, diagonal included, takes part in a
//! solve; the strictly upper one is at most checked for NaN. `N` is the size.
//!
//! | function | M | cost | failure |
//! | --- | --- | --- | --- |
//! | [`ldlt`] | positive definite, condition below some 1e8 | about N³/6 multiplications | `None` |
//! | [`ldlt_unchecked`] | positive definite; serves lanes | the same | result not finite |
//! | [`solve_symmetric`] | symmetric, regular | about N³/3, and as many comparisons | [`Error`] |
//! | [`solve_in_place`] | the same, with half the memory | N³/6; up to N³/2 where that is no good | [`Error`] |
//!
//! `None` is no verdict: a method tries [`ldlt`] and, on `None`, asks [`solve_symmetric`]. For several
//! right-hand sides factor once: [`Ldlt`], [`SymmetricLu`].
//!
//! # With constraints
//!
//! `C` is the number of constraints, the equations are `M a = f + Jᵀ λ`, `J a = γ`.
//!
//! | function | M | failure |
//! | --- | --- | --- |
//! | [`kkt`], [`Kkt`] | symmetric; `[M -Jᵀ; J 0]` regular | [`Error`] |
//! | [`kkt_unchecked`] | the same; serves lanes | result not finite |
//!
//! [`kkt_in_place`] and [`kkt_unchecked_in_place`] take less memory. [`differentiate`] solves for the derivatives
//! of a and λ; where generated code has factored the matrix by itself [`differentiate_by_factors`] does, and
//! [`differentiate_with_constraints`].
//!
//! Generated code may factor `[M Jᵀ; J 0]` by L D Lᵀ without pivoting by itself, in any order in which a
//! constraint follows the coordinates that it binds. The pivots of the coordinates are those of M. The pivot of
//! constraint k, with its sign changed, is one of J M⁻¹ Jᵀ, and the matching diagonal entry is what stands there,
//! with its sign changed, before any other constraint takes away from it. When
//! these are not [`all_regular`], or a does not [meet](met) J a = γ, it asks [`kkt_after`]. With that test
//! a light coordinate that carries a force cannot pass for solved; M a = f + Jᵀ λ holds by the way a is
//! computed, from the sum on the right as a whole: f by itself may be much larger.

mod abreast;
mod attempt;
mod binary;
mod columns;
mod factors;
mod free;
mod kkt;
mod lanes;
mod ldlt;
mod null_space;
mod pivoted;
mod places;
mod rank;
mod refinement;
mod reflections;
mod saddle;
mod scaling;
mod schur;
mod symmetric;
mod triangle;
mod trust;
mod unchecked;
mod values;
mod vectors;

pub use attempt::{Attempt, all_regular, is_ordinary, kkt_after, met};
pub use columns::{
    adjoint, differentiate, differentiate_by_factors, differentiate_by_factors_unchecked, weighted,
};
pub use factors::{
    Factors, differentiate_with_constraints, differentiate_with_constraints_unchecked,
};
pub use kkt::{Kkt, kkt, kkt_in_place};
pub use lanes::{differentiate_unchecked, kkt_unchecked, kkt_unchecked_in_place};
pub use ldlt::Ldlt;
pub(crate) use pivoted::inverse;
pub use places::{matrix_by, mirror};
pub use refinement::all_met;
pub use symmetric::SymmetricLu;
pub use trust::{APART, Pivots, apart, is_trusted, is_trusted_motion};
pub use values::{matrix, vector};

use nalgebra::{RealField, SimdBool, SimdRealField};

use crate::{
    Error,
    math::{constant, mul_add},
};
use binary::root_of_power_of_two;
use places::diagonal_of;

/// Solves `M x = b` for a positive definite M, by the factorisation M = L D Lᵀ without pivoting.
///
/// `None` when a pivot is not [`regular`]: M is indefinite, ill-conditioned or singular, or has a NaN
/// in its lower triangle. [`solve_symmetric`] then tells which, and solves what can be solved. `b` is
/// not judged.
///
/// ```
/// use lagrange_runtime::linalg::ldlt;
///
/// assert_eq!(ldlt(&[[4.0, 2.0], [2.0, 2.0]], &[8.0, 6.0]), Some([1.0, 2.0]));
/// assert_eq!(ldlt(&[[1.0, 1.0], [1.0, 1.0]], &[1.0, 1.0]), None);
/// ```
#[inline]
pub fn ldlt<S: RealField + Copy, const N: usize>(m: &[[S; N]; N], b: &[S; N]) -> Option<[S; N]> {
    Some(Ldlt::try_factor(m)?.solve(b))
}

/// Solves `M x = b` as [`ldlt`] does, but without a check, so that it serves SIMD lanes.
///
/// Where M is exactly singular the result is not finite; where it is nearly so the result is large
/// and inaccurate.
///
/// ```
/// use lagrange_runtime::linalg::ldlt_unchecked;
///
/// assert_eq!(ldlt_unchecked(&[[4.0, 2.0], [2.0, 2.0]], &[8.0, 6.0]), [1.0, 2.0]);
/// ```
#[inline]
pub fn ldlt_unchecked<S: SimdRealField + Copy, const N: usize>(
    m: &[[S; N]; N],
    b: &[S; N],
) -> [S; N] {
    Ldlt::factor(m).solve(b)
}

/// Solves `M x = b` for any regular symmetric M, definite or not, well scaled or not; see
/// [`SymmetricLu`] for the method.
///
/// # Errors
///
/// - [`Error::NotFinite`] when an entry of M, of b or of the result is NaN or infinite;
/// - [`Error::SingularMassMatrix`] when M is singular to working precision.
///
/// ```
/// use lagrange_runtime::{Error, linalg::solve_symmetric};
///
/// assert_eq!(solve_symmetric(&[[0.0, 1.0], [1.0, 0.0]], &[3.0, 5.0]), Ok([5.0, 3.0]));
/// let singular = [[1.0, 1.0], [1.0, 1.0]];
/// assert_eq!(solve_symmetric(&singular, &[1.0, 1.0]), Err(Error::SingularMassMatrix));
/// ```
pub fn solve_symmetric<S: RealField + Copy, const N: usize>(
    m: &[[S; N]; N],
    b: &[S; N],
) -> Result<[S; N], Error> {
    SymmetricLu::factor(m)?.solve(b)
}

/// Solves what [`solve_symmetric`] solves by L D Lᵀ where that can be trusted, else with complete pivoting
/// and refinement as [`Kkt`] does, with its accuracy, in the place of M: what is above the diagonal is
/// overwritten, the rest is read and stays.
///
/// # Errors
///
/// Those of [`kkt`] without constraints.
///
/// ```
/// use lagrange_runtime::linalg::solve_in_place;
///
/// assert_eq!(solve_in_place(&mut [[0.0, 1.0], [1.0, 0.0]], &[3.0, 5.0]), Ok([5.0, 3.0]));
/// ```
#[inline(never)]
pub fn solve_in_place<S: RealField + Copy, const N: usize>(
    m: &mut [[S; N]; N],
    b: &[S; N],
) -> Result<[S; N], Error> {
    let diagonal = diagonal_of(m);
    let mut pivots = diagonal;
    mirror(m);
    triangle::factor(m, &mut pivots);
    if are_regular(&pivots, &diagonal) {
        let mut x = *b;
        triangle::solve(m, &pivots, &mut x);
        if all_finite(&x) {
            return Ok(x);
        }
    }
    let (x, []) = kkt_in_place(m, &[], b, &[])?;
    Ok(x)
}

/// Whether a pivot of L D Lᵀ is far enough above rounding errors to be trusted:
/// `pivot > sqrt(n eps) * diagonal`, where `diagonal` is the entry of M that it came from and `n` the
/// size. NaN is not regular.
///
/// This is a reason to turn to [`solve_symmetric`], not yet to call M singular. Elimination without
/// pivoting starts from errors of about n eps and multiplies them by up to `diagonal / pivot` at each
/// small pivot (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., section 10.3, on
/// semidefinite matrices). With the square root no error reaches the threshold; with n eps itself,
/// one in ten singular matrices would pass.
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

/// Whether all pivots of L D Lᵀ are [`regular`], for a matrix of their number.
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

/// Whether a comparison holds for all pairs of entries, of which four are asked in a row without a branch.
///
/// More in a row would be made one comparison of vectors of 512 bits where the target has them, beside which Intel's
/// processors compute everything else more slowly.
#[inline(always)]
fn holds<S: Copy, B: SimdBool>(values: &[S], others: &[S], comparison: impl Fn(S, S) -> B) -> bool {
    let (fours, rest) = values.as_chunks::<4>();
    let (other_fours, other_rest) = others.as_chunks::<4>();
    for k in 0..fours.len().min(other_fours.len()) {
        let mut holds = true;
        for i in 0..4 {
            holds &= comparison(fours[k][i], other_fours[k][i]).all();
        }
        if !holds {
            return false;
        }
    }
    let mut holds = fours.len() == other_fours.len();
    for k in 0..rest.len().min(other_rest.len()) {
        holds &= comparison(rest[k], other_rest[k]).all();
    }
    holds
}

/// The share of its diagonal entry that a regular pivot exceeds.
#[inline(always)]
fn threshold<S: RealField + Copy>(n: usize) -> S {
    let rounding: f64 = nalgebra::convert_unchecked(tolerance::<S>(n));
    constant(root_of_power_of_two(rounding))
}

/// Whether all pivots of L D Lᵀ are well above zero in all lanes, which is more than 1e-6 of the diagonal
/// entries that they came from. NaN is not.
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

/// Whether all values are 0 or of a size of which products neither overflow nor underflow: within 1e±100
/// for `f64`, and 1e±12 for `f32`. NaN is not.
#[inline]
fn all_ordinary<S: RealField + Copy>(values: &[S]) -> bool {
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

/// The least and the largest size that is ordinary.
#[inline(always)]
fn ordinary<S: RealField + Copy>() -> (S, S) {
    let digits: f64 = nalgebra::convert_unchecked(S::default_epsilon());
    let (least, most) = if digits < 1e-12 {
        (1e-100, 1e100)
    } else {
        (1e-12, 1e12)
    };
    (constant(least), constant(most))
}

/// Whether no value is NaN or infinite.
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

/// Whether no value of several arrays is NaN or infinite.
///
/// ```
/// use lagrange_runtime::linalg::are_finite;
///
/// assert!(are_finite(&[&[1.0, -2.0], &[f64::MAX, f64::MAX]]) && !are_finite(&[&[1.0], &[f64::NAN]]));
/// ```
#[inline(always)]
pub fn are_finite<S: RealField + Copy>(arrays: &[&[S]]) -> bool {
    // Times 0, all are 0 but those that are not finite: no branch for each of them, and no sum that overflows. Added to -0,
    // the first ones are what they are.
    let zero = S::zero();
    let mut sums = [-zero; 4];
    for array in arrays {
        sums = in_four_sums(sums, array, |sum, value| mul_add(value, zero, sum));
    }
    joined(sums) == zero
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
    let mut arguments = arguments.iter();
    let first = arguments.find(|(_, array)| !all_finite(array));
    first.map_or(Error::NOT_FINITE, |(argument, _)| Error::NotFinite {
        argument,
    })
}

/// The error of a computation with finite arguments, which blames the first parameter that has an entry which is NaN
/// or infinite. Of each array of parameters the entries have a name.
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

/// The sum of the absolute values, which is finite only if all are: no branch for each of them.
#[inline(always)]
fn size<S: RealField + Copy>(values: &[S]) -> S {
    let sums = [S::zero(); 4];
    joined(in_four_sums(sums, values, |sum, value| sum + value.abs()))
}

/// The sum of all entries.
#[inline(always)]
fn total<S: RealField + Copy>(entries: &[S]) -> S {
    let sums = [S::zero(); 4];
    joined(in_four_sums(sums, entries, |sum, entry| sum + entry))
}

/// Adds to four sums in turn, none of which waits for the others.
///
/// Short loops are taken apart whole; in others, which sum is meant may not hang on the number of the step.
#[inline(always)]
fn in_four_sums<S: Copy>(mut sums: [S; 4], values: &[S], added: impl Fn(S, S) -> S) -> [S; 4] {
    let (fours, rest) = if values.len() > SHORT {
        values.as_chunks::<4>()
    } else {
        (&[][..], values)
    };
    for four in fours {
        for k in 0..4 {
            sums[k] = added(sums[k], four[k]);
        }
    }
    for k in 0..rest.len() {
        sums[k % 4] = added(sums[k % 4], rest[k]);
    }
    sums
}

/// So many numbers are few.
const SHORT: usize = 32;

#[inline(always)]
fn joined<S: RealField + Copy>(sums: [S; 4]) -> S {
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// The relative size below which a pivot of an `n` x `n` system is rounding error: n eps.
#[inline(always)]
fn tolerance<S: RealField + Copy>(n: usize) -> S {
    constant::<S>(n as f64) * S::default_epsilon()
}

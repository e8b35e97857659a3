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
//! | [`kkt_unchecked`] | also positive semidefinite; serves lanes | result not finite |
//!
//! Generated code may factor `[M Jᵀ; J 0]` by L D Lᵀ without pivoting by itself, the coordinates first
//! and then the constraints. The pivots of the coordinates are those of M. The pivot of constraint k,
//! with its sign changed, is one of J M⁻¹ Jᵀ, and the matching diagonal entry is what stands there,
//! with its sign changed, after the coordinates are eliminated and before any other constraint is. When
//! a pivot is not [`regular`], or those diagonal entries are not [`comparable`], it asks [`kkt`].

mod binary;
mod kkt;
mod ldlt;
mod null_space;
mod pivoted;
mod rank;
mod saddle;
mod schur;
mod symmetric;

pub use kkt::{Kkt, kkt, kkt_unchecked};
pub use ldlt::Ldlt;
pub use symmetric::SymmetricLu;

use nalgebra::{RealField, SimdRealField};

use crate::{Error, math::constant};
use binary::root_of_power_of_two;

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
    let rounding: f64 = nalgebra::convert_unchecked(tolerance::<S>(n));
    pivot > constant::<S>(root_of_power_of_two(rounding)) * diagonal
}

/// Whether the diagonal entries of J M⁻¹ Jᵀ are close enough in size that none can be rounding error:
/// the smallest one exceeds eps times the largest one. NaN is not comparable; no entries are.
///
/// As with [`regular`], `false` is a reason to turn to [`kkt`] and not yet a verdict. A row of J that
/// ought to be zero, such as `l sin(pi)` in a stretched linkage, has pivots that look regular by
/// themselves; only next to the other rows it shows.
///
/// ```
/// use lagrange_runtime::linalg::comparable;
///
/// assert!(comparable(&[1e-6, 1e6]) && comparable::<f64>(&[]));
/// assert!(!comparable(&[1e-32, 1.0]) && !comparable(&[1.0, f64::NAN]));
/// ```
#[inline]
pub fn comparable<S: RealField + Copy>(diagonal: &[S]) -> bool {
    let largest = diagonal.iter().fold(
        S::zero(),
        |largest, &entry| {
            if entry > largest { entry } else { largest }
        },
    );
    let floor = S::default_epsilon() * largest;
    diagonal.iter().all(|&entry| entry > floor)
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
    values.iter().all(S::is_finite)
}

/// The relative size below which a pivot of an `n` x `n` system is rounding error: n eps.
#[inline(always)]
fn tolerance<S: RealField + Copy>(n: usize) -> S {
    constant::<S>(n as f64) * S::default_epsilon()
}

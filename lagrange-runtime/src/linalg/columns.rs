//! Derivatives of the solution of the equations of motion from those of the equations.

use nalgebra::{ArrayStorage, RealField, SMatrix, SVector, SimdRealField};

use super::{
    Kkt, Redundant,
    finite::{all_finite, are_finite},
    multi_rhs::{SolveGroups, columns_of, solve_each},
    vectors::dot,
};
use crate::math::{neg_mul_add, recip};
use crate::{Derivatives, Error, Gradient};

/// Replaces the derivatives of the equations of motion, those of `f - M a + Jᵀ λ` and of `γ - J a` at
/// fixed a and λ, by the derivatives of a and λ themselves.
///
/// By the implicit function theorem, `[M -Jᵀ; J 0] d(a, λ) = d(f - M a + Jᵀ λ, γ - J a)`: one factorisation of the
/// matrix of the equations, and a solution for each column. M is given by its lower triangle and overwritten above its
/// diagonal, J by its rows. Method, accuracy and errors are those of [`Kkt`].
///
/// ```
/// use lagrange_runtime::nalgebra::{SMatrix, matrix};
/// use lagrange_runtime::{Derivatives, linalg::differentiate};
///
/// // A mass of 2 kg on a spring of 8 N/m, pushed by u: 2 a = u - 8 x.
/// let mut forces = Derivatives { q: matrix![-8.0], v: matrix![0.0], z: SMatrix::<f64, 1, 0>::zeros(), u: matrix![1.0] };
/// let none = SMatrix::<f64, 0, 1>::zeros();
/// let mut rates = Derivatives { q: none, v: none, z: SMatrix::zeros(), u: none };
/// differentiate(&mut [[2.0]], &[], &mut forces, &mut rates)?;
/// assert_eq!((forces.q[0], forces.u[0]), (-4.0, 0.5));
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
#[inline(never)]
pub fn differentiate<
    S: RealField + Copy,
    const N: usize,
    const C: usize,
    const K: usize,
    const Z: usize,
>(
    mass: &mut [[S; N]; N],
    jacobian: &[[S; N]; C],
    forces: &mut Derivatives<S, N, N, K, Z>,
    rates: &mut Derivatives<S, C, N, K, Z>,
) -> Result<(), Error> {
    let mut work = [[S::zero(); N]; C];
    let mut factors = Kkt::factor(mass, jacobian, &mut work)?;
    columns_of(forces, rates)
        .into_iter()
        .try_for_each(|(forces, rates)| factors.solve_groups(forces, rates))
}

/// The same for a J whose rows may depend on each other, as far as the independent rows determine the derivatives; see
/// [`Redundant`]. The derivatives of λ are those of the multipliers of the independent rows.
///
/// ```
/// use lagrange_runtime::nalgebra::{SMatrix, matrix};
/// use lagrange_runtime::{Derivatives, linalg::differentiate_redundant};
///
/// // Two masses of 1 kg in one place, by the same row twice: 2 a = u.
/// let none = SMatrix::<f64, 2, 2>::zeros();
/// let mut forces = Derivatives { q: none, v: none, z: SMatrix::<f64, 2, 0>::zeros(), u: matrix![1.0; 0.0] };
/// let mut rates = Derivatives { q: none, v: none, z: SMatrix::zeros(), u: SMatrix::<f64, 2, 1>::zeros() };
/// let jacobian = [[1.0, -1.0], [1.0, -1.0]];
/// differentiate_redundant(&mut [[1.0, 0.0], [0.0, 1.0]], &jacobian, &mut forces, &mut rates)?;
/// assert!((forces.u - matrix![0.5; 0.5]).norm() < 1e-15);
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
#[inline(never)]
pub fn differentiate_redundant<
    S: RealField + Copy,
    const N: usize,
    const C: usize,
    const K: usize,
    const Z: usize,
>(
    mass: &mut [[S; N]; N],
    jacobian: &[[S; N]; C],
    forces: &mut Derivatives<S, N, N, K, Z>,
    rates: &mut Derivatives<S, C, N, K, Z>,
) -> Result<(), Error> {
    let mut work = [[S::zero(); N]; C];
    let factors = Redundant::factor(mass, jacobian, &mut work)?;
    let solve = |f: &[S; N], gamma: &[S; C]| factors.solve_independent(f, gamma);
    let mut columns = columns_of(forces, rates).into_iter();
    columns.try_for_each(|columns| solve_each(columns, solve))
}

/// Solves for the columns of a linearization by factors M = L D Lᵀ that were found and [tested](super::regular) before.
/// The last `N` entries of each column by the state are derivatives of `M a - f`, those of each column by the inputs
/// derivatives of `f`. They become derivatives of a.
///
/// Returns whether all of these are finite.
///
/// ```
/// use lagrange_runtime::linalg::differentiate_by_factors;
///
/// // A mass of 2 kg on a spring of 8 N/m, pushed by u: 2 a + 8 x = u.
/// let (mut by_state, mut by_input) = ([[0.0, 8.0], [1.0, 0.0]], [[0.0, 1.0]]);
/// assert!(differentiate_by_factors(&[[0.0]], &[2.0], &mut by_state, &mut by_input));
/// assert_eq!((by_state, by_input), ([[0.0, -4.0], [1.0, 0.0]], [[0.0, 0.5]]));
/// ```
#[inline]
pub fn differentiate_by_factors<
    S: RealField + Copy,
    const N: usize,
    const M: usize,
    const K: usize,
>(
    lower: &[[S; N]; N],
    pivots: &[S; N],
    by_state: &mut [[S; M]; M],
    by_input: &mut [[S; M]; K],
) -> bool {
    let [reciprocals, negative] = inverse(pivots);
    let by_state = substitute(lower, &negative, by_state);
    let by_input = substitute(lower, &reciprocals, by_input);
    all_finite(&by_state) & all_finite(&by_input)
}

/// Like [`differentiate_by_factors`], without a check of the result, for SIMD lanes.
///
/// ```
/// use lagrange_runtime::linalg::differentiate_by_factors_unchecked;
///
/// // A mass of 2 kg on a spring of 8 N/m, pushed by u: 2 a + 8 x = u.
/// let (mut by_state, mut by_input) = ([[0.0, 8.0], [1.0, 0.0]], [[0.0, 1.0]]);
/// differentiate_by_factors_unchecked(&[[0.0]], &[2.0], &mut by_state, &mut by_input);
/// assert_eq!((by_state, by_input), ([[0.0, -4.0], [1.0, 0.0]], [[0.0, 0.5]]));
/// ```
#[inline]
pub fn differentiate_by_factors_unchecked<
    S: SimdRealField + Copy,
    const N: usize,
    const M: usize,
    const K: usize,
>(
    lower: &[[S; N]; N],
    pivots: &[S; N],
    by_state: &mut [[S; M]; M],
    by_input: &mut [[S; M]; K],
) {
    let [reciprocals, negative] = inverse(pivots);
    substitute(lower, &negative, by_state);
    substitute(lower, &reciprocals, by_input);
}

/// The reciprocal of each pivot, and the negatives.
#[inline]
fn inverse<S: SimdRealField + Copy, const N: usize>(pivots: &[S; N]) -> [[S; N]; 2] {
    let (mut reciprocals, mut negative) = (*pivots, *pivots);
    for i in 0..N {
        reciprocals[i] = recip(pivots[i]);
        negative[i] = -reciprocals[i];
    }
    [reciprocals, negative]
}

/// Replaces the last `N` entries b of each column by `(L D Lᵀ)⁻¹ b`. Returns row sums of all columns, which are not
/// finite if an entry is not, and may overflow.
///
/// In this form, without a branch in the loop over the columns, the compiler solves several columns at once.
#[inline]
fn substitute<S: SimdRealField + Copy, const N: usize, const M: usize, const R: usize>(
    lower: &[[S; N]; N],
    reciprocals: &[S; N],
    columns: &mut [[S; M]; R],
) -> [S; N] {
    for k in 0..R {
        if let Some(x) = columns[k].last_chunk_mut::<N>() {
            for i in 0..N {
                let mut entry = x[i];
                for k in 0..i {
                    entry = neg_mul_add(lower[i][k], x[k], entry);
                }
                x[i] = entry;
            }
            for i in (0..N).rev() {
                let mut entry = x[i] * reciprocals[i];
                for k in i + 1..N {
                    entry = neg_mul_add(lower[k][i], x[k], entry);
                }
                x[i] = entry;
            }
        }
    }
    let mut sums = [S::zero(); N];
    for k in 0..R {
        for i in 0..N.min(M) {
            sums[i] += columns[k][M - N.min(M) + i];
        }
    }
    sums
}

/// The derivatives of `w . a` from those of a.
///
/// # Errors
///
/// [`Error::NotFinite`] if one of them is not finite.
///
/// ```
/// use lagrange_runtime::nalgebra::{SMatrix, matrix, vector};
/// use lagrange_runtime::{Derivatives, linalg::weighted};
///
/// let derivatives = Derivatives { q: matrix![-4.0], v: matrix![0.0], z: SMatrix::<f64, 1, 0>::zeros(), u: matrix![0.5] };
/// let gradient = weighted(&derivatives, &[3.0])?;
/// assert_eq!((gradient.q, gradient.u), (vector![-12.0], vector![1.5]));
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
pub fn weighted<S: RealField + Copy, const N: usize, const K: usize, const Z: usize>(
    derivatives: &Derivatives<S, N, N, K, Z>,
    w: &[S; N],
) -> Result<Gradient<S, N, K, Z>, Error> {
    let gradient = Gradient {
        q: products(&derivatives.q, w),
        v: products(&derivatives.v, w),
        z: products(&derivatives.z, w),
        u: products(&derivatives.u, w),
    };
    let Gradient { q, v, z, u } = &gradient;
    let parts = [&q.data.0[0][..], &v.data.0[0], &z.data.0[0], &u.data.0[0]];
    if are_finite(&parts) {
        Ok(gradient)
    } else {
        Err(Error::NOT_FINITE)
    }
}

/// The products of the columns with w.
fn products<S: RealField + Copy, const N: usize, const R: usize>(
    columns: &SMatrix<S, N, R>,
    w: &[S; N],
) -> SVector<S, R> {
    let mut products = [S::zero(); R];
    for k in 0..R {
        products[k] = dot(&columns.data.0[k], w);
    }
    SVector::from_array_storage(ArrayStorage([products]))
}

//! Derivatives of the solution of the equations of motion from those of the equations.

use nalgebra::{RealField, SMatrix, SimdRealField};

use super::{Kkt, kkt_unchecked_in_place};
use crate::{Derivatives, Error};

/// Replaces the derivatives of the equations of motion, those of `f - M a + Jᵀ λ` and of `γ - J a` at
/// fixed a and λ, by the derivatives of a and λ themselves.
///
/// By the implicit function theorem, `[M -Jᵀ; J 0] d(a, λ) = d(f - M a + Jᵀ λ, γ - J a)`: one
/// factorisation of the matrix, which is that of the equations, and a solution for each column. M is given by
/// its lower triangle and overwritten above its diagonal, J by its rows. Method, accuracy and errors are
/// those of [`Kkt`].
///
/// ```
/// use lagrange_runtime::nalgebra::{SMatrix, matrix};
/// use lagrange_runtime::{Derivatives, linalg::differentiate};
///
/// // A mass of 2 kg on a spring of 8 N/m, pushed by u: 2 a = u - 8 x.
/// let mut forces = Derivatives { q: matrix![-8.0], v: matrix![0.0], u: matrix![1.0] };
/// let none = SMatrix::<f64, 0, 1>::zeros();
/// let mut rates = Derivatives { q: none, v: none, u: none };
/// differentiate(&mut [[2.0]], &[], &mut forces, &mut rates)?;
/// assert_eq!((forces.q[0], forces.u[0]), (-4.0, 0.5));
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
#[inline(never)]
pub fn differentiate<S: RealField + Copy, const N: usize, const C: usize, const K: usize>(
    mass: &mut [[S; N]; N],
    jacobian: &[[S; N]; C],
    forces: &mut Derivatives<S, N, N, K>,
    rates: &mut Derivatives<S, C, N, K>,
) -> Result<(), Error> {
    let mut work = [[S::zero(); N]; C];
    let mut factors = Kkt::factor(mass, jacobian, &mut work)?;
    solve_columns(&mut factors, &mut forces.q, &mut rates.q)?;
    solve_columns(&mut factors, &mut forces.v, &mut rates.v)?;
    solve_columns(&mut factors, &mut forces.u, &mut rates.u)
}

/// Replaces each pair of columns, a right-hand side, by the solution.
fn solve_columns<S: RealField + Copy, const N: usize, const C: usize, const R: usize>(
    factors: &mut Kkt<'_, S, N, C>,
    forces: &mut SMatrix<S, N, R>,
    rates: &mut SMatrix<S, C, R>,
) -> Result<(), Error> {
    let columns = forces.data.0.iter_mut().zip(&mut rates.data.0);
    for (force, rate) in columns {
        (*force, *rate) = factors.solve(force, rate)?;
    }
    Ok(())
}

/// The same without any check, so that it serves SIMD lanes: not finite where the matrix is singular. It
/// factors anew for each column; errors and accuracy are those of [`kkt_unchecked`](super::kkt_unchecked).
///
/// ```
/// use lagrange_runtime::nalgebra::{SMatrix, matrix};
/// use lagrange_runtime::{Derivatives, linalg::differentiate_unchecked};
///
/// let mut forces = Derivatives { q: matrix![-8.0], v: matrix![0.0], u: matrix![1.0] };
/// let none = SMatrix::<f64, 0, 1>::zeros();
/// let mut rates = Derivatives { q: none, v: none, u: none };
/// differentiate_unchecked(&[[2.0]], &[], &mut forces, &mut rates);
/// assert_eq!((forces.q[0], forces.u[0]), (-4.0, 0.5));
/// ```
#[inline(never)]
pub fn differentiate_unchecked<
    S: SimdRealField + Copy,
    const N: usize,
    const C: usize,
    const K: usize,
>(
    mass: &[[S; N]; N],
    jacobian: &[[S; N]; C],
    forces: &mut Derivatives<S, N, N, K>,
    rates: &mut Derivatives<S, C, N, K>,
) {
    let columns = forces.q.data.0.iter_mut().zip(&mut rates.q.data.0);
    let columns = columns.chain(forces.v.data.0.iter_mut().zip(&mut rates.v.data.0));
    let columns = columns.chain(forces.u.data.0.iter_mut().zip(&mut rates.u.data.0));
    for (force, rate) in columns {
        let mut place = *mass;
        (*force, *rate) = kkt_unchecked_in_place(&mut place, jacobian, force, rate);
    }
}

/// The weights (y, z) of the equations of motion for which `w . da = y . d(f - M a + J^T lambda) + z . d(gamma - J a)`:
/// `M y + J^T z = w`, `J y = 0`, the transposed system, which is the same but for the sign of z.
///
/// M is given by its lower triangle and overwritten, J by its rows. Method, accuracy and errors are those of
/// [`Kkt`].
///
/// ```
/// use lagrange_runtime::linalg::adjoint;
///
/// // A mass of 2 kg: a = f / 2.
/// let (y, z) = adjoint(&mut [[2.0]], &[], &[3.0])?;
/// assert_eq!((y, z), ([1.5], []));
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
pub fn adjoint<S: RealField + Copy, const N: usize, const C: usize>(
    mass: &mut [[S; N]; N],
    jacobian: &[[S; N]; C],
    w: &[S; N],
) -> Result<([S; N], [S; C]), Error> {
    let mut work = [[S::zero(); N]; C];
    let mut factors = Kkt::factor(mass, jacobian, &mut work)?;
    let (y, z) = factors.solve(w, &[S::zero(); C])?;
    Ok((y, z.map(|entry| -entry)))
}

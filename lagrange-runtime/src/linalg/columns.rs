//! Derivatives of the solution of the equations of motion from those of the equations.

use nalgebra::{RealField, SMatrix};

use super::Kkt;
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
/// use lagrange_runtime::{Derivatives, linalg::differentiate, nalgebra::matrix};
///
/// // A mass of 2 kg on a spring of 8 N/m, pushed by u: 2 a = u - 8 x.
/// let mut forces = Derivatives { q: matrix![-8.0], v: matrix![0.0], u: matrix![1.0] };
/// let none = matrix![];
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

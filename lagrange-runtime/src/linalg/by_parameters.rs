//! Derivatives of the accelerations by parameters from those of the equations of motion.

use nalgebra::{RealField, SMatrix};

use super::{
    Bordered, Kkt, Reacting, Redundant,
    multi_rhs::{SolveGroups, solve_each},
};
use crate::Error;

/// The derivatives of a by parameters, a column for each: the solutions of `[M -Jᵀ; J 0] d(a, λ) = (forces, rates)`, where
/// the right-hand sides are the derivatives of `f - M a + Jᵀ λ` and of `γ - J a` at fixed a and λ. Method, accuracy and
/// errors are those of [`Kkt`].
///
/// ```
/// use lagrange_runtime::linalg::by_parameters;
/// use lagrange_runtime::nalgebra::{SMatrix, matrix};
///
/// // 2 a = u, by u.
/// let none = SMatrix::<f64, 0, 1>::zeros();
/// assert_eq!(by_parameters(&mut [[2.0]], &[], matrix![1.0], none)?[0], 0.5);
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
#[inline(never)]
pub fn by_parameters<S: RealField + Copy, const N: usize, const C: usize, const R: usize>(
    mass: &mut [[S; N]; N],
    jacobian: &[[S; N]; C],
    mut forces: SMatrix<S, N, R>,
    mut rates: SMatrix<S, C, R>,
) -> Result<SMatrix<S, N, R>, Error> {
    let mut work = [[S::zero(); N]; C];
    let mut factors = Kkt::factor(mass, jacobian, &mut work)?;
    factors.solve_groups(&mut forces.data.0, &mut rates.data.0)?;
    Ok(forces)
}

/// The same for a J whose rows may depend on each other, as far as the independent rows determine the derivatives; see
/// [`Redundant`].
///
/// ```
/// use lagrange_runtime::linalg::by_parameters_redundant;
/// use lagrange_runtime::nalgebra::{SMatrix, matrix};
///
/// // Two masses of 1 kg in one place, by the same row twice: 2 a = u, by u.
/// let (rows, forces) = ([[1.0, -1.0], [1.0, -1.0]], matrix![1.0; 0.0]);
/// let a = by_parameters_redundant(&mut [[1.0, 0.0], [0.0, 1.0]], &rows, forces, SMatrix::zeros())?;
/// assert!((a - matrix![0.5; 0.5]).norm() < 1e-15);
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
#[inline(never)]
pub fn by_parameters_redundant<
    S: RealField + Copy,
    const N: usize,
    const C: usize,
    const R: usize,
>(
    mass: &mut [[S; N]; N],
    jacobian: &[[S; N]; C],
    mut forces: SMatrix<S, N, R>,
    mut rates: SMatrix<S, C, R>,
) -> Result<SMatrix<S, N, R>, Error> {
    let mut work = [[S::zero(); N]; C];
    let factors = Redundant::factor(mass, jacobian, &mut work)?;
    let columns = (&mut forces.data.0[..], &mut rates.data.0[..]);
    solve_each(columns, |f, gamma| factors.solve_independent(f, gamma))?;
    Ok(forces)
}

/// [`by_parameters`] for `[M -K; J 0]`.
///
/// ```
/// use lagrange_runtime::linalg::by_parameters_reacting;
/// use lagrange_runtime::nalgebra::{SMatrix, matrix};
///
/// // A mass of 2 kg, pushed by u, by u.
/// let none = SMatrix::<f64, 0, 1>::zeros();
/// assert_eq!(by_parameters_reacting(&[[2.0]], &[[]], &[], matrix![1.0], none)?[0], 0.5);
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
#[inline(never)]
pub fn by_parameters_reacting<
    S: RealField + Copy,
    const N: usize,
    const C: usize,
    const R: usize,
>(
    mass: &[[S; N]; N],
    by_multipliers: &[[S; C]; N],
    jacobian: &[[S; N]; C],
    mut forces: SMatrix<S, N, R>,
    mut rates: SMatrix<S, C, R>,
) -> Result<SMatrix<S, N, R>, Error> {
    let mut work = Bordered::zeros();
    let factors = Reacting::factor(mass, by_multipliers, jacobian, &mut work)?;
    let columns = (&mut forces.data.0[..], &mut rates.data.0[..]);
    solve_each(columns, |f, gamma| factors.solve(f, gamma))?;
    Ok(forces)
}

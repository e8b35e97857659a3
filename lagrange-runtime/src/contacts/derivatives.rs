//! Derivatives of motions and impacts by contacts.

use nalgebra::{RealField, SMatrix};

use super::factors::Factors;
use super::{Touching, reactions};
use crate::linalg::{Bordered, Reacting, Redundant, matrix, mirror};
use crate::math::mul_add;
use crate::{Derivatives, Error};

/// The derivatives of the acceleration of [`solve_active`](super::solve_active), for generated code. `forces` and `rates`
/// are the derivatives of f - M a + Jᵀ λ + `J_cᵀ F` and of γ - J a, and `of_contacts` those of `γ_c - J_c a` by q and by v. `E` is
/// N + P, and `R` is C + P.
///
/// # Errors
///
/// The errors of [`solve_active`](super::solve_active).
#[doc(hidden)]
pub fn linearize_active<
    S: RealField + Copy,
    const N: usize,
    const C: usize,
    const P: usize,
    const E: usize,
    const R: usize,
    const K: usize,
>(
    state: &Touching<S, N, C, P>,
    active: &[bool; P],
    forces: Derivatives<S, N, N, K>,
    rates: &Derivatives<S, C, N, K>,
    of_contacts: [&SMatrix<S, P, N>; 2],
) -> Result<Derivatives<S, N, N, K>, Error> {
    let (mut mass, mut jacobian) = zeros();
    state.extend(active, &mut mass, &mut jacobian);
    let mut work = [[S::zero(); E]; R];
    let mut factors = Factors::new(state.are_redundant, &mut mass, &jacobian, &mut work)?;
    let solve = |f: &[S; E], gamma: &[S; R]| factors.solve(f, gamma);
    linearized(active, solve, forces, rates, of_contacts)
}

/// [`linearize_active`] of a system whose forces depend on multipliers. `forces` include these forces.
///
/// # Errors
///
/// The errors of [`solve_active`](super::solve_active).
#[doc(hidden)]
pub fn linearize_reacting<
    S: RealField + Copy,
    const N: usize,
    const C: usize,
    const P: usize,
    const E: usize,
    const R: usize,
    const K: usize,
>(
    state: &Touching<S, N, C, P>,
    active: &[bool; P],
    forces: Derivatives<S, N, N, K>,
    rates: &Derivatives<S, C, N, K>,
    of_contacts: [&SMatrix<S, P, N>; 2],
) -> Result<Derivatives<S, N, N, K>, Error> {
    let (mut mass, mut jacobian) = zeros();
    state.extend(active, &mut mass, &mut jacobian);
    mirror(&mut mass);
    let mut reactions = reactions(active, &jacobian, state.multiplier_forces.as_ref());
    let mut left_out = [false; R];
    if state.are_redundant {
        let (mut upper, mut work) = (mass, [[S::zero(); E]; R]);
        let redundant = Redundant::factor(&mut upper, &jacobian, &mut work)?;
        let independent = redundant.independent(&reactions)?;
        (jacobian, reactions, left_out) = (
            independent.jacobian,
            independent.forces,
            independent.left_out,
        );
    }
    let mut work = Bordered::zeros();
    let factors = Reacting::factor_without(&mass, &reactions, &jacobian, &left_out, &mut work)?;
    let solve = |f: &[S; E], gamma: &[S; R]| Ok(factors.solve(f, gamma)?.0);
    linearized(active, solve, forces, rates, of_contacts)
}

/// Rows for M and J with the active contacts.
fn zeros<S: RealField + Copy, const E: usize, const R: usize>() -> ([[S; E]; E], [[S; E]; R]) {
    ([[S::zero(); E]; E], [[S::zero(); E]; R])
}

/// The derivatives of the acceleration, by solutions of the equations with the active contacts.
fn linearized<
    S: RealField + Copy,
    const N: usize,
    const C: usize,
    const P: usize,
    const E: usize,
    const R: usize,
    const K: usize,
>(
    active: &[bool; P],
    mut solve: impl FnMut(&[S; E], &[S; R]) -> Result<[S; E], Error>,
    mut forces: Derivatives<S, N, N, K>,
    rates: &Derivatives<S, C, N, K>,
    [by_q, by_v]: [&SMatrix<S, P, N>; 2],
) -> Result<Derivatives<S, N, N, K>, Error> {
    let (q, v, u) = (&mut forces.q, &mut forces.v, &mut forces.u);
    let by_u = [[S::zero(); P]; K];
    solve_all(
        active,
        &mut solve,
        (&mut q.data.0, &rates.q.data.0, &by_q.data.0),
    )?;
    solve_all(
        active,
        &mut solve,
        (&mut v.data.0, &rates.v.data.0, &by_v.data.0),
    )?;
    solve_all(active, &mut solve, (&mut u.data.0, &rates.u.data.0, &by_u))?;
    Ok(forces)
}

/// The derivatives of the velocity after an [`impact`](super::impact) by q and by v, for generated code. `impulses` are those of
/// `Jᵀ L + J_cᵀ P - M (v⁺ - v)` by both, `of_constraints` those of `J (v⁺ - v)` by q, and `of_contacts` those of
/// `J_c (v⁺ - v)` and of the rates of the gaps by q.
///
/// # Errors
///
/// The errors of [`impact`](super::impact).
#[doc(hidden)]
pub fn impact_derivatives<
    S: RealField + Copy,
    const N: usize,
    const C: usize,
    const P: usize,
    const E: usize,
    const R: usize,
>(
    state: &Touching<S, N, C, P>,
    active: &[bool; P],
    restitution: &[S; P],
    impulses: [SMatrix<S, N, N>; 2],
    of_constraints: &SMatrix<S, C, N>,
    of_contacts: [&SMatrix<S, P, N>; 2],
) -> Result<(SMatrix<S, N, N>, SMatrix<S, N, N>), Error> {
    let zero = S::zero();
    let [mut by_q, mut by_v] = impulses.map(|by| by.data.0);
    let [changes, rates] = of_contacts.map(|by| &by.data.0);
    let (mut rows_by_q, mut rows_by_v) = ([[zero; C]; N], [[zero; P]; N]);
    let mut contacts_by_q = [[zero; P]; N];
    for j in 0..N {
        for k in 0..C {
            rows_by_q[j][k] = -of_constraints.data.0[j][k];
        }
        for k in 0..P {
            let slope = state.contact_jacobian.data.0[j][k];
            let (rate, change) = (rates[j][k], changes[j][k]);
            contacts_by_q[j][k] = -mul_add(restitution[k], rate, rate) - change;
            rows_by_v[j][k] = -mul_add(restitution[k], slope, slope);
        }
    }
    let (mut mass, mut jacobian) = zeros();
    state.extend(active, &mut mass, &mut jacobian);
    let mut work = [[S::zero(); E]; R];
    let mut factors = Factors::new(state.are_redundant, &mut mass, &jacobian, &mut work)?;
    let mut solve = |f: &[S; E], gamma: &[S; R]| factors.solve(f, gamma);
    let still = [[zero; C]; N];
    solve_all(active, &mut solve, (&mut by_q, &rows_by_q, &contacts_by_q))?;
    solve_all(active, &mut solve, (&mut by_v, &still, &rows_by_v))?;
    for j in 0..N {
        by_v[j][j] += S::one();
    }
    Ok((matrix(by_q), matrix(by_v)))
}

/// Right-hand sides by columns: forces, those of the constraints, and those of the contacts.
type Right<'a, S, const N: usize, const C: usize, const P: usize> =
    (&'a mut [[S; N]], &'a [[S; C]], &'a [[S; P]]);

/// Overwrites the forces of each column by the unknowns.
fn solve_all<
    S: RealField + Copy,
    const N: usize,
    const C: usize,
    const P: usize,
    const E: usize,
    const R: usize,
>(
    active: &[bool; P],
    solve: &mut impl FnMut(&[S; E], &[S; R]) -> Result<[S; E], Error>,
    (forces, rates, contacts): Right<'_, S, N, C, P>,
) -> Result<(), Error> {
    let zero = S::zero();
    for ((force, rate), contact) in forces.iter_mut().zip(rates).zip(contacts) {
        let (mut right, mut wanted) = ([zero; E], [zero; R]);
        for (place, value) in right.iter_mut().zip(force.iter()) {
            *place = *value;
        }
        let closed = contact
            .iter()
            .zip(active)
            .map(|(value, active)| if *active { *value } else { zero });
        let values = rate.iter().copied().chain(closed);
        for (place, value) in wanted.iter_mut().zip(values) {
            *place = value;
        }
        let a = solve(&right, &wanted)?;
        for (place, value) in force.iter_mut().zip(&a) {
            *place = *value;
        }
    }
    Ok(())
}

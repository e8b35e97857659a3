//! The equations of motion without a check, for SIMD lanes.

use core::convert::Infallible;

use nalgebra::SimdRealField;

use super::{
    multi_rhs::{FEW, Group, SolveGroups, add_rows, columns_of, solve_abreast},
    out_parameters::mirror,
    reacting_lanes::{solve_one_pivoted, solve_pivoted},
    schur::{Place, Schur},
};
use crate::Derivatives;

/// Solves the equations of [`kkt`](super::kkt()) without a check, for SIMD lanes.
///
/// It uses the Schur complement of M, or that of M + Jᵀ W J in lanes with a small pivot, with one step of iterative
/// refinement. If pivots are still small, as for an indefinite M, all lanes use elimination with pivoting. If the system is
/// singular the result is not finite; if it is nearly singular the result is large and inaccurate. The condition of J,
/// measured by the masses, counts twice in the first method: at 1e3 six digits of `f64` are lost, of which the
/// refinement restores some. [`kkt`](super::kkt()) does not have that limit.
/// M is overwritten.
///
/// ```
/// use lagrange_runtime::linalg::kkt_unchecked_in_place;
///
/// // y = x, where y has no mass.
/// let mut mass = [[2.0, 0.0], [0.0, 0.0]];
/// let (a, lambda) = kkt_unchecked_in_place(&mut mass, &[[-1.0, 1.0]], &[3.0, 1.0], &[0.0]);
/// assert_eq!((a, lambda), ([2.0, 2.0], [-1.0]));
/// ```
#[inline(never)]
pub fn kkt_unchecked_in_place<S: SimdRealField + Copy, const N: usize, const C: usize>(
    m: &mut [[S; N]; N],
    j: &[[S; N]; C],
    f: &[S; N],
    gamma: &[S; C],
) -> ([S; N], [S; C]) {
    let right = (*f, *gamma);
    let mut work = [[S::zero(); N]; C];
    match Schur::try_factor_lanes(m, j, &mut work) {
        Some(schur) => {
            let place = place(m, j, &work);
            if C == 0 {
                schur.apply(&place, &right)
            } else {
                place
                    .saddle()
                    .refine_once(&right, |right| schur.apply(&place, right))
            }
        }
        None => {
            mirror(m);
            solve_one_pivoted((m, |i, k| j[k][i], j), right)
        }
    }
}

fn place<'a, S, const N: usize, const C: usize>(
    mass: &'a [[S; N]; N],
    jacobian: &'a [[S; N]; C],
    work: &'a [[S; N]; C],
) -> Place<'a, S, N, C> {
    Place {
        mass,
        jacobian,
        work,
    }
}

/// Like [`differentiate`](super::differentiate) without any check, for SIMD lanes: not finite if the matrix is
/// singular. M is given by its lower triangle, J by its rows; errors and accuracy are those of [`kkt_unchecked_in_place`].
///
/// ```
/// use lagrange_runtime::nalgebra::{SMatrix, matrix};
/// use lagrange_runtime::{Derivatives, linalg::differentiate_unchecked};
///
/// let mut forces = Derivatives { q: matrix![-8.0], v: matrix![0.0], z: SMatrix::<f64, 1, 0>::zeros(), u: matrix![1.0] };
/// let none = SMatrix::<f64, 0, 1>::zeros();
/// let mut rates = Derivatives { q: none, v: none, z: SMatrix::zeros(), u: none };
/// differentiate_unchecked(&[[2.0]], &[], &mut forces, &mut rates);
/// assert_eq!((forces.q[0], forces.u[0]), (-4.0, 0.5));
/// ```
#[inline(never)]
pub fn differentiate_unchecked<
    S: SimdRealField + Copy,
    const N: usize,
    const C: usize,
    const K: usize,
    const Z: usize,
>(
    mass: &[[S; N]; N],
    jacobian: &[[S; N]; C],
    forces: &mut Derivatives<S, N, N, K, Z>,
    rates: &mut Derivatives<S, C, N, K, Z>,
) {
    let (mut factored, mut work) = (*mass, [[S::zero(); N]; C]);
    let schur = Schur::try_factor_lanes(&mut factored, jacobian, &mut work);
    let mut columns = columns_of(forces, rates);
    if let Some(schur) = schur {
        let place = place(&factored, jacobian, &work);
        let mut factors = SchurColumns { schur, place };
        for (forces, rates) in columns {
            let Ok(()) = factors.solve_groups(forces, rates);
        }
    } else {
        mirror(&mut factored);
        solve_pivoted((&factored, |i, k| jacobian[k][i], jacobian), &mut columns);
    }
}

/// The factors by the Schur complement and their memory.
struct SchurColumns<'a, S, const N: usize, const C: usize> {
    schur: Schur<S, N, C>,
    place: Place<'a, S, N, C>,
}

impl<S: SimdRealField + Copy, const N: usize, const C: usize> SolveGroups<S, N, C>
    for SchurColumns<'_, S, N, C>
{
    type Error = Infallible;

    /// Lanes are several numbers each.
    const MOST: usize = if size_of::<S>() > size_of::<f64>() {
        FEW
    } else {
        usize::MAX
    };

    /// With a step of iterative refinement if there are constraints.
    fn solve_group<const W: usize>(
        &mut self,
        forces: &mut [[S; N]],
        rates: &mut [[S; C]],
    ) -> Result<(), Infallible> {
        let Self { schur, place } = self;
        solve_abreast::<S, N, C, N, W>(forces, rates, |a, multipliers| {
            let (mut left, mut rates_left) = (Group(*a), Group(*multipliers));
            schur.apply_abreast(place, a, multipliers);
            if C > 0 {
                let saddle = place.saddle();
                saddle.leave_abreast((a, multipliers), &mut left.0, &mut rates_left.0);
                schur.apply_abreast(place, &mut left.0, &mut rates_left.0);
                add_rows(a, &left.0);
                add_rows(multipliers, &rates_left.0);
            }
            true
        });
        Ok(())
    }
}

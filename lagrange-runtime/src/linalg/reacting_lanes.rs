//! Solves of `[M -K; J 0] [a; λ] = [f; γ]` without a check, for SIMD lanes; each lane has its own pivots. With K = Jᵀ they
//! serve the lanes whose Schur complement has small pivots.

use nalgebra::SimdRealField;

use super::{
    bordered::{Bordered, part, part_mut},
    kkt_residual::Pair,
    multi_rhs::{Columns, columns_of},
};
use crate::Derivatives;

/// The accelerations and multipliers of `[M -K; J 0] [a; λ] = [f; γ]` without a check, for SIMD lanes.
///
/// Gaussian elimination with implicitly scaled partial pivoting (Golub and Van Loan, *Matrix Computations*, 4th ed.,
/// sections 3.4.1 and 3.5.2), by selection in each lane, so that M may be singular. Not finite if the matrix is singular,
/// inaccurate nearby.
///
/// ```
/// use lagrange_runtime::linalg::reacting_unchecked;
///
/// // A block of 2 kg slides on the floor with the coefficient of friction 0.5: K = Jᵀ + B, with B = (-0.5, 0).
/// let (mass, forces) = ([[2.0, 0.0], [0.0, 2.0]], [[-0.5], [1.0]]);
/// let (a, lambda) = reacting_unchecked(&mass, &forces, &[[0.0, 1.0]], &[0.0, -20.0], &[0.0]);
/// assert_eq!((a, lambda), ([-5.0, 0.0], [20.0]));
/// ```
pub fn reacting_unchecked<S: SimdRealField + Copy, const N: usize, const C: usize>(
    mass: &[[S; N]; N],
    by_multipliers: &[[S; C]; N],
    jacobian: &[[S; N]; C],
    f: &[S; N],
    gamma: &[S; C],
) -> Pair<S, N, C> {
    let forces = |i: usize, k: usize| by_multipliers[i][k];
    solve_one_pivoted((mass, forces, jacobian), (*f, *gamma))
}

/// Like [`differentiate_reacting`](super::differentiate_reacting) without any check, for SIMD lanes: not finite if the
/// matrix is singular. The method is that of [`reacting_unchecked`].
///
/// ```
/// use lagrange_runtime::nalgebra::{SMatrix, matrix};
/// use lagrange_runtime::{Derivatives, linalg::differentiate_reacting_unchecked};
///
/// // A mass of 2 kg, pushed by u.
/// let none = SMatrix::<f64, 0, 1>::zeros();
/// let mut forces = Derivatives { q: matrix![-8.0], v: matrix![0.0], z: SMatrix::<f64, 1, 0>::zeros(), u: matrix![1.0] };
/// let mut rates = Derivatives { q: none, v: none, z: SMatrix::zeros(), u: none };
/// differentiate_reacting_unchecked(&[[2.0]], &[[]], &[], &mut forces, &mut rates);
/// assert_eq!((forces.q[0], forces.u[0]), (-4.0, 0.5));
/// ```
#[inline(never)]
pub fn differentiate_reacting_unchecked<
    S: SimdRealField + Copy,
    const N: usize,
    const C: usize,
    const K: usize,
    const Z: usize,
>(
    mass: &[[S; N]; N],
    by_multipliers: &[[S; C]; N],
    jacobian: &[[S; N]; C],
    forces: &mut Derivatives<S, N, N, K, Z>,
    rates: &mut Derivatives<S, C, N, K, Z>,
) {
    solve_pivoted(
        (mass, |i, k| by_multipliers[i][k], jacobian),
        &mut columns_of(forces, rates),
    );
}

/// M, the entries of K, and J.
type Blocks<'a, S, F, const N: usize, const C: usize> = (&'a [[S; N]; N], F, &'a [[S; N]; C]);

/// The solution for one right-hand side.
#[inline]
pub(super) fn solve_one_pivoted<S: SimdRealField + Copy, const N: usize, const C: usize>(
    blocks: Blocks<'_, S, impl Fn(usize, usize) -> S, N, C>,
    (mut solution, mut multipliers): Pair<S, N, C>,
) -> Pair<S, N, C> {
    let column = (
        core::slice::from_mut(&mut solution),
        core::slice::from_mut(&mut multipliers),
    );
    solve_pivoted(blocks, &mut [column]);
    (solution, multipliers)
}

/// Replaces right-hand sides by the solutions.
pub(super) fn solve_pivoted<S: SimdRealField + Copy, const N: usize, const C: usize>(
    (mass, forces, jacobian): Blocks<'_, S, impl Fn(usize, usize) -> S, N, C>,
    columns: &mut [Columns<'_, S, N, C>],
) {
    let mut matrix = Bordered::zeros();
    matrix.set(mass, forces, jacobian, &[false; C]);
    let size = N + C;
    let mut sizes = matrix.sizes_of_rows();
    for k in 0..size {
        for i in k + 1..size {
            // The larger of two entries, each beside its row, moves up.
            let [above, below] = [k, i].map(|row| matrix.get(row, k).simd_abs());
            let [of_above, of_below] = [k, i].map(|row| get(&sizes, row));
            let larger = (below * of_above).simd_gt(above * of_below);
            for j in k..size {
                let (above, below) = (matrix.get(k, j), matrix.get(i, j));
                set(matrix.at(k, j), below.select(larger, above));
                set(matrix.at(i, j), above.select(larger, below));
            }
            set(part_mut(&mut sizes, k), of_below.select(larger, of_above));
            set(part_mut(&mut sizes, i), of_above.select(larger, of_below));
            for_each(columns, |right| {
                let (above, below) = (right.get(k), right.get(i));
                set(right.at(k), below.select(larger, above));
                set(right.at(i), above.select(larger, below));
            });
        }
        let pivot = matrix.get(k, k);
        for i in k + 1..size {
            let factor = matrix.get(i, k) / pivot;
            for j in k + 1..size {
                let left = matrix.get(i, j) - factor * matrix.get(k, j);
                set(matrix.at(i, j), left);
            }
            for_each(columns, |right| {
                let left = right.get(i) - factor * right.get(k);
                set(right.at(i), left);
            });
        }
    }
    for_each(columns, |right| {
        for k in (0..size).rev() {
            let mut left = right.get(k);
            for j in k + 1..size {
                left -= matrix.get(k, j) * right.get(j);
            }
            set(right.at(k), left / matrix.get(k, k));
        }
    });
}

/// One right-hand side.
struct Right<'a, S, const N: usize, const C: usize> {
    force: &'a mut [S; N],
    rate: &'a mut [S; C],
}

impl<S: SimdRealField + Copy, const N: usize, const C: usize> Right<'_, S, N, C> {
    fn at(&mut self, index: usize) -> Option<&mut S> {
        match index.checked_sub(N) {
            None => self.force.get_mut(index),
            Some(index) => self.rate.get_mut(index),
        }
    }

    fn get(&mut self, index: usize) -> S {
        self.at(index).map_or_else(S::zero, |entry| *entry)
    }
}

fn for_each<S, const N: usize, const C: usize>(
    columns: &mut [Columns<'_, S, N, C>],
    mut apply: impl FnMut(&mut Right<'_, S, N, C>),
) {
    for (forces, rates) in columns {
        for (force, rate) in forces.iter_mut().zip(rates.iter_mut()) {
            apply(&mut Right { force, rate });
        }
    }
}

impl<S: SimdRealField + Copy, const N: usize, const C: usize> Bordered<S, N, C> {
    /// The largest entry of each row.
    fn sizes_of_rows(&self) -> Pair<S, N, C> {
        let largest = |row: usize| {
            (0..N + C)
                .map(|column| self.get(row, column).simd_abs())
                .fold(S::zero(), |most, entry| most.simd_max(entry))
        };
        (
            core::array::from_fn(largest),
            core::array::from_fn(|k| largest(N + k)),
        )
    }
}

fn get<S: SimdRealField + Copy, const N: usize, const C: usize>(
    pair: &Pair<S, N, C>,
    index: usize,
) -> S {
    part(pair, index).copied().unwrap_or_else(S::zero)
}

fn set<S>(place: Option<&mut S>, value: S) {
    if let Some(place) = place {
        *place = value;
    }
}

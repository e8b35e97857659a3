//! The matrix of a constrained system by its blocks: residuals of a solution, and the sizes of their terms.

use nalgebra::{RealField, SimdRealField};

use super::{
    multi_rhs::subtract,
    vectors::{add, add_multiple, subtract_dot},
};
use crate::math::neg_mul_add;

/// Values for the coordinates and for the constraints: a right-hand side (f, γ) or a solution (a, λ).
pub(super) type Pair<S, const N: usize, const C: usize> = ([S; N], [S; C]);

/// The matrix `[M -Jᵀ; J 0]`.
#[derive(Debug)]
pub(super) struct Saddle<'a, S, const N: usize, const C: usize> {
    /// M in the lower triangle, diagonal included. The entries above are not read.
    pub(super) mass: &'a [[S; N]; N],
    pub(super) jacobian: &'a [[S; N]; C],
}

impl<S: SimdRealField + Copy, const N: usize, const C: usize> Saddle<'_, S, N, C> {
    /// `f - M a + Jᵀ λ` and `γ - J a`.
    #[inline]
    pub(super) fn residual(
        &self,
        right: &Pair<S, N, C>,
        (a, lambda): &Pair<S, N, C>,
    ) -> Pair<S, N, C> {
        let (mut forces, mut rates) = *right;
        for i in 0..N {
            // The lower triangle is read once: as a row, and as a column of the upper triangle.
            let mut entry = neg_mul_add(self.mass[i][i], a[i], forces[i]);
            for k in 0..i {
                entry = neg_mul_add(self.mass[i][k], a[k], entry);
                forces[k] = neg_mul_add(self.mass[i][k], a[i], forces[k]);
            }
            forces[i] = entry;
        }
        for k in 0..C {
            add_multiple(lambda[k], &self.jacobian[k], &mut forces);
            rates[k] = subtract_dot(&self.jacobian[k], a, rates[k]);
        }
        (forces, rates)
    }

    /// The solution by `solve` and one step of iterative refinement, for lanes.
    #[inline]
    pub(super) fn refine_once(
        &self,
        right: &Pair<S, N, C>,
        solve: impl Fn(&Pair<S, N, C>) -> Pair<S, N, C>,
    ) -> Pair<S, N, C> {
        let mut solution = solve(right);
        let correction = solve(&self.residual(right, &solution));
        add(&mut solution.0, &correction.0);
        add(&mut solution.1, &correction.1);
        solution
    }

    /// Subtracts `M a - Jᵀ λ` from forces and J a from rates, for several solutions.
    pub(super) fn leave_abreast<const W: usize>(
        &self,
        (a, multipliers): (&[[S; W]; N], &[[S; W]; C]),
        forces: &mut [[S; W]; N],
        rates: &mut [[S; W]; C],
    ) {
        for i in 0..N {
            for k in 0..i {
                let entry = self.mass[i][k];
                subtract(entry, &a[k], &mut forces[i]);
                subtract(entry, &a[i], &mut forces[k]);
            }
            subtract(self.mass[i][i], &a[i], &mut forces[i]);
        }
        for k in 0..C {
            for i in 0..N {
                subtract(-self.jacobian[k][i], &multipliers[k], &mut forces[i]);
                subtract(self.jacobian[k][i], &a[i], &mut rates[k]);
            }
        }
    }
}

/// The absolute values of entries.
pub(super) fn absolute<S: RealField + Copy, const R: usize>(entries: &[S; R]) -> [S; R] {
    let mut sizes = *entries;
    for i in 0..R {
        sizes[i] = entries[i].abs();
    }
    sizes
}

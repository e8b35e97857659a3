//! The matrix of a constrained system by its blocks: residuals of a solution, and the sizes of their terms.

use nalgebra::{RealField, SimdRealField};

use super::{
    multi_rhs::subtract,
    vectors::{add, add_multiple, subtract_dot},
};
use crate::math::{mul_add, neg_mul_add};

/// Values for the coordinates and for the constraints: a right-hand side (f, γ) or a solution (a, λ).
pub(super) type Pair<S, const N: usize, const C: usize> = ([S; N], [S; C]);

/// The matrix `[M -Jᵀ; J 0]`.
#[derive(Debug)]
pub(super) struct Saddle<'a, S, const N: usize, const C: usize> {
    /// M in the lower triangle, diagonal included. The entries above are not read.
    pub(super) mass: &'a [[S; N]; N],
    pub(super) jacobian: &'a [[S; N]; C],
    /// The entries of both that may be nonzero, if they are known.
    pub(super) pattern: Option<Pattern<'a>>,
}

/// The rows and columns of the entries that may be nonzero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern<'a> {
    /// From the lower triangle of M, diagonal included.
    pub(super) mass: &'a [(usize, usize)],
    pub(super) jacobian: &'a [(usize, usize)],
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
        if let Some(pattern) = self.pattern {
            self.each_mass(pattern, a, &mut forces, subtract_fused);
            self.each_force(pattern, lambda, &mut forces, add_fused);
            self.each_rate(pattern, a, &mut rates, subtract_fused);
            return (forces, rates);
        }
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

    /// Adds the product of each entry of M and its factor to the sum of its row.
    #[inline]
    fn each_mass(
        &self,
        pattern: Pattern<'_>,
        a: &[S; N],
        sums: &mut [S; N],
        take: impl Fn(&mut S, S, S),
    ) {
        for &(i, k) in pattern.mass {
            // Here and below the indices are always in range; the test tells the compiler so.
            if i < N && k < N {
                take(&mut sums[i], self.mass[i][k], a[k]);
                if i != k {
                    take(&mut sums[k], self.mass[i][k], a[i]);
                }
            }
        }
    }

    /// The same for Jᵀ.
    #[inline]
    fn each_force(
        &self,
        pattern: Pattern<'_>,
        lambda: &[S; C],
        sums: &mut [S; N],
        take: impl Fn(&mut S, S, S),
    ) {
        for &(k, i) in pattern.jacobian {
            if k < C && i < N {
                take(&mut sums[i], self.jacobian[k][i], lambda[k]);
            }
        }
    }

    /// The same for J.
    #[inline]
    pub(super) fn each_rate(
        &self,
        pattern: Pattern<'_>,
        a: &[S; N],
        sums: &mut [S; C],
        take: impl Fn(&mut S, S, S),
    ) {
        for &(k, i) in pattern.jacobian {
            if k < C && i < N {
                take(&mut sums[k], self.jacobian[k][i], a[i]);
            }
        }
    }

    /// The solution by `solve` and one step of iterative refinement, for lanes.
    #[inline]
    pub(super) fn refined_once(
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

    /// Subtracts J a from rates, for several accelerations.
    pub(super) fn leave_of_rates<const W: usize>(&self, a: &[[S; W]; N], rates: &mut [[S; W]; C]) {
        for (row, rates) in self.jacobian.iter().zip(rates) {
            for (entry, a) in row.iter().zip(a) {
                subtract(*entry, a, rates);
            }
        }
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
            }
        }
        self.leave_of_rates(a, rates);
    }
}

impl<S: RealField + Copy, const N: usize, const C: usize> Saddle<'_, S, N, C> {
    /// `|f| + |M| |a| + |Jᵀ| |λ|` and `|γ| + |J| |a|`, the size of the terms of each equation.
    #[inline]
    pub(super) fn terms(
        &self,
        (f, gamma): &Pair<S, N, C>,
        (a, lambda): &Pair<S, N, C>,
    ) -> Pair<S, N, C> {
        let (mut forces, mut rates) = (absolute(f), absolute(gamma));
        if let Some(pattern) = self.pattern {
            self.each_mass(pattern, a, &mut forces, add_size);
            self.each_force(pattern, lambda, &mut forces, add_size);
            self.each_rate(pattern, a, &mut rates, add_size);
            return (forces, rates);
        }
        for i in 0..N {
            let mut entry = forces[i] + (self.mass[i][i] * a[i]).abs();
            for k in 0..i {
                entry += (self.mass[i][k] * a[k]).abs();
                forces[k] += (self.mass[i][k] * a[i]).abs();
            }
            forces[i] = entry;
        }
        for k in 0..C {
            for i in 0..N {
                forces[i] += (self.jacobian[k][i] * lambda[k]).abs();
                rates[k] += (self.jacobian[k][i] * a[i]).abs();
            }
        }
        (forces, rates)
    }
}

// Functions that add to sums. A closure would make another copy of the function that receives it.

fn subtract_fused<S: SimdRealField + Copy>(left: &mut S, entry: S, x: S) {
    *left = neg_mul_add(entry, x, *left);
}

fn add_fused<S: SimdRealField + Copy>(left: &mut S, entry: S, x: S) {
    *left = mul_add(entry, x, *left);
}

pub(super) fn subtract_product<S: RealField + Copy>(left: &mut S, entry: S, x: S) {
    *left -= entry * x;
}

pub(super) fn add_size<S: RealField + Copy>(size: &mut S, entry: S, x: S) {
    *size += (entry * x).abs();
}

/// The absolute values of entries.
pub(super) fn absolute<S: RealField + Copy, const R: usize>(entries: &[S; R]) -> [S; R] {
    let mut sizes = *entries;
    for i in 0..R {
        sizes[i] = entries[i].abs();
    }
    sizes
}

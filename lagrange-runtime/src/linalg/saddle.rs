//! The matrix of a constrained system, kept by its blocks.

use nalgebra::SimdRealField;

use crate::math::{mul_add, neg_mul_add};

/// Values for the coordinates and for the constraints: a right-hand side (f, γ) or a solution (a, λ).
pub(super) type Pair<S, const N: usize, const C: usize> = ([S; N], [S; C]);

/// The matrix `[M -Jᵀ; J 0]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Saddle<S, const N: usize, const C: usize> {
    /// M, both triangles.
    pub(super) mass: [[S; N]; N],
    pub(super) jacobian: [[S; N]; C],
}

impl<S: SimdRealField + Copy, const N: usize, const C: usize> Saddle<S, N, C> {
    /// The blocks M, of which the lower triangle is read, and J.
    #[inline]
    pub(super) fn new(m: &[[S; N]; N], j: &[[S; N]; C]) -> Self {
        let mut mass = *m;
        for i in 0..N {
            for k in 0..i {
                mass[k][i] = m[i][k];
            }
        }
        Self { mass, jacobian: *j }
    }

    /// The solution after one step of iterative refinement, where `solve` applies the approximate
    /// inverse of this matrix.
    ///
    /// A single step in working precision makes the backward error small in every component (Higham,
    /// *Accuracy and Stability of Numerical Algorithms*, 2nd ed., section 12.2).
    #[inline]
    pub(super) fn refine(
        &self,
        right: &Pair<S, N, C>,
        mut solution: Pair<S, N, C>,
        solve: impl Fn(&Pair<S, N, C>) -> Pair<S, N, C>,
    ) -> Pair<S, N, C> {
        let correction = solve(&self.residual(right, &solution));
        add(&mut solution.0, &correction.0);
        add(&mut solution.1, &correction.1);
        solution
    }

    /// `f - M a + Jᵀ λ` and `γ - J a`.
    #[inline]
    fn residual(&self, right: &Pair<S, N, C>, (a, lambda): &Pair<S, N, C>) -> Pair<S, N, C> {
        let (mut forces, mut rates) = *right;
        for (entry, row) in forces.iter_mut().zip(&self.mass) {
            *entry = subtract_dot(row, a, *entry);
        }
        for ((row, &factor), rate) in self.jacobian.iter().zip(lambda).zip(&mut rates) {
            add_multiple(factor, row, &mut forces);
            *rate = subtract_dot(row, a, *rate);
        }
        (forces, rates)
    }
}

/// `start - x·y`.
#[inline]
pub(super) fn subtract_dot<S: SimdRealField + Copy>(x: &[S], y: &[S], start: S) -> S {
    let terms = x.iter().zip(y);
    terms.fold(start, |sum, (&left, &right)| neg_mul_add(left, right, sum))
}

/// `x·y`.
#[inline]
pub(super) fn dot<S: SimdRealField + Copy>(x: &[S], y: &[S]) -> S {
    let terms = x.iter().zip(y);
    terms.fold(S::zero(), |sum, (&left, &right)| mul_add(left, right, sum))
}

/// Adds `factor * x` to `y`.
#[inline]
pub(super) fn add_multiple<S: SimdRealField + Copy>(factor: S, x: &[S], y: &mut [S]) {
    for (entry, &value) in y.iter_mut().zip(x) {
        *entry = mul_add(factor, value, *entry);
    }
}

/// Adds `x` to `y`.
#[inline]
fn add<S: SimdRealField + Copy>(y: &mut [S], x: &[S]) {
    for (entry, &value) in y.iter_mut().zip(x) {
        *entry += value;
    }
}

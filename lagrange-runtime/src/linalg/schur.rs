//! The fast solve of a constrained system: by the Schur complement of its mass matrix.

use nalgebra::{RealField, SimdBool, SimdRealField};

use super::{
    comparable,
    ldlt::Ldlt,
    saddle::{Pair, Saddle, add_multiple, dot, subtract_dot},
};
use crate::math::constant;

/// The factors of `[M -Jᵀ; J 0]` for a positive definite M: those of M and of S = J M⁻¹ Jᵀ.
///
/// `S λ = γ - J M⁻¹ f` gives the multipliers, `a = M⁻¹ (f + Jᵀ λ)` the accelerations (Benzi, Golub &
/// Liesen, "Numerical solution of saddle point problems", *Acta Numerica* 14, 2005, section 5).
#[derive(Clone, Copy, Debug)]
pub(super) struct Schur<S, const N: usize, const C: usize> {
    saddle: Saddle<S, N, C>,
    mass: Ldlt<S, N>,
    /// The rows of J M⁻¹.
    responses: [[S; N]; C],
    complement: Ldlt<S, C>,
    /// For each constraint the weight w of w Jᵀ J that was added to M; 0 if none was.
    weights: [S; C],
}

impl<S: RealField + Copy, const N: usize, const C: usize> Schur<S, N, C> {
    /// Factors; `None` when a pivot is not regular or the diagonal of S spreads too far.
    pub(super) fn try_factor(saddle: &Saddle<S, N, C>) -> Option<Self> {
        let mass = Ldlt::try_factor(&saddle.mass)?;
        let (responses, complement) = complement(&mass, &saddle.jacobian);
        if !comparable(&core::array::from_fn::<S, C, _>(|k| complement[k][k])) {
            return None;
        }
        Some(Self {
            saddle: *saddle,
            mass,
            responses,
            complement: Ldlt::try_factor(&complement)?,
            weights: [S::zero(); C],
        })
    }
}

impl<S: SimdRealField + Copy, const N: usize, const C: usize> Schur<S, N, C> {
    /// Factors without a verdict, so that lanes may differ.
    ///
    /// In lanes where a pivot of M is small, M + Jᵀ W J takes its place, and f + Jᵀ W γ that of f,
    /// which leaves the solution what it is and makes the block definite whenever M is semidefinite and
    /// the whole matrix regular (Golub & Greif, "On solving block-structured indefinite linear
    /// systems", *SIAM J. Sci. Comput.* 24, 2003). The weight tr(M) / |J_k|² makes both terms alike in
    /// size, as they recommend.
    pub(super) fn factor_lanes(saddle: &Saddle<S, N, C>) -> Self {
        let definite = Ldlt::factor(&saddle.mass);
        let regular = definite.regular_lanes(&saddle.mass);
        let (mass, weights) = if regular.all() {
            (definite, [S::zero(); C])
        } else {
            augment(saddle, regular)
        };
        let (responses, complement) = complement(&mass, &saddle.jacobian);
        Self {
            saddle: *saddle,
            mass,
            responses,
            complement: Ldlt::factor(&complement),
            weights,
        }
    }

    /// The solution for the right-hand side (f, γ), with one step of refinement.
    pub(super) fn solve(&self, right: &Pair<S, N, C>) -> Pair<S, N, C> {
        let apply = |right: &Pair<S, N, C>| self.apply(right);
        self.saddle.refine(right, self.apply(right), apply)
    }

    fn apply(&self, (f, gamma): &Pair<S, N, C>) -> Pair<S, N, C> {
        let mut forces = *f;
        for k in 0..C {
            add_multiple(
                self.weights[k] * gamma[k],
                &self.saddle.jacobian[k],
                &mut forces,
            );
        }
        let mut acceleration = self.mass.solve(&forces);
        let mut missing = *gamma;
        for (rate, row) in missing.iter_mut().zip(&self.saddle.jacobian) {
            *rate = subtract_dot(row, &acceleration, *rate);
        }
        let multipliers = self.complement.solve(&missing);
        for (&factor, response) in multipliers.iter().zip(&self.responses) {
            add_multiple(factor, response, &mut acceleration);
        }
        (acceleration, multipliers)
    }
}

/// The rows of J M⁻¹ and the lower triangle of J M⁻¹ Jᵀ.
fn complement<S: SimdRealField + Copy, const N: usize, const C: usize>(
    mass: &Ldlt<S, N>,
    jacobian: &[[S; N]; C],
) -> ([[S; N]; C], [[S; C]; C]) {
    let responses = jacobian.map(|row| mass.solve(&row));
    let mut complement = [[S::zero(); C]; C];
    for i in 0..C {
        for j in 0..=i {
            complement[i][j] = dot(&jacobian[i], &responses[j]);
        }
    }
    (responses, complement)
}

/// The factors of M + Jᵀ W J with the weights W, which are 0 in `regular` lanes.
fn augment<S: SimdRealField + Copy, const N: usize, const C: usize>(
    saddle: &Saddle<S, N, C>,
    regular: S::SimdBool,
) -> (Ldlt<S, N>, [S; C]) {
    let mut trace = S::zero();
    for i in 0..N {
        trace += saddle.mass[i][i];
    }
    // A mass matrix of zeros is no scale; then any weight will do.
    let size = S::one().select(trace.simd_le(constant(0.0)), trace);
    let weights = saddle
        .jacobian
        .map(|row| S::zero().select(regular, size / dot(&row, &row)));
    let mut mass = saddle.mass;
    for (row, &weight) in saddle.jacobian.iter().zip(&weights) {
        for (entries, &entry) in mass.iter_mut().zip(row) {
            add_multiple(weight * entry, row, entries);
        }
    }
    (Ldlt::factor(&mass), weights)
}

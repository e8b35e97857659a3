//! The pivoted solve of a constrained system, in the directions that the constraints leave free.

use nalgebra::RealField;

use super::{
    binary::{scale_by, scaled},
    bunch_parlett::{Free, swap_symmetric},
    householder_qr::Reflections,
    kkt_residual::Pair,
    rank::first_dependent,
    scaling::Scaling,
    tolerances::{magnitude, tolerance},
    vectors::dot,
};
use crate::{
    Error,
    math::{constant, mul_add, neg_mul_add},
};

/// The factors of a regular matrix `[M -Jᵀ; J 0]` by the null-space method.
///
/// The matrix is first scaled, D M D and E J D. Then Jᵀ = Q R by [`Reflections`], and with B = Qᵀ M Q, y = Qᵀ a and C
/// constraints the equations separate: `Rᵀ y₁ = γ` gives the first C entries of y, `B₂₂ y₂ = (Qᵀ f)₂ - B₂₁ y₁` the
/// others, and `R λ = (B y - Qᵀ f)₁` the multipliers.
///
/// B, and the factors of B₂₂ in its place, are strictly above the diagonal of M, Q and R in `work`.
#[derive(Clone, Copy, Debug)]
pub(super) struct NullSpace<S, const N: usize, const C: usize> {
    pub(super) scaling: Scaling<N, C>,
    pub(super) reflections: Reflections<S, C>,
    /// The diagonal of B.
    diagonal: [S; N],
    /// True if each row clearly depends on others, or clearly not.
    pub(super) is_clear: bool,
    /// The factors of B₂₂.
    free: Free<S, N>,
}

impl<S: RealField + Copy, const N: usize, const C: usize> NullSpace<S, N, C> {
    /// Factors; the entries must be finite.
    pub(super) fn factor(
        mass: &mut [[S; N]; N],
        jacobian: &[[S; N]; C],
        work: &mut [[S; N]; C],
        are_significant: bool,
    ) -> Result<Self, Error> {
        if let Some(row) = first_dependent(jacobian, work, are_significant) {
            return Err(Error::DependentConstraints { row });
        }
        let scaling = Scaling::new(mass, jacobian);
        Self::factor_scaled(mass, jacobian, work, scaling, Reflections::factor)
    }

    /// Factors with the rows of J that do not depend on each other: more than this share of each is orthogonal to the rows
    /// before it.
    pub(super) fn factor_independent(
        mass: &mut [[S; N]; N],
        jacobian: &[[S; N]; C],
        work: &mut [[S; N]; C],
        share: S,
    ) -> Result<Self, Error> {
        let scaling = Scaling::new(mass, jacobian).keeping_zeros(jacobian);
        let mut is_clear = true;
        let clear = [
            (1.0 / 256.0),
            magnitude(constant::<S>(4.0) * tolerance::<S>(64 * (N + C))),
        ];
        let this = Self::factor_scaled(mass, jacobian, work, scaling, |rows| {
            Reflections::factor_until(rows, |row, step| {
                let fraction = fraction(row, step);
                is_clear &= fraction > clear[0] || fraction <= clear[1];
                let is_independent = fraction > magnitude(share);
                !is_independent
            })
        })?;
        Ok(Self { is_clear, ..this })
    }

    fn factor_scaled(
        mass: &mut [[S; N]; N],
        jacobian: &[[S; N]; C],
        work: &mut [[S; N]; C],
        scaling: Scaling<N, C>,
        reflect: impl FnOnce(&mut [[S; N]; C]) -> Result<Reflections<S, C>, Error>,
    ) -> Result<Self, Error> {
        for k in 0..C {
            for i in 0..N {
                let e = scaling.constraints[k] + scaling.coordinates[i];
                work[k][i] = scale_by(jacobian[k][i], e);
            }
        }
        let mut diagonal = scaling.scale_mass(mass);
        let reflections = reflect(work)?;
        let rank = reflections.rank.min(C);
        for k in 0..rank {
            swap_symmetric(mass, &mut diagonal, 0, (k, reflections.swaps[k]));
            reflect_both(mass, &mut diagonal, &work[k], k, reflections.factors[k]);
        }
        // In the scaled matrix all significant entries are about 1. Errors in B₂₂ are relative to that, so its pivots
        // are not compared only with each other. Without constraints nothing was rotated.
        let share = if C == 0 { 1.0 } else { 8.0 };
        let limit = constant::<S>(share) * tolerance::<S>(N);
        let free = Free::factor(mass, &diagonal, rank, limit);
        Ok(Self {
            scaling,
            reflections,
            diagonal,
            is_clear: true,
            free: free.ok_or(Error::SingularMassMatrix)?,
        })
    }

    /// The solution for the right-hand side (f, γ).
    pub(super) fn apply(
        &self,
        mass: &[[S; N]; N],
        work: &[[S; N]; C],
        (f, gamma): &Pair<S, N, C>,
    ) -> Pair<S, N, C> {
        let Scaling {
            coordinates,
            constraints,
        } = &self.scaling;
        let (mut forces, rates) = (scaled(f, coordinates), scaled(gamma, constraints));
        self.reflections.rotate_in(work, &mut forces);
        let bound = self.reflections.bound_part(work, &rates);
        let rank = self.reflections.rank;
        // B₂₁ y₁ by the part of B above the diagonal.
        let mut solution = forces;
        for k in 0..rank.min(N) {
            let value = bound[k];
            for i in rank..N {
                solution[i] = neg_mul_add(mass[k][i], value, solution[i]);
            }
        }
        self.free.solve(mass, &mut solution);
        for (entry, &value) in solution.iter_mut().zip(&bound).take(rank) {
            *entry = value;
        }
        let mut reactions = [S::zero(); C];
        for k in 0..rank.min(C).min(N) {
            let mut reaction = neg_mul_add(S::one(), forces[k], self.diagonal[k] * solution[k]);
            for i in 0..k {
                reaction = mul_add(mass[i][k], solution[i], reaction);
            }
            for i in k + 1..N {
                reaction = mul_add(mass[k][i], solution[i], reaction);
            }
            reactions[k] = reaction;
        }
        let multipliers = self.reflections.multipliers(work, reactions);
        self.reflections.rotate_out(work, &mut solution);
        (
            scaled(&solution, coordinates),
            scaled(&multipliers, constraints),
        )
    }
}

/// The fraction of a row that is orthogonal to those of the steps before. Its length is about 1, unless the row is zero.
pub(super) fn fraction<S: RealField + Copy, const N: usize>(row: &[S; N], step: usize) -> f64 {
    let left = row.get(step..).unwrap_or_default();
    let length = dot(row, row).max(constant(0.25));
    magnitude((dot(left, left) / length).sqrt())
}

/// Replaces a symmetric B, given by its diagonal and the entries above it, by H B H. H is the reflection 1 - β w wᵀ,
/// and w is `normal` from entry `from` on.
fn reflect_both<S: RealField + Copy, const N: usize>(
    rows: &mut [[S; N]; N],
    diagonal: &mut [S; N],
    normal: &[S; N],
    from: usize,
    factor: S,
) {
    let mut w = *normal;
    for i in 0..from.min(N) {
        w[i] = S::zero();
    }
    let mut image = [S::zero(); N];
    for i in 0..N {
        let mut entry = mul_add(diagonal[i], w[i], image[i]);
        for j in i + 1..N {
            entry = mul_add(rows[i][j], w[j], entry);
            image[j] = mul_add(rows[i][j], w[i], image[j]);
        }
        image[i] = entry;
    }
    // H B H = B - w qᵀ - q wᵀ with q = β B w - β²/2 (wᵀ B w) w.
    let half = constant::<S>(0.5) * factor * factor * dot(&w, &image);
    let mut q = image;
    for i in 0..N {
        q[i] = factor * image[i] - half * w[i];
    }
    for i in 0..N {
        diagonal[i] -= constant::<S>(2.0) * w[i] * q[i];
        for j in i + 1..N {
            let entry = neg_mul_add(w[i], q[j], rows[i][j]);
            rows[i][j] = neg_mul_add(q[i], w[j], entry);
        }
    }
}

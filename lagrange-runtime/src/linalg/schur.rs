//! The solve without pivoting of a constrained system, by the Schur complement of its mass matrix.

use nalgebra::{RealField, SimdBool, SimdRealField};

use super::{
    kkt_residual::{Pair, Saddle},
    ldlt, mirror,
    multi_rhs::{Group, subtract},
    out_parameters::diagonal_of,
    sums::size,
    tolerances::{are_regular, ordinary},
    vectors::{add_multiple, dot, subtract_dot},
};

/// The fraction of its diagonal entry above which a pivot of a lane counts as well above rounding errors. Lanes do not
/// show their precision, and this fraction suits `f32` too.
const WELL_ABOVE: f64 = 1.0 / 4096.0;

/// The factors of `[M -Jᵀ; J 0]` for a positive definite M: those of M and of S = J M⁻¹ Jᵀ.
///
/// `S λ = γ - J M⁻¹ f` gives the multipliers, `a = M⁻¹ (f + Jᵀ λ)` the accelerations (Benzi, Golub &
/// Liesen, "Numerical solution of saddle point problems", *Acta Numerica* 14, 2005, section 5).
///
/// The factors of M are above its diagonal, those of S in the first columns of `work`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schur<S, const N: usize, const C: usize> {
    pivots: [S; N],
    complement: [S; C],
    /// For each constraint the weight w of w Jᵀ J that was added to M; 0 if none was.
    weights: [S; C],
}

/// The memory of the factors.
#[derive(Debug)]
pub(super) struct Place<'a, S, const N: usize, const C: usize> {
    /// M in the lower triangle; its factors above.
    pub(super) mass: &'a [[S; N]; N],
    pub(super) jacobian: &'a [[S; N]; C],
    pub(super) work: &'a [[S; N]; C],
}

impl<'a, S, const N: usize, const C: usize> Place<'a, S, N, C> {
    pub(super) fn saddle(&self) -> Saddle<'a, S, N, C> {
        Saddle {
            mass: self.mass,
            jacobian: self.jacobian,
        }
    }
}

impl<S: RealField + Copy, const N: usize, const C: usize> Schur<S, N, C> {
    /// Factors; `None` if a pivot is not regular or the diagonal of S spreads too far.
    pub(super) fn try_factor(
        mass: &mut [[S; N]; N],
        jacobian: &[[S; N]; C],
        work: &mut [[S; N]; C],
    ) -> Option<Self> {
        Self::try_factor_if(mass, jacobian, work, are_regular, |pivots, diagonal| {
            comparable(diagonal) && are_regular(pivots, diagonal)
        })
    }
}

impl<S: SimdRealField + Copy, const N: usize, const C: usize> Schur<S, N, C> {
    /// Factors for lanes, only some of which may need M + Jᵀ W J; `None` if a lane still has a small pivot.
    pub(super) fn try_factor_lanes(
        mass: &mut [[S; N]; N],
        jacobian: &[[S; N]; C],
        work: &mut [[S; N]; C],
    ) -> Option<Self> {
        let regular =
            |pivots: &[S], diagonal: &[S]| ldlt::regular_lanes(pivots, diagonal, WELL_ABOVE);
        Self::try_factor_if(mass, jacobian, work, regular, regular)
    }

    /// Factors; `None` if the tests of the pivots and diagonal entries of M, and then of S, fail in a lane.
    ///
    /// If a pivot of M is small, M + Jᵀ W J replaces M, and f + Jᵀ W γ replaces f. The solution stays the same, and the
    /// block is definite whenever M is semidefinite and the whole matrix regular (Golub & Greif, "On solving
    /// block-structured indefinite linear systems", *SIAM J. Sci. Comput.* 24, 2003). As they recommend, the weight
    /// makes both terms equal in size, for each constraint among its own coordinates: `Σ M_ii J_ki² / |J_k|⁴`.
    #[inline(always)]
    fn try_factor_if(
        mass: &mut [[S; N]; N],
        jacobian: &[[S; N]; C],
        work: &mut [[S; N]; C],
        is_regular: impl Fn(&[S], &[S]) -> S::SimdBool,
        is_regular_complement: impl Fn(&[S], &[S]) -> S::SimdBool,
    ) -> Option<Self> {
        if C > N {
            return None;
        }
        let diagonal = diagonal_of(mass);
        let mut weights = [S::zero(); C];
        let mut pivots = ldlt::factor_lower(mass);
        let regular = is_regular(&pivots, &diagonal);
        if !regular.all() {
            weights = weights_of(&diagonal, jacobian);
            for k in 0..C {
                weights[k] = S::zero().select(regular, weights[k]);
            }
            let (augmented, pivots_of_augmented) = factor_augmented(mass, jacobian, &weights);
            if !is_regular(&pivots_of_augmented, &augmented).all() {
                return None;
            }
            pivots = pivots_of_augmented;
        }
        let diagonal = complement(mass, &pivots, jacobian, work);
        let mut complement = diagonal;
        ldlt::factor(work, &mut complement);
        let regular = is_regular_complement(&complement, &diagonal);
        regular.all().then_some(Self {
            pivots,
            complement,
            weights,
        })
    }

    /// Returns whether M + Jᵀ W J was factored.
    pub(super) fn is_augmented(&self) -> bool {
        for k in 0..C {
            if self.weights[k] != S::zero() {
                return true;
            }
        }
        false
    }

    /// Replaces several right-hand sides by the solutions.
    pub(super) fn apply_abreast<const W: usize>(
        &self,
        place: &Place<'_, S, N, C>,
        forces: &mut [[S; W]; N],
        rates: &mut [[S; W]; C],
    ) {
        if C > 0 {
            if self.is_augmented() {
                for k in 0..C {
                    for i in 0..N {
                        let weighted = self.weights[k] * place.jacobian[k][i];
                        subtract(-weighted, &rates[k], &mut forces[i]);
                    }
                }
            }
            let mut free = Group(*forces);
            ldlt::solve_abreast(place.mass, &self.pivots, &mut free.0);
            for k in 0..C {
                let mut entries = rates[k];
                for i in 0..N {
                    subtract(place.jacobian[k][i], &free.0[i], &mut entries);
                }
                rates[k] = entries;
            }
            ldlt::solve_abreast(place.work, &self.complement, rates);
            for i in 0..N {
                let mut entries = forces[i];
                for k in 0..C {
                    subtract(-place.jacobian[k][i], &rates[k], &mut entries);
                }
                forces[i] = entries;
            }
        }
        ldlt::solve_abreast(place.mass, &self.pivots, forces);
    }

    /// The solution for the right-hand side (f, γ).
    pub(super) fn apply(
        &self,
        place: &Place<'_, S, N, C>,
        (f, gamma): &Pair<S, N, C>,
    ) -> Pair<S, N, C> {
        let mut forces = *f;
        for k in 0..C {
            let row = &place.jacobian[k];
            add_multiple(self.weights[k] * gamma[k], row, &mut forces);
        }
        let mut acceleration = forces;
        ldlt::solve(place.mass, &self.pivots, &mut acceleration);
        let mut multipliers = *gamma;
        for k in 0..C {
            multipliers[k] = subtract_dot(&place.jacobian[k], &acceleration, multipliers[k]);
        }
        ldlt::solve(place.work, &self.complement, &mut multipliers);
        for k in 0..C {
            add_multiple(multipliers[k], &place.jacobian[k], &mut forces);
        }
        ldlt::solve(place.mass, &self.pivots, &mut forces);
        (forces, multipliers)
    }
}

/// The diagonal of M + Jᵀ W J, and its pivots.
fn factor_augmented<S: SimdRealField + Copy, const N: usize, const C: usize>(
    mass: &mut [[S; N]; N],
    jacobian: &[[S; N]; C],
    weights: &[S; C],
) -> ([S; N], [S; N]) {
    mirror(mass);
    let mut diagonal = diagonal_of(mass);
    for k in 0..C {
        let row = &jacobian[k];
        for i in 0..N {
            let factor = weights[k] * row[i];
            diagonal[i] += factor * row[i];
            for j in i + 1..N {
                mass[i][j] += factor * row[j];
            }
        }
    }
    let mut pivots = diagonal;
    ldlt::factor(mass, &mut pivots);
    (diagonal, pivots)
}

/// The weights of M + Jᵀ W J; 0 if there is no mass to compare with.
fn weights_of<S: SimdRealField + Copy, const N: usize, const C: usize>(
    diagonal: &[S; N],
    jacobian: &[[S; N]; C],
) -> [S; C] {
    let mut weights = [S::zero(); C];
    for k in 0..C {
        let row = &jacobian[k];
        let square = dot(row, row);
        let mut inertia = S::zero();
        for i in 0..N {
            inertia += diagonal[i] * row[i] * row[i];
        }
        weights[k] = inertia / square / square;
    }
    weights
}

/// The diagonal of J M⁻¹ Jᵀ. The entries above it are written to `work`.
fn complement<S: SimdRealField + Copy, const N: usize, const C: usize>(
    mass: &[[S; N]; N],
    pivots: &[S; N],
    jacobian: &[[S; N]; C],
    work: &mut [[S; N]; C],
) -> [S; C] {
    let mut diagonal = [S::zero(); C];
    for k in 0..C {
        let mut response = jacobian[k];
        ldlt::solve(mass, pivots, &mut response);
        diagonal[k] = dot(&jacobian[k], &response);
        for i in k + 1..C {
            let entry = dot(&jacobian[i], &response);
            if i < N {
                work[k][i] = entry;
            }
        }
    }
    diagonal
}

/// Returns whether the diagonal entries of J M⁻¹ Jᵀ are close enough in size that none can be rounding error: the
/// smallest one exceeds eps times the largest one, and all are ordinary in size. NaN is not comparable; no entries are.
///
/// A row of J that should be zero, such as `l sin(pi)` in a stretched linkage, has pivots that look regular alone; only
/// the other rows reveal it.
#[inline]
fn comparable<S: RealField + Copy>(diagonal: &[S]) -> bool {
    let (mut smallest, mut largest) = match diagonal.first() {
        Some(&entry) => (entry, entry),
        None => return true,
    };
    for &entry in diagonal {
        // NaN replaces both and makes the comparison fail.
        smallest = if smallest < entry { smallest } else { entry };
        largest = if largest > entry { largest } else { entry };
    }
    let (least, most) = ordinary::<S>();
    smallest > S::default_epsilon() * largest
        && smallest >= least
        && largest <= most
        && size(diagonal).is_finite()
}

#[cfg(test)]
mod tests {
    use super::comparable;

    #[test]
    fn diagonals_that_spread_too_far() {
        assert!(comparable(&[1e-6, 1e6]) && comparable::<f64>(&[]));
        assert!(comparable(&[1.0, 1e-15]) && !comparable(&[1.0, 1e-17]));
        assert!(comparable(&[1.0_f32, 1e-6]) && !comparable(&[1.0_f32, 1e-8]));
        assert!(!comparable(&[0.0]) && !comparable(&[-1.0]) && !comparable(&[f64::NAN]));
        assert!(!comparable(&[1.0, f64::NAN]) && !comparable(&[1e-120]));
    }
}

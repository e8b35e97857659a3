//! Derivatives of the solution with constraints, by factors from generated code.

use core::convert::Infallible;

use nalgebra::{RealField, SimdRealField};

use super::{
    finite::all_finite,
    multi_rhs::{Abreast, SolveGroups, solve_abreast, subtract},
    refinement::solve_for_rates,
};
use crate::math::recip;

/// The factors of `[M Jᵀ; J 0] = L D Lᵀ` except D, and J.
#[derive(Clone, Copy, Debug)]
pub struct Factors<'a, S, const N: usize, const C: usize> {
    /// The rows of L for the coordinates.
    pub mass: &'a [[S; N]; N],
    /// The rows for the constraints, in the columns of the coordinates.
    pub coupling: &'a [[S; N]; C],
    /// The rows for the constraints, in the columns of the constraints.
    pub complement: &'a [[S; C]; C],
    /// J.
    pub jacobian: &'a [[S; N]; C],
}

/// [`differentiate_by_factors`](super::differentiate_by_factors) with constraints. With the last `N` entries of a
/// column go `C` rates: by the state derivatives of `J a - γ`, and by the inputs zeros. They become derivatives of λ.
///
/// The pivots are those of M and of J M⁻¹ Jᵀ, which are positive. The equations of the forces hold by construction. If
/// those of the constraints do not hold, a step of refinement follows. Returns whether all values are finite and the
/// constraints are [met](super::met).
///
/// ```
/// use lagrange_runtime::linalg::{Factors, differentiate_with_constraints};
///
/// // Masses of 2 and 3 kg that move as one, the first one on a spring of 10 N/m.
/// let (mass, jacobian) = ([[0.0; 2]; 2], [[1.0, -1.0]]);
/// let coupling = [[1.0 / 2.0, -1.0 / 3.0]];
/// let (of_mass, of_complement) = ([2.0, 3.0], [1.0 / 2.0 + 1.0 / 3.0]);
/// let factors = Factors { mass: &mass, coupling: &coupling, complement: &[[0.0]], jacobian: &jacobian };
/// let (mut by_state, mut rates) = ([[0.0; 4]; 4], [[0.0]; 4]);
/// by_state[0][2] = 10.0;
/// assert!(differentiate_with_constraints(
///     &factors,
///     (&of_mass, &of_complement),
///     (&mut by_state, &mut rates),
///     (&mut [], &mut []),
/// ));
/// assert!((by_state[0][2] + 2.0_f64).abs() < 1e-15 && (by_state[0][3] + 2.0).abs() < 1e-15);
/// // -λ accelerates the second mass.
/// assert!((rates[0][0] - 6.0_f64).abs() < 1e-14);
/// ```
#[inline(never)]
pub fn differentiate_with_constraints<
    S: RealField + Copy,
    const N: usize,
    const C: usize,
    const M: usize,
    const K: usize,
>(
    factors: &Factors<'_, S, N, C>,
    (of_mass, of_complement): (&[S; N], &[S; C]),
    (by_state, rates_by_state): (&mut [[S; M]; M], &mut [[S; C]; M]),
    (by_input, rates_by_input): (&mut [[S; M]; K], &mut [[S; C]; K]),
) -> bool {
    let one = S::one();
    let inverse = |sign| Checked(Inverse::of(factors, (of_mass, of_complement), sign));
    inverse(-one).solve_groups(by_state, rates_by_state).is_ok()
        && inverse(one).solve_groups(by_input, rates_by_input).is_ok()
}

/// Like [`differentiate_with_constraints`], without any check, for SIMD lanes.
///
/// ```
/// use lagrange_runtime::linalg::{Factors, differentiate_with_constraints_unchecked};
///
/// // Masses of 2 and 3 kg that move as one, the first one pushed.
/// let (mass, jacobian) = ([[0.0; 2]; 2], [[1.0, -1.0]]);
/// let coupling = [[1.0 / 2.0, -1.0 / 3.0]];
/// let (of_mass, of_complement) = ([2.0, 3.0], [1.0 / 2.0 + 1.0 / 3.0]);
/// let factors = Factors { mass: &mass, coupling: &coupling, complement: &[[0.0]], jacobian: &jacobian };
/// let (mut by_input, mut rates) = ([[0.0, 0.0, 1.0, 0.0]], [[0.0]]);
/// differentiate_with_constraints_unchecked(
///     &factors,
///     (&of_mass, &of_complement),
///     (&mut [[0.0; 4]; 4], &mut [[0.0]; 4]),
///     (&mut by_input, &mut rates),
/// );
/// assert!((by_input[0][2] - 0.2_f64).abs() < 1e-15 && (by_input[0][3] - 0.2).abs() < 1e-15);
/// // λ accelerates the first mass.
/// assert!((rates[0][0] + 0.6_f64).abs() < 1e-15);
/// ```
#[inline(never)]
pub fn differentiate_with_constraints_unchecked<
    S: SimdRealField + Copy,
    const N: usize,
    const C: usize,
    const M: usize,
    const K: usize,
>(
    factors: &Factors<'_, S, N, C>,
    (of_mass, of_complement): (&[S; N], &[S; C]),
    (by_state, rates_by_state): (&mut [[S; M]; M], &mut [[S; C]; M]),
    (by_input, rates_by_input): (&mut [[S; M]; K], &mut [[S; C]; K]),
) {
    let one = S::one();
    let inverse = |sign| Unchecked(Inverse::of(factors, (of_mass, of_complement), sign));
    let Ok(()) = inverse(-one).solve_groups(by_state, rates_by_state);
    let Ok(()) = inverse(one).solve_groups(by_input, rates_by_input);
}

/// `±[M Jᵀ; J 0]⁻¹`
struct Inverse<'a, S, const N: usize, const C: usize> {
    factors: &'a Factors<'a, S, N, C>,
    sign: S,
    of_mass: [S; N],
    of_complement: [S; C],
    /// True if M has more than its diagonal.
    is_coupled: bool,
}

/// Replaces the last `N` entries of each column, and its rates, by a solution; the multipliers change their signs. Fails
/// if the constraints are not met, after a step of refinement, or a value is not finite.
struct Checked<'a, S, const N: usize, const C: usize>(Inverse<'a, S, N, C>);

/// The same without a test.
struct Unchecked<'a, S, const N: usize, const C: usize>(Inverse<'a, S, N, C>);

impl<S: RealField + Copy, const N: usize, const C: usize, const M: usize> SolveGroups<S, M, C>
    for Checked<'_, S, N, C>
{
    type Error = ();

    #[inline(never)]
    fn solve_group<const W: usize>(
        &mut self,
        columns: &mut [[S; M]],
        rates: &mut [[S; C]],
    ) -> Result<(), ()> {
        let inverse = &self.0;
        let is_solved = solve_abreast::<S, N, C, M, W>(columns, rates, |a, multipliers| {
            let jacobian = (inverse.factors.jacobian, inverse.sign);
            let apply = |a: &mut _, multipliers: &mut _| inverse.apply(a, multipliers);
            let is_solved = solve_for_rates(jacobian, a, multipliers, apply)
                && all_finite(a.as_flattened())
                && all_finite(multipliers.as_flattened());
            change_signs(multipliers);
            is_solved
        });
        is_solved.then_some(()).ok_or(())
    }
}

impl<S: SimdRealField + Copy, const N: usize, const C: usize, const M: usize> SolveGroups<S, M, C>
    for Unchecked<'_, S, N, C>
{
    type Error = Infallible;

    #[inline(never)]
    fn solve_group<const W: usize>(
        &mut self,
        columns: &mut [[S; M]],
        rates: &mut [[S; C]],
    ) -> Result<(), Infallible> {
        solve_abreast::<S, N, C, M, W>(columns, rates, |a, multipliers| {
            self.0.apply(a, multipliers);
            change_signs(multipliers);
            true
        });
        Ok(())
    }
}

fn change_signs<S: SimdRealField + Copy, const C: usize, const W: usize>(
    multipliers: &mut Abreast<S, C, W>,
) {
    for entry in multipliers.as_flattened_mut() {
        *entry = -*entry;
    }
}

impl<'a, S: SimdRealField + Copy, const N: usize, const C: usize> Inverse<'a, S, N, C> {
    fn of(
        factors: &'a Factors<'a, S, N, C>,
        (of_mass, of_complement): (&[S; N], &[S; C]),
        sign: S,
    ) -> Self {
        Inverse {
            factors,
            sign,
            // D has the pivots of M, and the negated ones of J M⁻¹ Jᵀ.
            of_mass: of_mass.map(|pivot| sign * recip(pivot)),
            of_complement: of_complement.map(|pivot| -sign * recip(pivot)),
            is_coupled: (0..N).any(|i| (0..i).any(|k| factors.mass[i][k] != S::zero())),
        }
    }

    /// Replaces right-hand sides by solutions. The accelerations follow from the sum of the constraint forces and the
    /// given forces, which alone may be much larger.
    #[inline(always)]
    fn apply<const W: usize>(&self, a: &mut Abreast<S, N, W>, multipliers: &mut Abreast<S, C, W>) {
        let Factors {
            coupling,
            complement,
            jacobian,
            ..
        } = self.factors;
        let mut forces = *a;
        self.pass_on(a);
        for i in 0..C {
            let mut entries = multipliers[i];
            for k in 0..N {
                subtract(coupling[i][k], &a[k], &mut entries);
            }
            for k in 0..i {
                subtract(complement[i][k], &multipliers[k], &mut entries);
            }
            multipliers[i] = entries;
        }
        for i in (0..C).rev() {
            let mut entries = multipliers[i].map(|entry| entry * self.of_complement[i]);
            for k in i + 1..C {
                subtract(complement[k][i], &multipliers[k], &mut entries);
            }
            multipliers[i] = entries;
        }
        for i in 0..N {
            let mut entries = forces[i];
            for k in 0..C {
                subtract(self.sign * jacobian[k][i], &multipliers[k], &mut entries);
            }
            forces[i] = entries;
        }
        self.pass_on(&mut forces);
        for i in (0..N).rev() {
            let mut entries = forces[i].map(|entry| entry * self.of_mass[i]);
            let coupled = if self.is_coupled { i + 1..N } else { N..N };
            for k in coupled {
                subtract(self.factors.mass[k][i], &a[k], &mut entries);
            }
            a[i] = entries;
        }
    }

    /// The forces after the elimination of the coordinates before.
    #[inline(always)]
    fn pass_on<const W: usize>(&self, forces: &mut Abreast<S, N, W>) {
        if !self.is_coupled {
            return;
        }
        for i in 0..N {
            let mut entries = forces[i];
            for k in 0..i {
                subtract(self.factors.mass[i][k], &forces[k], &mut entries);
            }
            forces[i] = entries;
        }
    }
}

//! Derivatives of the solution with constraints by factors that generated code has found.

use nalgebra::RealField;

use super::{
    all_finite,
    kkt::ACCEPTED,
    triangle::{ABREAST, subtract},
};
use crate::math::{constant, recip};

/// The factors `[M Jᵀ; J 0] = L D Lᵀ` but for D, and J.
#[derive(Clone, Copy, Debug)]
pub struct Factors<'a, S, const N: usize, const C: usize> {
    /// The rows of L for the coordinates.
    pub mass: &'a [[S; N]; N],
    /// Those for the constraints, the columns of the coordinates.
    pub coupling: &'a [[S; N]; C],
    /// The columns of the constraints.
    pub complement: &'a [[S; C]; C],
    /// J.
    pub jacobian: &'a [[S; N]; C],
}

/// Some right-hand sides or solutions next to each other: rows of the first, second, .. entry of each.
type Abreast<S, const R: usize> = [[S; ABREAST]; R];

/// What [`differentiate_by_factors`](super::differentiate_by_factors) does where there are constraints: with the last
/// `N` entries of a column go `C` rates, by the state derivatives of `J a - γ` and by the inputs zeros, which become
/// derivatives of λ.
///
/// The pivots are those of M and of J M⁻¹ Jᵀ, which are positive. The equations of the forces are met by the way the
/// solutions are computed, as those of [`kkt_after`](super::kkt_after) are; where those of the constraints are not, a
/// step of refinement follows. Returns whether all is finite, and these are [met](super::met) then.
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
    let inverse = |sign: S| Inverse {
        factors,
        sign,
        // D has the pivots of M, and those of J M⁻¹ Jᵀ with the other sign.
        of_mass: of_mass.map(|pivot| sign * recip(pivot)),
        of_complement: of_complement.map(|pivot| -sign * recip(pivot)),
    };
    inverse(-one).replace(by_state, rates_by_state)
        && inverse(one).replace(by_input, rates_by_input)
}

/// `±[M Jᵀ; J 0]⁻¹`
struct Inverse<'a, S, const N: usize, const C: usize> {
    factors: &'a Factors<'a, S, N, C>,
    sign: S,
    of_mass: [S; N],
    of_complement: [S; C],
}

impl<S: RealField + Copy, const N: usize, const C: usize> Inverse<'_, S, N, C> {
    /// Replaces the last `N` entries of each column, and its rates, by a solution, of which the latter change their
    /// signs; whether these can be trusted.
    #[inline(never)]
    fn replace<const M: usize>(&self, columns: &mut [[S; M]], rates: &mut [[S; C]]) -> bool {
        let groups = columns.chunks_mut(ABREAST).zip(rates.chunks_mut(ABREAST));
        for (columns, rates) in groups {
            let zero = [S::zero(); ABREAST];
            let (mut a, mut wanted) = ([zero; N], [zero; C]);
            for (at, (column, rate)) in (0..ABREAST).zip(columns.iter().zip(rates.iter())) {
                place(column.iter().skip(M.saturating_sub(N)), at, &mut a);
                place(rate.iter(), at, &mut wanted);
            }
            let mut multipliers = wanted;
            self.apply(&mut a, &mut multipliers);
            if !self.is_met(&wanted, &a) && !self.refine(&wanted, &mut a, &mut multipliers) {
                return false;
            }
            if !all_finite(a.as_flattened()) || !all_finite(multipliers.as_flattened()) {
                return false;
            }
            for (at, (column, rate)) in (0..ABREAST).zip(columns.iter_mut().zip(rates)) {
                let column = column.iter_mut().skip(M.saturating_sub(N));
                take(&a, at, column, S::one());
                take(&multipliers, at, rate.iter_mut(), -S::one());
            }
        }
        true
    }

    /// Replaces right-hand sides by solutions.
    #[inline(always)]
    fn apply(&self, a: &mut Abreast<S, N>, multipliers: &mut Abreast<S, C>) {
        let Factors {
            mass,
            coupling,
            complement,
            ..
        } = self.factors;
        for i in 0..N {
            let mut entries = a[i];
            for k in 0..i {
                subtract(mass[i][k], &a[k], &mut entries);
            }
            a[i] = entries;
        }
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
        for i in (0..N).rev() {
            let mut entries = a[i].map(|entry| entry * self.of_mass[i]);
            for k in 0..C {
                subtract(coupling[k][i], &multipliers[k], &mut entries);
            }
            for k in i + 1..N {
                subtract(mass[k][i], &a[k], &mut entries);
            }
            a[i] = entries;
        }
    }

    /// Whether the rates of these accelerations are what is wanted, as well as they can be.
    #[inline(always)]
    fn is_met(&self, wanted: &Abreast<S, C>, a: &Abreast<S, N>) -> bool {
        let unit = constant::<S>(ACCEPTED) * S::default_epsilon();
        let mut met = true;
        for (row, wanted) in self.factors.jacobian.iter().zip(wanted) {
            let (mut left, mut size) = (*wanted, wanted.map(|rate| rate.abs()));
            for (&entry, a) in row.iter().zip(a) {
                let entry = self.sign * entry;
                for ((left, size), &a) in left.iter_mut().zip(&mut size).zip(a) {
                    let product = entry * a;
                    *left -= product;
                    *size += product.abs();
                }
            }
            for (left, size) in left.iter().zip(size) {
                met &= left.abs() <= unit * size;
            }
        }
        met
    }

    /// A step of iterative refinement for what is left of the rates; whether these are met then.
    #[cold]
    fn refine(
        &self,
        wanted: &Abreast<S, C>,
        a: &mut Abreast<S, N>,
        multipliers: &mut Abreast<S, C>,
    ) -> bool {
        let (mut change, mut left) = ([[S::zero(); ABREAST]; N], *wanted);
        for (row, left) in self.factors.jacobian.iter().zip(&mut left) {
            for (&entry, a) in row.iter().zip(a.iter()) {
                subtract(self.sign * entry, a, left);
            }
        }
        self.apply(&mut change, &mut left);
        for (entries, change) in a.iter_mut().zip(&change) {
            subtract(-S::one(), change, entries);
        }
        for (entries, change) in multipliers.iter_mut().zip(&left) {
            subtract(-S::one(), change, entries);
        }
        self.is_met(wanted, a)
    }
}

/// Writes entries to the place `at` of each row.
#[inline(always)]
fn place<'a, S: Copy + 'a>(
    entries: impl Iterator<Item = &'a S>,
    at: usize,
    rows: &mut [[S; ABREAST]],
) {
    for (row, entry) in rows.iter_mut().zip(entries) {
        if let Some(place) = row.get_mut(at) {
            *place = *entry;
        }
    }
}

/// Writes what is at the place `at` of each row, times a sign, to these entries.
#[inline(always)]
fn take<'a, S: RealField + Copy>(
    rows: &[[S; ABREAST]],
    at: usize,
    entries: impl Iterator<Item = &'a mut S>,
    sign: S,
) {
    for (row, entry) in rows.iter().zip(entries) {
        if let Some(value) = row.get(at) {
            *entry = sign * *value;
        }
    }
}

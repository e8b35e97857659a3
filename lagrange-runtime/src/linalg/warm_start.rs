//! The acceptance test of a solution by an unrolled factorisation, and its refinement.
//!
//! Most solutions pass the tests of `acceptance_test.rs`, which are stricter than these. Acceptance takes few branches,
//! so that few instructions test many numbers, and they err on the side of caution: a solution that they do not accept
//! is tested again, by sums of all terms, before anything is solved again.

use nalgebra::RealField;

use super::{
    finite::all_finite,
    kkt::kkt_in_place,
    kkt_residual::{Pair, Pattern, Saddle},
    refinement::{Goal, Terms},
    sums::{size, total},
    tolerances::{ACCEPTED, all_ordinary, holds, ordinary, threshold},
    vectors::add_multiple,
};
use crate::Error;

/// Returns whether the first `n` pivots of L D Lᵀ, those of M, and the others, those of J M⁻¹ Jᵀ, are all
/// [`regular`](super::regular), and no diagonal entry of J M⁻¹ Jᵀ can be rounding error: each exceeds eps times their
/// sum. NaN is not regular. Neither are values that may make L underflow: diagonal entries of M above 1e100 for `f64`
/// and 1e12 for `f32`, and those of J M⁻¹ Jᵀ above that or below its reciprocal.
///
/// A row of J that should be zero, such as `l sin(pi)` in a stretched linkage, has pivots that look regular alone; only
/// the other rows reveal it.
///
/// ```
/// use lagrange_runtime::linalg::all_regular;
///
/// assert!(all_regular(&[2.0, 1e-6, 1e6], &[2.0, 1e-6, 1e6], 1));
/// assert!(!all_regular(&[2.0, 1e-16, 1.0], &[2.0, 1e-16, 1.0], 1));
/// assert!(!all_regular(&[1e-9, 1.0], &[2.0, 1.0], 1) && !all_regular(&[f64::NAN], &[1.0], 1));
/// ```
#[inline(always)]
pub fn all_regular<S: RealField + Copy>(pivots: &[S], diagonal: &[S], n: usize) -> bool {
    let (Some((mass, constraints)), Some((of_mass, of_constraints))) =
        (pivots.split_at_checked(n), diagonal.split_at_checked(n))
    else {
        return false;
    };
    let (least, most) = ordinary::<S>();
    let sum = total(of_constraints);
    // A pivot is at most its diagonal entry.
    let floor = S::default_epsilon() * sum + least;
    let of_pivots = threshold::<S>(mass.len());
    let of_complement = threshold::<S>(constraints.len());
    holds(mass, of_mass, |pivot, entry| pivot > of_pivots * entry)
        && holds(mass, mass, |pivot, _| pivot <= most)
        && holds(constraints, of_constraints, |pivot, entry| {
            pivot > of_complement * entry + floor
        })
        && sum <= most
}

/// Returns whether products of the sum of the sizes of all terms neither overflow nor underflow (it is within 1e±100
/// for `f64` and 1e±12 for `f32`, or zero), and the accelerations `free` of coordinates that no constraint binds are
/// finite. NaN is not ordinary.
///
/// ```
/// use lagrange_runtime::linalg::is_ordinary;
///
/// assert!(is_ordinary(&[1.0, 1e90, 0.0], &[1e-200]) && is_ordinary(&[0.0], &[]));
/// assert!(!is_ordinary(&[1e-110], &[1.0]) && !is_ordinary(&[1.0], &[f64::NAN]));
/// ```
#[inline(always)]
pub fn is_ordinary<S: RealField + Copy>(terms: &[S], free: &[S]) -> bool {
    let (least, most) = ordinary::<S>();
    let sum = total(terms);
    (sum + size(free) <= most) & ((sum >= least) | (sum == S::zero()))
}

/// Zeros are skipped if M and J have this many entries together. Loops over smaller matrices are as short as the code
/// that skips their zeros.
const SPARSE: usize = 500;

/// An unrolled solution that may not be accurate enough, and its factors.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a, S, const N: usize, const C: usize> {
    /// True if the factors are [regular](all_regular).
    pub is_regular: bool,
    /// a and λ.
    pub solution: ([S; N], [S; C]),
    /// The pivots of M and of J M⁻¹ Jᵀ.
    pub pivots: &'a [S],
    /// Row, column and value of the entries below the diagonal of L D, column by column in the order of elimination.
    pub lower: &'a [(usize, usize, S)],
    /// W, if M + Jᵀ W J replaces M; otherwise empty.
    pub weights: &'a [S],
    /// Row and column of the entries of M that may be nonzero, on and below the diagonal.
    pub mass: &'a [(usize, usize)],
    /// The same for J.
    pub jacobian: &'a [(usize, usize)],
}

/// Solves the equations of [`kkt_in_place`] after an attempt by unrolled factors: by iterative refinement if they are
/// regular, as far as that is necessary.
///
/// # Errors
///
/// The errors of [`Kkt`](super::Kkt).
///
/// ```
/// use lagrange_runtime::linalg::{Attempt, kkt_after};
///
/// // Some digits are wrong.
/// let attempt = Attempt {
///     is_regular: true,
///     solution: ([0.0, 1e-9], [-9.81]),
///     pivots: &[2.0, 2.0, 2.0],
///     lower: &[(2, 1, -2.0)],
///     weights: &[],
///     mass: &[(0, 0), (1, 1)],
///     jacobian: &[(0, 1)],
/// };
/// let (mut mass, jacobian) = ([[2.0, 0.0], [0.0, 2.0]], [[0.0, -2.0]]);
/// let (a, lambda) = kkt_after(&mut mass, &jacobian, &[0.0, -2.0 * 9.81], &[0.0], &attempt)?;
/// assert_eq!((a, lambda), ([0.0, 0.0], [-9.81]));
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
#[cold]
#[inline(never)]
pub fn kkt_after<S: RealField + Copy, const N: usize, const C: usize>(
    m: &mut [[S; N]; N],
    j: &[[S; N]; C],
    f: &[S; N],
    gamma: &[S; C],
    attempt: &Attempt<'_, S, N, C>,
) -> Result<([S; N], [S; C]), Error> {
    if attempt.is_regular
        && let Some(solution) = attempt.refined(m, j, &(*f, *gamma))
    {
        return Ok(solution);
    }
    kkt_in_place(m, j, f, gamma)
}

impl<S: RealField + Copy, const N: usize, const C: usize> Attempt<'_, S, N, C> {
    /// The solution, refined if necessary; `None` if it does not become accurate enough.
    fn refined(
        &self,
        mass: &[[S; N]; N],
        jacobian: &[[S; N]; C],
        right: &Pair<S, N, C>,
    ) -> Option<Pair<S, N, C>> {
        let pattern = Pattern {
            mass: self.mass,
            jacobian: self.jacobian,
        };
        let saddle = Saddle {
            mass,
            jacobian,
            pattern: (N * (N + C) >= SPARSE).then_some(pattern),
        };
        // If M was factored, the other equations hold by construction.
        let is_plain = self.weights.is_empty();
        if is_plain && saddle.meets(&right.1, &self.solution.0) {
            return is_of_ordinary_size(&self.solution).then_some(self.solution);
        }
        let goal = Goal {
            terms: Terms::Strict,
            enough: ACCEPTED,
            least: usize::from(is_plain),
        };
        let reciprocals = self.reciprocals();
        let apply = |right: &Pair<S, N, C>| self.apply(jacobian, &reciprocals, right);
        let refined = saddle.refined_from(self.solution, right, goal, apply);
        let is_accepted = refined.error <= ACCEPTED && is_of_ordinary_size(&refined.solution);
        is_accepted.then_some(refined.solution)
    }

    /// The reciprocals of the pivots of the whole matrix, with the opposite sign for the constraints.
    fn reciprocals(&self) -> Pair<S, N, C> {
        let mut reciprocals = ([S::one(); N], [-S::one(); C]);
        for (i, &pivot) in self.pivots.iter().enumerate() {
            if let Some(place) = entry_mut(&mut reciprocals, i) {
                *place /= pivot;
            }
        }
        reciprocals
    }

    /// The solution by the factors for the right-hand side (f, γ).
    fn apply(
        &self,
        jacobian: &[[S; N]; C],
        reciprocals: &Pair<S, N, C>,
        (f, gamma): &Pair<S, N, C>,
    ) -> Pair<S, N, C> {
        let mut solution = (*f, *gamma);
        for k in 0..C.min(self.weights.len()) {
            add_multiple(self.weights[k] * gamma[k], &jacobian[k], &mut solution.0);
        }
        // The unknowns of the whole matrix are -λ.
        for &(row, column, scaled) in self.lower {
            let product = scaled * (entry(&solution, column) * entry(reciprocals, column));
            if let Some(entry) = entry_mut(&mut solution, row) {
                *entry -= product;
            }
        }
        for &(row, column, scaled) in self.lower.iter().rev() {
            let product = scaled * (entry(&solution, row) * entry(reciprocals, row));
            if let Some(entry) = entry_mut(&mut solution, column) {
                *entry -= product;
            }
        }
        for i in 0..N {
            solution.0[i] *= reciprocals.0[i];
        }
        for k in 0..C {
            solution.1[k] *= -reciprocals.1[k];
        }
        solution
    }
}

/// An entry by its row in the whole matrix; zero if there is no such row.
#[inline]
fn entry<S: RealField + Copy, const N: usize, const C: usize>(
    pair: &Pair<S, N, C>,
    row: usize,
) -> S {
    if row < N {
        pair.0[row]
    } else if row - N < C {
        pair.1[row - N]
    } else {
        S::zero()
    }
}

#[inline]
fn entry_mut<S, const N: usize, const C: usize>(
    pair: &mut Pair<S, N, C>,
    row: usize,
) -> Option<&mut S> {
    if row < N {
        Some(&mut pair.0[row])
    } else {
        pair.1.get_mut(row - N)
    }
}

/// Returns whether products with these accelerations neither overflow nor underflow, and all is finite.
fn is_of_ordinary_size<S: RealField + Copy, const N: usize, const C: usize>(
    (a, lambda): &Pair<S, N, C>,
) -> bool {
    all_ordinary(a) && all_finite(lambda)
}

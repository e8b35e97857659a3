//! Iterative refinement of a solution, and its acceptance.

use nalgebra::RealField;

use super::{
    binary::{exponent, scaled_by},
    finite::all_finite,
    kkt_residual::{Pair, Saddle, absolute},
    multi_rhs::{Abreast, Group, add_rows, subtract},
    tolerances::{ACCEPTED, holds, magnitude, met},
    vectors::add,
};
use crate::{
    Error,
    math::{constant, is_plain},
};

/// A backward error, in eps, that no step of refinement reduces.
pub(super) const GOOD: f64 = 3.0;

/// All equations are refined, met or not.
const NONE: f64 = -1.0;

/// The largest number of steps of refinement. A useful step gains some digits, and values that should be zero may have
/// to become smaller than 1e-292.
const MAX_STEPS: usize = 30;

/// The conditions for the end of refinement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    pub(super) terms: Terms,
    /// The backward error, in eps, that is small enough.
    pub(super) enough: f64,
    /// The least number of steps. Derivatives need one, because they converge like the values.
    pub(super) least: usize,
}

/// The result of refinement.
pub(super) struct Refined<S, const N: usize, const C: usize> {
    pub(super) solution: Pair<S, N, C>,
    /// The backward error of the solution, in eps.
    pub(super) error: f64,
}

/// A matrix of equations for accelerations and multipliers.
pub(super) trait Equations<S: RealField + Copy, const N: usize, const C: usize> {
    /// True if refinement goes on while the error falls at all, and compares accelerations and multipliers together: forces
    /// by multipliers may be far from symmetric, where it converges slowly.
    const IS_PATIENT: bool = false;

    /// The right-hand side less the matrix times a solution.
    fn residual(&self, right: &Pair<S, N, C>, solution: &Pair<S, N, C>) -> Pair<S, N, C>;

    /// The size of the terms of each equation.
    fn terms(&self, right: &Pair<S, N, C>, solution: &Pair<S, N, C>) -> Pair<S, N, C>;

    /// The smallest ω, in eps, such that the solution exactly solves a system whose entries differ by at most ω times
    /// themselves: the largest ratio of a residual to the size of its terms (Oettli & Prager 1964). Residuals of
    /// equations that are met, to so many eps, become zero.
    ///
    /// Infinite if a number is not finite.
    fn backward_error(
        &self,
        right: &Pair<S, N, C>,
        solution: &Pair<S, N, C>,
        residual: &mut Pair<S, N, C>,
        terms: Terms,
        met: f64,
    ) -> f64 {
        let sizes = self.terms(right, solution);
        let eps = magnitude(S::default_epsilon());
        let met = met * eps;
        let of_forces = terms.largest_ratio(&mut residual.0, &sizes.0, met, 0.0);
        terms.largest_ratio(&mut residual.1, &sizes.1, met, of_forces) / eps
    }

    /// The backward error, in eps, up to which equations are left out of the refinement after a step.
    ///
    /// A sum of many terms may never reach a good error, and its residual would keep entries that should be zero from
    /// converging.
    fn met_after(step: usize) -> f64 {
        match step {
            0 => NONE,
            _ if step == 1 || Self::IS_PATIENT => GOOD,
            _ => ACCEPTED / 2.0,
        }
    }

    /// The largest acceleration and the largest multiplier; the largest of both if they are compared together.
    fn sizes((a, lambda): &Pair<S, N, C>) -> [f64; 2] {
        let [a, lambda] = [largest(a), largest(lambda)];
        if Self::IS_PATIENT {
            [a.max(lambda); 2]
        } else {
            [a, lambda]
        }
    }

    /// The solution by `solve`, which applies an approximate inverse of this matrix, and by iterative refinement until
    /// the backward error is small or no longer falls by half.
    ///
    /// Refinement in working precision ends with an error of the size of the rounding errors of one residual, |K⁻¹|
    /// (|K| |x| + |b|) eps, in every component (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed.,
    /// chapter 12). If an equation has terms of very different sizes, the rounding errors of the large ones would keep
    /// the small ones from converging. So after two steps only equations that are not met are refined.
    fn refine(
        &self,
        right: &Pair<S, N, C>,
        goal: Goal,
        solve: impl Fn(&Pair<S, N, C>) -> Pair<S, N, C>,
    ) -> Refined<S, N, C> {
        let mut solution = solve(right);
        let terms = goal.terms;
        let mut residual = self.residual(right, &solution);
        let least = if is_plain::<S>() { goal.least } else { 1 };
        // If a step follows in any case the value does not matter.
        let mut error = f64::INFINITY;
        if least == 0 {
            error = self.backward_error(right, &solution, &mut residual, terms, NONE);
        }
        let mut change = [f64::INFINITY; 2];
        let mut last_left = [f64::INFINITY; 2];
        for step in 0..MAX_STEPS {
            if error <= goal.enough && step >= least {
                break;
            }
            let correction = solve(&residual);
            let sizes = Self::sizes(&correction);
            let mut next = solution;
            add(&mut next.0, &correction.0);
            add(&mut next.1, &correction.1);
            let mut left = self.residual(right, &next);
            let met = Self::met_after(step);
            let remaining = self.backward_error(right, &next, &mut left, terms, met);
            let falls = remaining < if Self::IS_PATIENT { error } else { 0.5 * error };
            // Corrections of equations that are already met are noise as long as these are refined. A value that happens to
            // be zero exactly has two corrections of one size after it, but what is left of the others gets smaller: a
            // solution that is not accepted yet is refined further.
            let left_sizes = [largest(&left.0), largest(&left.1)];
            let shrinks = step < 4
                || remaining.min(error) > ACCEPTED && are_half(left_sizes, last_left)
                || are_small(
                    sizes,
                    Self::sizes(&next),
                    change,
                    magnitude(S::default_epsilon()),
                );
            for (last, size) in last_left.iter_mut().zip(left_sizes) {
                // A residual that happens to be zero exactly says nothing of the next one.
                if size > 0.0 {
                    *last = size;
                }
            }
            change = sizes;
            // A good solution may change within rounding errors, for the sake of the derivatives.
            if remaining < error || remaining <= GOOD || shrinks {
                (solution, residual, error) = (next, left, remaining);
            }
            if !falls && !shrinks {
                break;
            }
        }
        Refined { solution, error }
    }

    /// The solution by `solve`, which applies a pivoted factorisation, with refinement.
    ///
    /// # Errors
    ///
    /// [`Error::NotFinite`], and [`Error::SingularMassMatrix`] if the solution is not accurate enough.
    fn solve_refined(
        &self,
        (f, gamma): (&[S; N], &[S; C]),
        solve: impl Fn(&Pair<S, N, C>) -> Pair<S, N, C>,
    ) -> Result<Pair<S, N, C>, Error> {
        if !all_finite(f) || !all_finite(gamma) {
            return Err(Error::NOT_FINITE);
        }
        // Large numbers are scaled down until sums do not overflow, small ones up to about 1.
        let size = exponent(largest(f).max(largest(gamma))).unwrap_or(0);
        let size = size.min(0) + (size - largest_exponent::<S>()).max(0);
        let right = (scaled_by(f, -size), scaled_by(gamma, -size));
        let goal = Goal {
            terms: Terms::Lenient,
            enough: GOOD,
            least: 1,
        };
        let refined = self.refine(&right, goal, solve);
        let (a, lambda) = &refined.solution;
        let solution = (scaled_by(a, size), scaled_by(lambda, size));
        if !all_finite(&solution.0) || !all_finite(&solution.1) {
            Err(Error::NOT_FINITE)
        } else if refined.error <= ACCEPTED {
            Ok(solution)
        } else {
            Err(Error::SingularMassMatrix)
        }
    }
}

impl<S: RealField + Copy, const N: usize, const C: usize> Equations<S, N, C>
    for Saddle<'_, S, N, C>
{
    #[inline]
    fn residual(&self, right: &Pair<S, N, C>, solution: &Pair<S, N, C>) -> Pair<S, N, C> {
        Saddle::residual(self, right, solution)
    }

    /// `|f| + |M| |a| + |Jᵀ| |λ|` and `|γ| + |J| |a|`, the size of the terms of each equation.
    #[inline]
    fn terms(&self, (f, gamma): &Pair<S, N, C>, (a, lambda): &Pair<S, N, C>) -> Pair<S, N, C> {
        let (mut forces, mut rates) = (absolute(f), absolute(gamma));
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

/// Returns whether each size is at most half of the last one.
#[inline]
fn are_half(sizes: [f64; 2], last: [f64; 2]) -> bool {
    let mut pairs = sizes.into_iter().zip(last);
    pairs.all(|(size, last)| size <= 0.5 * last)
}

/// Returns whether each correction is at most a rounding error of the corrected values, or half of the last correction.
#[inline]
fn are_small(corrections: [f64; 2], corrected: [f64; 2], last: [f64; 2], eps: f64) -> bool {
    (0..2).all(|i| corrections[i] <= (eps * corrected[i]).max(0.5 * last[i]))
}

/// The absolute value of the largest entry; infinite if one is not finite.
pub(super) fn largest<S: RealField + Copy>(entries: &[S]) -> f64 {
    let mut largest = 0.0;
    for &entry in entries {
        let size = magnitude(entry);
        if size <= largest {
            continue;
        }
        largest = if size <= f64::MAX {
            size
        } else {
            f64::INFINITY
        };
    }
    largest
}

/// The treatment of an equation whose terms are so small that their rounding errors underflow.
#[derive(Clone, Copy, Debug)]
pub(super) enum Terms {
    /// It is not met unless all terms are zero.
    Strict,
    /// Its terms count as larger: they are negligible beside those of other equations.
    Lenient,
}

impl Terms {
    /// The largest ratio of a residual to the size of its terms, or `least` if that is larger. The residuals of ratios
    /// up to `met` become zero.
    #[inline]
    fn largest_ratio<S: RealField + Copy>(
        self,
        residual: &mut [S],
        sizes: &[S],
        met: f64,
        least: f64,
    ) -> f64 {
        let mut largest = least;
        for i in 0..residual.len().min(sizes.len()) {
            let ratio = self.ratio::<S>(magnitude(residual[i]), magnitude(sizes[i]));
            if ratio <= met {
                residual[i] = S::zero();
            }
            largest = if ratio <= largest { largest } else { ratio };
        }
        largest
    }

    /// The ratio of a residual to the size of its terms; infinite if one is not finite.
    #[inline]
    fn ratio<S: RealField + Copy>(self, residual: f64, size: f64) -> f64 {
        let smallest = smallest_terms::<S>();
        match self {
            // In this form NaN counts as infinite too.
            _ if !(size <= largest_terms::<S>() && residual <= f64::MAX) => f64::INFINITY,
            _ if size >= smallest => residual / size,
            Terms::Strict if size > 0.0 => f64::INFINITY,
            _ => residual / smallest,
        }
    }
}

/// Returns whether all equations with these residuals are met, to the accepted backward error. Terms that underflow
/// show nothing.
///
/// ```
/// use lagrange_runtime::linalg::all_met;
///
/// assert!(all_met(&[1e-15, 0.0], &[1.0, 0.0]) && !all_met(&[1e-15], &[1e-2]));
/// assert!(!all_met(&[0.0], &[1e-300]) && !all_met(&[f64::NAN], &[1.0]));
/// ```
#[inline(always)]
pub fn all_met<S: RealField + Copy>(residual: &[S], terms: &[S]) -> bool {
    let [least, most] = [smallest_terms::<S>(), largest_terms::<S>()].map(constant::<S>);
    met(residual, terms)
        && holds(terms, terms, |size, _| {
            ((size >= least) | (size == S::zero())) & (size <= most)
        })
}

/// Replaces forces and rates by several solutions a and λ that `apply` finds in their place, after a step of refinement if
/// `±J a` differs from the rates; returns whether it has the rates then, to the accepted backward error.
#[inline(always)]
pub(super) fn solve_for_rates<S, const N: usize, const C: usize, const W: usize>(
    (jacobian, sign): (&[[S; N]; C], S),
    a: &mut Abreast<S, N, W>,
    multipliers: &mut Abreast<S, C, W>,
    apply: impl Fn(&mut Abreast<S, N, W>, &mut Abreast<S, C, W>),
) -> bool
where
    S: RealField + Copy,
{
    let wanted = Group(*multipliers);
    apply(a, multipliers);
    are_met(jacobian, sign, &wanted.0, a)
        || refine_rates((jacobian, sign), &wanted, a, multipliers, apply)
}

/// The step of refinement.
#[cold]
fn refine_rates<S, const N: usize, const C: usize, const W: usize>(
    (jacobian, sign): (&[[S; N]; C], S),
    wanted: &Group<S, C, W>,
    a: &mut Abreast<S, N, W>,
    multipliers: &mut Abreast<S, C, W>,
    apply: impl Fn(&mut Abreast<S, N, W>, &mut Abreast<S, C, W>),
) -> bool
where
    S: RealField + Copy,
{
    let (mut change, mut left) = (Group::zeros(), *wanted);
    for (row, left) in jacobian.iter().zip(&mut left.0) {
        for (&entry, a) in row.iter().zip(a.iter()) {
            subtract(sign * entry, a, left);
        }
    }
    apply(&mut change.0, &mut left.0);
    add_rows(a, &change.0);
    add_rows(multipliers, &left.0);
    are_met(jacobian, sign, &wanted.0, a)
}

/// Returns whether `±J a` has the wanted values, to the accepted backward error, for several a.
#[inline(always)]
fn are_met<S: RealField + Copy, const N: usize, const C: usize, const W: usize>(
    jacobian: &[[S; N]; C],
    sign: S,
    wanted: &Abreast<S, C, W>,
    a: &Abreast<S, N, W>,
) -> bool {
    let unit = constant::<S>(ACCEPTED) * S::default_epsilon();
    let [least, most] = [smallest_terms::<S>(), largest_terms::<S>()].map(constant::<S>);
    let mut met = true;
    for (row, wanted) in jacobian.iter().zip(wanted) {
        let (mut left, mut size) = (*wanted, wanted.map(|rate| rate.abs()));
        for (&entry, a) in row.iter().zip(a) {
            let entry = sign * entry;
            for ((left, size), &a) in left.iter_mut().zip(&mut size).zip(a) {
                let product = entry * a;
                *left -= product;
                *size += product.abs();
            }
        }
        for (left, &size) in left.iter().zip(&size) {
            // Terms that underflow show nothing.
            let is_known = (size >= least || size == S::zero()) && size <= most;
            met &= is_known & (left.abs() <= unit * size);
        }
    }
    met
}

/// Returns whether eps and the range are those of `f64`, and not of `f32`.
#[inline]
fn is_double<S: RealField + Copy>() -> bool {
    magnitude(S::default_epsilon()) < 1e-12
}

/// The smallest normal number by eps.
#[inline]
fn smallest_terms<S: RealField + Copy>() -> f64 {
    if is_double::<S>() { 1e-292 } else { 1e-31 }
}

#[inline]
fn largest_terms<S: RealField + Copy>() -> f64 {
    if is_double::<S>() { f64::MAX } else { 3e38 }
}

/// The exponent of right-hand sides that leave room for sums of their terms.
#[inline]
fn largest_exponent<S: RealField + Copy>() -> i32 {
    if is_double::<S>() { 900 } else { 100 }
}

//! The coordinates onto the holonomic constraints, by Newton's method with step control.

use nalgebra::{RealField, SVector};

use super::{Space, met, not_converged, rounding::Residual, scaled_size, size_of_terms};
use crate::{
    Error,
    linalg::{all_finite, kkt},
    math::{constant, is_plain},
};

/// From far away some tens of steps are usual; more than this is going in circles.
const MAX_STEPS: usize = 100;
/// A step is halved at most this many times.
const MAX_HALVINGS: usize = 24;

/// `rows(q)` gives J of all constraints.
#[inline(never)]
pub(super) fn project<S, const NQ: usize, const N: usize, const C: usize, const H: usize>(
    space: &impl Space<S, NQ, N>,
    q: SVector<S, NQ>,
    mass: impl FnOnce() -> [[S; N]; N],
    position: &impl Fn(&SVector<S, NQ>) -> ([S; H], [[S; N]; H]),
    rows: &impl Fn(&SVector<S, NQ>) -> [[S; N]; C],
) -> Result<SVector<S, NQ>, Error>
where
    S: RealField + Copy,
{
    let mut point = Point::at(space, q, position);
    if !point.is_finite() {
        return Err(Error::NotFinite);
    }
    let mass = &mass();
    for steps in 0..MAX_STEPS {
        if !point.is_met().contains(&false) {
            return point.with_derivatives(mass, rows);
        }
        let step = match point.newton_step(&[false; H], mass, rows) {
            Ok(step) => step,
            // Of the start its own error is told; a singular place on the way is none of the caller's.
            Err(error) if steps == 0 => return Err(error),
            Err(_) => break,
        };
        match point.advance(&step, position) {
            Advance::Nearer => {}
            Advance::Stuck(settled) if !settled.contains(&false) => {
                return point.with_derivatives(mass, rows);
            }
            // The others may come nearer yet: a step for them shifts rounding errors of larger rows.
            Advance::Stuck(settled) => {
                let Ok(step) = point.newton_step(&settled, mass, rows) else {
                    break;
                };
                if !point.advance_others(&settled, &step, position) {
                    if point.settled(&settled, &step, position).contains(&false) {
                        break;
                    }
                    return point.with_derivatives(mass, rows);
                }
            }
        }
    }
    Err(not_converged(&point.residual))
}

/// The constraints at some coordinates.
struct Point<'a, X, S, const NQ: usize, const N: usize, const H: usize> {
    space: &'a X,
    q: SVector<S, NQ>,
    residual: [S; H],
    jacobian: [[S; N]; H],
}

/// Where a step leads.
enum Advance<const H: usize> {
    /// To a smaller residual.
    Nearer,
    /// Nowhere; and the rows that are settled, met or at the level of their rounding errors.
    Stuck([bool; H]),
}

impl<'a, X, S, const NQ: usize, const N: usize, const H: usize> Point<'a, X, S, NQ, N, H>
where
    S: RealField + Copy,
    X: Space<S, NQ, N>,
{
    #[inline(never)]
    fn at(
        space: &'a X,
        q: SVector<S, NQ>,
        position: &impl Fn(&SVector<S, NQ>) -> ([S; H], [[S; N]; H]),
    ) -> Self {
        let (residual, jacobian) = position(&q);
        Self {
            space,
            q,
            residual,
            jacobian,
        }
    }

    /// The constraints after a part of a step.
    fn next(
        &self,
        step: &[S; N],
        fraction: S,
        position: &impl Fn(&SVector<S, NQ>) -> ([S; H], [[S; N]; H]),
    ) -> Self {
        let q = self.space.moved(&self.q, step, fraction);
        Self::at(self.space, q, position)
    }

    fn is_finite(&self) -> bool {
        all_finite(self.q.as_slice())
            && all_finite(&self.residual)
            && self.jacobian.iter().all(|row| all_finite(row))
    }

    /// Which residuals are of the size that rounding q makes them.
    fn is_met(&self) -> [bool; H] {
        let rows = self.jacobian.each_ref();
        let x = self.space.sizes(&self.q);
        met(&self.residual, &rows.map(|row| size_of_terms(row, &x)))
    }

    /// The smallest dq in the metric of `mass` with J dq = -residual, and 0 in the rows that are settled.
    ///
    /// Where that leaves a choice, since a direction has neither inertia nor a holonomic constraint, dq
    /// also keeps to what the nonholonomic constraints allow.
    #[inline(never)]
    fn newton_step<const C: usize>(
        &self,
        settled: &[bool; H],
        mass: &[[S; N]; N],
        rows: &impl Fn(&SVector<S, NQ>) -> [[S; N]; C],
    ) -> Result<[S; N], Error> {
        let mut right = self.residual.map(|entry| -entry);
        for (entry, &settled) in right.iter_mut().zip(settled) {
            if settled {
                *entry = S::zero();
            }
        }
        match kkt(mass, &self.jacobian, &[S::zero(); N], &right) {
            Ok((step, _)) => Ok(step),
            Err(Error::SingularMassMatrix) if C > H => self.allowed_step(&right, mass, rows),
            Err(error) => Err(error),
        }
    }

    /// The Newton step that the nonholonomic constraints allow.
    #[inline(never)]
    fn allowed_step<const C: usize>(
        &self,
        changes: &[S; H],
        mass: &[[S; N]; N],
        rows: &impl Fn(&SVector<S, NQ>) -> [[S; N]; C],
    ) -> Result<[S; N], Error> {
        let mut right = [S::zero(); C];
        for (entry, &change) in right.iter_mut().zip(changes) {
            *entry = change;
        }
        let (step, _) = kkt(mass, &rows(&self.q), &[S::zero(); N], &right)?;
        Ok(step)
    }

    /// The coordinates; where they carry derivatives, after one more step, which moves the values
    /// by rounding errors and completes the derivatives.
    fn with_derivatives<const C: usize>(
        &self,
        mass: &[[S; N]; N],
        rows: &impl Fn(&SVector<S, NQ>) -> [[S; N]; C],
    ) -> Result<SVector<S, NQ>, Error> {
        if H == 0 || is_plain::<S>() {
            Ok(self.q)
        } else {
            let step = self.newton_step(&[false; H], mass, rows)?;
            Ok(self.space.moved(&self.q, &step, S::one()))
        }
    }

    /// Goes along `step`, as far as the residual falls by a quarter of what the linearization tells.
    #[inline(never)]
    fn advance(
        &mut self,
        step: &[S; N],
        position: &impl Fn(&SVector<S, NQ>) -> ([S; H], [[S; N]; H]),
    ) -> Advance<H> {
        let met = self.is_met();
        let start = self.size(&self.residual);
        let (half, quarter) = (constant::<S>(0.5), constant::<S>(0.25));
        let mut fraction = S::one();
        for halvings in 0..=MAX_HALVINGS {
            let next = self.next(step, fraction, position);
            if next.is_finite() {
                let size = self.size(&next.residual);
                let suspect = halvings == 0 && size > half * start;
                if suspect && self.is_linear_to(&next, step) {
                    let settled = self.settled(&met, step, position);
                    if settled != met {
                        return Advance::Stuck(settled);
                    }
                }
                if size <= (S::one() - quarter * fraction) * start {
                    *self = next;
                    return Advance::Nearer;
                }
            }
            fraction *= half;
        }
        Advance::Stuck(self.settled(&met, step, position))
    }

    /// Goes along `step` if that halves what is not settled.
    #[inline(never)]
    fn advance_others(
        &mut self,
        settled: &[bool; H],
        step: &[S; N],
        position: &impl Fn(&SVector<S, NQ>) -> ([S; H], [[S; N]; H]),
    ) -> bool {
        let others = |residual: &[S; H]| {
            let mut others = *residual;
            for (entry, &settled) in others.iter_mut().zip(settled) {
                if settled {
                    *entry = S::zero();
                }
            }
            self.size(&others)
        };
        let next = self.next(step, S::one(), position);
        let falls = next.is_finite()
            && others(&next.residual) <= constant::<S>(0.5) * others(&self.residual);
        if falls {
            *self = next;
        }
        falls
    }

    /// Which rows are settled, `met` or at the level of rounding errors, where `step` does not make
    /// the residual smaller.
    fn settled(
        &self,
        met: &[bool; H],
        step: &[S; N],
        position: &impl Fn(&SVector<S, NQ>) -> ([S; H], [[S; N]; H]),
    ) -> [bool; H] {
        let residual = Residual {
            space: self.space,
            x: &self.q,
            entries: &self.residual,
            jacobian: &self.jacobian,
            step,
        };
        residual.settled(met, position)
    }

    /// Whether the Jacobian at the end of the step tells that the linearization is right there to half
    /// of all digits.
    fn is_linear_to(&self, next: &Self, step: &[S; N]) -> bool {
        let mut error = [S::zero(); H];
        for ((entry, before), after) in error.iter_mut().zip(&self.jacobian).zip(&next.jacobian) {
            for ((&old, &new), &change) in before.iter().zip(after).zip(step) {
                *entry += (new - old) * change;
            }
        }
        let limit = constant::<S>(8.0) * S::default_epsilon().sqrt();
        self.size(&error) <= limit * self.size(&self.residual)
    }

    /// The size of residuals, measured by the Jacobian here.
    fn size(&self, residuals: &[S; H]) -> S {
        scaled_size(residuals, &self.jacobian)
    }
}

//! The coordinates onto the holonomic constraints, by Newton's method with step control.

use nalgebra::{RealField, SVector};

use super::{ROUNDING, moved, not_converged, scaled_size, size_of_terms};
use crate::{
    Error,
    linalg::{all_finite, kkt},
    math::{constant, is_plain},
};

/// From far away some tens of steps are usual; more than this is going in circles.
const MAX_STEPS: usize = 100;
/// Where nothing makes the residual smaller, this many eps of the size of its terms are few enough.
const BLOCKED: f64 = 1000.0;
/// A step is halved at most this many times.
const MAX_HALVINGS: usize = 24;

pub(super) fn project<S, const N: usize, const H: usize>(
    q: &SVector<S, N>,
    mass: &[[S; N]; N],
    position: impl Fn(&SVector<S, N>) -> ([S; H], [[S; N]; H]),
) -> Result<SVector<S, N>, Error>
where
    S: RealField + Copy,
{
    let mut point = Point::at(*q, &position);
    if !point.is_finite() {
        return Err(Error::NotFinite);
    }
    for steps in 0..MAX_STEPS {
        if point.is_met(ROUNDING) {
            return point.with_derivatives(mass);
        }
        let step = match point.newton_step(mass) {
            Ok(step) => step,
            // Of the start its own error is told; a singular place on the way is none of the caller's.
            Err(error) if steps == 0 => return Err(error),
            Err(_) => break,
        };
        match point.advance(&step, &position) {
            Advance::To(next) => point = next,
            Advance::Rounding(next) => return next.with_derivatives(mass),
            // Beside a singular place rounding errors look like a blocked way.
            Advance::Blocked if point.is_met(BLOCKED) => return point.with_derivatives(mass),
            Advance::Blocked => break,
        }
    }
    Err(not_converged(&point.residual))
}

/// The constraints at some coordinates.
#[derive(Clone, Copy)]
struct Point<S, const N: usize, const H: usize> {
    q: SVector<S, N>,
    residual: [S; H],
    jacobian: [[S; N]; H],
}

/// Where a step leads.
enum Advance<S, const N: usize, const H: usize> {
    /// To a smaller residual.
    To(Point<S, N, H>),
    /// Nowhere, since the residual is all rounding errors.
    Rounding(Point<S, N, H>),
    /// Nowhere.
    Blocked,
}

impl<S: RealField + Copy, const N: usize, const H: usize> Point<S, N, H> {
    fn at(q: SVector<S, N>, position: &impl Fn(&SVector<S, N>) -> ([S; H], [[S; N]; H])) -> Self {
        let (residual, jacobian) = position(&q);
        Self {
            q,
            residual,
            jacobian,
        }
    }

    fn is_finite(&self) -> bool {
        all_finite(self.q.as_slice())
            && all_finite(&self.residual)
            && self.jacobian.iter().all(|row| all_finite(row))
    }

    /// Whether no residual is above `limit` eps of the size of its terms.
    fn is_met(&self, limit: f64) -> bool {
        let unit = constant::<S>(limit) * S::default_epsilon();
        let mut rows = self.residual.iter().zip(&self.jacobian);
        rows.all(|(entry, row)| entry.abs() <= unit * size_of_terms(row, &self.q))
    }

    /// The smallest dq in the metric of `mass` with J dq = -residual.
    fn newton_step(&self, mass: &[[S; N]; N]) -> Result<[S; N], Error> {
        let right = self.residual.map(|entry| -entry);
        let (step, _) = kkt(mass, &self.jacobian, &[S::zero(); N], &right)?;
        Ok(step)
    }

    /// The coordinates; where they carry derivatives, after one more step, which moves the values
    /// by rounding errors and completes the derivatives.
    fn with_derivatives(self, mass: &[[S; N]; N]) -> Result<SVector<S, N>, Error> {
        if is_plain::<S>() {
            Ok(self.q)
        } else {
            Ok(moved(&self.q, &self.newton_step(mass)?, S::one()))
        }
    }

    /// Goes along `step`, as far as the residual falls by a quarter of what the linearization tells.
    fn advance(
        &self,
        step: &[S; N],
        position: &impl Fn(&SVector<S, N>) -> ([S; H], [[S; N]; H]),
    ) -> Advance<S, N, H> {
        let start = self.size(&self.residual);
        let (half, quarter) = (constant::<S>(0.5), constant::<S>(0.25));
        let mut fraction = S::one();
        for halvings in 0..=MAX_HALVINGS {
            let next = Self::at(moved(&self.q, step, fraction), position);
            if next.is_finite() {
                let size = self.size(&next.residual);
                let falls = size <= (S::one() - quarter * fraction) * start;
                if halvings == 0 && size > half * start && self.is_linear_to(&next, step) {
                    return Advance::Rounding(if size < start { next } else { *self });
                }
                if falls {
                    return Advance::To(next);
                }
            }
            fraction *= half;
        }
        Advance::Blocked
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

//! Projection of the coordinates onto the holonomic constraints, by Newton's method with step control.

use nalgebra::{RealField, SVector};

use super::limits::{Bounds, Limits, Trouble, negated, not_converged, size};
use super::places::{Places, clear};
use super::space::Space;
use crate::{
    Error,
    linalg::{Kkt, Redundant, all_finite, dependent_share, row_sizes, rows_that_are_none},
    math::{constant, is_plain},
};

/// From far away some tens of steps are usual; an iteration with more steps goes in circles.
const MAX_STEPS: usize = 100;

/// The fraction of a step from which on residuals that are met need not fall: a coordinate of 0 would move by ever
/// smaller parts of a step.
const LEAST_FRACTION: f64 = 1.0 / 1024.0;

/// M is already evaluated; `rows` writes J of all constraints.
#[inline(never)]
pub(super) fn project<S, const NQ: usize, const N: usize, const C: usize, const H: usize>(
    space: &impl Space<S, NQ, N>,
    q: SVector<S, NQ>,
    position: &impl Fn(&SVector<S, NQ>, &mut [S; H], &mut [[S; N]; H], &mut Bounds<S, H>),
    rows: &impl Fn(&SVector<S, NQ>, &mut [[S; N]; C]),
    places: &mut Places<'_, S, N, C>,
) -> Result<SVector<S, NQ>, Error>
where
    S: RealField + Copy,
{
    let (residual, bounds) = evaluate(&q, places.jacobian, position, false);
    let mut point = Point {
        space,
        q,
        residual,
        bounds,
        limits: Limits::none(),
        share: coarse_share(),
        places,
    };
    if !is_finite(&point.q, &point.residual, point.places.jacobian) {
        return Err(Error::NOT_FINITE);
    }
    let (mut trouble, mut has_moved) = (Trouble::None, false);
    for _ in 0..=MAX_STEPS {
        if !point.bounds.are_known
            && (trouble != Trouble::None || point.limits.are_met(&point.residual))
        {
            (_, point.bounds) = evaluate(&point.q, point.places.spare, position, true);
        }
        if point.bounds.are_known {
            point.limits = point.bounds.limits();
            if point.limits.are_met(&point.residual) {
                point.polish(position, rows);
                return point.with_derivatives(rows);
            }
        }
        let changes = point.limits.changes(&point.residual, trouble);
        let step = match point.newton_step(&changes, rows) {
            Ok(step) => step,
            Err(_) if point.sharpens() => continue,
            // At the start the error itself is returned; a singular point on the way is not the caller's.
            Err(error) if !has_moved => return Err(error),
            Err(_) => break,
        };
        if point.advance(&step, S::zero(), position) {
            (trouble, point.share, has_moved) = (Trouble::None, coarse_share(), true);
        } else if trouble != Trouble::MetRowsFixed {
            trouble = trouble.next(point.bounds.are_known);
        } else if point.sharpens() {
            trouble = Trouble::BoundsKnown;
        } else {
            break;
        }
    }
    if point.agrees() {
        return point.with_derivatives(rows);
    }
    Err(not_converged(&point.residual))
}

/// The share of a dependent row that may be orthogonal to others in a step: `eps^(1/4)`. Rows that depend on each other
/// only on the constraints are independent beside them, by a share that grows with the distance. Rows that disagree by
/// `sqrt(eps)` can be met only at a distance of about `eps^(1/4)`, and a step must not go there. If no step with this share
/// helps, the share of [`Redundant`] follows.
fn coarse_share<S: RealField + Copy>() -> S {
    dependent_share::<S>().sqrt()
}

/// The residuals, and their bounds if they are wanted; J is written to the first rows.
#[inline(never)]
fn evaluate<S, const NQ: usize, const N: usize, const C: usize, const H: usize>(
    q: &SVector<S, NQ>,
    rows: &mut [[S; N]; C],
    position: &impl Fn(&SVector<S, NQ>, &mut [S; H], &mut [[S; N]; H], &mut Bounds<S, H>),
    always: bool,
) -> ([S; H], Bounds<S, H>)
where
    S: RealField + Copy,
{
    let mut residual = [S::zero(); H];
    let mut bounds = Bounds::at(q.as_slice(), always);
    clear(rows);
    if let Some(rows) = rows.first_chunk_mut() {
        position(q, &mut residual, rows, &mut bounds);
    }
    (residual, bounds)
}

/// The constraints at some coordinates, with J in its first rows.
struct Point<'a, 'b, X, S, const NQ: usize, const N: usize, const C: usize, const H: usize> {
    space: &'a X,
    q: SVector<S, NQ>,
    residual: [S; H],
    bounds: Bounds<S, H>,
    /// The limits at the last point with known bounds.
    limits: Limits<S, H>,
    /// The share of dependent rows that is orthogonal to others, if rows may depend on each other.
    share: S,
    places: &'a mut Places<'b, S, N, C>,
}

impl<X, S, const NQ: usize, const N: usize, const C: usize, const H: usize>
    Point<'_, '_, X, S, NQ, N, C, H>
where
    S: RealField + Copy,
    X: Space<S, NQ, N>,
{
    /// The largest residual that is not met, measured by J here.
    fn remaining(&self, residual: &[S; H]) -> S {
        let sizes = match self.places.jacobian.first_chunk() {
            Some(jacobian) => row_sizes(self.places.mass, jacobian, X::REDUNDANT),
            None => [S::zero(); H],
        };
        self.limits.remaining(residual, &sizes)
    }

    /// Goes on with the share of [`Redundant`]. Returns whether it was another one.
    fn sharpens(&mut self) -> bool {
        let is_coarse = X::REDUNDANT && self.share > dependent_share();
        self.share = self.share.min(dependent_share());
        is_coarse
    }

    /// Returns whether rows that may depend on each other agree here.
    fn agrees(&self) -> bool {
        let jacobian = self.places.jacobian.first_chunk();
        let jacobian = jacobian.filter(|_| X::REDUNDANT && self.bounds.are_known);
        jacobian.is_some_and(|jacobian| {
            let is_none = rows_that_are_none(self.places.mass, jacobian);
            self.bounds.agree(&self.residual, &is_none)
        })
    }

    /// The smallest dq in the metric of M that changes residuals as wanted.
    ///
    /// If that leaves a choice, because a direction has neither inertia nor a holonomic constraint, dq also satisfies
    /// the nonholonomic constraints.
    #[inline(never)]
    fn newton_step(
        &mut self,
        changes: &[S; H],
        rows: &impl Fn(&SVector<S, NQ>, &mut [[S; N]; C]),
    ) -> Result<[S; N], Error> {
        match self.smallest_step(changes) {
            Err(Error::SingularMassMatrix) if C > H => self.allowed_step(changes, rows),
            step => step,
        }
    }

    fn smallest_step(&mut self, changes: &[S; H]) -> Result<[S; N], Error> {
        let Places {
            mass,
            jacobian,
            spare,
        } = &mut *self.places;
        let (Some(jacobian), Some(work)) = (jacobian.first_chunk(), spare.first_chunk_mut()) else {
            return Err(Error::DependentConstraints { row: C });
        };
        if X::REDUNDANT {
            solve_redundant(mass, jacobian, work, changes, self.share)
        } else {
            solve(mass, jacobian, work, changes)
        }
    }

    /// The Newton step that the nonholonomic constraints allow.
    #[inline(never)]
    fn allowed_step(
        &mut self,
        changes: &[S; H],
        rows: &impl Fn(&SVector<S, NQ>, &mut [[S; N]; C]),
    ) -> Result<[S; N], Error> {
        let mut right = [S::zero(); C];
        for (entry, &change) in right.iter_mut().zip(changes) {
            *entry = change;
        }
        let Places {
            mass,
            jacobian,
            spare,
        } = &mut *self.places;
        // The rows of the holonomic constraints, which exist already, come first.
        clear(*jacobian);
        rows(&self.q, jacobian);
        if X::REDUNDANT {
            solve_redundant(mass, jacobian, spare, &right, self.share)
        } else {
            solve(mass, jacobian, spare, &right)
        }
    }

    /// Goes on while residuals that are met fall: along a chain of turns error bounds grow, and residuals do not.
    #[inline(never)]
    fn polish(
        &mut self,
        position: &impl Fn(&SVector<S, NQ>, &mut [S; H], &mut [[S; N]; H], &mut Bounds<S, H>),
        rows: &impl Fn(&SVector<S, NQ>, &mut [[S; N]; C]),
    ) {
        let rounding = S::default_epsilon() * size(self.q.as_slice());
        let least = constant::<S>(LEAST_FRACTION);
        let limits = core::mem::replace(&mut self.limits, Limits::none());
        for _ in 0..MAX_STEPS {
            if self.remaining(&self.residual) <= rounding {
                return;
            }
            let Ok(step) = self.newton_step(&negated(&self.residual), rows) else {
                return;
            };
            // Steps may be halved.
            self.bounds.are_known = true;
            let last = (self.q, self.residual);
            if !self.advance(&step, least, position) {
                return;
            }
            if !limits.are_met(&self.residual) {
                (self.q, self.residual) = last;
                core::mem::swap(&mut self.places.jacobian, &mut self.places.spare);
                return;
            }
        }
    }

    /// The coordinates. If they carry derivatives, one more step follows, which moves the values by rounding errors and
    /// completes the derivatives.
    fn with_derivatives(
        &mut self,
        rows: &impl Fn(&SVector<S, NQ>, &mut [[S; N]; C]),
    ) -> Result<SVector<S, NQ>, Error> {
        if H == 0 || is_plain::<S>() {
            Ok(self.q)
        } else {
            let step = self.newton_step(&negated(&self.residual), rows)?;
            Ok(self.space.moved(&self.q, &step, S::one()))
        }
    }

    /// Moves along `step`. The step is halved until the unmet residuals fall by a quarter of the linear prediction;
    /// returns whether they do before q no longer moves, or less than the `least` fraction is left. Before bounds are known no step is halved: with rounding
    /// errors counted as residuals it could become very short.
    #[inline(never)]
    fn advance(
        &mut self,
        step: &[S; N],
        least: S,
        position: &impl Fn(&SVector<S, NQ>, &mut [S; H], &mut [[S; N]; H], &mut Bounds<S, H>),
    ) -> bool {
        let (half, quarter) = (constant::<S>(0.5), constant::<S>(0.25));
        let remaining = self.remaining(&self.residual);
        let here = self.space.moved(&self.q, step, S::zero());
        let mut fraction = S::one();
        while fraction > least {
            let q = self.space.moved(&self.q, step, fraction);
            if q == here {
                break;
            }
            let (residual, bounds) = evaluate(&q, self.places.spare, position, false);
            if is_finite(&q, &residual, self.places.spare)
                && self.remaining(&residual) < (S::one() - quarter * fraction) * remaining
            {
                (self.q, self.residual, self.bounds) = (q, residual, bounds);
                core::mem::swap(&mut self.places.jacobian, &mut self.places.spare);
                return true;
            }
            if !self.bounds.are_known {
                break;
            }
            fraction *= half;
        }
        false
    }
}

/// Returns whether coordinates, residuals and this many rows of J are finite.
fn is_finite<S, const NQ: usize, const N: usize, const H: usize>(
    q: &SVector<S, NQ>,
    residual: &[S; H],
    rows: &[[S; N]],
) -> bool
where
    S: RealField + Copy,
{
    for k in 0..H.min(rows.len()) {
        if !all_finite(&rows[k]) {
            return false;
        }
    }
    all_finite(q.as_slice()) && all_finite(residual)
}

/// The step of least size in the metric of M that changes residuals as wanted.
#[inline(never)]
fn solve<S: RealField + Copy, const N: usize, const R: usize>(
    mass: &mut [[S; N]; N],
    jacobian: &[[S; N]; R],
    work: &mut [[S; N]; R],
    changes: &[S; R],
) -> Result<[S; N], Error> {
    let factors = Kkt::factor(mass, jacobian, work);
    factors
        .and_then(|mut factors| factors.solve(&[S::zero(); N], changes))
        .map(|(step, _)| step)
}

/// The same if rows of J may depend on each other: in least squares.
#[inline(never)]
fn solve_redundant<S: RealField + Copy, const N: usize, const R: usize>(
    mass: &mut [[S; N]; N],
    jacobian: &[[S; N]; R],
    work: &mut [[S; N]; R],
    changes: &[S; R],
    share: S,
) -> Result<[S; N], Error> {
    Redundant::factor_to(mass, jacobian, work, share)?.least_squares(changes)
}

//! The coordinates onto the holonomic constraints, by Newton's method with step control.

use nalgebra::{RealField, SVector};

use super::{
    Places, Space, cleared, met, negated, not_converged, rounding::Residual, scaled_size,
    size_of_terms,
};
use crate::{
    Error,
    linalg::{Kkt, all_finite},
    math::{constant, is_plain},
};

/// From far away some tens of steps are usual; more than this is going in circles.
const MAX_STEPS: usize = 100;
/// A step is halved at most this many times.
const MAX_HALVINGS: usize = 24;

/// M is where it has its place, `rows` writes J of all constraints.
#[inline(never)]
pub(super) fn project<S, const NQ: usize, const N: usize, const C: usize, const H: usize>(
    space: &impl Space<S, NQ, N>,
    q: SVector<S, NQ>,
    position: &impl Fn(&SVector<S, NQ>, &mut [S; H], &mut [[S; N]; H]),
    rows: &impl Fn(&SVector<S, NQ>, &mut [[S; N]; C]),
    places: &mut Places<'_, S, N, C>,
) -> Result<SVector<S, NQ>, Error>
where
    S: RealField + Copy,
{
    let residual = evaluate(&q, places.jacobian, position);
    let mut point = Point {
        space,
        q,
        residual,
        places,
    };
    if !point.is_finite() {
        return Err(Error::NotFinite);
    }
    for steps in 0..MAX_STEPS {
        if !point.is_met().contains(&false) {
            return point.with_derivatives(rows);
        }
        let step = match point.newton_step(&[false; H], rows) {
            Ok(step) => step,
            // Of the start its own error is told; a singular place on the way is none of the caller's.
            Err(error) if steps == 0 => return Err(error),
            Err(_) => break,
        };
        match point.advance(&step, position) {
            Advance::Nearer => {}
            Advance::Stuck(settled) if !settled.contains(&false) => {
                return point.with_derivatives(rows);
            }
            // The others may come nearer yet: a step for them shifts rounding errors of larger rows.
            Advance::Stuck(settled) => {
                let Ok(step) = point.newton_step(&settled, rows) else {
                    break;
                };
                if !point.advance_others(&settled, &step, position) {
                    if point.settled(&settled, &step, position).contains(&false) {
                        break;
                    }
                    return point.with_derivatives(rows);
                }
            }
        }
    }
    Err(not_converged(&point.residual))
}

/// The residual; J comes to the first rows.
#[inline(never)]
fn evaluate<S, const NQ: usize, const N: usize, const C: usize, const H: usize>(
    q: &SVector<S, NQ>,
    rows: &mut [[S; N]; C],
    position: &impl Fn(&SVector<S, NQ>, &mut [S; H], &mut [[S; N]; H]),
) -> [S; H]
where
    S: RealField + Copy,
{
    let mut residual = [S::zero(); H];
    cleared(rows);
    if let Some(rows) = rows.first_chunk_mut() {
        position(q, &mut residual, rows);
    }
    residual
}

/// The constraints at some coordinates, J in the first rows of its place.
struct Point<'a, 'b, X, S, const NQ: usize, const N: usize, const C: usize, const H: usize> {
    space: &'a X,
    q: SVector<S, NQ>,
    residual: [S; H],
    places: &'a mut Places<'b, S, N, C>,
}

/// The constraints after a part of a step, of which J is in the spare place.
struct Next<S, const NQ: usize, const H: usize> {
    q: SVector<S, NQ>,
    residual: [S; H],
}

/// Where a step leads.
enum Advance<const H: usize> {
    /// To a smaller residual.
    Nearer,
    /// Nowhere; and the rows that are settled, met or at the level of their rounding errors.
    Stuck([bool; H]),
}

impl<X, S, const NQ: usize, const N: usize, const C: usize, const H: usize>
    Point<'_, '_, X, S, NQ, N, C, H>
where
    S: RealField + Copy,
    X: Space<S, NQ, N>,
{
    fn next(
        &mut self,
        step: &[S; N],
        fraction: S,
        position: &impl Fn(&SVector<S, NQ>, &mut [S; H], &mut [[S; N]; H]),
    ) -> Next<S, NQ, H> {
        let q = self.space.moved(&self.q, step, fraction);
        let residual = evaluate(&q, self.places.spare, position);
        Next { q, residual }
    }

    fn accept(&mut self, next: Next<S, NQ, H>) {
        let Next { q, residual } = next;
        (self.q, self.residual) = (q, residual);
        core::mem::swap(&mut self.places.jacobian, &mut self.places.spare);
    }

    fn is_finite(&self) -> bool {
        is_finite(&self.q, &self.residual, self.places.jacobian)
    }

    /// Which residuals are of the size that rounding q makes them.
    fn is_met(&self) -> [bool; H] {
        let x = self.space.sizes(&self.q);
        let mut sizes = [S::zero(); H];
        for k in 0..H.min(C) {
            sizes[k] = size_of_terms(&self.places.jacobian[k], &x);
        }
        met(&self.residual, &sizes)
    }

    /// The smallest dq in the metric of M with J dq = -residual, and 0 in the rows that are settled.
    ///
    /// Where that leaves a choice, since a direction has neither inertia nor a holonomic constraint, dq
    /// also keeps to what the nonholonomic constraints allow.
    #[inline(never)]
    fn newton_step(
        &mut self,
        settled: &[bool; H],
        rows: &impl Fn(&SVector<S, NQ>, &mut [[S; N]; C]),
    ) -> Result<[S; N], Error> {
        let mut right = negated(&self.residual);
        for k in 0..H {
            if settled[k] {
                right[k] = S::zero();
            }
        }
        match self.smallest_step(&right) {
            Err(Error::SingularMassMatrix) if C > H => self.allowed_step(&right, rows),
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
        let (step, _) = Kkt::factor(mass, jacobian, work)?.solve(&[S::zero(); N], changes)?;
        Ok(step)
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
        // Those of the holonomic constraints, which are here already, come first.
        cleared(*jacobian);
        rows(&self.q, jacobian);
        let (step, _) = Kkt::factor(mass, jacobian, spare)?.solve(&[S::zero(); N], &right)?;
        Ok(step)
    }

    /// The coordinates; where they carry derivatives, after one more step, which moves the values
    /// by rounding errors and completes the derivatives.
    fn with_derivatives(
        &mut self,
        rows: &impl Fn(&SVector<S, NQ>, &mut [[S; N]; C]),
    ) -> Result<SVector<S, NQ>, Error> {
        if H == 0 || is_plain::<S>() {
            Ok(self.q)
        } else {
            let step = self.newton_step(&[false; H], rows)?;
            Ok(self.space.moved(&self.q, &step, S::one()))
        }
    }

    /// Goes along `step`, as far as the residual falls by a quarter of what the linearization tells.
    #[inline(never)]
    fn advance(
        &mut self,
        step: &[S; N],
        position: &impl Fn(&SVector<S, NQ>, &mut [S; H], &mut [[S; N]; H]),
    ) -> Advance<H> {
        let met = self.is_met();
        let start = self.size(&self.residual);
        let (half, quarter) = (constant::<S>(0.5), constant::<S>(0.25));
        let mut fraction = S::one();
        for halvings in 0..=MAX_HALVINGS {
            let mut next = self.next(step, fraction, position);
            if is_finite(&next.q, &next.residual, self.places.spare) {
                let size = self.size(&next.residual);
                let suspect = halvings == 0 && size > half * start;
                if suspect && self.is_linear_along(step) {
                    let settled = self.settled(&met, step, position);
                    if settled != met {
                        return Advance::Stuck(settled);
                    }
                    // Neighbours have had its place.
                    next = self.next(step, fraction, position);
                }
                if size <= (S::one() - quarter * fraction) * start {
                    self.accept(next);
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
        position: &impl Fn(&SVector<S, NQ>, &mut [S; H], &mut [[S; N]; H]),
    ) -> bool {
        let before = self.size_of_others(settled, &self.residual);
        let next = self.next(step, S::one(), position);
        let falls = is_finite(&next.q, &next.residual, self.places.spare)
            && self.size_of_others(settled, &next.residual) <= constant::<S>(0.5) * before;
        if falls {
            self.accept(next);
        }
        falls
    }

    /// The size of residuals in the rows that are not settled.
    fn size_of_others(&self, settled: &[bool; H], residual: &[S; H]) -> S {
        let mut others = *residual;
        for k in 0..H {
            if settled[k] {
                others[k] = S::zero();
            }
        }
        self.size(&others)
    }

    /// Which rows are settled, `met` or at the level of rounding errors, where `step` does not make
    /// the residual smaller.
    fn settled(
        &mut self,
        met: &[bool; H],
        step: &[S; N],
        position: &impl Fn(&SVector<S, NQ>, &mut [S; H], &mut [[S; N]; H]),
    ) -> [bool; H] {
        let residual = Residual {
            space: self.space,
            x: &self.q,
            entries: &self.residual,
            jacobian: self.places.jacobian,
            step,
        };
        let evaluate = |q: &SVector<S, NQ>, entries: &mut [S; H], rows: &mut [[S; N]; C]| {
            *entries = evaluate(q, rows, position);
        };
        residual.settled(met, self.places.spare, &evaluate)
    }

    /// Whether the Jacobian in the spare place, that at the end of the step, tells that the linearization is right
    /// there to half of all digits.
    fn is_linear_along(&self, step: &[S; N]) -> bool {
        let mut error = [S::zero(); H];
        for k in 0..H.min(C) {
            let (old, new) = (&self.places.jacobian[k], &self.places.spare[k]);
            for i in 0..N {
                error[k] += (new[i] - old[i]) * step[i];
            }
        }
        let limit = constant::<S>(8.0) * S::default_epsilon().sqrt();
        self.size(&error) <= limit * self.size(&self.residual)
    }

    /// The size of residuals, measured by the Jacobian here.
    fn size(&self, residuals: &[S; H]) -> S {
        scaled_size(residuals, self.places.jacobian)
    }
}

/// Whether coordinates, residuals and as many rows of J are finite.
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

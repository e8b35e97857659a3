//! Projection of the velocities onto the constraints: a linear problem.

use nalgebra::{RealField, SVector};

use super::limits::{Bounds, Limits, Trouble, not_converged};
use super::places::{Places, moved};
use crate::{
    Error,
    linalg::{Kkt, Redundant, all_finite, row_sizes, rows_that_are_none},
    math::{constant, is_plain},
};

/// One pass solves the problem, the others remove rounding errors. Each removes most digits of the errors that the last
/// one left, so a velocity that must vanish is zero after about twenty.
const MAX_PASSES: usize = 100;

/// M and J are already evaluated.
#[inline(never)]
pub(super) fn project<S, const N: usize, const C: usize>(
    v: &SVector<S, N>,
    velocity: &impl Fn(&SVector<S, N>, &mut [S; C], &[[S; N]; C], &mut Bounds<S, C>),
    places: &mut Places<'_, S, N, C>,
) -> Result<SVector<S, N>, Error>
where
    S: RealField + Copy,
{
    let jacobian = &*places.jacobian;
    let sizes = row_sizes(places.mass, jacobian, false);
    let mut factors = Kkt::factor(places.mass, jacobian, places.spare)?;
    let solve = |changes: &_| Ok(factors.solve(&[S::zero(); N], changes)?.0);
    iterate(v, velocity, (jacobian, &sizes), |_, _| false, solve)
}

/// The same if rows of J may depend on each other: in least squares.
#[inline(never)]
pub(super) fn project_redundant<S, const N: usize, const C: usize>(
    v: &SVector<S, N>,
    velocity: &impl Fn(&SVector<S, N>, &mut [S; C], &[[S; N]; C], &mut Bounds<S, C>),
    places: &mut Places<'_, S, N, C>,
) -> Result<SVector<S, N>, Error>
where
    S: RealField + Copy,
{
    let jacobian = &*places.jacobian;
    let sizes = row_sizes(places.mass, jacobian, true);
    let is_none = rows_that_are_none(places.mass, jacobian);
    let factors = Redundant::factor(places.mass, jacobian, places.spare)?;
    let agree = |rates: &_, bounds: &Bounds<S, C>| bounds.agree(rates, &is_none);
    let solve = |changes: &_| factors.least_squares(changes);
    iterate(v, velocity, (jacobian, &sizes), agree, solve)
}

/// Newton's method for v, with the smallest step that changes the rates as wanted. `sizes` are those of the rows of J, and
/// `agree` tells whether rates that no step makes smaller are accepted.
fn iterate<S, const N: usize, const C: usize>(
    v: &SVector<S, N>,
    velocity: &impl Fn(&SVector<S, N>, &mut [S; C], &[[S; N]; C], &mut Bounds<S, C>),
    (jacobian, sizes): (&[[S; N]; C], &[S; C]),
    agree: impl Fn(&[S; C], &Bounds<S, C>) -> bool,
    mut solve: impl FnMut(&[S; C]) -> Result<[S; N], Error>,
) -> Result<SVector<S, N>, Error>
where
    S: RealField + Copy,
{
    let evaluate = |v: &SVector<S, N>, always| {
        let mut excess = [S::zero(); C];
        let mut bounds = Bounds::at(v.as_slice(), always);
        velocity(v, &mut excess, jacobian, &mut bounds);
        (excess, bounds)
    };
    let mut v = *v;
    let (mut excess, mut bounds) = evaluate(&v, false);
    if !all_finite(&excess) {
        return Err(Error::NOT_FINITE);
    }
    let mut limits = Limits::none();
    let mut trouble = Trouble::None;
    for pass in 0..MAX_PASSES {
        if !bounds.are_known && (trouble != Trouble::None || limits.are_met(&excess)) {
            (_, bounds) = evaluate(&v, true);
        }
        let mut is_met = false;
        if bounds.are_known {
            limits = bounds.limits();
            // Derivatives need one pass even if the values are right.
            is_met = limits.are_met(&excess) && (pass > 0 || is_plain::<S>());
            if is_met && limits.are_bounded(&excess) {
                return Ok(v);
            }
        }
        let step = solve(&limits.changes(&excess, trouble))?;
        let next = moved(&v, &step, S::one());
        let (next_excess, next_bounds) = evaluate(&next, false);
        if !all_finite(&next_excess) || !all_finite(next.as_slice()) {
            return Err(Error::NOT_FINITE);
        }
        // Residuals that are met may still fall by half.
        let largest = |entries| Limits::none().remaining(entries, sizes);
        let falls = if is_met {
            limits.are_met(&next_excess)
                && largest(&next_excess) <= largest(&excess) * constant(0.5)
        } else {
            limits.remaining(&next_excess, sizes) < limits.remaining(&excess, sizes)
        };
        if is_met && !falls {
            return Ok(v);
        }
        if falls || pass == 0 {
            (v, excess, bounds) = (next, next_excess, next_bounds);
            trouble = Trouble::None;
        } else if trouble == Trouble::MetRowsFixed {
            return match bounds.are_known && agree(&excess, &bounds) {
                true => Ok(v),
                false => Err(not_converged(&excess)),
            };
        } else {
            trouble = trouble.next(bounds.are_known);
        }
    }
    Err(not_converged(&excess))
}

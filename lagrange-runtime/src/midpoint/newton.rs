//! Newton's method for n unknowns and c multipliers, down to rounding errors.

use nalgebra::{RealField, SVector};

use crate::{
    Error,
    linalg::{MULTIPLE, SaddleLu, all_finite},
    math::{constant, is_plain},
    project::not_converged,
};

/// The unknowns: a displacement or velocities, and multipliers.
pub(super) type Unknowns<S, const N: usize, const C: usize> = (SVector<S, N>, [S; C]);

/// The iteration ends after this many steps.
const MAX_STEPS: usize = 100;

/// Equations whose matrix is `[K -Aᵀ; B 0]`.
pub(super) trait Equations<S, const N: usize, const C: usize> {
    /// The residuals, and the bounds of their rounding errors in units of half of the machine epsilon.
    fn residuals(&self, unknowns: &Unknowns<S, N, C>) -> Residuals<S, N, C>;

    /// The factors of the matrix; `None` if it is singular.
    fn factor(&self, unknowns: &Unknowns<S, N, C>) -> Option<SaddleLu<S, N, C>>;

    /// The error if it is singular at the start.
    fn singular(&self) -> Error;
}

/// Residuals with their bounds.
pub(super) struct Residuals<S, const N: usize, const C: usize> {
    pub(super) values: ([S; N], [S; C]),
    pub(super) bounds: ([S; N], [S; C]),
}

impl<S: RealField + Copy, const N: usize, const C: usize> Residuals<S, N, C> {
    fn are_finite(&self) -> bool {
        all_finite(&self.values.0)
            && all_finite(&self.values.1)
            && all_finite(&self.bounds.0)
            && all_finite(&self.bounds.1)
    }

    /// The largest residual, each divided by the limit up to which it is accepted.
    fn excess(&self) -> S {
        let unit = constant::<S>(0.5 * MULTIPLE) * S::default_epsilon();
        // Below the least normal number rounding is no longer relative.
        let least = S::max_value().map_or(S::zero(), |most| constant::<S>(4.0) / most);
        let values = self.values.0.iter().chain(&self.values.1);
        let bounds = self.bounds.0.iter().chain(&self.bounds.1);
        let mut excess = S::zero();
        for (value, bound) in values.zip(bounds) {
            excess = excess.max(value.abs() / (unit * *bound + least));
        }
        excess
    }
}

/// The solution: the unknowns where residuals, in units of their limits, fall no more by half.
pub(super) fn converge<S, E, const N: usize, const C: usize>(
    equations: &E,
    start: Unknowns<S, N, C>,
) -> Result<Unknowns<S, N, C>, Error>
where
    S: RealField + Copy,
    E: Equations<S, N, C>,
{
    let (one, half) = (S::one(), constant::<S>(0.5));
    let (mut here, mut residuals) = (start, equations.residuals(&start));
    if !residuals.are_finite() {
        return Err(Error::NOT_FINITE);
    }
    for steps in 0..MAX_STEPS {
        let excess = residuals.excess();
        let Some(factors) = equations.factor(&here) else {
            return match steps {
                0 => Err(equations.singular()),
                _ if excess <= one => Ok(here),
                _ => Err(error_of(&residuals)),
            };
        };
        let change = factors.solve(&residuals.values);
        let mut fraction = one;
        let next = loop {
            let next = moved(&here, &change, fraction);
            let next_residuals = equations.residuals(&next);
            if next_residuals.are_finite() {
                break Some((next, next_residuals));
            }
            fraction *= half;
            if fraction * fraction < S::default_epsilon() {
                break None;
            }
        };
        let Some((next, next_residuals)) = next else {
            return Err(error_of(&residuals));
        };
        let after = next_residuals.excess();
        if excess <= one && (after > half * excess || after == S::zero()) {
            // Derivatives converge one step after the values.
            return Ok(if is_plain::<S>() && after > excess {
                here
            } else {
                next
            });
        }
        (here, residuals) = (next, next_residuals);
    }
    Err(error_of(&residuals))
}

fn error_of<S: RealField + Copy, const N: usize, const C: usize>(
    residuals: &Residuals<S, N, C>,
) -> Error {
    let (forces, constraints) = &residuals.values;
    not_converged(forces.iter().chain(constraints))
}

/// The unknowns less a fraction of a change.
fn moved<S: RealField + Copy, const N: usize, const C: usize>(
    from: &Unknowns<S, N, C>,
    change: &([S; N], [S; C]),
    fraction: S,
) -> Unknowns<S, N, C> {
    let mut moved = *from;
    for i in 0..N {
        moved.0.data.0[0][i] -= fraction * change.0[i];
    }
    for k in 0..C {
        moved.1[k] -= fraction * change.1[k];
    }
    moved
}

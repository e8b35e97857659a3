//! The velocities onto the constraints: a linear problem.

use nalgebra::{RealField, SVector};

use super::{ROUNDING, moved, not_converged, scaled_size, size_of_terms};
use crate::{
    Error,
    linalg::{Kkt, all_finite},
    math::{constant, is_plain},
};

/// One pass solves the problem, the others remove rounding errors.
const MAX_PASSES: usize = 4;

pub(super) fn project<S, const N: usize, const C: usize>(
    v: &SVector<S, N>,
    mass: &[[S; N]; N],
    velocity: impl Fn(&SVector<S, N>) -> ([S; C], [[S; N]; C]),
) -> Result<SVector<S, N>, Error>
where
    S: RealField + Copy,
{
    let (mut excess, jacobian) = velocity(v);
    if !all_finite(&excess) {
        return Err(Error::NotFinite);
    }
    let factors = Kkt::factor(mass, &jacobian)?;
    // What is left of large velocities is rounded as they were.
    let start = *v;
    let mut v = *v;
    for pass in 0..MAX_PASSES {
        // Derivatives ask for one pass even where the values are right.
        if (pass > 0 || is_plain::<S>()) && is_met(&excess, &jacobian, (&start, &v), ROUNDING) {
            return Ok(v);
        }
        let right = excess.map(|entry| -entry);
        let (step, _) = factors.solve(&[S::zero(); N], &right)?;
        let next = moved(&v, &step, S::one());
        let (remaining, _) = velocity(&next);
        if !all_finite(&remaining) || !all_finite(next.as_slice()) {
            return Err(Error::NotFinite);
        }
        if pass > 0 && scaled_size(&remaining, &jacobian) >= scaled_size(&excess, &jacobian) {
            break;
        }
        (v, excess) = (next, remaining);
    }
    // Near a singular place rounding errors are large. Half of all digits is the least to be had.
    let digits: f64 =
        nalgebra::convert_unchecked(S::default_epsilon().sqrt() / S::default_epsilon());
    if is_met(&excess, &jacobian, (&start, &v), digits) {
        Ok(v)
    } else {
        Err(not_converged(&excess))
    }
}

/// Whether no entry is above `limit` eps of the size of the terms that it is made of: those of J v, at
/// the start or now, and what else there is.
fn is_met<S: RealField + Copy, const N: usize, const C: usize>(
    excess: &[S; C],
    jacobian: &[[S; N]; C],
    (start, v): (&SVector<S, N>, &SVector<S, N>),
    limit: f64,
) -> bool {
    let unit = constant::<S>(limit) * S::default_epsilon();
    excess.iter().zip(jacobian).all(|(&entry, row)| {
        let along = row.iter().zip(v.iter());
        let along = along.fold(S::zero(), |sum, (&entry, &value)| sum + entry * value);
        let terms = size_of_terms(row, v).max(size_of_terms(row, start));
        entry.abs() <= unit * (terms + (entry - along).abs())
    })
}

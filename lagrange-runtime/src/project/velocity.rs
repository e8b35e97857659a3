//! The velocities onto the constraints: a linear problem.

use nalgebra::{RealField, SVector};

use super::{
    Flat, Places, met, moved, not_converged, rounding::Residual, scaled_size, size_of_terms,
};
use crate::{
    Error,
    linalg::{Kkt, all_finite},
    math::{constant, is_plain},
};

/// One pass solves the problem, the others remove rounding errors.
const MAX_PASSES: usize = 8;

/// M and J are where they have their places.
#[inline(never)]
pub(super) fn project<S, const N: usize, const C: usize>(
    v: &SVector<S, N>,
    rates: &impl Fn(&SVector<S, N>) -> [S; C],
    places: &mut Places<'_, S, N, C>,
) -> Result<SVector<S, N>, Error>
where
    S: RealField + Copy,
{
    let start = v;
    let mut excess = rates(v);
    if !all_finite(&excess) {
        return Err(Error::NotFinite);
    }
    let Places {
        mass,
        jacobian,
        spare,
    } = places;
    let jacobian = &**jacobian;
    let mut factors = Kkt::factor(mass, jacobian, spare)?;
    let mut v = *start;
    let mut step = [S::zero(); N];
    let mut steps = [S::zero(); C];
    for pass in 0..MAX_PASSES {
        // Derivatives ask for one pass even where the values are right.
        let is_met = !met(&excess, &sizes(&excess, jacobian, &v)).contains(&false);
        if is_met && (pass > 0 || is_plain::<S>()) {
            return Ok(v);
        }
        let right = excess.map(|entry| -entry);
        (step, _) = factors.solve(&[S::zero(); N], &right)?;
        for (size, row) in steps.iter_mut().zip(jacobian) {
            *size = size.max(size_of_terms(row, &step));
        }
        let next = moved(&v, &step, S::one());
        let remaining = rates(&next);
        if !all_finite(&remaining) || !all_finite(next.as_slice()) {
            return Err(Error::NotFinite);
        }
        let half = scaled_size(&excess, jacobian) * constant(0.5);
        if pass > 0 && scaled_size(&remaining, jacobian) >= half {
            break;
        }
        (v, excess) = (next, remaining);
    }
    // What is left of large velocities is rounded as they were, and small ones are as large as the steps that
    // other rows ask for.
    let mut sizes = sizes(&excess, jacobian, &v);
    for ((size, row), step) in sizes.iter_mut().zip(jacobian).zip(steps) {
        *size = size.max(size_of_terms(row, &start.data.0[0])).max(step);
    }
    let met = met(&excess, &sizes);
    let residual = Residual {
        space: &Flat,
        x: &v,
        entries: &excess,
        jacobian,
        step: &step,
    };
    // J does not hang on the velocities.
    let evaluate = |v: &SVector<S, N>, excess: &mut [S; C], rows: &mut [[S; N]; C]| {
        *excess = rates(v);
        *rows = *jacobian;
    };
    if residual.settled(&met, spare, &evaluate).contains(&false) {
        Err(not_converged(&excess))
    } else {
        Ok(v)
    }
}

/// The sizes of the terms that the entries are made of: those of J v, and what else there is.
fn sizes<S: RealField + Copy, const N: usize, const C: usize>(
    excess: &[S; C],
    jacobian: &[[S; N]; C],
    v: &SVector<S, N>,
) -> [S; C] {
    let mut sizes = *excess;
    for (size, row) in sizes.iter_mut().zip(jacobian) {
        let entries = row.iter().zip(v.iter());
        let along = entries.fold(S::zero(), |sum, (&entry, &value)| sum + entry * value);
        *size = size_of_terms(row, &v.data.0[0]) + (*size - along).abs();
    }
    sizes
}

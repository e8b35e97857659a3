//! The velocities onto the constraints: a linear problem.

use nalgebra::{RealField, SVector};

use super::{
    Flat, Places, met, moved, negated, not_converged, rounding::Residual, scaled_size,
    size_of_terms,
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
        (step, _) = factors.solve(&[S::zero(); N], &negated(&excess))?;
        for k in 0..C {
            steps[k] = steps[k].max(size_of_terms(&jacobian[k], &step));
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
    for k in 0..C {
        let of_start = size_of_terms(&jacobian[k], &start.data.0[0]);
        sizes[k] = sizes[k].max(of_start).max(steps[k]);
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
    let v = &v.data.0[0];
    for k in 0..C {
        let mut along = S::zero();
        for i in 0..N {
            along += jacobian[k][i] * v[i];
        }
        sizes[k] = size_of_terms(&jacobian[k], v) + (excess[k] - along).abs();
    }
    sizes
}

//! Floats inside generic scalars, and the functions that libraries do not compute to 2 ulp.

use core::any::Any;

use nalgebra::SimdRealField;

use super::{
    by_lane::{Cosine, Sine, by_lane},
    fused,
    huge::{self, is_huge},
};

/// Sine and cosine of one float, inline or by the library if that is accurate.
#[inline(always)]
pub(super) fn sin_cos<S: SimdRealField + Copy>(x: S) -> (S, S) {
    let any: &dyn Any = &x;
    let (double, single) = (any.downcast_ref::<f64>(), any.downcast_ref::<f32>());
    match (double, single) {
        (Some(&angle), _) if fused::IN_LINE => converted(fused::sin_cos(angle)),
        (_, Some(&angle)) if fused::IN_LINE => {
            let (sine, cosine) = fused::sin_cos(angle);
            converted((f64::from(sine), f64::from(cosine)))
        }
        (Some(&angle), _) if is_huge(angle) => converted(huge::sin_cos(angle)),
        _ => x.simd_sin_cos(),
    }
}

/// Sine and cosine of a float as scalars that are floats.
#[inline(always)]
pub(super) fn converted<S: SimdRealField + Copy>((sine, cosine): (f64, f64)) -> (S, S) {
    (nalgebra::convert(sine), nalgebra::convert(cosine))
}

/// Sine of one float.
#[inline(always)]
pub(super) fn sin<S: SimdRealField + Copy>(x: S) -> S {
    if fused::IN_LINE {
        sin_cos(x).0
    } else {
        by_lane::<Sine, S>(x)
    }
}

/// Cosine of one float.
#[inline(always)]
pub(super) fn cos<S: SimdRealField + Copy>(x: S) -> S {
    if fused::IN_LINE {
        sin_cos(x).1
    } else {
        by_lane::<Cosine, S>(x)
    }
}

//! Elementary functions for generated code, called by path.
//!
//! Every function is right for `f32`, `f64`, for SIMD lanes (each lane by itself) and for dual numbers
//! (value and derivatives). Derivatives of functions with a kink are taken branchwise: that of `abs`
//! and of `sign` at 0 is 0, that of `min` and `max` at a tie is the first argument's.
//!
//! Every function is within 2 ulp of the true value at every finite argument, in the value of dual numbers too. Most
//! are the library's, for floats or lane by lane; the measured errors of the GNU library and of the crate `libm` are
//! below 1.8 ulp. The exceptions are `tanh`, which has larger errors in both; sine, cosine and tangent of huge doubles;
//! and sine and cosine of lanes, which are computed in vectors up to 1.6e6 rad (`f64`) or 1600 rad (`f32`). `powi` is a
//! product and has its error.
//!
//! On targets with fused multiply-add (x86-64 with `-C target-feature=+fma`, for instance by `-C target-cpu=native`,
//! and AArch64), sine and cosine of floats and lanes are computed inline, up to 1e5 rad (`f64`) or 1e4 rad (`f32`).
//! This saves a third of the time of small systems. They are within 1.35 ulp, and need the features `std` and
//! `inline-trig`; without one of them they are the library's, as on all other targets. Sines of several doubles at once
//! ([`sin_cos_abreast`]) are computed in vectors there, with the same bits.
//!
//! Dual numbers need care, because the obvious formulas lose value or derivative near a singular intermediate result,
//! such as `y / x` in `atan2(y, x)` at x = 0. Floats and lanes use their own functions directly.

mod abreast;
mod by_lane;
mod curves;
mod duals;
mod floats;
mod fused;
mod huge;
mod lanes;
mod scalars;
#[cfg_attr(
    all(
        target_arch = "x86_64",
        target_feature = "avx2",
        target_feature = "fma"
    ),
    path = "math/packed.rs"
)]
#[cfg_attr(
    not(all(
        target_arch = "x86_64",
        target_feature = "avx2",
        target_feature = "fma"
    )),
    path = "math/looped.rs"
)]
mod several;

use nalgebra::SimdRealField;

pub use abreast::{Abreast, sin_cos_abreast};
pub use curves::{Curve, curve, spline_by_controls};

use by_lane::{HyperbolicTangent, Tangent, by_lane};
use scalars::Arithmetic;
pub use scalars::{
    abs, acos, asin, atan, constant, cosh, exp, ln, mul_add, neg_mul_add, recip, select_eq,
    select_le, select_lt, select_ne, sign, sinh, sqrt,
};
pub(crate) use scalars::{is_finite, is_plain};

/// Sine of an angle in radians.
///
/// ```
/// use lagrange_runtime::math::sin;
/// assert!((sin(core::f64::consts::FRAC_PI_6) - 0.5).abs() < 1e-15);
/// ```
#[inline(always)]
pub fn sin<S: SimdRealField + Copy>(x: S) -> S {
    match Arithmetic::of::<S>() {
        Arithmetic::Float => floats::sin(x),
        Arithmetic::Lanes => lanes::sin_cos(x).0,
        Arithmetic::Dual => duals::sin_cos(x).0,
    }
}

/// Cosine of an angle in radians.
///
/// ```
/// use lagrange_runtime::math::cos;
/// assert!((cos(core::f64::consts::FRAC_PI_3) - 0.5).abs() < 1e-15);
/// ```
#[inline(always)]
pub fn cos<S: SimdRealField + Copy>(x: S) -> S {
    match Arithmetic::of::<S>() {
        Arithmetic::Float => floats::cos(x),
        Arithmetic::Lanes => lanes::sin_cos(x).1,
        Arithmetic::Dual => duals::sin_cos(x).1,
    }
}

/// Sine and cosine of one angle in radians.
///
/// ```
/// use lagrange_runtime::math::{cos, sin, sin_cos};
/// assert_eq!(sin_cos(0.3), (sin(0.3), cos(0.3)));
/// ```
#[inline(always)]
pub fn sin_cos<S: SimdRealField + Copy>(x: S) -> (S, S) {
    match Arithmetic::of::<S>() {
        Arithmetic::Float => floats::sin_cos(x),
        Arithmetic::Lanes => lanes::sin_cos(x),
        Arithmetic::Dual => duals::sin_cos(x),
    }
}

/// Tangent of an angle in radians.
///
/// ```
/// use lagrange_runtime::math::tan;
/// assert!((tan(core::f64::consts::FRAC_PI_4) - 1.0).abs() < 1e-15);
/// ```
#[inline(always)]
pub fn tan<S: SimdRealField + Copy>(x: S) -> S {
    if is_plain::<S>() {
        by_lane::<Tangent, S>(x)
    } else {
        duals::tan(x)
    }
}

/// Angle of the point `(x, y)` in radians.
///
/// ```
/// use lagrange_runtime::math::atan2;
/// assert_eq!(atan2(1.0, 0.0), core::f64::consts::FRAC_PI_2);
/// ```
#[inline(always)]
pub fn atan2<S: SimdRealField + Copy>(y: S, x: S) -> S {
    if is_plain::<S>() {
        y.simd_atan2(x)
    } else {
        duals::atan2(y, x)
    }
}

/// Hyperbolic tangent.
///
/// ```
/// use lagrange_runtime::math::tanh;
/// assert_eq!([tanh(0.0), tanh(-50.0)], [0.0, -1.0]);
/// ```
#[inline(always)]
pub fn tanh<S: SimdRealField + Copy>(x: S) -> S {
    if is_plain::<S>() {
        by_lane::<HyperbolicTangent, S>(x)
    } else {
        duals::tanh(x)
    }
}

/// The smaller one of two values, the first at a tie; NaN if one of them is.
///
/// ```
/// use lagrange_runtime::math::min;
/// assert_eq!(min(3.0, 2.0), 2.0);
/// assert!(min(3.0, f64::NAN).is_nan());
/// ```
#[inline(always)]
pub fn min<S: SimdRealField + Copy>(a: S, b: S) -> S {
    select_le(a, b, a, select_lt(b, a, b, a + b))
}

/// The larger one of two values, the first at a tie; NaN if one of them is.
///
/// ```
/// use lagrange_runtime::math::max;
/// assert_eq!(max(3.0, 2.0), 3.0);
/// assert!(max(f64::NAN, 2.0).is_nan());
/// ```
#[inline(always)]
pub fn max<S: SimdRealField + Copy>(a: S, b: S) -> S {
    select_le(b, a, a, select_lt(a, b, b, a + b))
}

/// Euclidean length `sqrt(x² + y²)`, without overflow on the way; its derivative at the origin is not
/// defined.
///
/// ```
/// use lagrange_runtime::math::hypot;
/// assert_eq!(hypot(3.0, 4.0), 5.0);
/// assert!((hypot(3e200, 4e200) / 5e200 - 1.0_f64).abs() < 1e-15);
/// ```
#[inline(always)]
pub fn hypot<S: SimdRealField + Copy>(x: S, y: S) -> S {
    if is_plain::<S>() {
        x.simd_hypot(y)
    } else {
        duals::hypot(x, y)
    }
}

/// Power `x^y` with a real exponent, for which `0^0` is 1 and a negative base is right for whole
/// exponents.
///
/// ```
/// use lagrange_runtime::math::powf;
/// assert_eq!([powf(4.0, 1.5), powf(-2.0, 3.0), powf(0.0, 0.0)], [8.0, -8.0, 1.0]);
/// ```
#[inline(always)]
pub fn powf<S: SimdRealField + Copy>(x: S, y: S) -> S {
    if is_plain::<S>() {
        x.simd_powf(y)
    } else {
        duals::powf(x, y)
    }
}

/// Power `x^n` with a whole exponent, by repeated squaring.
///
/// ```
/// use lagrange_runtime::math::powi;
/// assert_eq!([powi(2.0, 10), powi(2.0, -2), powi(0.0, 0)], [1024.0, 0.25, 1.0]);
/// ```
#[inline]
pub fn powi<S: SimdRealField + Copy>(x: S, n: i32) -> S {
    let mut power = S::one();
    let mut square = x;
    let mut remaining = n.unsigned_abs();
    while remaining > 0 {
        if remaining & 1 == 1 {
            power *= square;
        }
        remaining >>= 1;
        if remaining > 0 {
            square = square * square;
        }
    }
    if n < 0 { recip(power) } else { power }
}

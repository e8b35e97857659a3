//! Functions of dual numbers for which the usual formulas lose the value or the derivatives.
//!
//! A dual number is any scalar of one lane that is not a float. Quotients and roots of differentiable
//! functions give right derivatives but add up the rounding errors of their parts in the value, which
//! the float function replaces here.

use nalgebra::{ComplexField, RealField, SimdRealField};

use super::{
    by_lane::{FloatFunction, HyperbolicTangent, Tangent},
    huge::{self, is_huge},
    scalars::{abs, atan, constant, exp, ln, sign, sqrt},
};

/// The value of a scalar without its derivatives. Only for types of one lane.
#[inline(always)]
pub(super) fn value<S: SimdRealField + Copy>(x: S) -> f64 {
    nalgebra::convert_unchecked(x)
}

/// `x` with its value, which is right to rounding, replaced by the given one.
fn with_value<S: SimdRealField + Copy>(x: S, exact: f64) -> S {
    // The difference of neighbouring numbers is exact.
    let correction = exact - value(x);
    if correction != 0.0 && correction.is_finite() {
        x + constant(correction)
    } else {
        x
    }
}

pub(super) fn sin_cos<S: SimdRealField + Copy>(x: S) -> (S, S) {
    let (sine, cosine) = x.simd_sin_cos();
    let angle = value(x);
    if is_huge(angle) {
        let exact = huge::sin_cos(angle);
        (with_value(sine, exact.0), with_value(cosine, exact.1))
    } else {
        (sine, cosine)
    }
}

pub(super) fn tan<S: SimdRealField + Copy>(x: S) -> S {
    with_value(x.simd_tan(), Tangent::double(value(x)))
}

pub(super) fn atan2<S: SimdRealField + Copy>(y: S, x: S) -> S {
    // y / x is singular on the y axis: there, turn by a right angle.
    let angle = if value(x).abs() < value(y).abs() {
        S::simd_frac_pi_2().simd_copysign(y) - atan(x / y)
    } else {
        y.simd_atan2(x)
    };
    with_value(angle, RealField::atan2(value(y), value(x)))
}

pub(super) fn tanh<S: SimdRealField + Copy>(x: S) -> S {
    // sinh / cosh overflows where tanh has long reached 1.
    let tangent = if value(x).abs() < 1.0 {
        x.simd_tanh()
    } else {
        let decay = exp(constant::<S>(-2.0) * abs(x));
        sign(x) * (S::one() - decay) / (S::one() + decay)
    };
    with_value(tangent, HyperbolicTangent::double(value(x)))
}

/// 2¹⁰⁰ and 2¹⁰⁰⁰.
const SINGLE_RANGE: f64 = f64::from_bits((1023 + 100) << 52);
const DOUBLE_RANGE: f64 = f64::from_bits((1023 + 1000) << 52);

pub(super) fn hypot<S: SimdRealField + Copy>(x: S, y: S) -> S {
    // The arguments would be squared as they are. Neither the scale nor its reciprocal may overflow.
    let epsilon: f64 = nalgebra::convert_unchecked(S::simd_default_epsilon());
    let range = if epsilon > 1e-9 {
        SINGLE_RANGE
    } else {
        DOUBLE_RANGE
    };
    let (along, across) = (value(x), value(y));
    let largest = along.abs().max(across.abs());
    let length = if largest > 0.0 && largest < f64::INFINITY {
        let scale = constant::<S>(largest.clamp(1.0 / range, range));
        scale * (x / scale).simd_hypot(y / scale)
    } else {
        x.simd_hypot(y)
    };
    with_value(length, ComplexField::hypot(along, across))
}

/// `x^y`. The type's own `exp(y ln x)` has more rounding and fails for x <= 0.
///
/// The value is that of the float function. The derivatives are those of `value * exp(y ln|x| - (y ln|x|)₀)`; the part
/// without derivatives cancels exactly.
pub(super) fn powf<S: SimdRealField + Copy>(x: S, y: S) -> S {
    let (base, exponent) = (value(x), value(y));
    let power = constant::<S>(ComplexField::powf(base, exponent));
    if base != 0.0 {
        // y ln|x| - (y ln|x|)₀ in two parts that do not overflow.
        let logarithm = ln(if base < 0.0 { -x } else { x });
        let by_exponent = (y - constant(exponent)) * logarithm;
        let by_base = constant::<S>(exponent) * (logarithm - constant(value(logarithm)));
        return power * exp(by_exponent + by_base);
    }
    if exponent == 0.0 {
        return power;
    }
    let slope = exponent * ComplexField::powf(0.0, exponent - 1.0);
    if slope.is_finite() {
        power + x * constant::<S>(slope)
    } else {
        // The slope is infinite; the square root has the value 0 and this derivative.
        power + sqrt(x)
    }
}

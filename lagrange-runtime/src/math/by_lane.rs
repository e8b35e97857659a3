//! Functions of floats, applied to lanes one by one.

use core::any::Any;

use nalgebra::{ComplexField, SimdRealField};

use super::huge::{self, is_huge, polynomial};

/// A function of floats in either precision.
pub(super) trait FloatFunction {
    fn double(x: f64) -> f64;
    fn single(x: f32) -> f32;
}

/// `F` of each lane by itself. Only for scalars whose lanes are floats.
#[inline(always)]
pub(super) fn by_lane<F: FloatFunction, S: SimdRealField + Copy>(mut x: S) -> S {
    for lane in 0..S::LANES {
        let mut element = x.extract(lane);
        let any: &mut dyn Any = &mut element;
        if let Some(float) = any.downcast_mut::<f64>() {
            *float = F::double(*float);
        } else if let Some(float) = any.downcast_mut::<f32>() {
            *float = F::single(*float);
        }
        x.replace(lane, element);
    }
    x
}

/// Sine, by the library if that is accurate.
pub(super) struct Sine;

impl FloatFunction for Sine {
    #[inline(always)]
    fn double(x: f64) -> f64 {
        if is_huge(x) {
            huge::sin_cos(x).0
        } else {
            ComplexField::sin(x)
        }
    }

    #[inline(always)]
    fn single(x: f32) -> f32 {
        ComplexField::sin(x)
    }
}

/// Cosine, likewise.
pub(super) struct Cosine;

impl FloatFunction for Cosine {
    #[inline(always)]
    fn double(x: f64) -> f64 {
        if is_huge(x) {
            huge::sin_cos(x).1
        } else {
            ComplexField::cos(x)
        }
    }

    #[inline(always)]
    fn single(x: f32) -> f32 {
        ComplexField::cos(x)
    }
}

/// Tangent.
pub(super) struct Tangent;

impl FloatFunction for Tangent {
    #[inline(always)]
    fn double(x: f64) -> f64 {
        if is_huge(x) {
            huge::tan(x)
        } else {
            ComplexField::tan(x)
        }
    }

    #[inline(always)]
    fn single(x: f32) -> f32 {
        ComplexField::tan(x)
    }
}

/// Hyperbolic tangent, because those of the GNU library and of musl have errors of up to 2.2 ulp.
///
/// The method and the coefficients of Cephes (S. L. Moshier, *Methods and Programs for Mathematical Functions*, 1989):
/// near 0 the argument and a correction of at most an eighth of it; for larger arguments `1 - 2/(exp(2x) + 1)`, with
/// the error of a number below one half.
pub(super) struct HyperbolicTangent;

impl FloatFunction for HyperbolicTangent {
    #[inline(always)]
    fn double(x: f64) -> f64 {
        let size = x.abs();
        let value = if size < 0.625 {
            let square = x * x;
            let ratio = polynomial(square, &NUMERATOR) / polynomial(square, &DENOMINATOR);
            size + size * square * ratio
        } else {
            // exp may overflow: 2/inf is 0. NaN arrives here too.
            1.0 - 2.0 / (ComplexField::exp(2.0 * size) + 1.0)
        };
        value.copysign(x)
    }

    #[inline(always)]
    fn single(x: f32) -> f32 {
        Self::double(f64::from(x)) as f32
    }
}

pub(super) const NUMERATOR: [f64; 3] = [
    -1_614.687_684_417_084_5,
    -99.287_723_100_191_85,
    -0.964_399_179_425_052_3,
];

pub(super) const DENOMINATOR: [f64; 4] = [
    4_844.063_053_251_255,
    2_235.488_390_601_004_5,
    112.811_678_491_632_93,
    1.0,
];

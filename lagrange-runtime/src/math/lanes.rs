//! Sine and cosine of SIMD lanes.
//!
//! The vector functions of scalars with lanes reduce the angle in working precision: they have few or no correct digits
//! next to multiples of π/2, and none at large angles. Here all lanes are reduced with a tail for the bits that
//! rounding would lose, for angles up to [`Kernel::limit`]. The library computes larger ones lane by lane, so that no
//! lane depends on its neighbours. Lanes with fused multiply-add are reduced like single floats.

use nalgebra::{SimdBool, SimdRealField};

use super::{
    by_lane::{Cosine, Sine, by_lane},
    fused,
    huge::{COSINE, SINE},
    scalars::{Precision, constant, mul_add},
};

/// Sine and cosine of each lane, within 2 ulp at every finite angle.
#[inline]
pub(super) fn sin_cos<S: SimdRealField + Copy>(x: S) -> (S, S) {
    let (limit, (sine, cosine)) = if fused::serves::<S>() {
        let kernel = fused::Kernel::of::<S>();
        (kernel.limit, kernel.sin_cos(x))
    } else {
        let kernel = Kernel::of::<S>();
        (kernel.limit, kernel.sin_cos(x))
    };
    if x.simd_abs().simd_le(constant(limit)).all() {
        (sine, cosine)
    } else {
        beyond(copied(x), limit, (sine, cosine))
    }
}

/// The same lanes, for a function that takes them by reference: the original can then stay in a register.
#[inline(always)]
pub(super) fn copied<S: SimdRealField + Copy>(x: S) -> S {
    x.map_lanes(|lane| lane)
}

/// Replaces the lanes that are not within the limit: large ones, infinite ones and NaN.
#[cold]
#[inline(never)]
fn beyond<S: SimdRealField + Copy>(x: S, limit: f64, (sine, cosine): (S, S)) -> (S, S) {
    let within = x.simd_abs().simd_le(constant(limit));
    (
        sine.select(within, by_lane::<Sine, S>(x)),
        cosine.select(within, by_lane::<Cosine, S>(x)),
    )
}

/// The constants of the method for one precision.
///
/// The parts of π/2 have so few bits that their products with the number of quarter turns are exact up to the limit
/// (Cody & Waite, *Software Manual for the Elementary Functions*, 1980). The polynomials are those of fdlibm (Sun
/// Microsystems, 1993) on [-π/4, π/4]; single precision needs only the first terms.
struct Kernel {
    /// The largest angle, of about 2²⁰ quarter turns, or 2¹⁰ in single precision.
    limit: f64,
    /// A number whose ulp is 1: adding and subtracting it rounds to a whole number.
    rounder: f64,
    parts: [f64; 3],
    tail: f64,
    /// sin x = x + x³ (s₀ + s₁ x² + ..)
    sine: &'static [f64],
    /// cos x = 1 - x²/2 + x⁴ (c₀ + c₁ x² + ..)
    cosine: &'static [f64],
}

const DOUBLE: Kernel = Kernel {
    limit: 1.6e6,
    rounder: 6_755_399_441_055_744.0,
    parts: [
        1.570_796_326_734_125_6,
        6.077_100_506_303_966e-11,
        2.022_266_248_711_166_5e-21,
    ],
    tail: 8.478_427_660_368_9e-32,
    sine: &SINE,
    cosine: &COSINE,
};

const SINGLE: Kernel = Kernel {
    limit: 1.6e3,
    rounder: 12_582_912.0,
    parts: [
        1.570_678_710_937_5,
        0.000_117_614_865_303_039_55,
        9.920_313_459_588_215e-10,
    ],
    tail: 6.223_372_171_896_613e-14,
    sine: SINE.split_at(4).0,
    cosine: COSINE.split_at(4).0,
};

impl Kernel {
    #[inline(always)]
    fn of<S: SimdRealField + Copy>() -> &'static Self {
        match Precision::of::<S>() {
            Precision::Single => &SINGLE,
            _ => &DOUBLE,
        }
    }

    /// Sine and cosine of angles within the limit.
    #[inline(always)]
    fn sin_cos<S: SimdRealField + Copy>(&self, x: S) -> (S, S) {
        let turns = self.round(x * S::simd_frac_2_pi());
        let angle = self.reduce(x, turns);
        let (sine, cosine) = (self.sine_near_0(angle), self.cosine_near_0(angle));
        turned(constant(self.rounder), turns, sine, cosine)
    }

    /// The nearest whole number, for sizes up to a quarter of `rounder`.
    #[inline(always)]
    fn round<S: SimdRealField + Copy>(&self, x: S) -> S {
        let rounder: S = constant(self.rounder);
        (x + rounder) - rounder
    }

    /// `x - turns π/2` as a sum of two floats.
    #[inline(always)]
    fn reduce<S: SimdRealField + Copy>(&self, x: S, turns: S) -> (S, S) {
        let [first, second, third] = self.parts;
        let (first, second, third) = (
            turns * constant(first),
            turns * constant(second),
            turns * constant(third),
        );
        // Exact: both are multiples of one power of two, and the difference is smaller than either.
        let near = x - first;
        let (near, error) = exact_difference(near, second);
        let (near, more) = exact_difference(near, third);
        // This order keeps the sign of a zero.
        exact_difference(near, turns * constant(self.tail) - (error + more))
    }

    /// sin(x + y) for |x| up to about π/4 and a tail y.
    #[inline(always)]
    fn sine_near_0<S: SimdRealField + Copy>(&self, (x, y): (S, S)) -> S {
        let square = x * x;
        let cube = square * x;
        let Some((&first, following)) = self.sine.split_first() else {
            return x;
        };
        let series = polynomial(square, following);
        let half: S = constant(0.5);
        x - ((square * (half * y - cube * series) - y) - cube * constant(first))
    }

    /// cos(x + y) for |x| up to about π/4 and a tail y.
    #[inline(always)]
    fn cosine_near_0<S: SimdRealField + Copy>(&self, (x, y): (S, S)) -> S {
        let square = x * x;
        let half = constant::<S>(0.5) * square;
        let nearly = S::one() - half;
        let series = square * polynomial(square, self.cosine);
        nearly + (((S::one() - nearly) - half) + (square * series - x * y))
    }
}

/// Sine and cosine of a whole number of right angles and a rest, from those of the rest. A `rounder` rounds to whole
/// numbers when it is added and subtracted.
#[inline(always)]
fn turned<S: SimdRealField + Copy>(rounder: S, turns: S, sine: S, cosine: S) -> (S, S) {
    // The quadrant: -2, -1, 0, 1 or 2.
    let quarter = turns * constant(0.25);
    let quadrant = turns - constant::<S>(4.0) * ((quarter + rounder) - rounder);
    let (half, more) = (constant::<S>(0.5), constant::<S>(1.5));
    let size = quadrant.simd_abs();
    let swapped = size.simd_gt(half) & size.simd_lt(more);
    let (along, across) = (cosine.select(swapped, sine), sine.select(swapped, cosine));
    let sine_falls = quadrant.simd_lt(-half) | quadrant.simd_gt(more);
    let cosine_falls = quadrant.simd_gt(half) | quadrant.simd_lt(-more);
    (
        (-along).select(sine_falls, along),
        (-across).select(cosine_falls, across),
    )
}

/// `c₀ + c₁ x + ..`
#[inline(always)]
fn polynomial<S: SimdRealField + Copy>(x: S, coefficients: &[f64]) -> S {
    coefficients
        .iter()
        .rev()
        .fold(S::zero(), |sum, &coefficient| {
            mul_add(sum, x, constant(coefficient))
        })
}

/// The rounded difference and its rounding error (Knuth, *Seminumerical Algorithms*, section 4.2.2).
#[inline(always)]
fn exact_difference<S: SimdRealField + Copy>(a: S, b: S) -> (S, S) {
    let difference = a - b;
    let b_taken = a - difference;
    let error = (a - (difference + b_taken)) + (b_taken - b);
    (difference, error)
}

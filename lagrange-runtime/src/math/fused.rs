//! Sine and cosine without a call or a branch, for targets with fused multiply-add.
//!
//! The angle is reduced by the nearest multiple `n` of π/2 in three parts (Cody & Waite, *Software Manual for the
//! Elementary Functions*, 1980). With a fused operation `|x| - n p₁` is exact, with all the bits of π/2 that a float
//! has: it is a multiple of the last place of `p₁` or of `x`, and smaller than 1. The second part is so short that the
//! rounding error of its subtraction is a float again, up to [`Kernel::limit`]. Together with the third part this is
//! the tail of the rest, which matters next to multiples of π/2. Sine and cosine of the rest are the polynomials of
//! fdlibm (Sun Microsystems, 1993; `__kernel_sin` and `__kernel_cos` in FreeBSD's `msun`), added in pairs, which are
//! ready sooner. The last two bits of `n` swap the two and set their signs.
//!
//! The error stays below 1.35 ulp. The sine is odd and the cosine even to the bit. Lanes, and doubles several at once,
//! have the bits of floats.

use core::any::Any;

use nalgebra::{SimdBool, SimdRealField};

use super::{
    by_lane::{Cosine, Sine, by_lane},
    huge::{COSINE, SINE},
    scalars::{Arithmetic, FUSES, Precision, constant},
    several,
};

/// True if sine and cosine of floats are computed here: on targets on which this is faster than the library.
pub(super) const IN_LINE: bool = FUSES && cfg!(feature = "inline-trig");

/// Returns whether the lanes of `S` are computed here, as floats are.
///
/// Some lanes round the product even if the target can fuse. All of this is known at compile time.
#[inline(always)]
pub(super) fn serves<S: SimdRealField + Copy>() -> bool {
    let (one, small) = match Precision::of::<S>() {
        Precision::Double => (S::one(), constant::<S>(1.0 / 268_435_456.0)),
        Precision::Single => (S::one(), constant::<S>(1.0 / 16_384.0)),
        Precision::Other => return false,
    };
    // A rounded product is 1. It is tested as a float, because comparisons of lanes are opaque to the compiler.
    let error = (one + small).simd_mul_add(one - small, -one).extract(0);
    let any: &dyn Any = &error;
    let double = any.downcast_ref::<f64>().is_some_and(|error| *error < 0.0);
    let single = any.downcast_ref::<f32>().is_some_and(|error| *error < 0.0);
    IN_LINE && (double || single)
}

/// A float with the method's constants for it.
pub(super) trait Float: SimdRealField + Copy {
    /// These constants.
    const KERNEL: Kernel;

    /// The values of both series at the square of an angle.
    fn series(square: Self) -> (Self, Self);

    /// Sine and cosine of an angle of this sign, from those of the rest: `turns` has the number of right angles in
    /// its last bits.
    fn turned(self, turns: Self, sine: Self, cosine: Self) -> (Self, Self);
}

macro_rules! float {
    ($float:ty, $kernel:expr, $series:expr) => {
        impl Float for $float {
            const KERNEL: Kernel = $kernel;

            #[inline(always)]
            fn series(square: Self) -> (Self, Self) {
                $series(square)
            }

            // On integers, because comparisons of floats would compete for the units that the rest needs.
            #[inline(always)]
            fn turned(self, turns: Self, sine: Self, cosine: Self) -> (Self, Self) {
                let sign = (-0.0 as $float).to_bits();
                let (turns, sine, cosine) = (turns.to_bits(), sine.to_bits(), cosine.to_bits());
                let swap = (sine ^ cosine) & (turns & 1).wrapping_neg();
                // The last bit but one becomes the first one.
                let half_turns = turns.rotate_right(2);
                let half_turns_on = turns.wrapping_add(1).rotate_right(2);
                (
                    Self::from_bits(sine ^ swap ^ ((half_turns ^ self.to_bits()) & sign)),
                    Self::from_bits(cosine ^ swap ^ (half_turns_on & sign)),
                )
            }
        }
    };
}

float!(f64, DOUBLE, several::series);
float!(f32, SINGLE, |square| SINGLE.series(square));

/// Sine and cosine of one float.
#[inline(always)]
pub(super) fn sin_cos<F: Float>(x: F) -> (F, F) {
    if is_within(x) { within(x) } else { beyond(x) }
}

/// Returns whether a float is within the limit.
#[inline(always)]
pub(super) fn is_within<F: Float>(x: F) -> bool {
    x.simd_abs().simd_le(constant(F::KERNEL.limit)).all()
}

/// Sine and cosine of a float within the limit.
#[inline(always)]
pub(super) fn within<F: Float>(x: F) -> (F, F) {
    let (turns, sine, cosine) = F::KERNEL.near_0_by(x.simd_abs(), F::series);
    x.turned(turns, sine, cosine)
}

/// Sine and cosine of large angles, infinite ones and NaN.
#[cold]
#[inline(never)]
fn beyond<F: Float>(x: F) -> (F, F) {
    (by_lane::<Sine, F>(x), by_lane::<Cosine, F>(x))
}

/// The constants of the method for one precision.
pub(super) struct Kernel {
    /// The largest angle.
    pub(super) limit: f64,
    /// A number whose ulp is 1: adding it rounds to a whole number, which is then in the last bits.
    pub(super) rounder: f64,
    /// π/2: as a float, a few bits more, and the rest.
    pub(super) parts: [f64; 3],
    /// sin x = x + x³ (s₀ + s₁ x² + ..)
    pub(super) sine: &'static [f64],
    /// cos x = 1 - x²/2 + x⁴ (c₀ + c₁ x² + ..)
    pub(super) cosine: &'static [f64],
}

pub(super) const DOUBLE: Kernel = Kernel {
    limit: 1e5,
    rounder: 6_755_399_441_055_744.0,
    parts: [
        core::f64::consts::FRAC_PI_2,
        6.123_233_995_384_61e-17,
        3.521_559_865_183_2e-27,
    ],
    sine: &SINE,
    cosine: &COSINE,
};

const SINGLE: Kernel = Kernel {
    limit: 1e4,
    rounder: 12_582_912.0,
    parts: [
        1.570_796_370_506_286_6,
        -4.371_395_334_601_402e-8,
        2.563_344_068_257_089_6e-12,
    ],
    sine: SINE.split_at(4).0,
    cosine: COSINE.split_at(4).0,
};

impl Kernel {
    /// The constants for the lanes of `S`.
    #[inline(always)]
    pub(super) fn of<S: SimdRealField + Copy>() -> &'static Self {
        match Precision::of::<S>() {
            Precision::Single => &SINGLE,
            _ => &DOUBLE,
        }
    }

    /// The same if `S` has lanes that are computed here.
    #[inline(always)]
    pub(super) fn of_lanes<S: SimdRealField + Copy>() -> Option<&'static Self> {
        (Arithmetic::of::<S>() == Arithmetic::Lanes && serves::<S>()).then(Self::of::<S>)
    }

    /// The lanes within the limit.
    #[inline(always)]
    pub(super) fn are_small<S: SimdRealField + Copy>(&self, x: S) -> S::SimdBool {
        x.simd_abs().simd_le(constant(self.limit))
    }

    /// Sine and cosine of lanes within the limit.
    #[inline(always)]
    pub(super) fn sin_cos<S: SimdRealField + Copy>(&self, x: S) -> (S, S) {
        if let Some(sine_and_cosine) = several::of_lanes(x) {
            return sine_and_cosine;
        }
        let (turns, sine, cosine) = self.near_0(x.simd_abs());
        let (sine, cosine) = self.turned(turns, sine, cosine);
        (sine * S::one().simd_copysign(x), cosine)
    }

    /// Sine and cosine of a number of right angles, in the last bits of a float, and a rest, from those of the rest.
    ///
    /// By the addition theorems: either the sine or the cosine of right angles is 0, and the other is 1 or -1, so that
    /// nothing is rounded. Comparisons of lanes would not be faster.
    #[inline(always)]
    fn turned<S: SimdRealField + Copy>(&self, turns: S, sine: S, cosine: S) -> (S, S) {
        let rounder: S = constant(self.rounder);
        let turns = turns - rounder;
        let full_turns = turns.simd_mul_add(constant(0.25), rounder) - rounder;
        // -2, -1, 0, 1 or 2.
        let quadrant = full_turns.simd_mul_add(constant(-4.0), turns);
        let turned_cosine = S::one() - quadrant.simd_abs();
        let turned_sine = quadrant.simd_mul_add(turned_cosine, quadrant);
        (
            turned_sine.simd_mul_add(cosine, turned_cosine * sine),
            turned_cosine.simd_mul_add(cosine, -(turned_sine * sine)),
        )
    }

    /// The number of right angles in an angle that is not negative, in the last bits of a float, and sine and cosine
    /// of the rest.
    #[inline(always)]
    pub(super) fn near_0<S: SimdRealField + Copy>(&self, x: S) -> (S, S, S) {
        self.near_0_by(x, |square| self.series(square))
    }

    /// The values of both series.
    #[inline(always)]
    pub(super) fn series<S: SimdRealField + Copy>(&self, square: S) -> (S, S) {
        (series(square, self.sine), series(square, self.cosine))
    }

    #[inline(always)]
    fn near_0_by<S: SimdRealField + Copy>(&self, x: S, series: impl Fn(S) -> (S, S)) -> (S, S, S) {
        let rounder: S = constant(self.rounder);
        let turns = x.simd_mul_add(S::simd_frac_2_pi(), rounder);
        let back = rounder - turns;
        let [first, second, third] = self.parts;
        let (first, second, third): (S, S, S) =
            (constant(first), constant(second), constant(third));
        let near = back.simd_mul_add(first, x);
        let angle = back.simd_mul_add(second, near);
        let tail = back.simd_mul_add(third, back.simd_mul_add(second, near - angle));
        let square = angle * angle;
        let (of_sine, of_cosine) = series(square);
        let sine = (angle * square).simd_mul_add(of_sine, tail) + angle;
        // The tail is negligible for the cosine.
        let half: S = constant(-0.5);
        let bend = square.simd_mul_add(of_cosine, half);
        (turns, sine, square.simd_mul_add(bend, S::one()))
    }
}

/// `c₀ + c₁ x + ..`, of an even number of coefficients.
#[inline(always)]
fn series<S: SimdRealField + Copy>(x: S, coefficients: &[f64]) -> S {
    let square = x * x;
    let mut pairs = coefficients.chunks_exact(2).rev().map(|pair| match *pair {
        [even, odd] => x.simd_mul_add(constant(odd), constant(even)),
        _ => S::zero(),
    });
    let last = pairs.next().unwrap_or(S::zero());
    pairs.fold(last, |sum, pair| square.simd_mul_add(sum, pair))
}

#[cfg(test)]
mod tests;

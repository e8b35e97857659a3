//! Sine and cosine without a call or a branch, for targets that fuse multiplications and additions.
//!
//! The angle is reduced by the nearest multiple `n` of π/2 in three parts (Cody & Waite, *Software Manual for the
//! Elementary Functions*, 1980). Fused, `|x| - n p₁` is exact with all the bits of π/2 that a float has: it is a
//! multiple of the last place of `p₁` or of `x`, and smaller than 1. The second part is so short that what its
//! subtraction rounds off is a float again, up to [`Kernel::limit`]. Together with the third part this is the tail of
//! the rest, which matters next to multiples of π/2. Sine and cosine of the rest are the polynomials of fdlibm (Sun
//! Microsystems, 1993; `__kernel_sin` and `__kernel_cos` in FreeBSD's `msun`), added up in pairs, which are ready
//! sooner. The last two bits of `n` swap the two and set their signs.
//!
//! The error stays below 1.35 ulp. The sine is odd and the cosine even to the bit. Lanes, and doubles several at once,
//! have the bits of floats.

use core::any::Any;

use nalgebra::{SimdBool, SimdRealField};

use super::{
    Arithmetic, constant,
    floats::{Cosine, Precision, Sine, by_lane},
    huge::{COSINE, SINE},
};

/// Whether sine and cosine of floats are computed here: where it is faster than the library.
pub(super) const IN_LINE: bool = super::FUSES && cfg!(feature = "inline-trig");

/// Whether the lanes of `S` are computed here, as floats are.
///
/// Some lanes round the product whatever the target can do. All of this is known at compile time.
#[inline(always)]
pub(super) fn serves<S: SimdRealField + Copy>() -> bool {
    let (one, small) = match Precision::of::<S>() {
        Precision::Double => (S::one(), constant::<S>(1.0 / 268_435_456.0)),
        Precision::Single => (S::one(), constant::<S>(1.0 / 16_384.0)),
        Precision::Other => return false,
    };
    // The product is 1 when it is rounded. Looked at as a float, since comparisons of lanes are opaque to the compiler.
    let rest = (one + small).simd_mul_add(one - small, -one).extract(0);
    let any: &dyn Any = &rest;
    let double = any.downcast_ref::<f64>().is_some_and(|rest| *rest < 0.0);
    let single = any.downcast_ref::<f32>().is_some_and(|rest| *rest < 0.0);
    IN_LINE && (double || single)
}

/// A float with the method's constants for it.
pub(super) trait Float: SimdRealField + Copy {
    /// These constants.
    const KERNEL: Kernel;

    /// Sine and cosine of an angle of this sign, from those of the rest: `turns` has the number of right angles in
    /// its last bits.
    fn turned(self, turns: Self, sine: Self, cosine: Self) -> (Self, Self);
}

macro_rules! float {
    ($float:ty, $kernel:expr) => {
        impl Float for $float {
            const KERNEL: Kernel = $kernel;

            // On integers: comparisons of floats would compete for the units that the rest needs.
            #[inline(always)]
            fn turned(self, turns: Self, sine: Self, cosine: Self) -> (Self, Self) {
                let sign = (-0.0 as $float).to_bits();
                let (turns, sine, cosine) = (turns.to_bits(), sine.to_bits(), cosine.to_bits());
                let swap = (sine ^ cosine) & (turns & 1).wrapping_neg();
                // The second last bit becomes the first one.
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

float!(f64, DOUBLE);
float!(f32, SINGLE);

/// Sine and cosine of one float.
#[inline(always)]
pub(super) fn sin_cos<F: Float>(x: F) -> (F, F) {
    let size = x.simd_abs();
    if size.simd_le(constant(F::KERNEL.limit)).all() {
        let (turns, sine, cosine) = F::KERNEL.near_0(size);
        x.turned(turns, sine, cosine)
    } else {
        beyond(x)
    }
}

/// So many doubles at once.
const ABREAST: usize = 8;

/// Whether vectors hold four doubles, so that of four angles or fewer one is computed, and not two.
///
/// Where the target has AVX-512, compilers keep to such vectors nevertheless, since vectors of eight slow down what is
/// beside them; but not for AMD's processors, which do not mind, and alone have SSE4a.
const FOUR: bool = cfg!(all(
    target_feature = "avx2",
    not(all(target_feature = "avx512f", target_feature = "sse4a"))
));

/// Whether so many angles are computed by vectors: one or two vectors of four doubles, or one of eight, are less work than
/// two angles; four vectors of two are not.
#[inline(always)]
pub(super) const fn is_worth_vectors(angles: usize) -> bool {
    IN_LINE && (cfg!(target_feature = "avx2") || angles > ABREAST / 2)
}

/// Numbers where no vector of theirs lies across lines of the cache.
#[repr(align(32))]
struct Places<F>([F; ABREAST]);

/// Sine and cosine of each, of which the first so many are wanted: those of one, to the bit.
///
/// They come in memory, stored by vectors. Processors hand such numbers on at once where they are loaded one by one, but
/// not where two neighbours are that are no half of a vector: of two places that the compiler cannot tell to be the same,
/// it loads no neighbours.
#[inline(always)]
pub(super) fn sin_cos_abreast(
    [a, b, c, d, e, f, g, h]: [f64; ABREAST],
    wanted: usize,
) -> [(f64, f64); ABREAST] {
    let even = &by_vectors((a, b), (c, d), (e, f), (g, h), wanted.div_ceil(4));
    let odd = core::hint::black_box(even);
    core::array::from_fn(|i| {
        let (Places(sines), Places(cosines)) = if i % 2 == 0 { even } else { odd };
        (sines[i], cosines[i])
    })
}

/// All sines, and all cosines; of as many fours as are wanted, where vectors are of four.
///
/// A function of its own, of numbers that come in registers: its loop is too long for the compiler to take it apart,
/// so that it makes vectors of it, and it need not wait for any of them to be in memory. Pairs are passed in registers,
/// arrays are not. That angles are small is asked of four at a time, before they stand in an array: this is what has them
/// put into vectors of that length.
#[inline(never)]
fn by_vectors<F: Float>(
    (a, b): (F, F),
    (c, d): (F, F),
    (e, f): (F, F),
    (g, h): (F, F),
    fours: usize,
) -> (Places<F>, Places<F>) {
    let limit = constant(F::KERNEL.limit);
    let is_small = |angle: F| angle.simd_abs().simd_le(limit).all();
    let are_small = |[a, b, c, d]: [F; 4]| is_small(a) & is_small(b) & is_small(c) & is_small(d);
    if !are_small([a, b, c, d]) || !are_small([e, f, g, h]) {
        return one_by_one((a, b), (c, d), (e, f), (g, h));
    }
    let mut sines = [a, b, c, d, e, f, g, h];
    let mut cosines = sines;
    // A number that the compiler knew would be short enough to be taken apart.
    let places = if FOUR {
        4 * core::hint::black_box(fours).min(2)
    } else {
        ABREAST
    };
    for (sine, cosine) in sines.iter_mut().zip(&mut cosines).take(places) {
        let angle = *sine;
        let (turns, of_rest, and_cosine) = F::KERNEL.near_0(angle.simd_abs());
        (*sine, *cosine) = angle.turned(turns, of_rest, and_cosine);
    }
    (Places(sines), Places(cosines))
}

/// Where there are large ones among them.
#[cold]
#[inline(never)]
fn one_by_one<F: Float>(
    (a, b): (F, F),
    (c, d): (F, F),
    (e, f): (F, F),
    (g, h): (F, F),
) -> (Places<F>, Places<F>) {
    let mut sines = [a, b, c, d, e, f, g, h];
    let mut cosines = sines;
    for (sine, cosine) in sines.iter_mut().zip(&mut cosines) {
        (*sine, *cosine) = sin_cos(*sine);
    }
    (Places(sines), Places(cosines))
}

/// Those of large angles, infinite ones and NaN.
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
    rounder: f64,
    /// π/2: as a float, a few bits more, and the rest.
    parts: [f64; 3],
    /// sin x = x + x³ (s₀ + s₁ x² + ..)
    sine: &'static [f64],
    /// cos x = 1 - x²/2 + x⁴ (c₀ + c₁ x² + ..)
    cosine: &'static [f64],
}

const DOUBLE: Kernel = Kernel {
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

    /// Which lanes are within the limit.
    #[inline(always)]
    pub(super) fn are_small<S: SimdRealField + Copy>(&self, x: S) -> S::SimdBool {
        x.simd_abs().simd_le(constant(self.limit))
    }

    /// Sine and cosine of lanes within the limit.
    #[inline(always)]
    pub(super) fn sin_cos<S: SimdRealField + Copy>(&self, x: S) -> (S, S) {
        let (turns, sine, cosine) = self.near_0(x.simd_abs());
        let (sine, cosine) = self.turned(turns, sine, cosine);
        (sine * S::one().simd_copysign(x), cosine)
    }

    /// Sine and cosine of a number of right angles, in the last bits of a float, and a rest, from those of the rest.
    ///
    /// By the theorems of addition: of the sine and the cosine of right angles one is 0 and the other one 1 or -1, so that
    /// nothing is rounded. Lanes have no comparisons that would take less.
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
    fn near_0<S: SimdRealField + Copy>(&self, x: S) -> (S, S, S) {
        let rounder: S = constant(self.rounder);
        let turns = x.simd_mul_add(S::simd_frac_2_pi(), rounder);
        let back = rounder - turns;
        let [first, second, third] = self.parts.map(constant::<S>);
        let near = back.simd_mul_add(first, x);
        let rest = back.simd_mul_add(second, near);
        let tail = back.simd_mul_add(third, back.simd_mul_add(second, near - rest));
        let square = rest * rest;
        let sine = (rest * square).simd_mul_add(series(square, self.sine), tail) + rest;
        // The tail is too small to matter where the cosine is not.
        let half: S = constant(-0.5);
        let bend = square.simd_mul_add(series(square, self.cosine), half);
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

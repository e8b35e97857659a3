//! Powers of two near a number, from the exponent field of its representation.
//!
//! Scaling by a power of two is exact, and integer operations need no library for a square root.

use nalgebra::SimdRealField;

use crate::math::constant;

/// A power of two within a factor of two of the square root of `x`, and 0 for 0.
#[inline]
pub(super) fn root_of_power_of_two(x: f64) -> f64 {
    if x > 0.0 {
        // With the bias of 1023: (e - 1023) / 2 + 1023 = (e + 1023) / 2.
        f64::from_bits(((biased_exponent(x) + 1023) / 2) << 52)
    } else {
        0.0
    }
}

/// The exponent e of `2^e <= |x| < 2^(e + 1)`, subnormal numbers included; `None` for 0, infinity and
/// NaN.
#[inline]
pub(super) fn exponent(x: f64) -> Option<i32> {
    let field = |x: f64| ((x.to_bits() >> 52) & 0x7ff) as i32;
    match field(x) {
        0x7ff => None,
        0 if x == 0.0 => None,
        // A subnormal number is a normal one after multiplication by 2^54.
        0 => Some(field(x * 18_014_398_509_481_984.0) - 1023 - 54),
        biased => Some(biased - 1023),
    }
}

/// `x 2^e`, rounded only if the result is subnormal, and infinite only if it is too large.
///
/// The factors exist in every scalar type: they are within [2^-100, 2^100].
#[inline]
pub(super) fn scale_by<S: SimdRealField + Copy>(x: S, e: i32) -> S {
    let (mut x, mut left) = (x, e.clamp(-5000, 5000));
    while left != 0 {
        let step = left.clamp(-100, 100);
        x *= constant::<S>(f64::from_bits(((step + 1023) as u64) << 52));
        left -= step;
    }
    x
}

/// [`scale_by`] of each entry.
pub(super) fn scaled_by<S: SimdRealField + Copy, const N: usize>(x: &[S; N], e: i32) -> [S; N] {
    scaled(x, &[e; N])
}

/// [`scale_by`] of each entry, with its own exponent.
pub(super) fn scaled<S: SimdRealField + Copy, const N: usize>(
    x: &[S; N],
    exponents: &[i32; N],
) -> [S; N] {
    let mut scaled = *x;
    for i in 0..N {
        scaled[i] = scale_by(x[i], exponents[i]);
    }
    scaled
}

/// The exponent field; 1 for subnormal numbers and 2046 for infinity, so that the power of two and its
/// reciprocal are finite.
#[inline]
fn biased_exponent(x: f64) -> u64 {
    ((x.to_bits() >> 52) & 0x7ff).clamp(1, 2046)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_roots_within_a_factor_of_two() {
        for exponent in -1020..1020 {
            let x = 1.3 * 2.0_f64.powi(exponent);
            let ratio = root_of_power_of_two(x).powi(2) / x;
            assert!((0.25..4.0).contains(&ratio), "{x:e}");
        }
        assert_eq!(root_of_power_of_two(0.0), 0.0);
    }

    #[test]
    fn exponents_of_all_sizes() {
        for e in -1074..1024 {
            let x = scale_by(1.0, e);
            assert_eq!(exponent(x), Some(e));
            assert_eq!(exponent(-1.5 * x), Some(if e == -1074 { -1073 } else { e }));
            assert_eq!(scale_by(x, -e), 1.0);
        }
        for x in [0.0, f64::INFINITY, f64::NAN] {
            assert_eq!(exponent(x), None);
        }
        assert_eq!(scale_by(1.0_f32, -140), f32::from_bits(1 << 9));
    }
}

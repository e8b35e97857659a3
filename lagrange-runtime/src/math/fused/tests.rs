//! On every target, whether it has the instruction or not: without it, fusing takes a function call.

extern crate std;

use core::f64::consts::FRAC_PI_2;
use std::println;

use nalgebra::SimdValue;
use simba::simd::{AutoF32x4, AutoF64x2, WideF32x4, WideF32x8, WideF64x4};

use super::*;

mod reference;

/// The documented error bounds.
const LIMIT: f64 = 1.35;

/// Uniform bits, by a linear congruence (Knuth, *Seminumerical Algorithms*, section 3.3.4).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 ^ (self.0 >> 29)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.bits() as f64 * 2.0_f64.powi(-64)
    }

    /// Angles within the limit: small ones, of few turns and of many, next to multiples of π/2, and of all sizes
    /// that a float has.
    fn angle(&mut self) -> f64 {
        let limit = DOUBLE.limit;
        let turns = self.between(0.0, limit / FRAC_PI_2).floor();
        let size = match self.bits() >> 61 {
            0 | 1 => self.between(0.0, 1.0),
            2 => self.between(0.0, 10.0),
            3 => self.between(0.0, limit),
            // Here the sine is just below a power of two, and the ulp of the remainder is twice its own.
            4 => turns * FRAC_PI_2 + self.between(0.5, 0.524),
            5 => turns * FRAC_PI_2 * (1.0 + self.between(-4.0, 4.0) * f64::EPSILON),
            6 => {
                turns * FRAC_PI_2
                    + self.between(-1.0, 1.0) * 2.0_f64.powi(-(self.bits() as i32 & 63))
            }
            _ => f64::from_bits(self.bits() >> 1 & !(1 << 62)) * limit / 2.0,
        };
        assert!(size.abs() <= limit);
        if self.bits() >> 63 == 0 { size } else { -size }
    }
}

fn ulp(x: f64) -> f64 {
    let size = x.abs().max(f64::MIN_POSITIVE);
    size - size.next_down()
}

/// The larger error of the two, in units of the last place.
fn error(x: f64) -> f64 {
    let (sine, cosine) = sin_cos(x);
    let error =
        |actual: f64, (high, low): reference::Pair| ((actual - high) - low).abs() / ulp(high);
    let expected = reference::sin_cos(x);
    error(sine, expected.0).max(error(cosine, expected.1))
}

/// Fails on NaN, too.
fn assert_errors(angles: impl Iterator<Item = f64>) {
    let mut worst = (0.0, 0.0);
    for angle in angles {
        let error = error(angle);
        assert!(error <= LIMIT, "{error} ulp at {angle:e}");
        if error > worst.0 {
            worst = (error, angle);
        }
    }
    println!("{:.4} ulp at {:e}", worst.0, worst.1);
}

#[test]
fn doubles() {
    let mut random = Random(1);
    assert_errors((0..300_000).map(|_| random.angle()));
}

/// `RUSTFLAGS='-C target-cpu=native' cargo test --release -p lagrange-runtime --lib fused -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn a_hundred_million_doubles() {
    let mut random = Random(2);
    assert_errors((0..100_000_000).map(|_| random.angle()));
}

/// Next to every multiple of π/2, where an error would be the sign's.
#[test]
fn neighbours_of_right_angles() {
    let most = (DOUBLE.limit / FRAC_PI_2) as u32;
    assert_errors((1..=most).flat_map(|turns| {
        let angle = f64::from(turns) * FRAC_PI_2;
        [angle.next_down(), angle, angle.next_up()]
    }));
}

/// The error of a single, against doubles.
fn single_error(x: f32) -> f64 {
    let (actual, expected) = (sin_cos(x), sin_cos(f64::from(x)));
    let error = |actual: f32, expected: f64| {
        let size = (expected.abs() as f32).max(f32::MIN_POSITIVE);
        (f64::from(actual) - expected).abs() / f64::from(size - size.next_down())
    };
    error(actual.0, expected.0).max(error(actual.1, expected.1))
}

fn assert_single_errors(angles: impl Iterator<Item = f32>) {
    let mut worst = (0.0, 0.0);
    for angle in angles {
        let error = single_error(angle);
        assert!(error <= LIMIT, "{error} ulp at {angle:e}");
        if error > worst.0 {
            worst = (error, angle);
        }
    }
    println!("{:.4} ulp at {:e}", worst.0, worst.1);
}

#[test]
fn singles() {
    let last = (SINGLE.limit as f32).to_bits();
    assert_single_errors((0..=last).step_by(4001).map(f32::from_bits));
    let most = (SINGLE.limit / FRAC_PI_2) as u32;
    assert_single_errors((1..=most).flat_map(|turns| {
        let angle = (f64::from(turns) * FRAC_PI_2) as f32;
        [angle.next_down(), angle, angle.next_up()]
    }));
}

/// The command is that of the doubles.
#[test]
#[ignore = "takes minutes"]
fn all_singles() {
    let last = (SINGLE.limit as f32).to_bits();
    assert_single_errors((0..=last).map(f32::from_bits));
}

#[test]
fn the_sine_is_odd_and_the_cosine_even() {
    let mut random = Random(3);
    for _ in 0..100_000 {
        let angle = random.angle();
        let (sine, cosine) = sin_cos(angle);
        let mirrored = sin_cos(-angle);
        assert_eq!(
            ((-sine).to_bits(), cosine.to_bits()),
            (mirrored.0.to_bits(), mirrored.1.to_bits())
        );
        let single = angle as f32;
        let (sine, cosine) = sin_cos(single);
        let mirrored = sin_cos(-single);
        assert_eq!(
            ((-sine).to_bits(), cosine.to_bits()),
            (mirrored.0.to_bits(), mirrored.1.to_bits())
        );
    }
}

#[test]
fn special_angles() {
    for tiny in [0.0, 5e-324, 1e-310, f64::MIN_POSITIVE, 1e-30, 1e-9] {
        for angle in [tiny, -tiny] {
            let (sine, cosine) = sin_cos(angle);
            assert_eq!((sine.to_bits(), cosine), (angle.to_bits(), 1.0));
        }
    }
    for angle in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let (sine, cosine) = sin_cos(angle);
        assert!(sine.is_nan() && cosine.is_nan());
        let (sine, cosine) = sin_cos(angle as f32);
        assert!(sine.is_nan() && cosine.is_nan());
    }
    assert!(sin_cos(-0.0_f32).0.is_sign_negative());
    // 22 is 7 π but for 0.0089, and 3e5 is beyond the limit.
    for angle in [22.0_f64, 1e5, 1e5_f64.next_up(), 3e5, 1e9, 1e22, f64::MAX] {
        let (sine, cosine) = sin_cos(angle);
        let expected = crate::math::huge::sin_cos(angle);
        assert!((sine - expected.0).abs() <= LIMIT * ulp(sine), "{angle:e}");
        assert!(
            (cosine - expected.1).abs() <= LIMIT * ulp(cosine),
            "{angle:e}"
        );
    }
}

/// Lanes within the limit, which `lanes` sees to.
fn assert_lanes<S, F>()
where
    S: SimdRealField + SimdValue<Element = F> + Copy,
    F: Float + core::fmt::Debug + PartialEq,
{
    let mut random = Random(4);
    for round in 0..20_000 {
        let mut angles = S::zero();
        for lane in 0..S::LANES {
            let angle = random.angle() * (F::KERNEL.limit / DOUBLE.limit);
            // The sign of zero is compared by that of its reciprocal.
            angles.replace(lane, constant(if round == lane { -0.0 } else { angle }));
        }
        let (sine, cosine) = Kernel::of::<S>().sin_cos(angles);
        for lane in 0..S::LANES {
            let expected = sin_cos(angles.extract(lane));
            let actual = (sine.extract(lane), cosine.extract(lane));
            assert_eq!(actual, expected);
            assert_eq!(F::one() / actual.0, F::one() / expected.0);
        }
    }
}

#[test]
fn lanes_have_the_bits_of_floats() {
    assert_lanes::<AutoF64x2, f64>();
    assert_lanes::<AutoF32x4, f32>();
    if serves::<WideF64x4>() {
        assert_lanes::<WideF64x4, f64>();
    }
    if serves::<WideF32x4>() && serves::<WideF32x8>() {
        assert_lanes::<WideF32x4, f32>();
        assert_lanes::<WideF32x8, f32>();
    }
}

/// Several at once, large ones, infinite ones and NaN among them: as one by one, to the bit.
fn assert_lanes_abreast<S>()
where
    S: SimdRealField + SimdValue<Element = f64> + Copy + 'static,
{
    const OTHERS: [f64; 6] = [1e9, -3e300, f64::MAX, f64::INFINITY, f64::NAN, -0.0];
    let mut random = Random(5);
    for round in 0..2_000 {
        let mut angles = [S::zero(); 3];
        for lane in 0..S::LANES {
            for angle in &mut angles {
                angle.replace(lane, random.angle());
            }
        }
        if let Some(other) = OTHERS.get(round % 20) {
            angles[round % 3].replace(round % S::LANES, *other);
        }
        let (sines, cosines) = crate::math::sin_cos_abreast(angles);
        for (i, angle) in angles.into_iter().enumerate() {
            let (sine, cosine) = crate::math::sin_cos(angle);
            for lane in 0..S::LANES {
                let actual = [sines[i], cosines[i]].map(|x| x.extract(lane).to_bits());
                assert_eq!(actual, [sine, cosine].map(|x| x.extract(lane).to_bits()));
            }
        }
    }
}

#[test]
fn lanes_abreast_have_the_bits_of_single_ones() {
    assert_lanes_abreast::<AutoF64x2>();
    assert_lanes_abreast::<WideF64x4>();
}

#[test]
fn lanes_that_do_not_fuse_are_found_out() {
    assert_eq!(serves::<AutoF64x2>(), IN_LINE);
    assert_eq!(serves::<AutoF32x4>(), IN_LINE);
    if cfg!(all(target_arch = "x86_64", target_feature = "fma")) {
        assert!(serves::<WideF64x4>() && serves::<WideF32x8>());
    }
}

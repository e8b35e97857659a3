//! Sine and cosine of up to eight doubles at once, four by four, by vector instructions of x86-64.
//!
//! Compilers vectorise loops, but not four numbers in registers: a loop is a separate function, whose results pass
//! through memory. The two series of a single angle are also a vector here. The steps are those of `fused.rs`, and so
//! are the bits.

#![allow(
    unsafe_code,
    reason = "whether a target has instructions is not seen by the compiler's rules"
)]

use core::arch::x86_64::{
    __m256d, _CMP_LE_OQ, _mm_cvtsd_f64, _mm_fmadd_pd, _mm_mul_pd, _mm_set_pd, _mm_set1_pd,
    _mm_unpackhi_pd, _mm256_add_epi64, _mm256_add_pd, _mm256_and_pd, _mm256_and_si256,
    _mm256_andnot_pd, _mm256_castpd_si256, _mm256_castpd256_pd128, _mm256_castsi256_pd,
    _mm256_cmp_pd, _mm256_extractf128_pd, _mm256_fmadd_pd, _mm256_movemask_pd, _mm256_mul_pd,
    _mm256_set_pd, _mm256_set1_epi64x, _mm256_set1_pd, _mm256_slli_epi64, _mm256_sub_epi64,
    _mm256_sub_pd, _mm256_xor_pd,
};

use core::any::Any;

use nalgebra::SimdRealField;

use super::{
    fused::{DOUBLE, Float, sin_cos},
    scalars::{Precision, constant},
};

/// Minimum batch size for which the vectors pay off.
pub(super) const LEAST: usize = 2;

/// Sine and cosine of each of the first `wanted` angles, equal to those of a single call to the bit.
#[inline(always)]
pub(super) fn sin_cos_abreast(
    [a, b, c, d, e, f, g, h]: [f64; 8],
    wanted: usize,
) -> [(f64, f64); 8] {
    let none = (0.0, 1.0);
    let [a, b, c, d] = of_four([a, b, c, d]);
    let [e, f, g, h] = match wanted {
        ..=4 => [none; 4],
        5 => [sin_cos(e), none, none, none],
        _ => of_four([e, f, g, h]),
    };
    [a, b, c, d, e, f, g, h]
}

/// Sine and cosine of each of four lanes within the limit; `None` for other scalars.
#[inline(always)]
pub(super) fn of_lanes<S: SimdRealField + Copy>(x: S) -> Option<(S, S)> {
    if S::LANES != 4 || Precision::of::<S>() != Precision::Double {
        return None;
    }
    let float = |lane: usize| {
        let element = x.extract(lane);
        let any: &dyn Any = &element;
        any.downcast_ref::<f64>().copied().unwrap_or(f64::NAN)
    };
    let (sine, cosine) = within([float(0), float(1), float(2), float(3)]);
    let lanes = |values: [f64; 4]| {
        let mut lanes = x;
        for (lane, value) in values.into_iter().enumerate() {
            lanes.replace(lane, constant::<S>(value).extract(0));
        }
        lanes
    };
    Some((lanes(sine), lanes(cosine)))
}

// One by one: iteration over arrays would keep them in memory.
#[inline(always)]
fn of_four([a, b, c, d]: [f64; 4]) -> [(f64, f64); 4] {
    if four_are_within([a, b, c, d]) {
        let (sine, cosine) = within([a, b, c, d]);
        [
            (sine[0], cosine[0]),
            (sine[1], cosine[1]),
            (sine[2], cosine[2]),
            (sine[3], cosine[3]),
        ]
    } else {
        [single(a), single(b), single(c), single(d)]
    }
}

/// With large angles among them.
#[cold]
#[inline(never)]
fn single<F: Float>(angle: F) -> (F, F) {
    sin_cos(angle)
}

#[inline(always)]
fn four_are_within([a, b, c, d]: [f64; 4]) -> bool {
    // SAFETY: the module is a part of the crate only where the target has AVX2 and FMA, and nothing here touches memory.
    unsafe {
        let size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), _mm256_set_pd(d, c, b, a));
        let limit = _mm256_set1_pd(DOUBLE.limit);
        _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LE_OQ>(size, limit)) == 0b1111
    }
}

/// Sines, and cosines, of angles within the limit.
#[inline(always)]
fn within([a, b, c, d]: [f64; 4]) -> ([f64; 4], [f64; 4]) {
    // SAFETY: as above.
    unsafe {
        let of = |value: f64| _mm256_set1_pd(value);
        let angles = _mm256_set_pd(d, c, b, a);
        let size = _mm256_andnot_pd(of(-0.0), angles);
        let [turns, sine, cosine] = near_0(size);
        // As in `Float::turned`.
        let turns = _mm256_castpd_si256(turns);
        let one = _mm256_set1_epi64x(1);
        let is_odd = _mm256_and_si256(turns, one);
        let swaps = _mm256_castsi256_pd(_mm256_sub_epi64(_mm256_set1_epi64x(0), is_odd));
        let swap = _mm256_and_pd(_mm256_xor_pd(sine, cosine), swaps);
        // The last bit but one becomes the first one.
        let half_turns = _mm256_castsi256_pd(_mm256_slli_epi64::<62>(turns));
        let on = _mm256_add_epi64(turns, one);
        let half_turns_on = _mm256_castsi256_pd(_mm256_slli_epi64::<62>(on));
        let sign = _mm256_and_pd(_mm256_xor_pd(half_turns, angles), of(-0.0));
        let sine = _mm256_xor_pd(_mm256_xor_pd(sine, swap), sign);
        let sign = _mm256_and_pd(half_turns_on, of(-0.0));
        let cosine = _mm256_xor_pd(_mm256_xor_pd(cosine, swap), sign);
        (unpacked(sine), unpacked(cosine))
    }
}

/// As `Kernel::series`.
#[inline(always)]
pub(super) fn series(square: f64) -> (f64, f64) {
    // SAFETY: as above.
    unsafe {
        let pair = |k: usize| _mm_set_pd(DOUBLE.cosine[k], DOUBLE.sine[k]);
        let square = _mm_set1_pd(square);
        let fourth = _mm_mul_pd(square, square);
        // One by one: mapping an array may become a call, and vectors then pass through memory.
        let first = _mm_fmadd_pd(square, pair(1), pair(0));
        let second = _mm_fmadd_pd(square, pair(3), pair(2));
        let third = _mm_fmadd_pd(square, pair(5), pair(4));
        let sums = _mm_fmadd_pd(fourth, _mm_fmadd_pd(fourth, third, second), first);
        (
            _mm_cvtsd_f64(sums),
            _mm_cvtsd_f64(_mm_unpackhi_pd(sums, sums)),
        )
    }
}

/// As `Kernel::near_0`.
///
/// # Safety
///
/// The target must have AVX2 and FMA.
#[inline(always)]
unsafe fn near_0(x: __m256d) -> [__m256d; 3] {
    // SAFETY: as said.
    unsafe {
        let of = |value: f64| _mm256_set1_pd(value);
        let mul_add = |a, b, c| _mm256_fmadd_pd(a, b, c);
        let rounder = of(DOUBLE.rounder);
        let turns = mul_add(x, of(core::f64::consts::FRAC_2_PI), rounder);
        let back = _mm256_sub_pd(rounder, turns);
        let [first, second, third] = DOUBLE.parts;
        let (first, second, third) = (of(first), of(second), of(third));
        let near = mul_add(back, first, x);
        let angle = mul_add(back, second, near);
        let tail = mul_add(back, second, _mm256_sub_pd(near, angle));
        let tail = mul_add(back, third, tail);
        let square = _mm256_mul_pd(angle, angle);
        let fourth = _mm256_mul_pd(square, square);
        let series = |c: &[f64]| {
            let first = mul_add(square, of(c[1]), of(c[0]));
            let second = mul_add(square, of(c[3]), of(c[2]));
            let third = mul_add(square, of(c[5]), of(c[4]));
            mul_add(fourth, mul_add(fourth, third, second), first)
        };
        let cube = _mm256_mul_pd(angle, square);
        let sine = _mm256_add_pd(mul_add(cube, series(DOUBLE.sine), tail), angle);
        let bend = mul_add(square, series(DOUBLE.cosine), of(-0.5));
        [turns, sine, mul_add(square, bend, of(1.0))]
    }
}

/// # Safety
///
/// The target must have AVX.
#[inline(always)]
unsafe fn unpacked(x: __m256d) -> [f64; 4] {
    // SAFETY: as said.
    unsafe {
        let (low, high) = (_mm256_castpd256_pd128(x), _mm256_extractf128_pd::<1>(x));
        [
            _mm_cvtsd_f64(low),
            _mm_cvtsd_f64(_mm_unpackhi_pd(low, low)),
            _mm_cvtsd_f64(high),
            _mm_cvtsd_f64(_mm_unpackhi_pd(high, high)),
        ]
    }
}

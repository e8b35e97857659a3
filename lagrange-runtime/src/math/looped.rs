//! Sine and cosine of up to eight doubles at once, by a loop that compilers turn into vectors of any available length.

use super::fused::{DOUBLE, Float, is_within, sin_cos};

/// The number of doubles at once.
const ABREAST: usize = 8;

/// Minimum batch size for which the loop pays off: vectors of two are computed for all eight.
pub(super) const LEAST: usize = 5;

/// Numbers aligned so that no vector lies across cache lines.
#[repr(align(32))]
struct Places<F>([F; ABREAST]);

/// Lanes are computed directly.
#[inline(always)]
pub(super) fn of_lanes<S>(_: S) -> Option<(S, S)> {
    None
}

/// Sine and cosine of each, equal to those of a single call to the bit. It does not matter whether all are wanted.
///
/// The results are in memory, stored as vectors. Processors forward such numbers at once if they are loaded one by one,
/// but not if two neighbours are loaded that are not half of a vector. The compiler loads no neighbours from two places
/// that may differ.
#[inline(always)]
pub(super) fn sin_cos_abreast(
    [a, b, c, d, e, f, g, h]: [f64; ABREAST],
    _wanted: usize,
) -> [(f64, f64); ABREAST] {
    let even = &by_vectors((a, b), (c, d), (e, f), (g, h));
    let odd = core::hint::black_box(even);
    core::array::from_fn(|i| {
        let (Places(sines), Places(cosines)) = if i % 2 == 0 { even } else { odd };
        (sines[i], cosines[i])
    })
}

/// The values of both series at the square of an angle.
#[inline(always)]
pub(super) fn series(square: f64) -> (f64, f64) {
    DOUBLE.series(square)
}

/// All sines, and all cosines.
///
/// A separate function, with numbers in registers: its loop is too long to be unrolled, so the compiler turns it into
/// vectors, and need not wait until the numbers are in memory. Pairs are passed in registers, arrays are not.
#[inline(never)]
fn by_vectors<F: Float>(
    (a, b): (F, F),
    (c, d): (F, F),
    (e, f): (F, F),
    (g, h): (F, F),
) -> (Places<F>, Places<F>) {
    let mut sines = [a, b, c, d, e, f, g, h];
    let mut cosines = sines;
    let mut are_small = true;
    for angle in sines {
        are_small &= is_within(angle);
    }
    if !are_small {
        return one_by_one(sines);
    }
    for (sine, cosine) in sines.iter_mut().zip(&mut cosines) {
        let angle = *sine;
        let (turns, of_rest, and_cosine) = F::KERNEL.near_0(angle.simd_abs());
        (*sine, *cosine) = angle.turned(turns, of_rest, and_cosine);
    }
    (Places(sines), Places(cosines))
}

/// With large angles among them.
#[cold]
#[inline(never)]
fn one_by_one<F: Float>(mut sines: [F; ABREAST]) -> (Places<F>, Places<F>) {
    let mut cosines = sines;
    for (sine, cosine) in sines.iter_mut().zip(&mut cosines) {
        (*sine, *cosine) = sin_cos(*sine);
    }
    (Places(sines), Places(cosines))
}

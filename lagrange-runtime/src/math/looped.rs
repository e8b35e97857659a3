//! Sine and cosine of up to eight doubles at once, by a loop of which compilers make vectors of whatever length there is.

use super::fused::{DOUBLE, Float, is_within, sin_cos};

/// So many doubles at once.
const ABREAST: usize = 8;

/// From so many angles on it takes less than one by one: vectors of two are computed for all eight.
pub(super) const LEAST: usize = 5;

/// Numbers where no vector of theirs lies across lines of the cache.
#[repr(align(32))]
struct Places<F>([F; ABREAST]);

/// Lanes are computed as they are.
#[inline(always)]
pub(super) fn of_lanes<S>(_: S) -> Option<(S, S)> {
    None
}

/// Whether all are within the limit: [`sin_cos_abreast`] looks by itself.
#[inline(always)]
pub(super) fn are_within(_: [f64; ABREAST], _wanted: usize) -> bool {
    true
}

/// Sine and cosine of each: those of one, to the bit. Whether all are wanted makes no difference, nor whether all are within
/// the limit.
///
/// They come in memory, stored by vectors. Processors hand such numbers on at once where they are loaded one by one, but
/// not where two neighbours are that are no half of a vector: of two places that the compiler cannot tell to be the same,
/// it loads no neighbours.
#[inline(always)]
pub(super) fn sin_cos_abreast<const WITHIN: bool>(
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
/// A function of its own, of numbers that come in registers: its loop is too long for the compiler to take it apart,
/// so that it makes vectors of it, and it need not wait for any of them to be in memory. Pairs are passed in registers,
/// arrays are not.
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

/// Where there are large ones among them.
#[cold]
#[inline(never)]
fn one_by_one<F: Float>(mut sines: [F; ABREAST]) -> (Places<F>, Places<F>) {
    let mut cosines = sines;
    for (sine, cosine) in sines.iter_mut().zip(&mut cosines) {
        (*sine, *cosine) = sin_cos(*sine);
    }
    (Places(sines), Places(cosines))
}

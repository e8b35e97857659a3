//! Sums of the absolute values of many numbers.

use nalgebra::RealField;

/// The sum of the absolute values, which is finite only if all are. So there is no branch for each value.
#[inline(always)]
pub(super) fn size<S: RealField + Copy>(values: &[S]) -> S {
    let sums = [S::zero(); 4];
    joined(in_four_sums(sums, values, |sum, value| sum + value.abs()))
}

/// Adds to four sums in turn that do not wait for each other.
///
/// Short loops are unrolled completely. In others the choice of the sum must not depend on the number of the step.
#[inline(always)]
pub(super) fn in_four_sums<S: Copy>(
    mut sums: [S; 4],
    values: &[S],
    added: impl Fn(S, S) -> S,
) -> [S; 4] {
    let (fours, remaining) = if values.len() > SHORT {
        values.as_chunks::<4>()
    } else {
        (&[][..], values)
    };
    for four in fours {
        for k in 0..4 {
            sums[k] = added(sums[k], four[k]);
        }
    }
    for k in 0..remaining.len() {
        sums[k % 4] = added(sums[k % 4], remaining[k]);
    }
    sums
}

/// The largest number of terms in a short loop.
pub(super) const SHORT: usize = 32;

#[inline(always)]
pub(super) fn joined<S: RealField + Copy>(sums: [S; 4]) -> S {
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

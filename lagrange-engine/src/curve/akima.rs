//! The slopes of Akima's interpolation.

use super::chords::Chords;

/// The bends beside a point that count as none, beside the largest ones, as in SciPy.
const NONE: f64 = 1e-9;

/// The slope at each point: a mean of those of the chords beside it, each weighted by the bend on the other side.
pub(super) fn slopes(chords: &Chords) -> Vec<f64> {
    let inner = &chords.slopes[..];
    let count = inner.len();
    let mut slopes = vec![0.0; 2];
    slopes.extend(inner);
    slopes[1] = 2.0 * inner[0] - inner[1];
    slopes[0] = 2.0 * slopes[1] - inner[0];
    let beyond = 2.0 * inner[count - 1] - inner[count - 2];
    slopes.extend([beyond, 2.0 * beyond - inner[count - 1]]);
    let bend = |piece: usize| (slopes[piece + 1] - slopes[piece]).abs();
    let bends: Vec<f64> = (0..=count).map(|i| bend(i) + bend(i + 2)).collect();
    let most = bends.iter().fold(0.0, |most: f64, bend| most.max(*bend));
    bends
        .iter()
        .enumerate()
        .map(|(i, weights)| {
            if *weights > NONE * most {
                (bend(i + 2) * slopes[i + 1] + bend(i) * slopes[i + 2]) / weights
            } else {
                f64::midpoint(slopes[i], slopes[i + 3])
            }
        })
        .collect()
}

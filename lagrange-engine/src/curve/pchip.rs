//! The slopes of the monotone cubic interpolation.

use super::chords::Chords;

/// The slope at each point: a weighted harmonic mean of those of the chords beside it, and 0 where their signs differ.
pub(super) fn slopes(chords: &Chords) -> Vec<f64> {
    let (lengths, slopes) = (&chords.lengths, &chords.slopes);
    let last = slopes.len() - 1;
    if last == 0 {
        return vec![slopes[0]; 2];
    }
    let mut at_points = vec![at_end([lengths[0], lengths[1]], [slopes[0], slopes[1]])];
    for i in 0..last {
        let [left, right] = [slopes[i], slopes[i + 1]];
        let is_monotone = (left > 0.0 && right > 0.0) || (left < 0.0 && right < 0.0);
        let weights = [
            lengths[i] + 2.0 * lengths[i + 1],
            2.0 * lengths[i] + lengths[i + 1],
        ];
        at_points.push(match is_monotone {
            true => (weights[0] + weights[1]) / (weights[0] / left + weights[1] / right),
            false => 0.0,
        });
    }
    let lengths = [lengths[last], lengths[last - 1]];
    at_points.push(at_end(lengths, [slopes[last], slopes[last - 1]]));
    at_points
}

/// The slope at an end by three points, kept from changing the direction of the first chord.
fn at_end([first, second]: [f64; 2], [near, next]: [f64; 2]) -> f64 {
    let slope = ((2.0 * first + second) * near - first * next) / (first + second);
    if sign(slope) != sign(near) {
        0.0
    } else if sign(near) != sign(next) && slope.abs() > 3.0 * near.abs() {
        3.0 * near
    } else {
        slope
    }
}

fn sign(x: f64) -> i8 {
    i8::from(x > 0.0) - i8::from(x < 0.0)
}

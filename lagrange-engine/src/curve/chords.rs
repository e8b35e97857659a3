//! The chords of a curve, and the cubics between its points.

/// The lines from point to point.
pub(super) struct Chords {
    pub(super) lengths: Vec<f64>,
    pub(super) slopes: Vec<f64>,
}

impl Chords {
    pub(super) fn new(xs: &[f64], ys: &[f64]) -> Self {
        let differences = |values: &[f64]| -> Vec<f64> {
            values.windows(2).map(|pair| pair[1] - pair[0]).collect()
        };
        let (lengths, heights) = (differences(xs), differences(ys));
        let slopes = heights.iter().zip(&lengths);
        Self {
            slopes: slopes.map(|(height, length)| height / length).collect(),
            lengths,
        }
    }

    /// Cubics with these slopes at the points.
    pub(super) fn hermite(&self, ys: &[f64], slopes: &[f64]) -> Vec<[f64; 4]> {
        self.slopes
            .iter()
            .zip(&self.lengths)
            .enumerate()
            .map(|(i, (chord, length))| {
                let [left, right] = [slopes[i], slopes[i + 1]];
                let second = (3.0 * chord - 2.0 * left - right) / length;
                let third = (left + right - 2.0 * chord) / length / length;
                [ys[i], left, second, third]
            })
            .collect()
    }

    /// Cubics with continuous second derivatives, which are 0 at the ends.
    pub(super) fn natural_spline(&self, ys: &[f64]) -> Vec<[f64; 4]> {
        let (lengths, slopes) = (&self.lengths, &self.slopes);
        let inner = lengths.len() - 1;
        // Elimination from the left, and substitution from the right.
        let mut rows: Vec<[f64; 2]> = Vec::with_capacity(inner);
        for i in 0..inner {
            let [before, right_before] = if i == 0 { [0.0; 2] } else { rows[i - 1] };
            let pivot = 2.0 * (lengths[i] + lengths[i + 1]) - lengths[i] * before;
            let right = 6.0 * (slopes[i + 1] - slopes[i]) - lengths[i] * right_before;
            rows.push([lengths[i + 1] / pivot, right / pivot]);
        }
        let mut bends = vec![0.0; inner + 2];
        for i in (0..inner).rev() {
            bends[i + 1] = rows[i][1] - rows[i][0] * bends[i + 2];
        }
        (0..lengths.len())
            .map(|i| {
                let (length, [left, right]) = (lengths[i], [bends[i], bends[i + 1]]);
                let slope = slopes[i] - length * (2.0 * left + right) / 6.0;
                [ys[i], slope, left / 2.0, (right - left) / 6.0 / length]
            })
            .collect()
    }
}

//! Rows of a Jacobian that may depend on each other, for the interpreter.

use super::kernels::{dot, largest};

/// `J^T P = Q R` by Householder reflections. Each takes the row with the largest remainder, and puts its largest entry
/// first (Cox and Higham, "Stability of Householder QR factorization for weighted least squares problems", 1998).
pub(super) struct Rows {
    /// The number of rows that do not depend on those before them.
    pub(super) rank: usize,
    /// The row at each place.
    pub(super) order: Vec<usize>,
    /// Each row has its part of R up to the diagonal, followed by the normal of its reflection.
    rows: Vec<Vec<f64>>,
    /// The diagonal of R.
    images: Vec<f64>,
    /// 2 / w^2 for each normal w.
    factors: Vec<f64>,
    /// The column that each step exchanged with its own.
    swaps: Vec<usize>,
    /// True if each row has more than 1/256 of its length that is orthogonal to those before it, or only rounding errors.
    pub(super) is_clear: bool,
}

impl Rows {
    /// A row is dependent if at most `share` of its length is orthogonal to those before it.
    pub(super) fn new(rows: Vec<Vec<f64>>, share: f64) -> Self {
        let (c, n) = (rows.len(), rows.first().map_or(0, Vec::len));
        let rounding = 256.0 * (n + c) as f64 * f64::EPSILON;
        let mut this = Self {
            rank: 0,
            order: (0..c).collect(),
            rows,
            images: Vec::new(),
            factors: Vec::new(),
            swaps: Vec::new(),
            is_clear: true,
        };
        for k in 0..c {
            let (mut best, mut most) = (k, 0.0);
            for r in k..c {
                let left = this.square_from(r, k);
                if left > most {
                    (best, most) = (r, left);
                }
            }
            let fraction = (most / this.square_from(best, 0).max(0.25)).sqrt();
            this.is_clear &= fraction > 1.0 / 256.0 || fraction <= rounding;
            let is_independent = fraction > share;
            if !is_independent {
                break;
            }
            this.rows.swap(k, best);
            this.order.swap(k, best);
            this.reflect(k, most.sqrt());
            this.rank += 1;
        }
        this
    }

    /// The square of a row from a column on.
    fn square_from(&self, row: usize, column: usize) -> f64 {
        let left = self.rows[row].get(column..).unwrap_or_default();
        dot(left, left)
    }

    fn reflect(&mut self, k: usize, length: f64) {
        let mut coordinate = k;
        for (i, entry) in self.rows[k].iter().enumerate().skip(k) {
            if entry.abs() > self.rows[k][coordinate].abs() {
                coordinate = i;
            }
        }
        for row in &mut self.rows[k..] {
            row.swap(k, coordinate);
        }
        // The sign without cancellation.
        let image = if self.rows[k][k] < 0.0 {
            length
        } else {
            -length
        };
        self.rows[k][k] -= image;
        let factor = 2.0 / self.square_from(k, k);
        let (above, below) = self.rows.split_at_mut(k + 1);
        let normal = &above[k][k..];
        for row in below {
            let along = factor * dot(normal, &row[k..]);
            for (entry, w) in row[k..].iter_mut().zip(normal) {
                *entry -= along * w;
            }
        }
        self.swaps.push(coordinate);
        self.images.push(image);
        self.factors.push(factor);
    }

    /// Q x
    fn rotate(&self, mut x: Vec<f64>) -> Vec<f64> {
        for k in (0..self.rank).rev() {
            let normal = &self.rows[k][k..];
            let along = self.factors[k] * dot(normal, &x[k..]);
            for (entry, w) in x[k..].iter_mut().zip(normal) {
                *entry -= along * w;
            }
            x.swap(k, self.swaps[k]);
        }
        x
    }

    /// An orthonormal basis of the directions that the independent rows leave free, the largest entry of each column
    /// positive, and the pseudo-inverse of these rows before they were multiplied by `scales`; both row by row.
    pub(super) fn null_space(&self, n: usize, scales: &[f64]) -> [Vec<f64>; 2] {
        let rank = self.rank;
        let free = (rank..n).map(|k| {
            let mut x = vec![0.0; n];
            x[k] = 1.0;
            let x = self.rotate(x);
            let first = x.iter().find(|entry| entry.abs() == largest(&x));
            let sign = if first < Some(&0.0) { -1.0 } else { 1.0 };
            x.iter().map(|entry| sign * entry).collect()
        });
        let bound = scales.iter().enumerate().map(|(row, scale)| {
            let mut x = vec![0.0; n];
            for k in 0..rank {
                let right = if self.order[k] == row { *scale } else { 0.0 };
                x[k] = (right - dot(&self.rows[k][..k], &x)) / self.images[k];
            }
            self.rotate(x)
        });
        let of_rows = |columns: Vec<Vec<f64>>| {
            (0..n)
                .flat_map(|i| columns.iter().map(move |column| column[i]))
                .collect()
        };
        [of_rows(free.collect()), of_rows(bound.collect())]
    }

    /// The rows of T in the order of the dependent rows: those of J are T times the independent ones.
    pub(super) fn dependence(&self) -> Vec<Vec<f64>> {
        let rank = self.rank;
        self.rows[rank..]
            .iter()
            .map(|row| {
                let mut t = vec![0.0; rank];
                for k in (0..rank).rev() {
                    let above = (k + 1..rank).map(|i| t[i] * self.rows[i][k]);
                    t[k] = (row[k] - above.sum::<f64>()) / self.images[k];
                }
                t
            })
            .collect()
    }
}

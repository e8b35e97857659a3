//! The dense operation `Solve` by L D L^T without pivoting.

/// The fraction of its diagonal entry that a regular pivot of L D L^T exceeds: sqrt(n eps), rounded to a power of two.
pub(crate) fn threshold(n: usize, eps: f64) -> f64 {
    if n == 0 {
        return 0.0;
    }
    let exponent = (n as f64 * eps).log2().floor();
    2.0_f64.powi((exponent as i32).div_euclid(2))
}

/// The factors of the symmetric matrix [M J^T; J 0], scaled.
pub(super) struct Ldlt {
    n: usize,
    /// L below the diagonal, D on it.
    factors: Vec<f64>,
    scales: Vec<f64>,
}

impl Ldlt {
    /// The factors, by the lower triangle; `None` if a pivot of M, or of J M^-1 J^T, is not regular.
    pub(super) fn new(matrix: &[f64], scales: &[f64], n: usize) -> Option<Self> {
        let size = scales.len();
        let mut factors = vec![0.0; size * size];
        for i in 0..size {
            for j in 0..i {
                let mut sum = matrix[i * size + j] * scales[i] * scales[j];
                for k in 0..j {
                    sum -= factors[i * size + k] * factors[j * size + k];
                }
                factors[i * size + j] = sum;
            }
            let entry = matrix[i * size + i] * scales[i] * scales[i];
            let (mut pivot, mut diagonal) = (entry, entry);
            for k in 0..i {
                if k == n {
                    diagonal = pivot;
                }
                let product = factors[i * size + k];
                let factor = product / factors[k * size + k];
                pivot -= product * factor;
                factors[i * size + k] = factor;
            }
            if i == n {
                diagonal = pivot;
            }
            // Pivots of J M^-1 J^T have the other sign.
            let (sign, count) = if i < n { (1.0, n) } else { (-1.0, size - n) };
            let is_regular = sign * pivot > threshold(count, f64::EPSILON) * (sign * diagonal);
            if !is_regular {
                return None;
            }
            factors[i * size + i] = pivot;
        }
        let scales = scales.to_vec();
        Some(Self { n, factors, scales })
    }

    /// a and lambda.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let size = right.len();
        let mut x: Vec<f64> = right.iter().zip(&self.scales).map(|(r, s)| r * s).collect();
        for i in 0..size {
            for j in 0..i {
                x[i] -= self.factors[i * size + j] * x[j];
            }
        }
        for i in (0..size).rev() {
            x[i] /= self.factors[i * size + i];
            for k in i + 1..size {
                x[i] -= self.factors[k * size + i] * x[k];
            }
        }
        for (i, (x, scale)) in x.iter_mut().zip(&self.scales).enumerate() {
            *x *= if i < self.n { *scale } else { -scale };
        }
        x
    }
}

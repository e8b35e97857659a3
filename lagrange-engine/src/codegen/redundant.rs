//! Dense operations for rows that may depend on each other.

use super::kernels::{LEAST_TERMS, Saddle, dot, largest, power};
use super::routine::RoutineError;
use super::rows::Rows;

/// The fraction of a dependent row that may be orthogonal to others, and the residual of a dependent row that holds,
/// relative to the terms: sqrt(eps).
const DEPENDENT: f64 = 1.0 / 67_108_864.0;

/// The equations with the independent rows of J. Lengths are measured with each coordinate in units of the square root
/// of its inertia.
pub(super) struct Redundant {
    n: usize,
    jacobian: Vec<f64>,
    /// The matrix, with the equation lambda = 0 in place of each dependent row.
    matrix: Saddle,
    pub(super) rows: Rows,
    /// The scales of the rows of J. A row of zeros has that of the largest row.
    scales: Vec<f64>,
    /// True if a force depends on a multiplier that the rows do not determine.
    is_undetermined: bool,
}

impl Redundant {
    /// `forces` is K; without it K is J^T.
    pub(super) fn new(
        (n, c): (usize, usize),
        mass: &[f64],
        jacobian: &[f64],
        forces: Option<&[f64]>,
    ) -> Self {
        let mut matrix = Saddle::new((n, c), mass, jacobian, forces);
        let scales = matrix.scales();
        let scaled = (0..c).map(|k| {
            let row = jacobian[k * n..][..n].iter().zip(&scales);
            row.map(|(x, scale)| x * scale * scales[n + k]).collect()
        });
        let scaled: Vec<Vec<f64>> = scaled.collect();
        let is_zero = |k: usize| scaled[k].iter().all(|x| *x == 0.0);
        let others = (0..c).filter(|k| !is_zero(*k)).map(|k| scales[n + k]);
        let least = others.reduce(f64::min).unwrap_or(1.0);
        let scale = |k| if is_zero(k) { least } else { scales[n + k] };
        let scales = (0..c).map(scale).collect();
        let rows = Rows::new(scaled, DEPENDENT);
        let has_force = |k: usize| {
            let entries = forces.into_iter().flat_map(|forces| forces.iter().skip(k));
            let mut pairs = entries.step_by(c.max(1)).zip(&jacobian[k * n..]);
            pairs.any(|(force, entry)| force != entry)
        };
        let (independent, dependent) = rows.order.split_at(rows.rank);
        let mut combined = dependent.iter().zip(rows.dependence());
        let is_undetermined = combined.any(|(row, parts)| {
            let mut parts = independent.iter().zip(parts);
            has_force(*row) || parts.any(|(k, part)| part.abs() > DEPENDENT && has_force(*k))
        });
        matrix.leave_out(dependent);
        Self {
            n,
            jacobian: jacobian.to_vec(),
            matrix,
            rows,
            scales,
            is_undetermined,
        }
    }

    /// a and lambda of the independent rows for each row of right-hand sides, or if it `spreads` the least lambda of all
    /// rows.
    pub(super) fn solve(
        &self,
        forces: &[f64],
        rates: &[f64],
        (is_checked, spreads): (bool, bool),
    ) -> Result<[Vec<f64>; 2], RoutineError> {
        let c = self.scales.len();
        if is_checked && !rates.iter().all(|x| x.is_finite()) {
            return Err(RoutineError::NotFinite);
        }
        if is_checked && self.is_undetermined {
            return Err(RoutineError::DependentConstraints);
        }
        let mut held = rates.to_vec();
        for rates in held.chunks_mut(c.max(1)) {
            for k in &self.rows.order[self.rows.rank..] {
                rates[*k] = 0.0;
            }
        }
        let [a, mut lambda] = self.matrix.solve(forces, &held, is_checked)?;
        if spreads && self.rows.rank < c {
            let all = a.chunks(self.n.max(1)).zip(rates.chunks(c));
            for ((a, rates), lambda) in all.zip(lambda.chunks_mut(c)) {
                let terms = |k: usize| rates[k].abs() + self.terms(k, a);
                let left = |k: usize| rates[k] - dot(&self.jacobian[k * self.n..], a);
                if is_checked && !self.hold(left, terms) {
                    return Err(RoutineError::DependentConstraints);
                }
                self.spread(lambda);
            }
        }
        Ok([a, lambda])
    }

    /// Returns whether the rank is clear, and the rates of all rows are zero for the velocities v.
    pub(super) fn is_clear(&self, v: &[f64], rates: &[f64]) -> bool {
        let is_full = self.rows.rank == self.scales.len();
        self.rows.is_clear && (is_full || self.hold(|k| rates[k], |k| self.terms(k, v)))
    }

    /// The sum of the absolute values of the products of row k and x.
    fn terms(&self, k: usize, x: &[f64]) -> f64 {
        let row = self.jacobian[k * self.n..].iter().zip(x);
        row.map(|(entry, x)| (entry * x).abs()).sum()
    }

    /// Returns whether all residuals are small beside the largest terms.
    fn hold(&self, left: impl Fn(usize) -> f64, terms: impl Fn(usize) -> f64) -> bool {
        let scales = self.scales.iter().enumerate();
        let sizes = scales
            .clone()
            .map(|(k, scale)| terms(k) * scale)
            .fold(0.0, f64::max)
            + LEAST_TERMS;
        scales
            .map(|(k, scale)| (left(k) * scale).abs())
            .all(|left| left <= DEPENDENT * sizes)
    }

    /// Spreads the multipliers mu of the independent rows over all rows: with T J_1 for the dependent rows, the least
    /// ones with the same J^T lambda are `(I + T^T T)^-1 mu`, and T times these.
    fn spread(&self, lambda: &mut [f64]) {
        let (rank, order) = (self.rows.rank, &self.rows.order);
        let mut dependence = self.rows.dependence();
        for (row, d) in dependence.iter_mut().zip(&order[rank..]) {
            for (entry, k) in row.iter_mut().zip(order) {
                *entry *= self.scales[*k] / self.scales[*d];
            }
        }
        // L L^T = I + T^T T
        let mut lower = vec![vec![0.0; rank]; rank];
        let mut least: Vec<f64> = order[..rank].iter().map(|k| lambda[*k]).collect();
        for i in 0..rank {
            for j in 0..=i {
                let product = dependence.iter().map(|row| row[i] * row[j]);
                let sum = product.sum::<f64>() + f64::from(u8::from(i == j));
                let left = sum - dot(&lower[i][..j], &lower[j][..j]);
                lower[i][j] = if i == j {
                    left.sqrt()
                } else {
                    left / lower[j][j]
                };
            }
            least[i] = (least[i] - dot(&lower[i][..i], &least)) / lower[i][i];
        }
        for i in (0..rank).rev() {
            let below = (i + 1..rank).map(|k| lower[k][i] * least[k]);
            least[i] = (least[i] - below.sum::<f64>()) / lower[i][i];
        }
        for (place, k) in order.iter().enumerate() {
            lambda[*k] = match dependence.get(place.wrapping_sub(rank)) {
                Some(row) if place >= rank => dot(row, &least),
                _ => least[place],
            };
        }
    }
}

/// An orthonormal basis of the directions that rows of J leave free, the largest entry of each column positive, and the
/// pseudo-inverse of independent rows; both row by row. `None` if the rank of J is another one.
pub(super) fn null_space(jacobian: &[f64], n: usize, rank: usize) -> Option<[Vec<f64>; 2]> {
    let rows = jacobian.chunks(n.max(1));
    let scales: Vec<f64> = rows.clone().map(|row| power(largest(row), 1.0)).collect();
    let c = scales.len();
    let scaled = rows.zip(&scales);
    let scaled = scaled.map(|(row, scale)| row.iter().map(|x| x * scale).collect());
    let share = match rank < c {
        true => DEPENDENT,
        false => 4.0 * (n + c) as f64 * f64::EPSILON,
    };
    let rows = Rows::new(scaled.collect(), share);
    (rows.rank == rank).then(|| rows.null_space(n, &scales))
}

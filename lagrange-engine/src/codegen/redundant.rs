//! Dense operations for rows that may depend on each other.

use super::kernels::{LEAST_TERMS, Refused, Saddle, dot, first_dependent_row, largest, power};
use super::routine::{Equations, RoutineError};
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
    /// The scales of coordinates, and of the rows of J. A row that is none has the scale of the largest row.
    coordinates: Vec<f64>,
    scales: Vec<f64>,
    equations: Equations,
    /// The first dependent row with a force by a multiplier that the rows do not determine.
    undetermined: Option<usize>,
}

impl Redundant {
    /// `forces` is K; without it K is J^T.
    pub(super) fn new(
        (n, c): (usize, usize),
        (mass, jacobian): (&[f64], &[f64]),
        forces: Option<&[f64]>,
        equations: Equations,
    ) -> Self {
        let mut matrix = Saddle::new((n, c), mass, jacobian, forces);
        let mut coordinates = matrix.scales();
        let mut scales = coordinates.split_off(n);
        let is_none = rows_that_are_none(jacobian, &coordinates);
        let least = scales
            .iter()
            .zip(&is_none)
            .filter(|(_, is_none)| !**is_none)
            .map(|(scale, _)| *scale)
            .reduce(f64::min);
        for (scale, is_none) in scales.iter_mut().zip(is_none) {
            if is_none {
                *scale = least.unwrap_or(1.0);
            }
        }
        let scaled = jacobian.chunks(n.max(1)).zip(&scales).map(|(row, size)| {
            row.iter()
                .zip(&coordinates)
                .map(|(x, scale)| x * scale * size)
                .collect()
        });
        let share = match equations {
            Equations::LeastSquares { is_coarse: true } => DEPENDENT.sqrt(),
            _ => DEPENDENT,
        };
        let rows = Rows::new(scaled.collect(), share);
        let has_force = |k: usize| {
            forces
                .into_iter()
                .flat_map(|forces| forces.iter().skip(k))
                .step_by(c.max(1))
                .zip(&jacobian[k * n..])
                .any(|(force, entry)| force != entry)
        };
        let (independent, dependent) = rows.order.split_at(rows.rank);
        let undetermined = dependent
            .iter()
            .zip(rows.dependence())
            .filter(|(row, parts)| {
                let mut parts = independent.iter().zip(parts);
                has_force(**row) || parts.any(|(k, part)| part.abs() > DEPENDENT && has_force(*k))
            })
            .map(|(row, _)| *row)
            .min();
        matrix.leave_out(dependent);
        Self {
            n,
            jacobian: jacobian.to_vec(),
            matrix,
            rows,
            coordinates,
            scales,
            equations,
            undetermined,
        }
    }

    /// a and lambda of the independent rows for each row of right-hand sides, or if the equations spread them, the least
    /// lambda of all rows.
    pub(super) fn solve(
        &self,
        forces: &[f64],
        rates: &[f64],
        is_checked: bool,
    ) -> Result<[Vec<f64>; 2], Refused> {
        let c = self.scales.len();
        if is_checked && !rates.iter().all(|x| x.is_finite()) {
            return Err(RoutineError::NotFinite.into());
        }
        if let Some(row) = self.undetermined.filter(|_| is_checked) {
            return Err(Refused::dependent(row));
        }
        let mut held = rates.to_vec();
        for rates in held.chunks_mut(c.max(1)) {
            if matches!(self.equations, Equations::LeastSquares { .. }) {
                self.gather_rates(rates);
            }
            for k in &self.rows.order[self.rows.rank..] {
                rates[*k] = 0.0;
            }
        }
        let [a, mut lambda] = self.matrix.solve(forces, &held, is_checked)?;
        if self.equations.spreads() && self.rows.rank < c {
            for ((a, rates), lambda) in a
                .chunks(self.n.max(1))
                .zip(rates.chunks(c))
                .zip(lambda.chunks_mut(c))
            {
                let left = |k: usize| rates[k] - dot(&self.jacobian[k * self.n..], a);
                let violated = self.find_violated(left, |k| rates[k], a);
                if let Some(row) = violated.filter(|_| is_checked) {
                    return Err(Refused::dependent(row));
                }
                self.spread_multipliers(lambda);
            }
        }
        Ok([a, lambda])
    }

    /// Returns whether the rank is clear, and the rates of all rows are rounding errors for the velocities v. If only some
    /// of the states beside the constraints were moved onto them, accelerations would jump.
    pub(super) fn is_clear(&self, v: &[f64], rates: &[f64]) -> bool {
        let is_full = self.rows.rank == self.scales.len();
        let left = |k: usize| rates[k] / (256.0 * DEPENDENT);
        self.rows.is_clear && (is_full || self.find_violated(left, |_| 0.0, v).is_none())
    }

    /// The first row whose residual is not small beside the largest row times x, or the largest rate. A dependent row comes
    /// before others, whose equations were solved.
    fn find_violated(
        &self,
        left: impl Fn(usize) -> f64,
        rate: impl Fn(usize) -> f64,
        x: &[f64],
    ) -> Option<usize> {
        let motion = x
            .iter()
            .zip(&self.coordinates)
            .fold(0.0_f64, |most, (x, scale)| most.max((x / scale).abs()));
        let sizes = self.scales.iter().enumerate().map(|(k, scale)| {
            let size = self.jacobian[k * self.n..]
                .iter()
                .zip(&self.coordinates)
                .map(|(x, scale)| (x * scale).abs())
                .sum::<f64>();
            scale * (size * motion + rate(k).abs())
        });
        let limit = DEPENDENT * (sizes.fold(0.0, f64::max) + LEAST_TERMS);
        let holds = |k: usize| (left(k) * self.scales[k]).abs() <= limit;
        let (independent, dependent) = self.rows.order.split_at(self.rows.rank);
        let first = |rows: &[usize]| rows.iter().copied().filter(|k| !holds(*k)).min();
        first(dependent).or_else(|| first(independent))
    }

    /// Spreads the multipliers mu of the independent rows over all rows: with T J_1 for the dependent rows, the least
    /// ones with the same J^T lambda are `(I + T^T T)^-1 mu`, and T times these.
    fn spread_multipliers(&self, lambda: &mut [f64]) {
        let (rank, order) = (self.rows.rank, &self.rows.order);
        let combinations = self.combinations();
        let right = order[..rank].iter().map(|k| lambda[*k]);
        let least = solve_normal(&combinations, right.collect());
        for (place, k) in order.iter().enumerate() {
            lambda[*k] = match combinations.get(place.wrapping_sub(rank)) {
                Some(row) if place >= rank => dot(row, &least),
                _ => least[place],
            };
        }
    }

    /// Gathers the rates of all rows in those of the independent rows, for which all rows are met in least squares:
    /// `(I + T^T T)^-1 (gamma_1 + T^T gamma_2)`.
    fn gather_rates(&self, rates: &mut [f64]) {
        let (independent, dependent) = self.rows.order.split_at(self.rows.rank);
        let combinations = self.combinations();
        let right = independent.iter().enumerate().map(|(i, k)| {
            let dependent_rows = dependent.iter().zip(&combinations);
            rates[*k]
                + dependent_rows
                    .map(|(d, row)| rates[*d] * row[i])
                    .sum::<f64>()
        });
        let least = solve_normal(&combinations, right.collect());
        for (k, rate) in independent.iter().zip(least) {
            rates[*k] = rate;
        }
    }

    /// The rows of T.
    fn combinations(&self) -> Vec<Vec<f64>> {
        let mut combinations = self.rows.dependence();
        for (row, d) in combinations
            .iter_mut()
            .zip(&self.rows.order[self.rows.rank..])
        {
            for (entry, k) in row.iter_mut().zip(&self.rows.order) {
                *entry *= self.scales[*k] / self.scales[*d];
            }
        }
        combinations
    }
}

/// The solution of `(I + T^T T) x = right`, by L L^T.
fn solve_normal(combinations: &[Vec<f64>], mut x: Vec<f64>) -> Vec<f64> {
    let rank = x.len();
    let mut lower = vec![vec![0.0; rank]; rank];
    for i in 0..rank {
        for j in 0..=i {
            let sum = combinations.iter().map(|row| row[i] * row[j]).sum::<f64>()
                + f64::from(u8::from(i == j));
            let left = sum - dot(&lower[i][..j], &lower[j][..j]);
            lower[i][j] = if i == j {
                left.sqrt()
            } else {
                left / lower[j][j]
            };
        }
        x[i] = (x[i] - dot(&lower[i][..i], &x)) / lower[i][i];
    }
    for i in (0..rank).rev() {
        let below = (i + 1..rank).map(|k| lower[k][i] * x[k]);
        x[i] = (x[i] - below.sum::<f64>()) / lower[i][i];
    }
    x
}

/// Which rows of J have, with each coordinate in its unit, at most `sqrt(eps)` of the size of the largest row.
fn rows_that_are_none(jacobian: &[f64], coordinates: &[f64]) -> Vec<bool> {
    let size = |row: &[f64]| {
        row.iter()
            .zip(coordinates)
            .fold(0.0_f64, |most, (x, scale)| most.max((x * scale).abs()))
    };
    let sizes: Vec<f64> = jacobian
        .chunks(coordinates.len().max(1))
        .map(size)
        .collect();
    let least = DEPENDENT * largest(&sizes);
    sizes.iter().map(|size| *size <= least).collect()
}

/// The sizes of the rows of J, and the largest residuals with which rows agree: see [`Kernel::Agreement`].
///
/// [`Kernel::Agreement`]: super::routine::Kernel::Agreement
pub(super) fn agreement(
    (n, c): (usize, usize),
    (mass, jacobian): (&[f64], &[f64]),
    limits: &[f64],
) -> [Vec<f64>; 2] {
    let mut coordinates = Saddle::new((n, c), mass, jacobian, None).scales();
    coordinates.truncate(n);
    let is_none = rows_that_are_none(jacobian, &coordinates);
    let sizes: Vec<f64> = jacobian.chunks(n.max(1)).map(largest).collect();
    let counted = |values: &[f64], unit: f64| {
        let most = largest(values);
        values
            .iter()
            .zip(&is_none)
            .map(|(value, is_none)| unit * if *is_none { most } else { *value })
            .collect()
    };
    // A limit is four roundings of each operation on a length, and the lengths of a short linkage pass through eight.
    [
        counted(&sizes, 1.0),
        counted(limits, DEPENDENT / (16.0 * f64::EPSILON)),
    ]
}

/// An orthonormal basis of the directions that rows of J leave free, the largest entry of each column positive, and the
/// pseudo-inverse of independent rows; both row by row. The rank of J must be this one.
pub(super) fn null_space(
    jacobian: &[f64],
    n: usize,
    rank: usize,
) -> Result<[Vec<f64>; 2], Refused> {
    let rows = jacobian.chunks(n.max(1));
    let sizes: Vec<f64> = rows.clone().map(largest).collect();
    let c = sizes.len();
    let most = largest(&sizes);
    // A row that is none beside the others is not enlarged.
    let least = if rank < c { DEPENDENT * most } else { 0.0 };
    let scales: Vec<f64> = sizes
        .iter()
        .map(|size| if *size > least { *size } else { most })
        .map(|size| power(size, 1.0))
        .collect();
    let scaled = rows
        .zip(&scales)
        .map(|(row, scale)| row.iter().map(|x| x * scale).collect());
    let share = match rank < c {
        true => DEPENDENT,
        false => 4.0 * (n + c) as f64 * f64::EPSILON,
    };
    let rows = Rows::new(scaled.collect(), share);
    if rows.rank != rank {
        let first = first_dependent_row(jacobian, &vec![1.0; n]);
        return Err(Refused::dependent(first.unwrap_or(rank)));
    }
    Ok(rows.null_space(n, &scales))
}

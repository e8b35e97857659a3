//! The dense operations of routines, for the interpreter. A backend has the same algorithms as text.

use super::acceptance::ACCEPTED;
use super::ldlt::Ldlt;
use super::routine::RoutineError;

/// The most steps of iterative refinement.
const MOST_STEPS: usize = 30;

/// A backward error, in eps, that no step of refinement reduces.
const GOOD: f64 = 3.0;

/// Terms below this count as this: their rounding errors underflow.
pub(super) const LEAST_TERMS: f64 = 1e-290;

/// The reason why a dense operation has no result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refused {
    pub(super) error: RoutineError,
    /// The first row of J that depends on others, if that is the reason.
    pub(super) row: Option<usize>,
}

impl Refused {
    pub(super) fn dependent(row: usize) -> Self {
        Self {
            error: RoutineError::DependentConstraints,
            row: Some(row),
        }
    }
}

impl From<RoutineError> for Refused {
    fn from(error: RoutineError) -> Self {
        Self { error, row: None }
    }
}

/// The matrix [M -K; J 0], where K is J^T unless forces depend on multipliers, and its factors by Gaussian elimination
/// with complete pivoting (Golub and Van Loan, *Matrix Computations*, 4th ed., section 3.4.8), scaled by powers of two.
pub(super) struct Saddle {
    n: usize,
    c: usize,
    /// The matrix itself.
    matrix: Vec<f64>,
    jacobian: Vec<f64>,
    is_finite: bool,
    /// True if K is J^T.
    is_symmetric: bool,
    /// True if dependent rows were left out.
    is_independent: bool,
}

struct Factors {
    lu: Vec<f64>,
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// The scales of rows and of columns.
    scales: [Vec<f64>; 2],
    is_singular: bool,
}

impl Saddle {
    /// `forces` is K; without it K is J^T.
    pub(super) fn new(
        (n, c): (usize, usize),
        mass: &[f64],
        jacobian: &[f64],
        forces: Option<&[f64]>,
    ) -> Self {
        let size = n + c;
        let mut matrix = vec![0.0; size * size];
        for i in 0..n {
            for j in 0..n {
                matrix[i * size + j] = mass[i * n + j];
            }
            for k in 0..c {
                let force = forces.map_or(jacobian[k * n + i], |forces| forces[i * c + k]);
                matrix[i * size + n + k] = -force;
                matrix[(n + k) * size + i] = jacobian[k * n + i];
            }
        }
        let is_finite = matrix.iter().all(|x| x.is_finite());
        Self {
            n,
            c,
            matrix,
            jacobian: jacobian.to_vec(),
            is_finite,
            is_symmetric: forces.is_none(),
            is_independent: false,
        }
    }

    /// Puts the equation lambda = 0 in place of these rows of J.
    pub(super) fn leave_out(&mut self, rows: &[usize]) {
        self.is_independent = true;
        let size = self.n + self.c;
        for row in rows.iter().map(|row| self.n + row) {
            for i in 0..size {
                self.matrix[row * size + i] = 0.0;
                self.matrix[i * size + row] = 0.0;
            }
            self.matrix[row * size + row] = -1.0;
            self.jacobian[(row - self.n) * self.n..][..self.n].fill(0.0);
        }
    }

    /// a and lambda for each row of right-hand sides.
    pub(super) fn solve(
        &self,
        forces: &[f64],
        rates: &[f64],
        is_checked: bool,
    ) -> Result<[Vec<f64>; 2], Refused> {
        let (n, c, size) = (self.n, self.c, self.n + self.c);
        let count = forces.len() / n.max(1);
        let mut right_sides = forces.iter().chain(rates);
        if is_checked && !(self.is_finite && right_sides.all(|x| x.is_finite())) {
            return Err(RoutineError::NotFinite.into());
        }
        let unpivoted = self
            .is_symmetric
            .then(|| Ldlt::new(&self.matrix, &self.scales(), n))
            .flatten();
        let mut pivoted = None;
        let (mut accelerations, mut multipliers) = (Vec::new(), Vec::new());
        for at in 0..count {
            let right = [&forces[at * n..][..n], &rates[at * c..][..c]].concat();
            let solution = unpivoted
                .as_ref()
                .filter(|_| pivoted.is_none())
                .map(|factors| self.refined(&|right| factors.solve(right), &right));
            let is_met = |(x, error): &(Vec<f64>, f64)| {
                *error <= ACCEPTED && x.iter().all(|x| x.is_finite())
            };
            let (x, error) = match solution.filter(is_met) {
                Some(solution) => solution,
                None => {
                    let factors = match pivoted.take() {
                        Some(factors) => factors,
                        None => self.pivoted(is_checked)?,
                    };
                    let factors = pivoted.insert(factors);
                    self.refined(&|right| factors.solve(right), &right)
                }
            };
            if is_checked && !x.iter().all(|x| x.is_finite()) {
                return Err(RoutineError::NotFinite.into());
            }
            // NaN is refused, too.
            let is_accepted = error <= ACCEPTED;
            if is_checked && !is_accepted {
                return Err(RoutineError::SingularMassMatrix.into());
            }
            accelerations.extend(&x[..n]);
            multipliers.extend(&x[n..size]);
        }
        Ok([accelerations, multipliers])
    }

    /// The solution by the factors and by iterative refinement, and its backward error in eps.
    ///
    /// After two steps only equations that are not met are refined: rounding errors of large terms would keep small
    /// ones from converging.
    fn refined(&self, solve: &dyn Fn(&[f64]) -> Vec<f64>, right: &[f64]) -> (Vec<f64>, f64) {
        let mut x = solve(right);
        let (mut residual, mut error) = self.residual(right, &x, None);
        let mut last = f64::INFINITY;
        for step in 0..MOST_STEPS {
            if error <= GOOD {
                break;
            }
            let change = solve(&residual);
            let next: Vec<f64> = x.iter().zip(&change).map(|(x, d)| x + d).collect();
            let met = match step {
                0 => None,
                1 => Some(GOOD),
                _ => Some(ACCEPTED / 2.0),
            };
            let (left, remaining) = self.residual(right, &next, met);
            let [size, largest] = [&change, &next].map(|x| largest(x));
            // Values that should be zero become smaller with each step, at the same backward error.
            let shrinks = step < 4 || size <= (f64::EPSILON * largest).max(last / 2.0);
            if !(remaining < error || shrinks) {
                break;
            }
            last = size;
            (x, residual, error) = (next, left, remaining);
        }
        (x, error)
    }

    /// The residuals of the equations at x, and the largest backward error, in eps (Oettli and Prager 1964). Residuals
    /// of equations that are met, to `met` eps, become zero.
    fn residual(&self, right: &[f64], x: &[f64], met: Option<f64>) -> (Vec<f64>, f64) {
        let size = self.n + self.c;
        let mut largest = 0.0_f64;
        let residual = (0..size).map(|i| {
            let (mut left, mut terms) = (right[i], right[i].abs() + LEAST_TERMS);
            for j in 0..size {
                let product = self.matrix[i * size + j] * x[j];
                left -= product;
                terms += product.abs();
            }
            let error = left.abs() / (f64::EPSILON * terms);
            let is_smaller = error <= largest;
            if !is_smaller {
                largest = error;
            }
            match met {
                Some(met) if error <= met => 0.0,
                _ => left,
            }
        });
        (residual.collect(), largest)
    }

    /// The factors with pivoting, and the errors of the matrix.
    fn pivoted(&self, is_checked: bool) -> Result<Factors, Refused> {
        if is_checked && !self.is_independent {
            let scales = self.scales();
            if let Some(row) = first_dependent_row(&self.jacobian, &scales[..self.n]) {
                return Err(Refused::dependent(row));
            }
        }
        let factors = self.factors();
        if is_checked && factors.is_singular {
            return Err(RoutineError::SingularMassMatrix.into());
        }
        Ok(factors)
    }

    /// Complete pivoting within the rows of J, which come first, and then within the others: so a row of which only a small
    /// share is orthogonal to others has this share as its pivot, and not the square.
    fn factors(&self) -> Factors {
        let (n, c, size) = (self.n, self.c, self.n + self.c);
        let scales = self.scales();
        let scales = [scales.clone(), self.column_scales(scales)];
        let rows: Vec<usize> = (n..size).chain(0..n).collect();
        let entries = rows.iter().flat_map(|row| {
            self.matrix[row * size..][..size]
                .iter()
                .zip(&scales[1])
                .map(|(entry, scale)| entry * scales[0][*row] * scale)
        });
        let mut factors = Factors {
            lu: entries.collect(),
            rows,
            columns: (0..size).collect(),
            scales,
            is_singular: false,
        };
        let lu = &mut factors.lu;
        // All significant entries of the scaled matrix are about 1.
        let tolerance = 8.0 * n as f64 * f64::EPSILON;
        for k in 0..size {
            let (mut row, mut column, mut most) = (k, k, -1.0);
            for i in k..if k < c { c } else { size } {
                for j in k..size {
                    if lu[i * size + j].abs() > most {
                        (row, column, most) = (i, j, lu[i * size + j].abs());
                    }
                }
            }
            // NaN counts as singular.
            let is_regular = most > if k < c { 0.0 } else { tolerance };
            factors.is_singular |= !is_regular;
            for j in 0..size {
                lu.swap(k * size + j, row * size + j);
            }
            for i in 0..size {
                lu.swap(i * size + k, i * size + column);
            }
            factors.rows.swap(k, row);
            factors.columns.swap(k, column);
            for i in k + 1..size {
                let factor = lu[i * size + k] / lu[k * size + k];
                lu[i * size + k] = factor;
                for j in k + 1..size {
                    lu[i * size + j] -= factor * lu[k * size + j];
                }
            }
        }
        factors
    }

    /// Powers of two that bring the diagonal of M, and the largest entry of each row of J, to about 1.
    pub(super) fn scales(&self) -> Vec<f64> {
        let (n, c, size) = (self.n, self.c, self.n + self.c);
        let mut scales = vec![1.0; size];
        for i in 0..n {
            let row = &self.matrix[i * size..][..n];
            let largest = largest(row);
            let diagonal = row[i].abs();
            scales[i] = if diagonal > 0.0 {
                power(diagonal, 2.0)
            } else {
                power(largest, 1.0)
            };
        }
        for k in 0..c {
            let largest = self.jacobian[k * n..][..n]
                .iter()
                .zip(&scales)
                .fold(0.0_f64, |most, (x, scale)| most.max((x * scale).abs()));
            scales[n + k] = power(largest, 1.0);
        }
        scales
    }

    /// The scales of columns by those of rows: each column of K gets a largest entry of about 1, too.
    fn column_scales(&self, mut scales: Vec<f64>) -> Vec<f64> {
        let (n, size) = (self.n, self.n + self.c);
        for k in n..size {
            let column = (0..n).map(|i| (self.matrix[i * size + k] * scales[i]).abs());
            scales[k] = power(column.fold(0.0, f64::max), 1.0);
        }
        scales
    }
}

/// J with zeros for each row whose entries are rounding errors by their bounds.
pub(super) fn significant(jacobian: &[f64], bounds: &[f64], c: usize) -> Vec<f64> {
    let n = jacobian.len() / c.max(1);
    let unit = (n + c) as f64 * f64::EPSILON;
    let rows = jacobian
        .chunks(n.max(1))
        .zip(bounds.chunks(n.max(1)))
        .flat_map(|(row, bounds)| {
            let mut entries = row.iter().zip(bounds);
            // A bound that overflows is useless.
            let is_rounding =
                entries.all(|(x, bound)| x.abs() <= unit * bound && bound.is_finite());
            let kept = |x: &f64| if is_rounding { 0.0 } else { *x };
            row.iter().map(kept).collect::<Vec<f64>>()
        });
    rows.collect()
}

/// The largest residuals that count as rounding errors by their bounds.
pub(super) fn limits(bounds: &[f64]) -> Vec<f64> {
    // Below the least normal number rounding is no longer relative.
    let limit = |bound: &f64| 2.0 * f64::EPSILON * bound + f64::MIN_POSITIVE;
    let finite = |limit: f64| if limit.is_finite() { limit } else { 0.0 };
    bounds.iter().map(limit).map(finite).collect()
}

/// The wanted changes of residuals: none of those within their limits.
pub(super) fn changes(residuals: &[f64], limits: &[f64]) -> Vec<f64> {
    let pairs = residuals.iter().zip(limits);
    let change = |(r, limit): (&f64, &f64)| if r.abs() <= *limit { 0.0 } else { -r };
    pairs.map(change).collect()
}

/// The largest residual beyond its limit, each divided by the largest entry of its row of J.
pub(super) fn remaining(residuals: &[f64], limits: &[f64], jacobian: &[f64]) -> f64 {
    let n = jacobian.len() / residuals.len().max(1);
    let rows = jacobian.chunks(n.max(1));
    let unmet = residuals
        .iter()
        .zip(limits)
        .zip(rows)
        .filter(|((r, limit), _)| {
            let is_met = r.abs() <= **limit;
            !is_met
        });
    unmet
        .map(|((r, _), row)| r.abs() / largest(row))
        .fold(0.0, f64::max)
}

/// The first row of J that adds nothing to those above it: Gram-Schmidt, each row orthogonalised twice. Units do not
/// matter, since each row has a scale of its own, and so has each coordinate by its inertia.
pub(super) fn first_dependent_row(jacobian: &[f64], scales: &[f64]) -> Option<usize> {
    let rows = jacobian.chunks(scales.len().max(1));
    let share = 4.0 * (scales.len() + rows.len()) as f64 * f64::EPSILON;
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for (k, row) in rows.enumerate() {
        let row: Vec<f64> = row.iter().zip(scales).map(|(x, scale)| x * scale).collect();
        let size = largest(&row);
        if size == 0.0 {
            return Some(k);
        }
        let mut left: Vec<f64> = row.iter().map(|x| x / size).collect();
        let before = length(&left);
        for _ in 0..2 {
            for unit in &basis {
                let along: f64 = unit.iter().zip(&left).map(|(a, b)| a * b).sum();
                left.iter_mut().zip(unit).for_each(|(x, u)| *x -= along * u);
            }
        }
        let after = length(&left);
        // NaN counts as dependent.
        let is_independent = after > share * before;
        if !is_independent {
            return Some(k);
        }
        basis.push(left.iter().map(|x| x / after).collect());
    }
    None
}

pub(super) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// The absolute value of the largest entry.
pub(super) fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0_f64, |most, x| most.max(x.abs()))
}

/// A power of two near 1 / x^(1/n); 1 if x is not positive and finite.
pub(super) fn power(x: f64, n: f64) -> f64 {
    if x > 0.0 && x.is_finite() {
        2.0_f64.powi(-((x.log2() / n).floor() as i32))
    } else {
        1.0
    }
}

fn length(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

impl Factors {
    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let size = right.len();
        let mut x: Vec<f64> = self
            .rows
            .iter()
            .map(|row| right[*row] * self.scales[0][*row])
            .collect();
        for i in 0..size {
            for j in 0..i {
                x[i] -= self.lu[i * size + j] * x[j];
            }
        }
        for i in (0..size).rev() {
            for j in i + 1..size {
                x[i] -= self.lu[i * size + j] * x[j];
            }
            x[i] /= self.lu[i * size + i];
        }
        let mut solution = vec![0.0; size];
        for (value, column) in x.into_iter().zip(&self.columns) {
            solution[*column] = value * self.scales[1][*column];
        }
        solution
    }
}

/// q exp(d), of unit length. Quaternions are x, y, z, w (J. Sola, *Quaternion kinematics for the error-state Kalman
/// filter*, 2017, section 4.3).
pub(super) fn moved(q: [f64; 4], d: [f64; 3]) -> [f64; 4] {
    let half = length(&d) / 2.0;
    // sin(x)/x is 1 - x^2/6 to the last digit below 1e-4.
    let factor = if half < 1e-4 {
        (1.0 - half * half / 6.0) / 2.0
    } else {
        half.sin() / half / 2.0
    };
    let turn = [d[0] * factor, d[1] * factor, d[2] * factor, half.cos()];
    normalised(product(q, turn))
}

/// The displacement d with `moved(from, d)` equal to `to`, at most pi long.
pub(super) fn difference(from: [f64; 4], to: [f64; 4]) -> [f64; 3] {
    let back = [-from[0], -from[1], -from[2], from[3]];
    let mut turn = product(back, to);
    // q and -q are the same orientation; the one with w >= 0 is the shorter way.
    if turn[3] < 0.0 {
        turn = turn.map(|x| -x);
    }
    let [x, y, z, w] = turn;
    let sine = length(&[x, y, z]);
    let ratio = sine / w;
    let factor = if ratio < 1e-4 {
        (2.0 - ratio * ratio * 2.0 / 3.0) / w
    } else {
        2.0 * sine.atan2(w) / sine
    };
    [x * factor, y * factor, z * factor]
}

pub(super) fn rotation_matrix(q: [f64; 4]) -> [[f64; 3]; 3] {
    let [x, y, z, w] = normalised(q);
    [
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y - z * w),
            2.0 * (x * z + y * w),
        ],
        [
            2.0 * (x * y + z * w),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z - x * w),
        ],
        [
            2.0 * (x * z - y * w),
            2.0 * (y * z + x * w),
            1.0 - 2.0 * (x * x + y * y),
        ],
    ]
}

fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
        a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

fn normalised(q: [f64; 4]) -> [f64; 4] {
    // The largest entry first, so that squares neither overflow nor underflow.
    let largest = largest(&q);
    let scaled = q.map(|x| x / largest);
    let size = length(&scaled);
    scaled.map(|x| x / size)
}

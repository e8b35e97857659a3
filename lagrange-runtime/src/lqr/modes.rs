//! Modes that no feedback of finite cost stabilises, by the test of Hautus: a number λ and a vector x so that `A x = λ
//! x` and `C x = 0`.

use core::{cmp::Ordering, mem::swap};

use nalgebra::{Complex, ComplexField, RealField};

use super::matrices::{Square, norm};
use super::riccati::Time;
use crate::{linalg::exchange, math::constant};

/// Steps for one eigenvalue; two or three are usual.
const QR_STEPS: usize = 64;

/// Corrections of λ, each of which doubles the correct digits, and passes that correct x.
const CORRECTIONS: usize = 8;
const REFINEMENTS: usize = 3;

/// The λ to look for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Region {
    /// Motions that neither decay nor grow.
    Limit,
    /// Motions that do not decay.
    LimitAndBeyond,
}

/// Returns whether A has a mode in the region that C does not see: both equations hold to rounding, each row within 4 N
/// eps of its terms.
pub(super) fn has_unobservable_mode<S: RealField + Copy, const N: usize, const M: usize>(
    time: Time,
    region: Region,
    a: &Square<S, N>,
    c: &[[S; N]; M],
) -> bool {
    let drift = match time {
        Time::Continuous => S::zero(),
        Time::Discrete => S::one(),
    };
    let reach = match time {
        Time::Continuous => near::<S>() * norm(a),
        Time::Discrete => near(),
    };
    [drift, -drift]
        .into_iter()
        .map(|value| Complex::new(value, S::zero()))
        .chain(eigenvalues(a))
        .filter(|value| (nearest(time, region, *value) - value).norm1() <= reach)
        .any(|value| is_unobservable(time, region, a, c, value))
}

/// The error of an eigenvalue, as a part of the size of A: rounding moves a defective one by a root of eps.
fn near<S: RealField>() -> S {
    S::default_epsilon().sqrt().sqrt()
}

/// The nearest number in the region.
fn nearest<S: RealField + Copy>(time: Time, region: Region, value: Complex<S>) -> Complex<S> {
    let size = value.modulus();
    let is_beyond = match time {
        Time::Continuous => value.re > S::zero(),
        Time::Discrete => size > S::one(),
    };
    match time {
        _ if is_beyond && region == Region::LimitAndBeyond => value,
        Time::Continuous => Complex::new(S::zero(), value.im),
        Time::Discrete if size > S::zero() => value.unscale(size),
        Time::Discrete => real(S::one()),
    }
}

/// Returns whether both equations hold with a λ near `value`. Elimination finds x, and Newton's method corrects λ.
fn is_unobservable<S: RealField + Copy, const N: usize, const M: usize>(
    time: Time,
    region: Region,
    a: &Square<S, N>,
    c: &[[S; N]; M],
    value: Complex<S>,
) -> bool {
    let (zero, one) = (real(S::zero()), real(S::one()));
    let tolerance = constant::<S>(4.0 * N as f64) * S::default_epsilon();
    let mut value = nearest(time, region, value);
    for _ in 0..CORRECTIONS {
        let mut rows = Rows {
            above: a.map(|row| row.map(real)),
            below: c.map(|row| row.map(real)),
        };
        for i in 0..N {
            rows.above[i][i] -= value;
        }
        let factors = Elimination::new(&rows, value.norm1());
        let mut x = factors.solve(&[zero; N], one);
        let mut residuals = Rows::<_, N, M>::of(zero);
        // With a rounded x the equations would not hold to rounding.
        for _ in 0..REFINEMENTS {
            let without = factors.without_rounding(&x, tolerance);
            let most = misfit(&rows, value, &without, &mut residuals);
            let most = most.min(misfit(&rows, value, &x, &mut residuals));
            if most <= tolerance {
                return true;
            }
            if most > near() {
                return false;
            }
            factors.eliminate(&mut residuals);
            let change = factors.solve(&residuals.above, zero);
            for j in 0..N {
                x[j] -= change[j];
            }
        }
        let mut slope = Rows::<_, N, M>::of(zero);
        slope.above = x;
        factors.eliminate(&mut slope);
        let (mut change, mut square) = (zero, S::zero());
        let remaining = residuals
            .iter()
            .zip(slope.iter())
            .zip(factors.weights.iter());
        for ((residual, slope), weight) in remaining.skip(factors.rank) {
            change += slope.conj() * *residual * real(*weight * *weight);
            square += slope.norm_sqr() * *weight * *weight;
        }
        if square == S::zero() {
            return false;
        }
        value = nearest(time, region, value + change.unscale(square));
    }
    false
}

/// Sets `residuals` to the rows times x. Returns the largest of these as a part of its terms.
fn misfit<S: RealField + Copy, const N: usize, const M: usize>(
    rows: &Rows<[Complex<S>; N], N, M>,
    value: Complex<S>,
    x: &[Complex<S>; N],
    residuals: &mut Rows<Complex<S>, N, M>,
) -> S {
    let mut most = S::zero();
    for (i, (row, residual)) in (0..N + M).zip(rows.iter().zip(residuals.iter_mut())) {
        let mut size = x.get(i).map_or(S::zero(), |x| (value * x).norm1());
        *residual = real(S::zero());
        for j in 0..N {
            *residual += row[j] * x[j];
            size += row[j].norm1() * x[j].norm1();
        }
        let misfit = residual.norm1() / size;
        // In this form NaN is kept.
        let is_less = matches!(misfit.partial_cmp(&most), Some(Ordering::Less));
        if size != S::zero() && !is_less {
            most = misfit;
        }
    }
    most
}

fn real<S: RealField>(value: S) -> Complex<S> {
    Complex::new(value, S::zero())
}

/// A value for each row of A and each of C.
struct Rows<T, const N: usize, const M: usize> {
    above: [T; N],
    below: [T; M],
}

impl<T: Copy, const N: usize, const M: usize> Rows<T, N, M> {
    fn of(value: T) -> Self {
        Self {
            above: [value; N],
            below: [value; M],
        }
    }

    fn iter(&self) -> impl Iterator<Item = &T> {
        self.above.iter().chain(&self.below)
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.above.iter_mut().chain(&mut self.below)
    }

    /// Swaps the values of row `i` of A and of row `j` of both.
    fn exchange(&mut self, i: usize, j: usize) {
        if j < N {
            exchange(&mut self.above, i, j);
        } else if let (Some(above), Some(below)) =
            (self.above.get_mut(i), self.below.get_mut(j - N))
        {
            swap(above, below);
        }
    }
}

/// Factors of a matrix of N + M rows and dependent columns. Each pivot is the largest entry in units that bring rows
/// and columns to similar sizes.
struct Elimination<S, const N: usize, const M: usize> {
    /// Pivots with the entries to their right, and multipliers to their left.
    factors: Rows<[Complex<S>; N], N, M>,
    /// The reciprocal units of the rows.
    weights: Rows<S, N, M>,
    /// The sizes of the columns in these units.
    widths: [S; N],
    /// The row and the column that each step exchanged with its own.
    swaps: [(usize, usize); N],
    /// The number of pivots.
    rank: usize,
}

impl<S: RealField + Copy, const N: usize, const M: usize> Elimination<S, N, M> {
    /// `shift` is the size of what was subtracted from the diagonal.
    fn new(matrix: &Rows<[Complex<S>; N], N, M>, shift: S) -> Self {
        let mut factors = Rows { ..*matrix };
        let mut weights = Rows::of(S::zero());
        let mut widths = [S::zero(); N];
        for (i, (row, weight)) in (0..N + M).zip(factors.iter().zip(weights.iter_mut())) {
            let mut sizes = row.map(Complex::norm1);
            if let Some(size) = sizes.get_mut(i) {
                *size += shift;
            }
            *weight = reciprocal(sizes.into_iter().fold(S::zero(), S::max));
            for j in 0..N {
                widths[j] = widths[j].max(sizes[j] * *weight);
            }
        }
        let mut scales = widths.map(reciprocal);
        let mut swaps = [(0, 0); N];
        let mut rank = 0;
        for k in 0..N {
            let (mut pivot, mut most) = ((k, k), S::zero());
            for (i, (row, weight)) in (0..N + M).zip(factors.iter().zip(weights.iter())).skip(k) {
                for j in k..N {
                    let size = row[j].norm1() * *weight * scales[j];
                    if size > most {
                        (pivot, most) = ((i, j), size);
                    }
                }
            }
            swaps[k] = pivot;
            if k + 1 == N || most == S::zero() {
                break;
            }
            rank = k + 1;
            factors.exchange(k, pivot.0);
            weights.exchange(k, pivot.0);
            exchange(&mut scales, k, pivot.1);
            for row in factors.iter_mut() {
                exchange(row, k, pivot.1);
            }
            let pivot_row = factors.above[k];
            for row in factors.iter_mut().skip(k + 1) {
                row[k] /= pivot_row[k];
                for j in k + 1..N {
                    row[j] -= row[k] * pivot_row[j];
                }
            }
        }
        Self {
            factors,
            weights,
            widths,
            swaps,
            rank,
        }
    }

    /// Brings the rows of a right side into the order of the pivots, and eliminates.
    fn eliminate(&self, side: &mut Rows<Complex<S>, N, M>) {
        for k in 0..self.rank.min(N) {
            side.exchange(k, self.swaps[k].0);
        }
        for k in 0..self.rank.min(N) {
            let pivot = side.above[k];
            for (row, entry) in self.factors.iter().zip(side.iter_mut()).skip(k + 1) {
                *entry -= row[k] * pivot;
            }
        }
    }

    /// The x of an eliminated right side, with `free` for the first entry without a pivot and 0 for the others.
    fn solve(&self, side: &[Complex<S>; N], free: Complex<S>) -> [Complex<S>; N] {
        let mut x = [real(S::zero()); N];
        for k in (0..N).rev() {
            if k == self.rank {
                x[k] = free;
            } else if k < self.rank {
                let mut entry = side[k];
                for j in k + 1..N {
                    entry -= self.factors.above[k][j] * x[j];
                }
                x[k] = entry / self.factors.above[k][k];
            }
        }
        for k in (0..self.rank.min(N)).rev() {
            exchange(&mut x, k, self.swaps[k].1);
        }
        x
    }

    /// x without the entries that act on the rows as rounding of others does.
    fn without_rounding(&self, x: &[Complex<S>; N], tolerance: S) -> [Complex<S>; N] {
        let action = |j: usize| x[j].norm1() * self.widths[j];
        let most = (0..N).map(action).fold(S::zero(), S::max);
        let mut without = *x;
        for j in 0..N {
            if action(j) <= tolerance * most {
                without[j] = real(S::zero());
            }
        }
        without
    }
}

fn reciprocal<S: RealField + Copy>(size: S) -> S {
    if size > S::zero() {
        S::one() / size
    } else {
        S::one()
    }
}

/// The eigenvalues, by shifted QR steps on a Hessenberg matrix (G. H. Golub and C. F. Van Loan, *Matrix Computations*,
/// 4th ed., chapter 7).
fn eigenvalues<S: RealField + Copy, const N: usize>(a: &Square<S, N>) -> [Complex<S>; N] {
    let mut a = hessenberg(*a).map(|row| row.map(real));
    for last in (1..N).rev() {
        for count in 1..=QR_STEPS {
            let mut first = 0;
            for i in 1..last + 1 {
                let size = a[i - 1][i - 1].norm1() + a[i][i].norm1();
                if a[i][i - 1].norm1() <= S::default_epsilon() * size {
                    a[i][i - 1] = real(S::zero());
                    first = i;
                }
            }
            if first == last {
                break;
            }
            let shift = if count % 16 == 0 {
                a[last][last] + real(a[last][last - 1].norm1())
            } else {
                last_eigenvalue(&a, last)
            };
            qr_step(&mut a, first, last, shift);
        }
    }
    core::array::from_fn(|i| a[i][i])
}

/// A similar matrix without entries below the first subdiagonal, by elimination.
fn hessenberg<S: RealField + Copy, const N: usize>(mut a: Square<S, N>) -> Square<S, N> {
    for k in 1..N {
        let (mut pivot, mut most) = (k, S::zero());
        for i in k..N {
            if a[i][k - 1].abs() > most {
                (pivot, most) = (i, a[i][k - 1].abs());
            }
        }
        if most == S::zero() {
            continue;
        }
        exchange(&mut a, k, pivot);
        for row in &mut a {
            exchange(row, k, pivot);
        }
        for i in k + 1..N {
            let pivot_row = a[k];
            let factor = a[i][k - 1] / pivot_row[k - 1];
            a[i][k - 1] = S::zero();
            for j in k..N {
                a[i][j] -= factor * pivot_row[j];
            }
            for row in &mut a {
                row[k] += factor * row[i];
            }
        }
    }
    a
}

/// The eigenvalue of rows and columns `last - 1` and `last` that is closest to the last entry.
fn last_eigenvalue<S: RealField + Copy, const N: usize>(
    a: &Square<Complex<S>, N>,
    last: usize,
) -> Complex<S> {
    let corner = a[last][last];
    let half = (a[last - 1][last - 1] - corner).unscale(constant(2.0));
    let square = a[last - 1][last] * a[last][last - 1];
    let root = (half * half + square).sqrt();
    let [plus, minus] = [half + root, half - root];
    let divisor = if plus.norm1() > minus.norm1() {
        plus
    } else {
        minus
    };
    if divisor.norm1() > S::zero() {
        corner - square / divisor
    } else {
        corner
    }
}

/// A QR step on rows and columns `first..=last`.
fn qr_step<S: RealField + Copy, const N: usize>(
    a: &mut Square<Complex<S>, N>,
    first: usize,
    last: usize,
    shift: Complex<S>,
) {
    for i in 0..N {
        a[i][i] -= shift;
    }
    let mut rotations = [[real(S::one()), real(S::zero())]; N];
    for k in 1..N {
        if k <= first || k > last {
            continue;
        }
        let [upper, lower] = [a[k - 1][k - 1], a[k][k - 1]];
        let length = upper.modulus().hypot(lower.modulus());
        if length > S::zero() {
            rotations[k] = [upper, lower].map(|entry| entry.unscale(length));
        }
        let [c, s] = rotations[k];
        for j in k - 1..N {
            let [upper, lower] = [a[k - 1][j], a[k][j]];
            a[k - 1][j] = c.conj() * upper + s.conj() * lower;
            a[k][j] = c * lower - s * upper;
        }
    }
    for k in 1..N {
        let [c, s] = rotations[k];
        for row in a.iter_mut() {
            let [left, right] = [row[k - 1], row[k]];
            row[k - 1] = c * left + s * right;
            row[k] = c.conj() * right - s.conj() * left;
        }
    }
    for i in 0..N {
        a[i][i] += shift;
    }
}

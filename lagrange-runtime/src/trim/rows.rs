//! Linear equations for a change of the state, and their solutions of least length.
//!
//! Plane rotations make the rows orthogonal, by the one-sided method of Jacobi (Golub & Van Loan, *Matrix
//! Computations*, 4th ed., section 8.6.3). The lengths of the rows are then the singular values, which give the rank,
//! the damping and the solution of least length of the least squares problem. The type system has no matrix with this
//! number of rows, so there are three arrays of rows.

use nalgebra::RealField;

use super::change::Change;
use crate::math::{constant, sqrt};

/// Sweeps over all pairs; they converge quadratically, and about eight are enough.
const MOST_SWEEPS: usize = 30;
/// Singular values below this part of the largest one are zero, in eps.
const NEGLIGIBLE: f64 = 4096.0;
/// The length of a row counts as at least this part of the longest one of its block.
const SHORTEST: f64 = 1e-6;

/// N equations for accelerations, C for positions and C for velocities.
#[derive(Clone, Copy)]
pub(super) struct Blocks<T, const N: usize, const C: usize> {
    pub(super) acceleration: [T; N],
    pub(super) position: [T; C],
    pub(super) velocity: [T; C],
}

/// An equation: `derivatives . change = right`.
#[derive(Clone, Copy)]
pub(super) struct Row<S, const N: usize, const K: usize> {
    pub(super) derivatives: Change<S, N, K>,
    pub(super) right: S,
}

impl<T, const N: usize, const C: usize> Blocks<T, N, C> {
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        let velocity = self.velocity.iter();
        self.acceleration
            .iter()
            .chain(&self.position)
            .chain(velocity)
    }

    pub(super) fn blocks(&self) -> [&[T]; 3] {
        [&self.acceleration, &self.position, &self.velocity]
    }
}

type Rows<S, const N: usize, const K: usize, const C: usize> = Blocks<Row<S, N, K>, N, C>;

impl<S: RealField + Copy, const N: usize, const K: usize, const C: usize> Rows<S, N, K, C> {
    /// Scales the rows to a length of about 1; returns their divisors.
    pub(super) fn equilibrate(&mut self) -> Blocks<S, N, C> {
        Blocks {
            acceleration: equilibrate(&mut self.acceleration),
            position: equilibrate(&mut self.position),
            velocity: equilibrate(&mut self.velocity),
        }
    }

    /// Makes the rows orthogonal to each other. The solutions do not change.
    pub(super) fn orthogonalise(&mut self) {
        for _ in 0..MOST_SWEEPS {
            let mut changed = sweep(&mut self.acceleration);
            changed |= between(&mut self.acceleration, &mut self.position);
            changed |= between(&mut self.acceleration, &mut self.velocity);
            changed |= sweep(&mut self.position);
            changed |= between(&mut self.position, &mut self.velocity);
            changed |= sweep(&mut self.velocity);
            if !changed {
                return;
            }
        }
    }

    /// The orthogonal rows that are longer than this part of the longest one, with the squares of their
    /// lengths.
    fn longer(&self, part: S) -> impl Iterator<Item = (&Row<S, N, K>, S)> {
        let square = |row: &Row<S, N, K>| row.derivatives.dot(&row.derivatives);
        let largest = self.iter().map(square).fold(S::zero(), S::max);
        self.iter()
            .map(move |row| (row, square(row)))
            .filter(move |(_, square)| *square > part * part * largest)
    }

    /// The smallest change that solves the orthogonal rows in the sense of least squares, with the squares of the
    /// singular values increased by `damping`; and the decrease of the sum of squares.
    pub(super) fn step(&self, damping: S) -> (Change<S, N, K>, S) {
        let mut step = (Change::zero(), S::zero());
        let negligible = constant::<S>(NEGLIGIBLE) * S::default_epsilon();
        for (row, square) in self.longer(negligible) {
            let damped = square + damping;
            let remains = damping / damped;
            step.0 = step.0.plus(row.right / damped, &row.derivatives);
            step.1 += row.right * row.right * (S::one() - remains * remains);
        }
        step
    }

    /// A change without its part in the orthogonal rows, except for nearly zero rows: there a solution may be one of
    /// many although the derivatives beside it say otherwise.
    pub(super) fn remove_determined(&self, change: &Change<S, N, K>) -> Change<S, N, K> {
        let hardly = sqrt(S::default_epsilon());
        self.longer(hardly)
            .fold(*change, |remainder, (row, square)| {
                let along = row.derivatives.dot(change) / square;
                remainder.plus(-along, &row.derivatives)
            })
    }
}

fn equilibrate<S: RealField + Copy, const N: usize, const K: usize, const R: usize>(
    rows: &mut [Row<S, N, K>; R],
) -> [S; R] {
    let lengths = rows.map(|row| row.derivatives.norm());
    let longest = lengths
        .iter()
        .fold(S::zero(), |most, length| most.max(*length));
    let shortest = longest * constant(SHORTEST);
    let divisors = lengths.map(|length| {
        if longest > S::zero() {
            length.max(shortest)
        } else {
            S::one()
        }
    });
    for (row, divisor) in rows.iter_mut().zip(&divisors) {
        row.derivatives = row.derivatives.scaled(S::one() / *divisor);
        row.right /= *divisor;
    }
    divisors
}

/// Rotates every pair; returns whether any was not orthogonal.
fn sweep<S: RealField + Copy, const N: usize, const K: usize>(rows: &mut [Row<S, N, K>]) -> bool {
    let mut changed = false;
    let mut remaining = rows;
    while let Some((first, following)) = remaining.split_first_mut() {
        for other in following.iter_mut() {
            changed |= rotate(first, other);
        }
        remaining = following;
    }
    changed
}

fn between<S: RealField + Copy, const N: usize, const K: usize>(
    first: &mut [Row<S, N, K>],
    second: &mut [Row<S, N, K>],
) -> bool {
    let mut changed = false;
    for row in first {
        for other in second.iter_mut() {
            changed |= rotate(row, other);
        }
    }
    changed
}

fn rotate<S: RealField + Copy, const N: usize, const K: usize>(
    a: &mut Row<S, N, K>,
    b: &mut Row<S, N, K>,
) -> bool {
    let Some((cosine, sine)) = a.derivatives.orthogonalise(&mut b.derivatives) else {
        return false;
    };
    (a.right, b.right) = (
        cosine * a.right - sine * b.right,
        sine * a.right + cosine * b.right,
    );
    true
}

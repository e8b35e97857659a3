//! Steps towards the target.

use nalgebra::{RealField, SMatrix, SVector};

use super::{
    change::Change,
    rows::{Blocks, Row},
    state::{Free, State},
};
use crate::{
    Error, System,
    linalg::all_finite,
    math::{constant, sqrt},
    rotation::gradient_at,
};

/// Steps towards the target.
const MOST_STEPS: usize = 100;
/// Trials of a step, each shorter than the one before.
const MOST_TRIALS: usize = 40;
/// A target is met if the residual is at most this fraction of sqrt(eps) of the size of its terms.
const MET: f64 = 0.0625;
/// A limited step is at least this part of its limit.
const TOO_SHORT: f64 = 0.5;

/// The target and the free entries.
pub(super) struct Search<'a, M, S, const NQ: usize, const N: usize, const K: usize> {
    pub(super) system: &'a M,
    pub(super) t: S,
    pub(super) start: State<S, NQ, N, K>,
    pub(super) free: &'a Free<N, K>,
    pub(super) target: SVector<S, N>,
}

/// A state by its change from the start, and the residuals of the equations there.
#[derive(Clone, Copy)]
pub(super) struct Point<S, const N: usize, const K: usize, const C: usize> {
    pub(super) change: Change<S, N, K>,
    pub(super) residual: Blocks<S, N, C>,
}

impl<S, M, const NQ: usize, const N: usize, const K: usize> Search<'_, M, S, NQ, N, K>
where
    S: RealField + Copy,
{
    pub(super) fn state<const C: usize>(&self, change: &Change<S, N, K>) -> State<S, NQ, N, K>
    where
        M: System<S, NQ, N, K, C>,
    {
        let (q, v, u) = &self.start;
        (
            self.system.integrate(q, &change.q.into()),
            v + SVector::from(change.v),
            u + SVector::from(change.u),
        )
    }

    pub(super) fn point<const C: usize>(
        &self,
        change: Change<S, N, K>,
    ) -> Result<Point<S, N, K, C>, Error>
    where
        M: System<S, NQ, N, K, C>,
    {
        let (q, v, u) = self.state(&change);
        let acceleration = self.system.acceleration(self.t, &q, &v, &u)?;
        let residual = Blocks {
            acceleration: (acceleration - self.target).into(),
            position: self.system.constraint_residual(self.t, &q, &v, &u).into(),
            velocity: self.system.constraint_velocity(self.t, &q, &v, &u).into(),
        };
        if residual.blocks().into_iter().all(all_finite) {
            Ok(Point { change, residual })
        } else {
            Err(Error::NOT_FINITE)
        }
    }

    /// The linearized equations by the change from the start, for everything that is free.
    pub(super) fn rows<const C: usize>(
        &self,
        point: &Point<S, N, K, C>,
        free: &Free<N, K>,
    ) -> Result<Blocks<Row<S, N, K>, N, C>, Error>
    where
        M: System<S, NQ, N, K, C>,
    {
        let (q, v, u) = self.state(&point.change);
        let system = self.system;
        let a = system.acceleration_derivatives(self.t, &q, &v, &u)?;
        let velocity = system.constraint_velocity_derivatives(self.t, &q, &v, &u);
        // The derivatives of the residuals of holonomic rows are J, those of the others are zero.
        let mut position = SMatrix::<S, C, N>::zeros();
        for (column, of_velocity) in position.data.0.iter_mut().zip(&velocity.v.data.0) {
            let rows = column.iter_mut().zip(of_velocity);
            for (entry, by_velocity) in rows.take(M::HOLONOMIC_CONSTRAINTS) {
                *entry = *by_velocity;
            }
        }
        let still = SMatrix::<S, C, N>::zeros();
        let unmoved = SMatrix::<S, C, K>::zeros();
        let residual = &point.residual;
        let mut blocks = Blocks {
            acceleration: assembled(&a.q, &a.v, &a.u, &residual.acceleration),
            position: assembled(&position, &still, &unmoved, &residual.position),
            velocity: assembled(&velocity.q, &velocity.v, &velocity.u, &residual.velocity),
        };
        for row in rows_mut(&mut blocks) {
            by_whole_displacement(&mut row.derivatives.q, &point.change.q, &M::ANGULAR);
            row.derivatives = row.derivatives.masked(free);
        }
        let is_finite = blocks.iter().all(|row| {
            let sum = row
                .derivatives
                .entries()
                .fold(S::zero(), |sum, x| sum + x.abs());
            sum.is_finite()
        });
        if is_finite {
            Ok(blocks)
        } else {
            Err(Error::NOT_FINITE)
        }
    }

    /// The point from which no step comes nearer.
    pub(super) fn solve<const C: usize>(
        &self,
        mut point: Point<S, N, K, C>,
    ) -> Result<Point<S, N, K, C>, Error>
    where
        M: System<S, NQ, N, K, C>,
    {
        let (q, v, u) = &self.start;
        let mut longest = S::one().max(q.amax()).max(v.amax()).max(u.amax());
        for _ in 0..MOST_STEPS {
            let mut rows = self.rows(&point, self.free)?;
            let divisors = rows.equilibrate();
            rows.orthogonalise();
            match self.come_nearer(&point, &rows, &divisors, &mut longest) {
                Some(next) => point = next,
                None => break,
            }
        }
        Ok(point)
    }

    /// A step for which the linearization is accurate enough, if there is one.
    fn come_nearer<const C: usize>(
        &self,
        point: &Point<S, N, K, C>,
        rows: &Blocks<Row<S, N, K>, N, C>,
        divisors: &Blocks<S, N, C>,
        longest: &mut S,
    ) -> Option<Point<S, N, K, C>>
    where
        M: System<S, NQ, N, K, C>,
    {
        let before = sum_of_squares(&point.residual, divisors);
        for _ in 0..MOST_TRIALS {
            let (step, predicted) = limit_step(rows, *longest);
            let length = step.norm();
            let next = self.point(point.change.plus(S::one(), &step)).ok();
            let gained = next.map(|next| before - sum_of_squares(&next.residual, divisors));
            let ratio = gained.map_or(-S::one(), |gained| gained / predicted);
            if ratio > constant(0.75) {
                *longest = (*longest).max(length * constant(4.0));
            } else {
                let is_good = ratio > constant(0.25);
                *longest = if is_good {
                    *longest
                } else {
                    length * constant(0.25)
                };
            }
            if ratio > constant(0.05) {
                return next;
            }
            let goes_on = predicted > S::zero() && length > S::zero();
            if !goes_on {
                return None;
            }
        }
        None
    }

    /// Returns whether the residual is only rounding, or comes from a multiple solution.
    pub(super) fn is_met<const C: usize>(
        &self,
        point: &Point<S, N, K, C>,
        first: &Blocks<S, N, C>,
    ) -> Result<bool, Error>
    where
        M: System<S, NQ, N, K, C>,
    {
        let everything = Free {
            q: [true; N],
            v: [true; N],
            u: [true; K],
        };
        let rows = self.rows(point, &everything)?;
        let sizes = self.sizes(&point.change);
        let unit = constant::<S>(MET) * sqrt(S::default_epsilon());
        let target = self.target.amax();
        let blocks = rows
            .blocks()
            .into_iter()
            .zip(point.residual.blocks())
            .zip(first.blocks());
        let mut is_acceleration = true;
        for ((rows, residual), first) in blocks {
            let terms = rows.iter().map(|row| {
                row.derivatives
                    .entries()
                    .zip(sizes.entries())
                    .fold(S::zero(), |sum, (derivative, size)| {
                        sum + (*derivative * *size).abs()
                    })
            });
            let mut scale = terms.fold(largest(first), S::max);
            if is_acceleration {
                scale = scale.max(target);
            }
            is_acceleration = false;
            let is_met = largest(residual) <= unit * scale;
            if !is_met {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The sizes of the state: the larger of those at the start and at the end.
    fn sizes<const C: usize>(&self, change: &Change<S, N, K>) -> Change<S, N, K>
    where
        M: System<S, NQ, N, K, C>,
    {
        let (q, v, u) = &self.start;
        let mut sizes = Change::zero();
        let mut coordinates = q.iter();
        for ((size, moved), is_angular) in sizes.q.iter_mut().zip(&change.q).zip(&M::ANGULAR) {
            // An angle is of size 1; without rotations there is a coordinate for each velocity.
            let coordinate = if NQ == N { coordinates.next() } else { None };
            let coordinate = coordinate.map_or(S::one(), |coordinate| coordinate.abs());
            *size = if *is_angular {
                S::one()
            } else {
                coordinate + moved.abs()
            };
        }
        for ((size, moved), velocity) in sizes.v.iter_mut().zip(&change.v).zip(v.iter()) {
            *size = velocity.abs() + moved.abs();
        }
        for ((size, moved), input) in sizes.u.iter_mut().zip(&change.u).zip(u.iter()) {
            *size = input.abs() + moved.abs();
        }
        sizes
    }
}

/// The step of the least damping that is not longer than `longest`, and the decrease of the sum of squares.
fn limit_step<S: RealField + Copy, const N: usize, const K: usize, const C: usize>(
    rows: &Blocks<Row<S, N, K>, N, C>,
    longest: S,
) -> (Change<S, N, K>, S) {
    let whole = rows.step(S::zero());
    let is_short = |step: &Change<S, N, K>| step.norm() <= longest;
    if is_short(&whole.0) {
        return whole;
    }
    // Bisection of the exponent: from 1e-40 to 1e40 of the square of a singular value.
    let (mut low, mut high) = (constant::<S>(-92.0), constant::<S>(92.0));
    let mut step = rows.step(high.exp());
    for _ in 0..30 {
        let middle = (low + high) * constant(0.5);
        let trial = rows.step(middle.exp());
        if is_short(&trial.0) {
            (high, step) = (middle, trial);
            if step.0.norm() > longest * constant(TOO_SHORT) {
                break;
            }
        } else {
            low = middle;
        }
    }
    step
}

/// One row of each matrix, and minus the residual.
fn assembled<S: RealField + Copy, const R: usize, const N: usize, const K: usize>(
    q: &SMatrix<S, R, N>,
    v: &SMatrix<S, R, N>,
    u: &SMatrix<S, R, K>,
    residual: &[S; R],
) -> [Row<S, N, K>; R] {
    let (q, v, u) = (
        q.transpose().data.0,
        v.transpose().data.0,
        u.transpose().data.0,
    );
    let mut rows = [Row {
        derivatives: Change::zero(),
        right: S::zero(),
    }; R];
    let parts = q.into_iter().zip(v).zip(u).zip(residual);
    for (row, (((q, v), u), residual)) in rows.iter_mut().zip(parts) {
        row.derivatives = Change { q, v, u };
        row.right = -*residual;
    }
    rows
}

fn rows_mut<T, const N: usize, const C: usize>(
    blocks: &mut Blocks<T, N, C>,
) -> impl Iterator<Item = &mut T> {
    blocks
        .acceleration
        .iter_mut()
        .chain(&mut blocks.position)
        .chain(&mut blocks.velocity)
}

/// Derivatives by a further displacement become those by the whole one.
fn by_whole_displacement<S: RealField + Copy, const N: usize>(
    row: &mut [S; N],
    displacement: &[S; N],
    angular: &[bool; N],
) {
    let mut index = 0;
    while index < N {
        if angular.get(index) != Some(&true) {
            index += 1;
            continue;
        }
        let derivatives = row.get_mut(index..).and_then(<[S]>::first_chunk_mut::<3>);
        let displacement = displacement.get(index..).and_then(<[S]>::first_chunk::<3>);
        if let (Some(derivatives), Some(displacement)) = (derivatives, displacement) {
            *derivatives = gradient_at(displacement, derivatives);
        }
        index += 3;
    }
}

fn sum_of_squares<S: RealField + Copy, const N: usize, const C: usize>(
    residual: &Blocks<S, N, C>,
    divisors: &Blocks<S, N, C>,
) -> S {
    residual
        .iter()
        .zip(divisors.iter())
        .fold(S::zero(), |sum, (entry, divisor)| {
            let entry = *entry / *divisor;
            sum + entry * entry
        })
}

fn largest<S: RealField + Copy>(entries: &[S]) -> S {
    entries
        .iter()
        .fold(S::zero(), |most, entry| most.max(entry.abs()))
}

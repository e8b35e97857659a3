//! Motion along the solutions to the one nearest to the start.

use nalgebra::RealField;

use super::{
    change::Change,
    rows::Blocks,
    search::{Point, Search},
};
use crate::{
    Error, System,
    math::{constant, sqrt},
};

/// Steps along the solutions.
const MOST_STEPS: usize = 100;
/// Trials of each, shorter and shorter.
const MOST_TRIALS: usize = 4;

impl<S, M, const NQ: usize, const N: usize, const K: usize> Search<'_, M, S, NQ, N, K>
where
    S: RealField + Copy,
{
    /// Moves along the solutions towards the start, as long as that makes the change shorter.
    pub(super) fn nearest<const C: usize>(
        &self,
        mut point: Point<S, N, K, C>,
        first: &Blocks<S, N, C>,
    ) -> Result<Point<S, N, K, C>, Error>
    where
        M: System<S, NQ, N, K, C>,
    {
        let enough = sqrt(S::default_epsilon()) * constant(0.5);
        let mut part = S::one();
        let mut before: Option<(Change<S, N, K>, Change<S, N, K>)> = None;
        for _ in 0..MOST_STEPS {
            let mut rows = self.rows(&point, self.free)?;
            rows.equilibrate();
            rows.orthogonalise();
            let excess = rows.remove_determined(&point.change);
            let is_longer = excess.norm() > enough * point.change.norm();
            if !is_longer {
                break;
            }
            if let Some((change, last)) = &before {
                part = secant_part(&point.change, change, &excess, last).unwrap_or(part);
            }
            before = Some((point.change, excess));
            match self.shorten(&point, &excess, &mut part, first) {
                Some(next) => point = next,
                None => break,
            }
        }
        Ok(point)
    }

    /// A solution with a shorter change. The first guess removes the given part of the excess.
    fn shorten<const C: usize>(
        &self,
        point: &Point<S, N, K, C>,
        excess: &Change<S, N, K>,
        part: &mut S,
        first: &Blocks<S, N, C>,
    ) -> Option<Point<S, N, K, C>>
    where
        M: System<S, NQ, N, K, C>,
    {
        let length = point.change.norm();
        for _ in 0..MOST_TRIALS {
            let moved = self.point(point.change.plus(-*part, excess));
            let good = moved
                .and_then(|moved| self.solve(moved))
                .ok()
                .filter(|next| next.change.norm() < length)
                .filter(|next| self.is_met(next, first) == Ok(true));
            if good.is_some() {
                return good;
            }
            *part *= constant(0.25);
        }
        None
    }
}

/// The part of the excess whose removal would have left none, by its change in the last step (J. Barzilai and J. M.
/// Borwein, "Two-point step size gradient methods", *IMA J. Numer. Anal.* 8, 1988).
fn secant_part<S: RealField + Copy, const N: usize, const K: usize>(
    change: &Change<S, N, K>,
    last_change: &Change<S, N, K>,
    excess: &Change<S, N, K>,
    last_excess: &Change<S, N, K>,
) -> Option<S> {
    let moved = change.plus(-S::one(), last_change);
    let bent = excess.plus(-S::one(), last_excess);
    let part = moved.dot(&moved) / moved.dot(&bent);
    let is_usable = part > constant(0.01) && part < constant(100.0);
    is_usable.then_some(part)
}

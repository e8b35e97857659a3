//! The derivatives of a step, by the chain rule over its stages.

use core::convert::Infallible;

use nalgebra::{RealField, SMatrix, SVector};

use super::without_states;
use crate::{
    Derivatives, Error, StepSensitivities, System,
    exponential::{Map, three},
    linalg::product,
};

/// What the derivatives of a step need: those of its four accelerations, and those of its five moves of q, in the order
/// in which [`super::step`] asks for them.
pub(super) struct Stages<S, const N: usize, const K: usize> {
    accelerations: [Derivatives<S, N, N, K>; 4],
    moves: [Move<S, N>; 5],
}

/// The derivatives of `integrate(q, d)` by the displacement of q and by d: for each rotation exp(-d) and the right
/// Jacobian of the exponential map, at its first direction. For a coordinate that moves by addition both are 1.
type Move<S, const N: usize> = [Option<[Map<S>; 2]>; N];

/// The state at the end of a step.
pub(super) type End<S, const NQ: usize, const N: usize> = (SVector<S, NQ>, SVector<S, N>);

impl<S: RealField + Copy, const N: usize, const K: usize> Stages<S, N, K> {
    /// The end of the step, and its stages.
    #[inline(never)]
    pub(super) fn follow<M, const NQ: usize, const C: usize>(
        system: &M,
        t: S,
        (q, v, u): (&SVector<S, NQ>, &SVector<S, N>, &SVector<S, K>),
        h: S,
    ) -> Result<(End<S, NQ, N>, Self), Error>
    where
        M: System<S, NQ, N, K, C>,
    {
        let mut stages = Self {
            accelerations: [zeros(); 4],
            moves: [[None; N]; 5],
        };
        let (mut accelerations, mut moves) =
            (stages.accelerations.iter_mut(), stages.moves.iter_mut());
        let acceleration = |t, q: &_, v: &_| {
            let a = system.acceleration(t, q, v, u)?;
            if let Some(derivatives) = accelerations.next() {
                *derivatives = system.acceleration_derivatives(t, q, v, u)?;
            }
            Ok(a)
        };
        let integrate = |q: &_, d: &SVector<S, N>| {
            if let Some(maps) = moves.next() {
                *maps = move_at(&M::ANGULAR, &d.data.0[0]);
            }
            system.integrate(q, d)
        };
        let end = without_states(acceleration, integrate, t, (q, v), h)?;
        Ok((end, stages))
    }

    /// The derivatives of the step of length h.
    #[inline(never)]
    pub(super) fn derivatives(&self, h: S) -> StepSensitivities<S, N, K> {
        let mut ends = StepSensitivities {
            q: zeros(),
            v: zeros(),
        };
        let (no_change, no_input) = (SVector::zeros(), SVector::zeros());
        for (j, unit) in units().enumerate() {
            let by_q = self.end_of_change(&unit, &no_change, &no_input, h);
            let by_v = self.end_of_change(&no_change, &unit, &no_input, h);
            for ((q, v), end) in [
                ((&mut ends.q.q, &mut ends.v.q), by_q),
                ((&mut ends.q.v, &mut ends.v.v), by_v),
            ] {
                (q.data.0[j], v.data.0[j]) = (end.0.data.0[0], end.1.data.0[0]);
            }
        }
        for (j, unit) in units().enumerate() {
            let (q, v) = self.end_of_change(&no_change, &no_change, &unit, h);
            (ends.q.u.data.0[j], ends.v.u.data.0[j]) = (q.data.0[0], v.data.0[0]);
        }
        ends
    }

    /// The change of the end by changes of q, v and u at the start. All that the step computes is linear in these
    /// changes but the accelerations and the moves, so the step itself computes it.
    fn end_of_change(
        &self,
        q: &SVector<S, N>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
        h: S,
    ) -> End<S, N, N> {
        let (mut accelerations, mut moves) = (self.accelerations.iter(), self.moves.iter());
        let acceleration = |_, q: &_, v: &_| {
            let change = accelerations.next().map_or(SVector::zeros(), |by| {
                product(&by.q, q) + product(&by.v, v) + product(&by.u, u)
            });
            Ok::<_, Infallible>(change)
        };
        let integrate = |q: &_, d: &_| moves.next().map_or(*q, |maps| moved(maps, q, d));
        let Ok(end) = without_states(acceleration, integrate, S::zero(), (q, v), h);
        end
    }
}

/// The derivatives of a move by d.
fn move_at<S: RealField + Copy, const N: usize>(angular: &[bool; N], d: &[S; N]) -> Move<S, N> {
    let mut maps = [None; N];
    let mut i = 0;
    while i < N {
        match three(d, i) {
            Some(d) if angular[i] => {
                maps[i] = Some([Map::rotation(&d).reversed(), Map::jacobian(&d)]);
                i += 3;
            }
            _ => i += 1,
        }
    }
    maps
}

/// The displacement of the end of a move, by that of its start and by the change of d.
fn moved<S: RealField + Copy, const N: usize>(
    maps: &Move<S, N>,
    start: &SVector<S, N>,
    d: &SVector<S, N>,
) -> SVector<S, N> {
    let mut end = start + d;
    let (start, d) = (&start.data.0[0], &d.data.0[0]);
    for (i, maps) in maps.iter().enumerate() {
        if let (Some([rotation, jacobian]), Some(start), Some(d)) =
            (maps, three(start, i), three(d, i))
        {
            let (turned, added) = (rotation.apply(&start), jacobian.apply(&d));
            for (j, entry) in end.data.0[0].iter_mut().skip(i).take(3).enumerate() {
                *entry = turned[j] + added[j];
            }
        }
    }
    end
}

fn zeros<S: RealField + Copy, const N: usize, const K: usize>() -> Derivatives<S, N, N, K> {
    Derivatives {
        q: SMatrix::zeros(),
        v: SMatrix::zeros(),
        z: SMatrix::zeros(),
        u: SMatrix::zeros(),
    }
}

/// The unit vectors, in order.
fn units<S: RealField + Copy, const N: usize>() -> impl Iterator<Item = SVector<S, N>> {
    (0..N).map(|j| {
        let mut unit = SVector::zeros();
        unit.data.0[0][j] = S::one();
        unit
    })
}

//! Contacts and dry joints that change their modes along a run.

use nalgebra::{RealField, SMatrix, SVector, try_convert};

use super::advance::Event;
use super::drive::{Drive, Mechanical};
use super::state::{Rates, Seen, State};
use crate::contacts::friction::Fixed;
use crate::contacts::{At, Change, Guards, Phases};
use crate::math::constant;
use crate::{Error, Frictional};

impl<S, T, const C: usize, const P: usize, const M: usize> Mechanical<'_, T, Hybrid<S, P, M>, C>
where
    S: RealField + Copy,
{
    /// The guard that is not positive about the lowest place of a gap, and the part of the step there; no guard and the end
    /// otherwise. The gap gets smaller at the first part and larger at the second one.
    fn lowest<const NQ: usize, const N: usize, const K: usize>(
        &self,
        contact: usize,
        (mut low, end): (S, S),
        state_at: &dyn Fn(&Self, S) -> Seen<S, NQ, N, 0, K>,
    ) -> (Option<usize>, S)
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let mut high = end;
        for _ in 0..32 {
            let middle = (low + high) * constant(0.5);
            let (t, (q, v, _), u) = state_at(self, middle);
            let broken = self.phases.find_broken(self.system, (t, &q, &v, &u));
            if broken.is_some() {
                return (broken, middle);
            }
            let nearing = self
                .phases
                .phases
                .find_nearing(self.system, (t, &q, &v, &u));
            if nearing.get(contact) == Some(&true) {
                low = middle;
            } else {
                high = middle;
            }
        }
        (None, end)
    }
}

/// The phases of contacts and dry joints.
#[derive(Clone, Copy, Debug)]
pub struct Hybrid<S, const P: usize, const M: usize> {
    phases: Phases<S, P, M>,
    /// The guards that have been positive in this phase.
    armed: Guards<bool, P, M>,
    tolerance: S,
    /// The time of the last events, and their number.
    stands: (Option<S>, usize),
}

impl<S: RealField + Copy, const P: usize, const M: usize> Hybrid<S, P, M> {
    pub(super) fn new() -> Self {
        Self {
            phases: Phases::new(),
            armed: Guards::filled(Fixed, false),
            tolerance: S::zero(),
            stands: (None, 0),
        }
    }

    /// The guards that are positive at the start of a phase, and gaps that open.
    fn arm<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &mut self,
        system: &T,
        state: At<'_, S, NQ, N, K>,
    ) where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        self.armed = match self.phases.guards(system, state) {
            Ok(guards) => guards.map(|guard| guard.is_some_and(|(value, noise)| value > noise)),
            Err(_) => Guards::filled(Fixed, false),
        };
        let opens = self.phases.armed(system, state);
        for k in 0..P {
            self.armed.contacts[k][0] |= opens[k];
        }
    }

    /// The first guard that is not positive, although it was, or although no rounding explains it.
    fn find_broken<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &self,
        system: &T,
        state: At<'_, S, NQ, N, K>,
    ) -> Option<usize>
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let guards = self.phases.guards(system, state).ok()?;
        let growth = S::one() + self.tolerance / (S::default_epsilon() * constant(16.0));
        let values = guards.iter().zip(self.armed.iter());
        let broken = (0..guards.count())
            .zip(values)
            .find(|(_, (guard, is_armed))| {
                let (value, noise) = guard.unwrap_or((S::one(), S::zero()));
                let least = if **is_armed {
                    S::zero()
                } else {
                    -noise * growth
                };
                value < least
            });
        broken.map(|(number, _)| number)
    }
}

impl<
    S,
    T,
    const NQ: usize,
    const N: usize,
    const K: usize,
    const C: usize,
    const P: usize,
    const M: usize,
> Drive<S, NQ, N, 0, K> for Mechanical<'_, T, Hybrid<S, P, M>, C>
where
    S: RealField + Copy,
    T: Frictional<S, NQ, N, K, C, P, M>,
{
    const ANGULAR: [bool; N] = T::ANGULAR;
    const RUNS_BACKWARDS: bool = false;

    fn integrate(&self, q: &SVector<S, NQ>, d: &SVector<S, N>) -> SVector<S, NQ> {
        self.system.integrate(q, d)
    }

    fn mass_matrix(&self, t: S, (q, v, _): &State<S, NQ, N, 0>) -> SMatrix<S, N, N> {
        self.system.mass_matrix(t, q, v, &SVector::zeros())
    }

    fn rates(
        &self,
        t: S,
        (q, v, z): &State<S, NQ, N, 0>,
        u: &SVector<S, K>,
    ) -> Result<Rates<S, N, 0>, Error> {
        let a = self.phases.phases.acceleration(self.system, (t, q, v, u))?;
        Ok((a, *z))
    }

    fn project(
        &self,
        t: S,
        (q, v, z): &State<S, NQ, N, 0>,
        u: &SVector<S, K>,
    ) -> Result<State<S, NQ, N, 0>, Error> {
        let (q, v) = self.system.project(t, q, v, u)?;
        Ok((q, v, *z))
    }

    fn begin(
        &mut self,
        t: S,
        (q, v, z): &State<S, NQ, N, 0>,
        u: &SVector<S, K>,
        tolerance: S,
    ) -> Result<State<S, NQ, N, 0>, Error> {
        self.phases.tolerance = tolerance;
        let phases = &mut self.phases.phases;
        let v = phases.begin(self.system, (t, q, v, u), tolerance)?;
        self.phases.arm(self.system, (t, q, &v, u));
        Ok((*q, v, *z))
    }

    fn first_change(
        &mut self,
        until: S,
        state_at: &dyn Fn(&Self, S) -> Seen<S, NQ, N, 0, K>,
    ) -> Option<(usize, S)> {
        let quarter = until * constant(0.25);
        let mut from = S::zero();
        let (t, (q, v, _), u) = state_at(self, from);
        let mut nearing = self
            .phases
            .phases
            .find_nearing(self.system, (t, &q, &v, &u));
        for _ in 0..4 {
            let mut to = from + quarter;
            let (t, (q, v, _), u) = state_at(self, to);
            let mut broken = self.phases.find_broken(self.system, (t, &q, &v, &u));
            let before = nearing;
            nearing = self
                .phases
                .phases
                .find_nearing(self.system, (t, &q, &v, &u));
            for k in 0..P {
                if broken.is_none() && before[k] && !nearing[k] {
                    (broken, to) = self.lowest(k, (from, to), state_at);
                }
            }
            let Some(mut number) = broken else {
                let Ok(guards) = self.phases.phases.guards(self.system, (t, &q, &v, &u)) else {
                    return None;
                };
                for k in 0..P {
                    if let Some((guard, noise)) = guards.contacts[k][0] {
                        self.phases.phases.has_opened(k, guard, noise);
                    }
                }
                self.phases.phases.see(self.system, (t, &q, &v, &u));
                for (is_armed, guard) in self.phases.armed.iter_mut().zip(guards.iter()) {
                    *is_armed |= guard.is_some_and(|(value, noise)| value > noise);
                }
                from = to;
                continue;
            };
            let (mut low, mut high) = (from, to);
            for _ in 0..54 {
                let middle = (low + high) * constant(0.5);
                let (t, (q, v, _), u) = state_at(self, middle);
                match self.phases.find_broken(self.system, (t, &q, &v, &u)) {
                    Some(first) => (number, high) = (first, middle),
                    None => low = middle,
                }
            }
            return Some((number, high));
        }
        None
    }

    fn guard(&self, number: usize, t: S, (q, v, _): &State<S, NQ, N, 0>, u: &SVector<S, K>) -> S {
        let guards = self.phases.phases.guards(self.system, (t, q, v, u));
        guards
            .ok()
            .and_then(|guards| guards.get(number).copied().flatten())
            .map_or_else(S::zero, |(value, _)| value)
    }

    fn change(
        &mut self,
        number: usize,
        t: S,
        (q, v, z): &State<S, NQ, N, 0>,
        u: &SVector<S, K>,
    ) -> Result<(State<S, NQ, N, 0>, Option<Event>), Error> {
        let (last, count) = self.phases.stands;
        let count = if last == Some(t) {
            count.saturating_add(1)
        } else {
            0
        };
        self.phases.stands = (Some(t), count);
        if count > P.saturating_add(M).saturating_mul(8) {
            let residual = self.guard(number, t, &(*q, *v, *z), u);
            let residual = try_convert(residual).unwrap_or(f64::NAN);
            return Err(Error::NotConverged { residual });
        }
        let phases = &mut self.phases.phases;
        let (v, change) = phases.change(self.system, (t, q, v, u), number)?;
        let (q, v) = self.phases.phases.settle(self.system, (t, q, &v, u))?;
        self.phases.arm(self.system, (t, &q, &v, u));
        let event = change.map(|change| match change {
            Change::Closes(k) => Event::Closes(k),
            Change::Opens(k) => Event::Opens(k),
            Change::Sticks(k) => Event::Sticks(k),
            Change::Slides(k) => Event::Slides(k),
            Change::Holds(j) => Event::Holds(j),
            Change::Moves(j) => Event::Moves(j),
        });
        Ok(((q, v, *z), event))
    }

    fn settle(
        &self,
        t: S,
        (q, v, z): &State<S, NQ, N, 0>,
        u: &SVector<S, K>,
    ) -> Result<(State<S, NQ, N, 0>, bool), Error> {
        let settled = self.phases.phases.settle(self.system, (t, q, v, u))?;
        let is_other = settled != (*q, *v);
        Ok(((settled.0, settled.1, *z), is_other))
    }
}

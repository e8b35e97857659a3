//! The modes of contacts and dry joints between two events, for the runner.

mod impacts;
mod settling;

use nalgebra::{RealField, SVector};

use super::friction::{
    Contact, Fixed, Joint, Law, LawSolution, Modes, Rows, Setting, solve_laws, solve_modes,
};
use super::resolve::{Knowledge, Slip, laws, row_of, setting, stop_joints};
use super::{FrictionTerms, Frictional};
use crate::Error;
use crate::math::constant;

/// Values of the guards: of a contact its gap or its force, and its sliding velocity or the friction that is left; of a
/// joint its velocity or the friction that is left. A phase goes on while they are positive.
pub(crate) type Guards<X, const P: usize, const M: usize> = Rows<X, 2, 1, Fixed<P, M>>;

/// The value of a guard, and the bound of its rounding error. A guard that nothing watches has none.
pub(crate) type Guard<S> = Option<(S, S)>;

/// The bounds of a gap or of a sliding velocity up to which it may be 0 in the course of a phase.
const MANY: f64 = 16.0;

/// The phases of all contacts and joints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Phases<S, const P: usize, const M: usize> {
    /// A sliding contact has the direction of its sliding velocity.
    contacts: [Contact<S>; P],
    /// The sign of the velocity of each joint that moves; none for a held one.
    joints: [Option<S>; M],
    /// The gap at which an open contact closes, and which a closed one keeps.
    gaps: [S; P],
    /// The largest rates with which contacts have struck.
    strikes: [S; P],
    /// The largest sliding velocities of contacts.
    slips: [S; P],
    tolerance: S,
}

/// An event of a phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Change {
    Closes(usize),
    Opens(usize),
    Sticks(usize),
    Slides(usize),
    Holds(usize),
    Moves(usize),
}

/// A state with its time and inputs.
pub(crate) type At<'a, S, const NQ: usize, const N: usize, const K: usize> =
    (S, &'a SVector<S, NQ>, &'a SVector<S, N>, &'a SVector<S, K>);

impl<S: RealField + Copy, const P: usize, const M: usize> Phases<S, P, M> {
    /// All contacts are open, and no joint moves.
    pub(crate) fn new() -> Self {
        Self {
            contacts: [Contact::Open; P],
            joints: [None; M],
            gaps: [S::zero(); P],
            strikes: [S::zero(); P],
            slips: [S::zero(); P],
            tolerance: S::zero(),
        }
    }

    /// The phases at the start of a run, and the velocities after impacts there.
    ///
    /// # Errors
    ///
    /// The errors of [`Frictional::resolve`].
    pub(crate) fn begin<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &mut self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
        tolerance: S,
    ) -> Result<SVector<S, N>, Error>
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        self.tolerance = tolerance;
        let gaps = system.gaps(t, q, v, u);
        let terms = system.friction_terms(t, q, v, u);
        let closed = core::array::from_fn(|k| gaps[k] <= terms.gap_bounds[k]);
        for k in 0..P {
            if closed[k] {
                self.gaps[k] = gaps[k].min(S::zero());
            }
        }
        let rates = system.gap_rates(t, q, v, u);
        let strikes = (0..P).any(|k| closed[k] && rates[k] < -terms.gap_rate_bounds[k]);
        if strikes {
            return self.solve_impact(system, (t, q, v, u), &closed);
        }
        self.decide(system, (t, q, v, u), &closed, &Knowledge::by_state())?;
        Ok(*v)
    }

    /// The modes of the contacts and of the joints that rest.
    fn modes(&self) -> Modes<S, Fixed<P, M>> {
        Modes {
            contacts: self.contacts,
            joints: [Joint::Held; M],
        }
    }

    fn held_joints(&self) -> [bool; M] {
        self.joints.map(|joint| joint.is_none())
    }

    /// The equations of motion in these phases, whose modes have the directions in which contacts slide.
    fn setting<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
        terms: &FrictionTerms<S, N, P, M>,
    ) -> (Setting<S, N, C, P, M>, Modes<S, Fixed<P, M>>)
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let mut modes = self.modes();
        let mut contacts = [Law::Absent; P];
        for k in 0..P {
            let slips = T::SLIPS[k];
            let friction = if slips == 0 {
                S::zero()
            } else {
                terms.friction[k].max(S::zero())
            };
            contacts[k] = match self.contacts[k] {
                Contact::Open => continue,
                Contact::Sticks if !friction.is_zero() => {
                    let friction = self.friction_at_rest(system, (t, q, v, u), terms, k);
                    Law::Rests { slips, friction }
                }
                Contact::Sticks => Law::Slides {
                    friction: S::zero(),
                    direction: [S::zero(); 2],
                },
                Contact::Slides(direction) => {
                    let direction = self.direction_at(terms, k, slips, direction);
                    let friction = self.sliding_friction(system, (t, q, v, u), terms, k);
                    Law::Slides {
                        friction: friction.max(S::zero()),
                        direction,
                    }
                }
            };
            if let Law::Slides { direction, .. } = contacts[k] {
                modes.contacts[k] = Contact::Slides(direction);
            }
        }
        let setting = setting(system, t, (q, v, u), terms, (contacts, self.joints));
        (setting, modes)
    }

    /// The coefficient of friction of a contact that sticks, at a sliding velocity of 0 in place of a rounding error.
    fn friction_at_rest<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
        terms: &FrictionTerms<S, N, P, M>,
        contact: usize,
    ) -> S
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let zero = S::zero();
        let value = |values: &SVector<S, P>| values.get(contact).copied().unwrap_or(zero);
        let mut moved = *v;
        for (slip, jacobian) in slip_at(terms, contact).iter().zip(&terms.slip_jacobians) {
            let row = row_of(jacobian, contact);
            let square = row.dot(&row);
            if !slip.is_zero() && square > zero {
                moved -= row * (*slip / square);
            }
        }
        if moved == *v {
            return value(&terms.friction).max(zero);
        }
        value(&system.friction_terms(t, q, &moved, u).friction).max(zero)
    }

    /// The coefficient of friction of a sliding contact. At a slip below a millionth of the velocities that it consists of
    /// it is that of such a slip: a contact that begins to slide has the friction of sliding, not of rest.
    fn sliding_friction<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
        terms: &FrictionTerms<S, N, P, M>,
        contact: usize,
    ) -> S
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let zero = S::zero();
        let value = |values: &SVector<S, P>| values.get(contact).copied().unwrap_or(zero);
        let friction = value(&terms.friction);
        let Some(Contact::Slides(direction)) = self.contacts.get(contact) else {
            return friction;
        };
        let [x, y] = slip_at(terms, contact);
        let bound = terms.slip_bounds.each_ref().map(value);
        let least = bound[0].max(bound[1]) * constant(1e-6) / S::default_epsilon();
        let slip = x * direction[0] + y * direction[1];
        let [first, second] = terms
            .slip_jacobians
            .each_ref()
            .map(|jacobian| row_of(jacobian, contact));
        let row = first * direction[0] + second * direction[1];
        let square = row.dot(&row);
        if slip < least && square > zero {
            let moved = v + row * ((least - slip) / square);
            value(&system.friction_terms(t, q, &moved, u).friction)
        } else {
            friction
        }
    }

    /// The motion in these phases.
    ///
    /// # Errors
    ///
    /// The errors of [`Frictional::resolve`], but for modes.
    pub(crate) fn acceleration<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &self,
        system: &T,
        state: At<'_, S, NQ, N, K>,
    ) -> Result<SVector<S, N>, Error>
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let motion = self.solve_phases(system, state)?;
        Ok(stop_joints::<S, T, NQ, N, K, C, P, M>(
            motion.x,
            &self.held_joints(),
        ))
    }

    /// The values of all guards.
    ///
    /// # Errors
    ///
    /// The errors of [`acceleration`](Self::acceleration).
    pub(crate) fn guards<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &self,
        system: &T,
        state: At<'_, S, NQ, N, K>,
    ) -> Result<Guards<Guard<S>, P, M>, Error>
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let (t, q, v, u) = state;
        let many = constant::<S>(MANY);
        let terms = system.friction_terms(t, q, v, u);
        let gaps = system.gaps(t, q, v, u);
        let has_forces = self
            .contacts
            .iter()
            .any(|contact| *contact != Contact::Open)
            || self.joints.iter().any(Option::is_none);
        let (setting, modes) = self.setting(system, state, &terms);
        let motion = if has_forces {
            Some(solve_modes(&setting, &modes)?)
        } else {
            None
        };
        let mut guards: Guards<Guard<S>, P, M> = Rows::filled(Fixed, None);
        for k in 0..P {
            let [first, second] = &mut guards.contacts[k];
            let Some(motion) = motion
                .as_ref()
                .filter(|_| self.contacts[k] != Contact::Open)
            else {
                *first = Some((gaps[k] - self.gaps[k], terms.gap_bounds[k] * many));
                continue;
            };
            let [force, along_first, along_second] = motion.forces.contacts[k];
            let [noise, of_first, of_second] = motion.noise.contacts[k];
            *first = Some((force, noise));
            let law = &setting.contacts[k];
            *second = match self.contacts[k] {
                Contact::Sticks if law.slips() > 0 => {
                    let left = law.friction() * force - along_first.hypot(along_second);
                    Some((left, noise * law.friction() + of_first.max(of_second)))
                }
                Contact::Slides([x, y]) if !(x.is_zero() && y.is_zero()) => {
                    let [of_first, of_second] = slip_at(&terms, k);
                    let bound = terms.slip_bounds[0][k].max(terms.slip_bounds[1][k]);
                    Some((of_first * x + of_second * y, bound * many))
                }
                _ => None,
            };
        }
        for j in 0..M {
            guards.joints[j][0] = match (self.joints[j], &motion) {
                (Some(sign), _) => {
                    let velocity = v.get(T::DRY_JOINTS[j]).copied();
                    velocity.map(|velocity| (velocity * sign, S::zero()))
                }
                (None, Some(motion)) => {
                    let left = terms.joint_limits[j] - motion.forces.joints[j][0].abs();
                    Some((left, motion.noise.joints[j][0]))
                }
                (None, None) => None,
            };
        }
        let is_shared = motion.is_some_and(|motion| motion.is_shared);
        let is_at_bound = self
            .loads(&mut guards)
            .flatten()
            .any(|guard| is_small(*guard));
        if is_shared && is_at_bound && self.can_hold(&setting) {
            // Any values above the rounding.
            for guard in self.loads(&mut guards).flatten() {
                guard.0 = guard.0.max(guard.1 * constant(2.0));
            }
        }
        Ok(guards)
    }

    /// The open contacts whose gaps get smaller.
    pub(crate) fn find_nearing<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
    ) -> [bool; P]
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let rates = system.gap_rates(t, q, v, u);
        core::array::from_fn(|k| self.contacts[k] == Contact::Open && rates[k] < S::zero())
    }

    /// The guards of forces, and of the friction that is left.
    fn loads<'a>(
        &self,
        guards: &'a mut Guards<Guard<S>, P, M>,
    ) -> impl Iterator<Item = &'a mut Guard<S>> + use<'a, S, P, M> {
        let contacts = guards
            .contacts
            .iter_mut()
            .zip(self.contacts)
            .flat_map(|(guards, phase)| {
                let count = match phase {
                    Contact::Open => 0,
                    Contact::Sticks => 2,
                    Contact::Slides(_) => 1,
                };
                guards.iter_mut().take(count)
            });
        let held_joints = guards
            .joints
            .iter_mut()
            .zip(self.joints)
            .filter(|(_, direction)| direction.is_none());
        contacts.chain(held_joints.flat_map(|(guards, _)| guards))
    }

    /// Returns whether some forces within their laws keep these phases: where rows depend on each other the least forces
    /// may be beyond a bound, although another row can take the rest of the load.
    fn can_hold<const N: usize, const C: usize>(&self, setting: &Setting<S, N, C, P, M>) -> bool {
        let Ok(motion) = solve_laws(setting) else {
            return false;
        };
        let contacts = self.contacts.iter().zip(&setting.contacts);
        let mut keep =
            contacts
                .zip(&motion.modes.contacts)
                .map(|((phase, law), mode)| match phase {
                    Contact::Open => true,
                    Contact::Sticks if law.slips() > 0 => *mode == Contact::Sticks,
                    Contact::Sticks | Contact::Slides(_) => *mode != Contact::Open,
                });
        let mut joints = (0..M).filter(|j| self.joints.get(*j) == Some(&None));
        keep.all(|keeps| keeps) && joints.all(|j| motion.holds(setting, j))
    }

    /// The guards that are known to be positive at the start of a phase: gaps that open.
    pub(crate) fn armed<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
    ) -> [bool; P]
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let rates = system.gap_rates(t, q, v, u);
        let bounds = system.friction_terms(t, q, v, u).gap_rate_bounds;
        core::array::from_fn(|k| self.contacts[k] == Contact::Open && rates[k] > bounds[k])
    }

    /// Takes the guard of an open contact: once its gap has been positive it closes where the gap is 0.
    pub(crate) fn has_opened(&mut self, contact: usize, guard: S, noise: S) {
        let is_open = self.contacts.get(contact) == Some(&Contact::Open);
        let gap = self.gaps.get_mut(contact).filter(|_| is_open);
        if let Some(gap) = gap.filter(|gap| guard + **gap > noise) {
            *gap = S::zero();
        }
    }

    /// The phases after a guard has got 0, with the state after impacts.
    ///
    /// # Errors
    ///
    /// The errors of [`Frictional::resolve`].
    pub(crate) fn change<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &mut self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
        guard: usize,
    ) -> Result<(SVector<S, N>, Option<Change>), Error>
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        match guard.checked_sub(P.wrapping_mul(2)) {
            Some(joint) => self.change_of_joint(system, (t, q, v, u), joint),
            None => {
                let place = (guard / 2, guard.is_multiple_of(2));
                self.change_of_contact(system, (t, q, v, u), place)
            }
        }
    }

    /// A joint stops, or is moved by more than its friction.
    fn change_of_joint<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &mut self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
        j: usize,
    ) -> Result<(SVector<S, N>, Option<Change>), Error>
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let mut v = *v;
        let mut knowledge = self.gather_knowledge(system, (t, q, &v, u));
        let direction = match self.joints.get(j).copied().flatten() {
            Some(_) => {
                let mut stopped = [false; M];
                if let Some(is_stopped) = stopped.get_mut(j) {
                    *is_stopped = true;
                }
                v = stop_joints::<S, T, NQ, N, K, C, P, M>(v, &stopped);
                None
            }
            None => {
                let motion = self.solve_phases(system, (t, q, &v, u))?;
                let force = motion
                    .forces
                    .joints
                    .get(j)
                    .map_or(S::zero(), |force| force[0]);
                Some(-force.signum())
            }
        };
        if let Some(joint) = knowledge.joints.get_mut(j) {
            *joint = direction;
        }
        self.decide(system, (t, q, &v, u), &self.closed(), &knowledge)?;
        let is_held = self.joints.get(j).is_some_and(Option::is_none);
        let change = if is_held {
            Change::Holds(j)
        } else {
            Change::Moves(j)
        };
        Ok((v, Some(change)))
    }

    /// The first guard of a contact, which is its gap or its force, or the second one has got 0.
    fn change_of_contact<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &mut self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
        (k, is_first): (usize, bool),
    ) -> Result<(SVector<S, N>, Option<Change>), Error>
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let mut v = *v;
        let Some(contact) = self.contacts.get(k).copied() else {
            return Ok((v, None));
        };
        let mut closed = self.closed();
        let mut knowledge = self.gather_knowledge(system, (t, q, &v, u));
        let change = match (contact, is_first) {
            (Contact::Open, _) => {
                let touches = self.find_touching(system, (t, q, &v, u));
                for i in 0..P {
                    closed[i] = closed[i] || i == k || touches[i];
                }
                v = self.solve_impact(system, (t, q, &v, u), &closed)?;
                return Ok((v, Some(Change::Closes(k))));
            }
            (_, true) => {
                if let Some(closed) = closed.get_mut(k) {
                    *closed = false;
                }
                Change::Opens(k)
            }
            (Contact::Slides(_), false) => {
                let terms = system.friction_terms(t, q, &v, u);
                let [x, y] = slip_at(&terms, k);
                let slips = T::SLIPS.get(k).copied().unwrap_or(0);
                let length = x.hypot(y);
                if slips > 1 && length > self.least_slip(&terms, k) {
                    // In space the velocity may have turned.
                    if let Some(contact) = self.contacts.get_mut(k) {
                        *contact = Contact::Slides([x / length, y / length]);
                    }
                    return Ok((v, None));
                }
                let mut sticking = *self;
                let rests = self.come_to_rest(&terms, k, T::SLIPS);
                for i in 0..P {
                    if rests[i] {
                        (sticking.contacts[i], knowledge.slips[i]) = (Contact::Sticks, Slip::Zero);
                    }
                }
                v = sticking.settle(system, (t, q, &v, u))?.1;
                Change::Sticks(k)
            }
            (_, false) => {
                let motion = self.solve_phases(system, (t, q, &v, u))?;
                let [_, x, y] = motion
                    .forces
                    .contacts
                    .get(k)
                    .copied()
                    .unwrap_or([S::zero(); 3]);
                let length = x.hypot(y);
                if let Some(slip) = knowledge.slips.get_mut(k) {
                    *slip = Slip::Along([-x / length, -y / length]);
                }
                Change::Slides(k)
            }
        };
        self.decide(system, (t, q, &v, u), &closed, &knowledge)?;
        let change = match (change, self.contacts.get(k)) {
            (Change::Sticks(k), Some(Contact::Slides(_))) => Change::Slides(k),
            (Change::Sticks(k), Some(Contact::Open)) => Change::Opens(k),
            (change, _) => change,
        };
        Ok((v, Some(change)))
    }

    /// The sliding velocity in space below which a contact comes to rest.
    fn least_slip<const N: usize>(&self, terms: &FrictionTerms<S, N, P, M>, contact: usize) -> S {
        let value = |values: &SVector<S, P>| values.get(contact).copied();
        let bound = terms
            .slip_bounds
            .iter()
            .filter_map(value)
            .fold(S::zero(), |most, bound| most.max(bound));
        let known = self.slips.get(contact).copied().unwrap_or_else(S::zero);
        let size = known.max(bound / S::default_epsilon());
        size * constant::<S>(16.0) * self.tolerance.max(S::default_epsilon() * constant(4.0))
    }

    /// The sliding contacts that come to rest with this one: those of one body in space lose all their sliding velocities
    /// at once when it stops.
    fn come_to_rest<const N: usize>(
        &self,
        terms: &FrictionTerms<S, N, P, M>,
        contact: usize,
        slips: [usize; P],
    ) -> [bool; P] {
        core::array::from_fn(|i| {
            let [x, y] = slip_at(terms, i);
            let slides = matches!(self.contacts[i], Contact::Slides(_));
            let is_about_zero = x.hypot(y) <= self.least_slip(terms, i);
            i == contact || slides && slips[i] > 1 && is_about_zero
        })
    }

    /// The direction in which a contact slides: in space that of its sliding velocity, while it is not about 0.
    fn direction_at<const N: usize>(
        &self,
        terms: &FrictionTerms<S, N, P, M>,
        contact: usize,
        slips: usize,
        direction: [S; 2],
    ) -> [S; 2] {
        let [x, y] = slip_at(terms, contact);
        let length = x.hypot(y);
        let along = x * direction[0] + y * direction[1];
        if slips > 1 && along > S::zero() && length > self.least_slip(terms, contact) {
            [x / length, y / length]
        } else {
            direction
        }
    }

    /// Takes the sliding velocities within a phase.
    pub(crate) fn see<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &mut self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
    ) where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let terms = system.friction_terms(t, q, v, u);
        for k in 0..P {
            let [x, y] = slip_at(&terms, k);
            self.slips[k] = self.slips[k].max(x.hypot(y));
            if let Contact::Slides(direction) = self.contacts[k] {
                let direction = self.direction_at(&terms, k, T::SLIPS[k], direction);
                self.contacts[k] = Contact::Slides(direction);
            }
        }
    }

    /// The contacts that are closed.
    fn closed(&self) -> [bool; P] {
        core::array::from_fn(|k| self.contacts[k] != Contact::Open)
    }

    /// The knowledge that the phases have beside the state.
    fn gather_knowledge<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
    ) -> Knowledge<S, P, M>
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let terms = system.friction_terms(t, q, v, u);
        Knowledge {
            slips: core::array::from_fn(|k| match self.contacts[k] {
                Contact::Open => Slip::ByState,
                Contact::Sticks => Slip::Zero,
                Contact::Slides([x, y]) if x.is_zero() && y.is_zero() => Slip::ByState,
                Contact::Slides(direction) => {
                    Slip::Along(self.direction_at(&terms, k, T::SLIPS[k], direction))
                }
            }),
            stays: [true; P],
            joints: self.joints,
        }
    }

    fn solve_phases<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &self,
        system: &T,
        state: At<'_, S, NQ, N, K>,
    ) -> Result<LawSolution<S, N, C, P, M>, Error>
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let (t, q, v, u) = state;
        let terms = system.friction_terms(t, q, v, u);
        let (setting, modes) = self.setting(system, state, &terms);
        solve_modes(&setting, &modes)
    }

    /// Takes the phases of the motion in which these contacts may be closed.
    fn decide<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &mut self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
        closed: &[bool; P],
        knowledge: &Knowledge<S, P, M>,
    ) -> Result<(), Error>
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let terms = system.friction_terms(t, q, v, u);
        let (contacts, directions) = laws(system, t, (q, v, u), &terms, closed, knowledge)?;
        let setting = setting(system, t, (q, v, u), &terms, (contacts, directions));
        let motion = solve_laws(&setting)?;
        let gaps = system.gaps(t, q, v, u);
        for k in 0..P {
            let was_open = self.contacts[k] == Contact::Open;
            self.contacts[k] = match contacts[k] {
                Law::Absent => Contact::Open,
                _ => motion.modes.contacts[k],
            };
            let is_open = self.contacts[k] == Contact::Open;
            if was_open != is_open || (is_open && closed[k]) {
                self.gaps[k] = gaps[k].min(S::zero());
            }
        }
        self.joints = core::array::from_fn(|j| match (directions[j], motion.modes.joints[j]) {
            (Some(direction), _) => Some(direction),
            (None, Joint::Moves(force)) => Some(-force),
            (None, Joint::Held) => None,
        });
        Ok(())
    }
}

/// Returns whether a guard is negative, or rounding.
fn is_small<S: RealField + Copy>((value, noise): (S, S)) -> bool {
    value < noise * constant(2.0)
}

/// The sliding velocity of a contact.
fn slip_at<S: RealField + Copy, const N: usize, const P: usize, const M: usize>(
    terms: &FrictionTerms<S, N, P, M>,
    contact: usize,
) -> [S; 2] {
    let value = |values: &SVector<S, P>| values.get(contact).copied();
    terms
        .slips
        .each_ref()
        .map(value)
        .map(|slip| slip.unwrap_or_else(S::zero))
}

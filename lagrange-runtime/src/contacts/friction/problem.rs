//! The laws of contacts and joints for rates that are linear in the forces.

use nalgebra::RealField;

use super::elimination::{Equations, Solution};
use super::rows::{PerRow, Rows, Sizes, Square};
use crate::math::constant;

/// The rates `w = W x + b` of rows, by the forces x along them, with laws between the two. Rates and forces are scaled
/// so that the diagonal of W is 1; both sliding velocities of a contact have the same scale.
#[doc(hidden)]
#[derive(Clone)]
pub struct Problem<S: Clone, L: Sizes> {
    /// W.
    pub matrix: Square<S, 3, 1, L>,
    /// b.
    pub free: PerRow<S, L>,
    /// The bounds of the rounding errors of b.
    pub noise: PerRow<S, L>,
    /// The factors from scaled forces to forces, and from rates to scaled rates.
    pub scales: PerRow<S, L>,
    pub contacts: L::Contacts<Law<S>>,
    /// The largest forces of the joints; none for a joint that moves.
    pub joints: L::Joints<Option<S>>,
}

/// The law of a contact.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law<S> {
    /// It has no force.
    Absent,
    /// It pushes or opens. Friction of at most `friction` times its force holds `slips` sliding velocities.
    Rests { slips: usize, friction: S },
    /// It pushes or opens. Friction is `-friction` times its force along the direction.
    Slides { friction: S, direction: [S; 2] },
}

/// The mode of a contact, with the direction in which it slides.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contact<S> {
    Open,
    Sticks,
    Slides([S; 2]),
}

/// The mode of a joint with dry friction: the friction holds it, or is its largest value times this sign.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Joint<S> {
    Held,
    Moves(S),
}

/// The modes of all contacts and joints.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Modes<S: Clone, L: Sizes> {
    pub contacts: L::Contacts<Contact<S>>,
    pub joints: L::Joints<Joint<S>>,
}

/// Forces with the modes that they are for.
#[doc(hidden)]
#[derive(Clone)]
pub struct Candidate<S: Clone, L: Sizes> {
    pub modes: Modes<S, L>,
    pub forces: PerRow<S, L>,
    /// The first row that depends on others.
    pub dependent: Option<usize>,
    /// The rates, and the bounds of their rounding errors.
    pub rates: PerRow<S, L>,
    pub bounds: PerRow<S, L>,
    /// True if the laws hold.
    pub holds: bool,
    /// True if the laws do not hold, but only because of rates that the rounding errors of large forces hide.
    pub is_below_rounding: bool,
    /// The largest part by which a law does not hold, in rounding errors.
    pub excess: S,
}

impl<S: RealField + Copy> Law<S> {
    /// The coefficient of friction.
    pub(in crate::contacts) fn friction(&self) -> S {
        match self {
            Self::Absent => S::zero(),
            Self::Rests { friction, .. } | Self::Slides { friction, .. } => *friction,
        }
    }

    /// The number of sliding velocities that friction may hold.
    pub(in crate::contacts) fn slips(&self) -> usize {
        match self {
            Self::Rests { slips, .. } => *slips,
            Self::Absent | Self::Slides { .. } => 0,
        }
    }
}

impl<S: RealField + Copy, L: Sizes> Problem<S, L> {
    /// The numbers of contacts and joints.
    pub(super) fn sizes(&self) -> L {
        self.free.sizes
    }

    /// The rows whose rates are 0 in these modes.
    #[doc(hidden)]
    pub fn held(&self, modes: &Modes<S, L>) -> PerRow<bool, L> {
        let mut held_rows = Rows::filled(self.sizes(), false);
        for k in 0..self.sizes().contacts() {
            let slips = match modes.contacts[k] {
                Contact::Open => continue,
                Contact::Sticks => self.contacts[k].slips(),
                Contact::Slides(_) => 0,
            };
            held_rows.contacts[k] = [true, slips > 0, slips > 1];
        }
        for j in 0..self.sizes().joints() {
            held_rows.joints[j][0] = self.joints[j].is_some() && modes.joints[j] == Joint::Held;
        }
        held_rows
    }

    /// The forces for which the rates of the held rows of these modes are 0, the least ones if rows depend on each other.
    /// Contacts without force push no matter what their mode is.
    pub(in crate::contacts) fn solve(
        &self,
        modes: &Modes<S, L>,
        without_force: &L::Contacts<bool>,
    ) -> Candidate<S, L> {
        let mut held_rows = self.held(modes);
        for k in 0..self.sizes().contacts() {
            if without_force[k] {
                held_rows.contacts[k] = [false; 3];
            }
        }
        let mut forces = Rows::filled(self.sizes(), S::zero());
        for j in 0..self.sizes().joints() {
            if let (Some(limit), Joint::Moves(sign)) = (self.joints[j], modes.joints[j]) {
                forces.joints[j][0] = limit * sign;
            }
        }
        let rates = self.rates(&forces).0;
        let first = self.corrections(modes, &held_rows, &rates);
        for (force, value) in forces.iter_mut().zip(first.x.iter()) {
            *force += *value;
        }
        // One step of refinement.
        let rates = self.rates(&forces).0;
        let second = self.corrections(modes, &held_rows, &rates);
        for (force, value) in forces.iter_mut().zip(second.x.iter()) {
            *force += *value;
        }
        self.candidate(modes.clone(), forces, first.dependent)
    }

    /// The changes of forces that change the rates of the held rows to 0, the least ones if rows depend on each other.
    #[doc(hidden)]
    pub fn corrections(
        &self,
        modes: &Modes<S, L>,
        held_rows: &PerRow<bool, L>,
        rates: &PerRow<S, L>,
    ) -> Solution<S, L> {
        let drags = self.sizes().of_contacts(|k| self.drag(k, modes));
        let mut equations = Equations {
            matrix: self.matrix.clone(),
            right: rates.map(|rate| -*rate),
            active: held_rows.clone(),
        };
        for row in equations.matrix.iter_mut() {
            for k in 0..self.sizes().contacts() {
                let [normal, first, second] = &mut row.contacts[k];
                *normal += *first * drags[k][0] + *second * drags[k][1];
            }
        }
        let mut weights = self.scales.clone();
        for k in 0..self.sizes().contacts() {
            let [first, second] = drags[k];
            let [normal, of_first, of_second] = self.scales.contacts[k];
            let slip = of_first.max(of_second);
            weights.contacts[k][0] = normal.hypot(first.hypot(second) * slip);
        }
        let mut solution = equations.solve(&weights);
        for k in 0..self.sizes().contacts() {
            let [first, second] = drags[k];
            let [normal, along_first, along_second] = &mut solution.x.contacts[k];
            *along_first += first * *normal;
            *along_second += second * *normal;
        }
        solution
    }

    /// The friction of a contact for a force of 1, along its sliding velocities.
    fn drag(&self, contact: usize, modes: &Modes<S, L>) -> [S; 2] {
        match modes.contacts[contact] {
            Contact::Slides(direction) => {
                direction.map(|part| -self.contacts[contact].friction() * part)
            }
            _ => [S::zero(); 2],
        }
    }

    /// The rates by these forces, and the bounds of their rounding errors.
    pub(in crate::contacts) fn rates(&self, forces: &PerRow<S, L>) -> (PerRow<S, L>, PerRow<S, L>) {
        let (mut rates, mut bounds) = (self.free.clone(), self.noise.clone());
        let rounding = S::default_epsilon() * constant(256.0);
        for (i, row) in (0..self.free.count()).zip(self.matrix.iter()) {
            let (Some(rate), Some(bound)) = (rates.get_mut(i), bounds.get_mut(i)) else {
                continue;
            };
            let mut size = rate.abs();
            for (entry, force) in row.iter().zip(forces.iter()) {
                let part = *entry * *force;
                *rate += part;
                size += part.abs();
            }
            *bound += size * rounding;
        }
        (rates, bounds)
    }

    /// Forces, with the verdict of the laws on them.
    pub(in crate::contacts) fn candidate(
        &self,
        modes: Modes<S, L>,
        forces: PerRow<S, L>,
        dependent: Option<usize>,
    ) -> Candidate<S, L> {
        let (rates, bounds) = self.rates(&forces);
        let rounding_excess = self.excess_of_rounding(&modes, &rates, &bounds);
        let mut excess = S::zero();
        // A rate that shall be at least 0, or a force, whose scaled error is that of the rate.
        let mut judge = |value: S, bound: S| {
            if !(value >= -bound) {
                // Not finite where value or bound is NaN.
                let part = -value / bound;
                excess = if part > excess || !(part <= excess) {
                    part
                } else {
                    excess
                };
            }
        };
        for k in 0..self.sizes().contacts() {
            let (law, mode) = (&self.contacts[k], &modes.contacts[k]);
            if *law == Law::Absent {
                continue;
            }
            let [rate, first, second] = rates.contacts[k];
            let [bound, of_first, of_second] = bounds.contacts[k];
            let [force, along_first, along_second] = forces.contacts[k];
            judge(rate, bound);
            judge(force, bound);
            let along = bound.max(of_first).max(of_second);
            if *mode == Contact::Open {
                judge(-force, bound);
                judge(-along_first.hypot(along_second), along);
                continue;
            }
            judge(-rate, bound);
            let bound = along;
            if let Contact::Slides(direction) = mode {
                let [x, y] = direction.map(|part| law.friction() * force * part);
                judge(-(along_first + x).hypot(along_second + y), bound);
            }
            if law.slips() == 0 {
                continue;
            }
            match mode {
                Contact::Slides([x, y]) => {
                    judge(first * *x + second * *y, bound);
                    judge(-(first * *y - second * *x).abs(), bound);
                }
                Contact::Sticks | Contact::Open => {
                    let friction = along_first.hypot(along_second);
                    judge(law.friction() * force - friction, bound);
                    judge(-first.abs(), bound);
                    if law.slips() > 1 {
                        judge(-second.abs(), bound);
                    }
                }
            }
        }
        for j in 0..self.sizes().joints() {
            let Some(limit) = self.joints[j] else {
                continue;
            };
            let (rate, bound) = (rates.joints[j][0], bounds.joints[j][0]);
            match modes.joints[j] {
                Joint::Held => {
                    judge(limit - forces.joints[j][0].abs(), bound);
                    judge(-rate.abs(), bound);
                }
                Joint::Moves(sign) => {
                    judge(-(forces.joints[j][0] - limit * sign).abs(), bound);
                    judge(-rate * sign, bound);
                }
            }
        }
        let is_below_rounding = excess.is_zero() && rounding_excess > S::zero();
        if is_below_rounding {
            excess = rounding_excess;
        }
        Candidate {
            modes,
            forces,
            dependent,
            rates,
            bounds,
            holds: excess.is_zero(),
            is_below_rounding,
            excess,
        }
    }

    /// How far the largest bound of a rate that counts as 0 is beyond the rates without forces; 0 if none is. Such a rate says
    /// nothing: with forces so large that their rounding errors hide the rates without them, the laws would hold for
    /// contradictions, too.
    fn excess_of_rounding(
        &self,
        modes: &Modes<S, L>,
        rates: &PerRow<S, L>,
        bounds: &PerRow<S, L>,
    ) -> S {
        let rounding = S::default_epsilon() * constant(32.0);
        let mut data = S::zero();
        for (free, noise) in self.free.iter().zip(self.noise.iter()) {
            data = data.max(free.abs()).max(*noise / rounding);
        }
        for j in 0..self.sizes().joints() {
            if let (Some(limit), Joint::Moves(_)) = (self.joints[j], modes.joints[j]) {
                data = data.max(limit);
            }
        }
        let mut tested: PerRow<bool, L> = Rows::filled(self.sizes(), false);
        for k in 0..self.sizes().contacts() {
            let law = &self.contacts[k];
            let slips = match modes.contacts[k] {
                Contact::Open => 0,
                Contact::Sticks | Contact::Slides(_) => law.slips(),
            };
            tested.contacts[k] = [*law != Law::Absent, slips > 0, slips > 1];
        }
        for j in 0..self.sizes().joints() {
            tested.joints[j][0] = self.joints[j].is_some();
        }
        let mut excess = S::zero();
        for ((rate, bound), is_tested) in rates.iter().zip(bounds.iter()).zip(tested.iter()) {
            if *is_tested && *bound > data && rate.abs() <= *bound {
                excess = excess.max(*bound / data);
            }
        }
        excess
    }

    /// The modes of contacts and joints that have nothing to decide: open, and moving.
    pub(in crate::contacts) fn start(&self) -> Modes<S, L> {
        Modes {
            contacts: self.sizes().of_contacts(|_| Contact::Open),
            joints: self.sizes().of_joints(|_| Joint::Held),
        }
    }
}

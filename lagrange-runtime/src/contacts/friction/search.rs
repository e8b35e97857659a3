//! The modes in which all laws hold.

use nalgebra::{RealField, try_convert};

use super::arcs::Outcome;
use super::cones;
use super::pivoting::pivoted;
use super::problem::{Candidate, Contact, Joint, Law, Problem};
use super::rows::Sizes;
use crate::Error;
use crate::math::constant;

/// The most combinations of modes that are tried one by one.
const MOST_COMBINATIONS: usize = 1 << 16;

/// The most eliminations to find directions.
const MOST_ELIMINATIONS: usize = 1 << 14;

/// The quarters of directions in which a contact may begin to slide in space, by their first directions.
const QUARTERS: [[f64; 2]; 4] = [[0.8, 0.6], [-0.6, 0.8], [-0.8, -0.6], [0.6, -0.8]];

/// The directions in which a contact may begin to slide in a plane.
const SIGNS: [[f64; 2]; 2] = [[1.0, 0.0], [-1.0, 0.0]];

/// The number of modes of a contact: open, at rest, and each direction.
fn choices<S>(law: &Law<S>) -> usize {
    match law {
        Law::Absent => 1,
        Law::Slides { .. } | Law::Rests { slips: 0, .. } => 2,
        Law::Rests { slips: 1, .. } => 4,
        Law::Rests { .. } => 6,
    }
}

impl<S: RealField + Copy, L: Sizes> Problem<S, L> {
    /// Forces for which all laws hold.
    ///
    /// # Errors
    ///
    /// [`Error::NoContactSolution`]; [`Error::NotConverged`] if none was found among too many combinations to try all, or
    /// if not all directions in space are refuted, unless gaps would close with any forces;
    /// [`Error::DependentConstraints`] with the row of the problem if rows depend on each other, unless this is served.
    #[doc(hidden)]
    pub fn search(&self, serves_dependent: bool) -> Result<Candidate<S, L>, Error> {
        let is_spatial = self.contacts.as_ref().iter().any(|law| law.slips() > 1);
        let none = self.sizes().of_contacts(|_| false);
        let first = if is_spatial {
            cones::search(self)
        } else {
            pivoted(self).map(|modes| self.solve(&modes, &none))
        };
        let candidate = match first {
            Some(candidate) if candidate.holds => Ok(candidate),
            first => self.enumerate(first.map(|candidate| candidate.excess)),
        };
        match candidate {
            Ok(candidate) => self.completed(candidate, serves_dependent),
            Err(Error::NotConverged { .. }) if is_spatial && !self.can_stay_closed() => {
                Err(Error::NoContactSolution)
            }
            Err(error) => Err(error),
        }
    }

    /// Returns false if no forces at all keep the gaps from closing further. A combination of gaps that no force of a gap
    /// changes is one that no force changes, because the matrix is symmetric. So this holds with any friction.
    fn can_stay_closed(&self) -> bool {
        let mut smooth = self.clone();
        for law in smooth.contacts.as_mut() {
            if *law != Law::Absent {
                *law = Law::Slides {
                    friction: S::zero(),
                    direction: [S::zero(); 2],
                };
            }
        }
        smooth.joints = self.sizes().of_joints(|_| None);
        !matches!(smooth.search(true), Err(Error::NoContactSolution))
    }

    /// The number of combinations of modes.
    fn combinations(&self) -> Option<usize> {
        let contacts = self.contacts.as_ref().iter().map(choices);
        let joints = self
            .joints
            .as_ref()
            .iter()
            .map(|joint| if joint.is_some() { 3 } else { 1 });
        contacts
            .chain(joints)
            .try_fold(1_usize, |count, factor| count.checked_mul(factor))
    }

    /// The first of all combinations of modes in which the laws hold. Open contacts come first. `least` is the least excess
    /// so far.
    fn enumerate(&self, mut least: Option<S>) -> Result<Candidate<S, L>, Error> {
        let one = S::one();
        let is_spatial = self.contacts.as_ref().iter().any(|law| law.slips() > 1);
        let mut budget = MOST_ELIMINATIONS;
        let combinations = self
            .combinations()
            .filter(|count| *count <= MOST_COMBINATIONS);
        let mut is_clear = combinations.is_some();
        let mut modes = self.start();
        for number in 0..combinations.unwrap_or(0) {
            let mut remaining_digits = number;
            let mut digit = |base: usize| {
                let digit = remaining_digits.checked_rem(base).unwrap_or(0);
                remaining_digits = remaining_digits.checked_div(base).unwrap_or(0);
                digit
            };
            for k in 0..self.sizes().contacts() {
                let law = &self.contacts[k];
                modes.contacts[k] = match (law, digit(choices(law))) {
                    (_, 0) => Contact::Open,
                    (Law::Slides { direction, .. }, _) => Contact::Slides(*direction),
                    (_, 1) => Contact::Sticks,
                    (_, digit) => {
                        let directions: &[_] = if law.slips() > 1 { &QUARTERS } else { &SIGNS };
                        let direction = directions.get(digit.wrapping_sub(2));
                        Contact::Slides(direction.unwrap_or(&[1.0, 0.0]).map(constant))
                    }
                };
            }
            for j in 0..self.sizes().joints() {
                if self.joints[j].is_some() {
                    modes.joints[j] = match digit(3) {
                        0 => Joint::Held,
                        1 => Joint::Moves(one),
                        _ => Joint::Moves(-one),
                    };
                }
            }
            match self.bisect(&modes, &mut budget, &mut least) {
                Outcome::Found(candidate) => return Ok(candidate),
                Outcome::Refuted => {}
                // In a plane all combinations were tried.
                Outcome::Unclear => is_clear &= !is_spatial,
                Outcome::Hidden => is_clear = false,
            }
        }
        if is_clear {
            return Err(Error::NoContactSolution);
        }
        let residual = least.and_then(|excess| try_convert(excess * S::default_epsilon()));
        Err(Error::NotConverged {
            residual: residual.unwrap_or(f64::NAN),
        })
    }

    /// The candidate in which all rows without rate count as held: then forces of dependent rows are shared.
    fn completed(
        &self,
        candidate: Candidate<S, L>,
        serves_dependent: bool,
    ) -> Result<Candidate<S, L>, Error> {
        let mut modes = candidate.modes.clone();
        for k in 0..self.sizes().contacts() {
            let [rate, first, second] = candidate.rates.contacts[k];
            let [bound, of_first, of_second] = candidate.bounds.contacts[k];
            let bound_of_slip = bound.max(of_first).max(of_second);
            let slips = self.contacts[k].slips();
            let slip = match slips {
                0 => S::zero(),
                1 => first.abs(),
                _ => first.hypot(second),
            };
            let closed = match self.contacts[k] {
                Law::Absent => continue,
                Law::Slides { direction, .. } => Contact::Slides(direction),
                Law::Rests { .. } if slip <= bound_of_slip => Contact::Sticks,
                Law::Rests { slips: 1, .. } => Contact::Slides([first / slip, S::zero()]),
                Law::Rests { .. } => Contact::Slides([first / slip, second / slip]),
            };
            modes.contacts[k] = match modes.contacts[k] {
                Contact::Open if rate <= bound => closed,
                Contact::Slides(_) if closed == Contact::Sticks => closed,
                mode => mode,
            };
        }
        for j in 0..self.sizes().joints() {
            let is_still = candidate.rates.joints[j][0].abs() <= candidate.bounds.joints[j][0];
            if self.joints[j].is_some() && is_still {
                modes.joints[j] = Joint::Held;
            }
        }
        let mut without_force = self.sizes().of_contacts(|_| false);
        let mut completed = self.solve(&modes, &without_force);
        if let (Some(row), false) = (completed.dependent, serves_dependent) {
            return Err(Error::DependentConstraints { row });
        }
        for _ in 0..self.sizes().contacts() {
            if completed.holds || completed.dependent.is_none() {
                break;
            }
            // The contact that pulls most has no force.
            let mut most: Option<(usize, S)> = None;
            for k in 0..self.sizes().contacts() {
                let force = completed.forces.contacts[k][0] * self.scales.contacts[k][0];
                if force < most.map_or(S::zero(), |(_, least)| least) {
                    most = Some((k, force));
                }
            }
            let Some(place) = most.and_then(|(k, _)| without_force.as_mut().get_mut(k)) else {
                break;
            };
            *place = true;
            completed = self.solve(&modes, &without_force);
        }
        if completed.holds {
            return Ok(completed);
        }
        // The forces of the first candidate are right, too.
        Ok(Candidate { modes, ..candidate })
    }
}

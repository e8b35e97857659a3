//! The modes in which all laws hold.

use super::candidates::{Candidate, Contact};
use super::{Law, Laws};
use crate::codegen::kernels::Refused;
use crate::codegen::routine::RoutineError;

/// The most combinations of modes that are tried one by one.
const MOST_COMBINATIONS: usize = 1 << 16;

/// The most combinations of modes from which Newton's method on the cones begins.
const MOST_STARTS: usize = 1 << 12;

/// Directions in which a contact may begin to slide; in a plane the first two, and in space as many as there is time for.
const DIRECTIONS: [[f64; 2]; 8] = [
    [1.0, 0.0],
    [-1.0, 0.0],
    [0.0, 1.0],
    [0.0, -1.0],
    [0.7, 0.7],
    [-0.7, -0.7],
    [0.7, -0.7],
    [-0.7, 0.7],
];

/// The number of modes of a contact: open, at rest, and each direction.
fn choices(law: &Law, directions: usize) -> usize {
    match law.slips {
        _ if !law.is_closed => 1,
        0 => 2,
        1 => 4,
        _ => directions + 2,
    }
}

impl Laws {
    /// Forces for which all laws hold.
    ///
    /// # Errors
    ///
    /// `NoContactSolution`; `NotConverged` if none was found among too many combinations to try all, or in two directions,
    /// unless gaps would close with any forces; `DependentConstraints` with the row of the laws, unless this is served.
    pub(super) fn search(&self, serves_dependent: bool) -> Result<Candidate, Refused> {
        let is_spatial = self.contacts.iter().any(|law| law.slips > 1);
        let none = vec![false; self.contacts.len()];
        let first = match is_spatial {
            true => self.by_cones(),
            false => self.pivoted().map(|modes| self.candidate(modes, &none)),
        };
        let found = match first.filter(|candidate| candidate.excess == 0.0) {
            Some(candidate) => Some(candidate),
            None => self.enumerated()?,
        };
        match found {
            Some(candidate) => self.completed(candidate, serves_dependent),
            None if is_spatial && self.can_stay_closed() => Err(RoutineError::NotConverged.into()),
            None => Err(RoutineError::NoContactSolution.into()),
        }
    }

    /// Returns false if no forces at all keep the gaps from closing further. A combination of gaps that no force of a gap
    /// changes is one that no force changes, because the matrix is symmetric. So this holds with any friction.
    fn can_stay_closed(&self) -> bool {
        let mut smooth = self.clone();
        for law in &mut smooth.contacts {
            *law = Law {
                is_closed: law.is_closed,
                ..Law::default()
            };
        }
        for joint in &mut smooth.joints {
            joint.is_free = true;
        }
        let found = smooth.search(true);
        !found.is_err_and(|refused| refused.error == RoutineError::NoContactSolution)
    }

    /// The number of combinations of modes, with these directions of each contact.
    fn combinations(&self, directions: usize) -> usize {
        let contacts = self.contacts.iter().map(|law| choices(law, directions));
        let joints = self.joints.iter();
        let joints = joints.map(|joint| if joint.is_free { 1 } else { 3 });
        contacts.chain(joints).fold(1, usize::saturating_mul)
    }

    /// The first of all combinations of modes in which the laws hold. Open contacts come first. In space the forces of each
    /// are a start of Newton's method, if there are not too many.
    fn enumerated(&self) -> Result<Option<Candidate>, Refused> {
        let is_spatial = self.contacts.iter().any(|law| law.slips > 1);
        let serves = |directions: &usize| self.combinations(*directions) <= MOST_STARTS;
        let starts = [8, 4, 2].into_iter().find(serves).filter(|_| is_spatial);
        let directions = starts.unwrap_or(2);
        let combinations = self.combinations(directions);
        if combinations > MOST_COMBINATIONS {
            return Err(RoutineError::NotConverged.into());
        }
        let none = vec![false; self.contacts.len()];
        for number in 0..combinations {
            let mut rest = number;
            let mut digit = |base: usize| {
                let digit = rest % base;
                rest /= base;
                digit
            };
            let mut modes = self.start();
            for (contact, law) in modes.contacts.iter_mut().zip(&self.contacts) {
                *contact = match (law.slips, digit(choices(law, directions))) {
                    (_, 0) => Contact::Open,
                    (0, _) => Contact::Slides(law.direction),
                    (_, 1) => Contact::Sticks,
                    (_, digit) => Contact::Slides(DIRECTIONS[digit - 2]),
                };
            }
            for (moves, joint) in modes.joints.iter_mut().zip(&self.joints) {
                if !joint.is_free {
                    *moves = [0.0, 1.0, -1.0][digit(3)];
                }
            }
            let mut candidate = self.candidate(modes, &none);
            if starts.is_some() && candidate.excess != 0.0 {
                candidate = self.refined(candidate.x);
            }
            if candidate.excess == 0.0 {
                return Ok(Some(candidate));
            }
        }
        Ok(None)
    }

    /// The candidate in which all rows without rate count as held: then forces of dependent rows are shared.
    fn completed(&self, found: Candidate, serves_dependent: bool) -> Result<Candidate, Refused> {
        let mut modes = found.modes.clone();
        for (k, law) in self.closed_contacts() {
            let [rate, first, second] = [0, 1, 2].map(|i| found.rate[3 * k + i]);
            let [bound, of_first, of_second] = [0, 1, 2].map(|i| found.bound[3 * k + i]);
            let slip = match law.slips {
                0 => 0.0,
                1 => first.abs(),
                _ => first.hypot(second),
            };
            let closed = match law.slips {
                0 => Contact::Slides(law.direction),
                _ if slip <= bound.max(of_first).max(of_second) => Contact::Sticks,
                1 => Contact::Slides([first / slip, 0.0]),
                _ => Contact::Slides([first / slip, second / slip]),
            };
            modes.contacts[k] = match modes.contacts[k] {
                Contact::Open if rate <= bound => closed,
                Contact::Slides(_) if closed == Contact::Sticks => closed,
                mode => mode,
            };
        }
        let first = self.first_joint();
        for (j, joint) in self.joints.iter().enumerate() {
            if !joint.is_free && found.rate[first + j].abs() <= found.bound[first + j] {
                modes.joints[j] = 0.0;
            }
        }
        let mut without_force = vec![false; self.contacts.len()];
        let mut completed = self.candidate(modes.clone(), &without_force);
        if let (Some(row), false) = (completed.dependent, serves_dependent) {
            return Err(Refused::dependent(row));
        }
        for _ in 0..self.contacts.len() {
            if completed.excess == 0.0 || completed.dependent.is_none() {
                break;
            }
            // The contact that pulls most has no force.
            let mut most: Option<(usize, f64)> = None;
            for k in 0..self.contacts.len() {
                let force = completed.x[3 * k] * self.scale[3 * k];
                if force < most.map_or(0.0, |(_, least)| least) {
                    most = Some((k, force));
                }
            }
            let Some((k, _)) = most else {
                break;
            };
            without_force[k] = true;
            completed = self.candidate(modes.clone(), &without_force);
        }
        if completed.excess == 0.0 {
            return Ok(completed);
        }
        // The forces of the first candidate are right, too.
        Ok(Candidate { modes, ..found })
    }
}

//! Directions in which contacts begin to slide, by bisection of arcs.
//!
//! With the modes fixed, the forces n of the held rows are those of `A(d) n = -b`, where A is affine in the direction d of
//! each contact. By Cramer's rule det A, and the products of det A with forces and rates, are affine in each direction,
//! too. So over a triangle around an arc for each contact they are between their values at the corners (the mapping theorem
//! of L. A. Zadeh and C. A. Desoer, *Linear System Theory*, 1963). If a part of the laws fails in the same way at all
//! corners, no direction of the arcs is one of a solution; otherwise the arcs are bisected, as in R. E. Moore, *Interval
//! Analysis*, 1966.

use nalgebra::RealField;

use super::cones::refine;
use super::problem::{Candidate, Contact, Joint, Law, Modes, Problem};
use super::rows::{Rows, Sizes};
use crate::math::constant;

/// The largest remainder of dependent rows, in roundings, that is a rounding error. A larger one may be a part of a row.
const CERTAIN: f64 = 16.0;

/// The bisections of a quarter of the directions of each contact.
const BISECTIONS: usize = 12;

/// The first and the last direction of a contact; they are not read where the direction is known.
type Arcs<S, L> = <L as Sizes>::Contacts<[[S; 2]; 2]>;

/// The bits of the parts of the laws that fail: of each contact and joint, and of the determinant.
#[derive(Clone)]
struct Failures<L: Sizes> {
    parts: Rows<u8, 1, 1, L>,
    determinant: bool,
}

impl<L: Sizes> Failures<L> {
    /// The failures that are in both.
    fn common(mut self, other: &Self) -> Self {
        for (part, other) in self.parts.iter_mut().zip(other.parts.iter()) {
            *part &= other;
        }
        self.determinant &= other.determinant;
        self
    }

    fn is_any(&self) -> bool {
        self.determinant || self.parts.iter().any(|part| *part != 0)
    }
}

/// Whether forces along rows that depend on each other cannot make all their rates 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Contradiction {
    None,
    /// The rows depend on each other only as far as rounding shows.
    Perhaps,
    Certain,
}

/// What the bisection of directions found.
pub(super) enum Outcome<S: Clone, L: Sizes> {
    Found(Candidate<S, L>),
    /// No solution has these modes.
    Refuted,
    Unclear,
    /// Rounding errors decide: those of large forces hide the rates without them, or those of rows their dependence.
    Hidden,
}

impl<S: RealField + Copy, L: Sizes> Problem<S, L> {
    /// Searches a solution with these modes. Contacts that begin to slide in space may do so in a quarter of all directions,
    /// from that of the mode on. Each elimination takes 1 of the `budget`. `least` is the least excess so far.
    pub(super) fn bisect(
        &self,
        modes: &Modes<S, L>,
        budget: &mut usize,
        least: &mut Option<S>,
    ) -> Outcome<S, L> {
        let count = (0..self.sizes().contacts())
            .filter(|k| self.is_sought(modes, *k))
            .fold(0_usize, |count, _| count.wrapping_add(1));
        let (mut path, mut depth) = (0_u64, 0_usize);
        let none = self.sizes().of_contacts(|_| false);
        let mut outcome = Outcome::Refuted;
        loop {
            let arcs = self.arcs(modes, count, path, depth);
            let mut middle = modes.clone();
            for k in 0..self.sizes().contacts() {
                if self.is_sought(modes, k) {
                    let [[x, y], [u, v]] = arcs[k];
                    middle.contacts[k] = Contact::Slides(unit([x + u, y + v]));
                }
            }
            let candidate = self.solve(&middle, &none);
            let excess = candidate.excess;
            *least = Some(least.map_or(excess, |least| least.min(excess)));
            if candidate.holds {
                return Outcome::Found(candidate);
            }
            *budget = budget.saturating_sub(2);
            let is_refuted = match count {
                0 => candidate.dependent.is_none() && !candidate.is_below_rounding,
                _ => self.excludes(&candidate, &arcs, budget),
            };
            if !is_refuted && depth == 0 {
                match self.contradiction(modes) {
                    Contradiction::None => {}
                    Contradiction::Perhaps => return Outcome::Hidden,
                    Contradiction::Certain => return Outcome::Refuted,
                }
            }
            if !is_refuted {
                if count > 0 {
                    let refined = refine(self, &candidate.forces);
                    let excess = refined.excess;
                    *least = Some(least.map_or(excess, |least| least.min(excess)));
                    *budget = budget.saturating_sub(24);
                    if refined.holds {
                        return Outcome::Found(refined);
                    }
                }
                // Rows that depend on each other in all directions are not refuted by short arcs.
                let bisections = if candidate.dependent.is_some() {
                    1
                } else {
                    BISECTIONS
                };
                if depth < count.wrapping_mul(bisections).min(63) && *budget > 0 {
                    path <<= 1;
                    depth = depth.wrapping_add(1);
                    continue;
                }
                outcome = if candidate.is_below_rounding {
                    Outcome::Hidden
                } else {
                    Outcome::Unclear
                };
            }
            // The next arcs are the other half of the last ones with another half.
            while path & 1 == 1 {
                path >>= 1;
                depth = depth.wrapping_sub(1);
            }
            if depth == 0 {
                return outcome;
            }
            path |= 1;
        }
    }

    /// Returns true if the direction in which the contact begins to slide is one of many.
    fn is_sought(&self, modes: &Modes<S, L>, contact: usize) -> bool {
        let slips = self.contacts.as_ref().get(contact).map_or(0, Law::slips);
        slips > 1
            && matches!(
                modes.contacts.as_ref().get(contact),
                Some(Contact::Slides(_))
            )
    }

    /// Whether no forces at all make the rates of the held rows of these modes 0: W is symmetric, so that what the forces
    /// along these rows do not change is changed by none.
    pub(super) fn contradiction(&self, modes: &Modes<S, L>) -> Contradiction {
        let mut smooth = modes.clone();
        for mode in smooth.contacts.as_mut() {
            if let Contact::Slides(direction) = mode {
                *direction = [S::zero(); 2];
            }
        }
        let none = self.sizes().of_contacts(|_| false);
        let candidate = self.solve(&smooth, &none);
        let held_rows = self.held(modes);
        let mut rates = candidate
            .rates
            .iter()
            .zip(candidate.bounds.iter())
            .zip(held_rows.iter());
        let is_beyond =
            |((rate, bound), is_held): ((&S, &S), &bool)| *is_held && rate.abs() > margin(*bound);
        if candidate.dependent.is_none() || !rates.any(is_beyond) {
            return Contradiction::None;
        }
        let remainder = self
            .corrections(&smooth, &held_rows, &candidate.rates)
            .remainder;
        match remainder > S::default_epsilon() * constant(CERTAIN) {
            true => Contradiction::Perhaps,
            false => Contradiction::Certain,
        }
    }

    /// The arcs of a path of bisections: the contacts take turns, and a bit is 1 for the second half. The first bisection
    /// has the highest bit.
    fn arcs(&self, modes: &Modes<S, L>, count: usize, path: u64, depth: usize) -> Arcs<S, L> {
        let mut arcs = self.sizes().of_contacts(|_| [[S::zero(); 2]; 2]);
        let mut first = 0_usize;
        for k in 0..self.sizes().contacts() {
            let (Contact::Slides([x, y]), true) = (modes.contacts[k], self.is_sought(modes, k))
            else {
                continue;
            };
            let [mut start, mut end] = [[x, y], [-y, x]];
            let mut turn = first;
            while turn < depth {
                let middle = unit([start[0] + end[0], start[1] + end[1]]);
                let place = depth.wrapping_sub(turn).wrapping_sub(1);
                if path >> (place & 63) & 1 == 1 {
                    start = middle;
                } else {
                    end = middle;
                }
                turn = turn.wrapping_add(count.max(1));
            }
            first = first.wrapping_add(1);
            arcs[k] = [start, end];
        }
        arcs
    }

    /// Returns true if no directions of these arcs are those of a solution. The candidate is that of their middles.
    fn excludes(&self, middle: &Candidate<S, L>, arcs: &Arcs<S, L>, budget: &mut usize) -> bool {
        let mut common_failures: Option<[Failures<L>; 2]> = None;
        let mut corner = self.sizes().of_contacts(|_| 0_usize);
        loop {
            let mut modes = middle.modes.clone();
            for k in 0..self.sizes().contacts() {
                if self.is_sought(&modes, k) {
                    let [[x, y], [u, v]] = arcs[k];
                    let outer = S::one() + x * u + y * v;
                    modes.contacts[k] = Contact::Slides(match corner[k] {
                        0 => [x, y],
                        1 => [u, v],
                        _ => [(x + u) / outer, (y + v) / outer],
                    });
                }
            }
            *budget = budget.saturating_sub(1);
            let [positive, negative] = self.failures(&modes, middle, arcs);
            let [positive, negative] = match &common_failures {
                Some([of_positive, of_negative]) => {
                    [positive.common(of_positive), negative.common(of_negative)]
                }
                None => [positive, negative],
            };
            if !positive.is_any() || !negative.is_any() {
                return false;
            }
            common_failures = Some([positive, negative]);
            // The next corner.
            let mut is_next = false;
            for k in 0..self.sizes().contacts() {
                if self.is_sought(&modes, k) {
                    is_next = corner[k] < 2;
                    corner[k] = if is_next {
                        corner[k].wrapping_add(1)
                    } else {
                        0
                    };
                    if is_next {
                        break;
                    }
                }
            }
            if !is_next {
                return true;
            }
        }
    }

    /// The parts of the laws that fail beyond rounding errors at directions of any length: those that would fail if the
    /// determinant were positive, and if it were negative, as its products with forces and rates are what has no other sign.
    fn failures(
        &self,
        modes: &Modes<S, L>,
        middle: &Candidate<S, L>,
        arcs: &Arcs<S, L>,
    ) -> [Failures<L>; 2] {
        let none = Failures {
            parts: Rows::filled(self.sizes(), 0),
            determinant: false,
        };
        let (mut below, mut above) = (none.clone(), none.clone());
        let mut forces = Rows::filled(self.sizes(), S::zero());
        for j in 0..self.sizes().joints() {
            if let (Some(limit), Joint::Moves(sign)) = (self.joints[j], modes.joints[j]) {
                forces.joints[j][0] = limit * sign;
            }
        }
        let free = self.rates(&forces).0;
        let solution = self.corrections(modes, &self.held(modes), &free);
        if !(solution.determinant.abs() > S::zero()) {
            return [none.clone(), none];
        }
        for (force, change) in forces.iter_mut().zip(solution.x.iter()) {
            *force += *change;
        }
        let (rates, bounds) = self.rates(&forces);
        for k in 0..self.sizes().contacts() {
            let law = &self.contacts[k];
            if *law == Law::Absent {
                continue;
            }
            let ([rate, first, second], [force, along_first, along_second]) =
                (rates.contacts[k], forces.contacts[k]);
            let [bound, of_first, of_second] = bounds.contacts[k];
            let along = margin(bound.max(of_first).max(of_second));
            let bound = margin(bound);
            let (below, above) = (
                &mut below.parts.contacts[k][0],
                &mut above.parts.contacts[k][0],
            );
            let mut judge = |bit: u8, value: S, bound: S| {
                *below |= if value < -bound { bit } else { 0 };
                *above |= if value > bound { bit } else { 0 };
            };
            if modes.contacts[k] == Contact::Open {
                judge(1, rate, bound);
                continue;
            }
            judge(1, force, bound);
            match (law.slips(), modes.contacts[k]) {
                (0, _) | (_, Contact::Open) => {}
                (1, Contact::Slides([x, _])) => judge(2, first * x, along),
                (_, Contact::Slides(_)) => {
                    let [[x, y], [u, v]] = arcs[k];
                    judge(2, x * second - y * first, along);
                    judge(4, first * v - second * u, along);
                    judge(8, first * (x + u) + second * (y + v), along);
                }
                (_, Contact::Sticks) => {
                    let [_, x, y] = middle.forces.contacts[k];
                    let [x, y] = unit([x, y]);
                    let most = law.friction() * force;
                    judge(2, most - along_first * x - along_second * y, along);
                }
            }
        }
        for j in 0..self.sizes().joints() {
            let Some(limit) = self.joints[j] else {
                continue;
            };
            let (rate, force, bound) = (
                rates.joints[j][0],
                forces.joints[j][0],
                margin(bounds.joints[j][0]),
            );
            let (below, above) = (&mut below.parts.joints[j][0], &mut above.parts.joints[j][0]);
            let mut judge = |bit: u8, value: S| {
                *below |= if value < -bound { bit } else { 0 };
                *above |= if value > bound { bit } else { 0 };
            };
            match modes.joints[j] {
                Joint::Held => {
                    judge(1, limit - force);
                    judge(2, limit + force);
                }
                Joint::Moves(sign) => judge(1, -rate * sign),
            }
        }
        above.determinant = true;
        if solution.determinant > S::zero() {
            [below, above]
        } else {
            [above, below]
        }
    }
}

/// The direction of a vector; 0 for that of length 0.
fn unit<S: RealField + Copy>([x, y]: [S; 2]) -> [S; 2] {
    let length = x.hypot(y);
    if length > S::zero() {
        [x / length, y / length]
    } else {
        [S::zero(); 2]
    }
}

/// The root of rounding errors of a value, by their bound: matrices near singular ones enlarge them.
fn margin<S: RealField + Copy>(bound: S) -> S {
    bound / (S::default_epsilon().sqrt() * constant(256.0))
}

//! Friction in two directions: Newton's method on the cones, from a start by projections.
//!
//! The projections are those of J. J. Moreau, "Unilateral contact and dry friction in finite freedom dynamics", 1988, one
//! contact after the other. Newton's method is that of P. Alart and A. Curnier, "A mixed formulation for frictional
//! contact problems prone to Newton like solution methods", *Comput. Methods Appl. Mech. Eng.* 92, 1991: where
//! `τ = t - w_t` is beyond the disk of radius μ n, `t = μ n τ / |τ|`, otherwise `w_t = 0`.

use nalgebra::RealField;

use super::arcs::Contradiction;
use super::elimination::Equations;
use super::problem::{Candidate, Contact, Joint, Law, Modes, Problem};
use super::rows::{PerRow, Rows, Sizes};

/// Rounds of projections and Newton's method.
const ROUNDS: usize = 8;

/// The steps of Newton's method in a round.
const STEPS: usize = 24;

/// Forces for which all laws hold, or the best ones that were found.
pub(super) fn search<S: RealField + Copy, L: Sizes>(
    problem: &Problem<S, L>,
) -> Option<Candidate<S, L>> {
    let mut start = Rows::filled(problem.sizes(), S::zero());
    let mut best: Option<Candidate<S, L>> = None;
    let mut sweeps = 16_usize;
    for _ in 0..ROUNDS {
        for _ in 0..sweeps {
            problem.relax(&mut start);
        }
        sweeps = sweeps.saturating_mul(2);
        let candidate = refine(problem, &start);
        if candidate.holds {
            return Some(candidate);
        }
        if best
            .as_ref()
            .is_none_or(|best| candidate.excess < best.excess)
        {
            best = Some(candidate);
        }
    }
    best
}

/// The best forces that Newton's method passes from a start.
pub(super) fn refine<S: RealField + Copy, L: Sizes>(
    problem: &Problem<S, L>,
    start: &PerRow<S, L>,
) -> Candidate<S, L> {
    let mut forces = start.clone();
    let mut best = problem.candidate(problem.predicted(start), start.clone(), None);
    for _ in 0..STEPS {
        let modes = problem.predicted(&forces);
        let (next, dependent) = problem.newton(&modes, &forces);
        let change = next
            .iter()
            .zip(forces.iter())
            .fold(S::zero(), |most, (x, y)| most.max((*x - *y).abs()));
        let size = next.iter().fold(S::zero(), |most, x| most.max(x.abs()));
        forces = next;
        let candidate = problem.candidate(problem.predicted(&forces), forces.clone(), dependent);
        if candidate.holds {
            // Forces may be so large that rounding hides a contradiction of rows that depend on each other.
            let has_dependent = dependent.is_some();
            if has_dependent && problem.contradiction(&candidate.modes) != Contradiction::None {
                break;
            }
            // A further step brings the last digits.
            let (forces, dependent) = problem.newton(&candidate.modes, &forces);
            let further = problem.candidate(candidate.modes.clone(), forces, dependent);
            return if further.holds { further } else { candidate };
        }
        if candidate.excess < best.excess {
            best = candidate;
        }
        if !(change > size * S::default_epsilon()) {
            break;
        }
    }
    best
}

impl<S: RealField + Copy, L: Sizes> Problem<S, L> {
    /// The modes that forces and their rates suggest.
    fn predicted(&self, forces: &PerRow<S, L>) -> Modes<S, L> {
        let mut modes = self.start();
        let rates = self.rates(forces).0;
        for k in 0..self.sizes().contacts() {
            let law = &self.contacts[k];
            let [force, first, second] = forces.contacts[k];
            let [rate, of_first, of_second] = rates.contacts[k];
            let pushed = force - rate;
            if *law == Law::Absent || !(pushed > S::zero()) {
                continue;
            }
            let (x, y) = (first - of_first, second - of_second);
            let length = x.hypot(y);
            modes.contacts[k] = match law {
                Law::Slides { direction, .. } => Contact::Slides(*direction),
                _ if length <= law.friction() * pushed => Contact::Sticks,
                _ => Contact::Slides([-x / length, -y / length]),
            };
        }
        for j in 0..self.sizes().joints() {
            if let Some(limit) = self.joints[j] {
                let force = forces.joints[j][0] - rates.joints[j][0];
                if force.abs() > limit {
                    modes.joints[j] = Joint::Moves(force.signum());
                }
            }
        }
        modes
    }

    /// Projects the force of each contact and joint, one after the other.
    fn relax(&self, forces: &mut PerRow<S, L>) {
        let one = S::one();
        for k in 0..self.sizes().contacts() {
            let law = &self.contacts[k];
            if *law == Law::Absent {
                continue;
            }
            let rate = self.rate(k.wrapping_mul(3), forces);
            let force = (forces.contacts[k][0] - rate).max(S::zero());
            forces.contacts[k][0] = force;
            if let Law::Slides {
                friction,
                direction,
            } = law
            {
                let [x, y] = direction.map(|part| -*friction * force * part);
                (forces.contacts[k][1], forces.contacts[k][2]) = (x, y);
                continue;
            }
            let row = k.wrapping_mul(3).wrapping_add(1);
            let coupling = self.matrix.contacts[k][1].contacts[k][2].abs();
            let step = one / (one + coupling);
            let x = forces.contacts[k][1] - self.rate(row, forces) * step;
            let mut y = S::zero();
            if law.slips() > 1 {
                y = forces.contacts[k][2] - self.rate(row.wrapping_add(1), forces) * step;
            }
            let (length, most) = (x.hypot(y), law.friction() * force);
            let factor = if length > most { most / length } else { one };
            (forces.contacts[k][1], forces.contacts[k][2]) = (x * factor, y * factor);
        }
        for j in 0..self.sizes().joints() {
            if let Some(limit) = self.joints[j] {
                let row = self.sizes().contacts().wrapping_mul(3).wrapping_add(j);
                let force = forces.joints[j][0] - self.rate(row, forces);
                forces.joints[j][0] = force.max(-limit).min(limit);
            }
        }
    }

    /// The rate of one row.
    fn rate(&self, row: usize, forces: &PerRow<S, L>) -> S {
        let free = self.free.get(row).copied().unwrap_or_else(S::zero);
        let Some(entries) = self.matrix.get(row) else {
            return free;
        };
        entries
            .iter()
            .zip(forces.iter())
            .fold(free, |sum, (entry, force)| sum + *entry * *force)
    }

    /// The forces after a step of Newton's method, with the modes fixed, and the first row that depends on others.
    fn newton(&self, modes: &Modes<S, L>, forces: &PerRow<S, L>) -> (PerRow<S, L>, Option<usize>) {
        let (zero, one) = (S::zero(), S::one());
        let mut forces = forces.clone();
        for k in 0..self.sizes().contacts() {
            if modes.contacts[k] == Contact::Open {
                forces.contacts[k] = [zero; 3];
            }
        }
        for j in 0..self.sizes().joints() {
            if let (Some(limit), Joint::Moves(sign)) = (self.joints[j], modes.joints[j]) {
                forces.joints[j][0] = limit * sign;
            }
        }
        let rates = self.rates(&forces).0;
        let mut equations = Equations {
            matrix: self.matrix.clone(),
            right: rates.map(|rate| -*rate),
            active: self.held(modes),
        };
        for k in 0..self.sizes().contacts() {
            let law = &self.contacts[k];
            let Contact::Slides([x, y]) = modes.contacts[k] else {
                continue;
            };
            if law.friction().is_zero() {
                continue;
            }
            let friction = law.friction();
            let [force, first, second] = forces.contacts[k];
            let planar = law.slips() == 1;
            equations.active.contacts[k] = [true, true, !planar];
            // t = -μ n d, where d has the direction of w_t - t.
            let bend = if law.slips() > 1 && force > zero {
                let (u, v) = (first - rates.contacts[k][1], second - rates.contacts[k][2]);
                friction * force / u.hypot(v)
            } else {
                zero
            };
            let turn = [[one - x * x, -x * y], [-x * y, one - y * y]];
            let [_, of_first, of_second] = &self.matrix.contacts[k];
            for (i, part) in [x, y].into_iter().enumerate() {
                let place = i.wrapping_add(1);
                let mut row = Rows::filled(self.sizes(), zero);
                for (entry, (a, b)) in row.iter_mut().zip(of_first.iter().zip(of_second.iter())) {
                    *entry = (turn[i][0] * *a + turn[i][1] * *b) * bend;
                }
                row.contacts[k][0] += friction * part;
                row.contacts[k][1] -= turn[i][0] * bend;
                row.contacts[k][2] -= turn[i][1] * bend;
                let value = if i == 0 { first } else { second };
                if let (Some(target), Some(right), Some(diagonal)) = (
                    equations.matrix.contacts[k].get_mut(place),
                    equations.right.contacts[k].get_mut(place),
                    row.contacts[k].get_mut(place),
                ) {
                    *diagonal += one;
                    *target = row;
                    *right = -(value + friction * force * part);
                }
            }
        }
        let solution = equations.solve(
            &self
                .scales
                .map(|scale| if scale.is_zero() { one } else { *scale }),
        );
        for (force, change) in forces.iter_mut().zip(solution.x.iter()) {
            *force += *change;
        }
        (forces, solution.dependent)
    }
}

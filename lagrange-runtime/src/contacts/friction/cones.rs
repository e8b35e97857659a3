//! Friction in two directions: Newton's method on the cones, from a start by projections.
//!
//! The projections are those of J. J. Moreau, "Unilateral contact and dry friction in finite freedom dynamics", 1988, one
//! contact after the other. Newton's method is that of P. Alart and A. Curnier, "A mixed formulation for frictional
//! contact problems prone to Newton like solution methods", *Comput. Methods Appl. Mech. Eng.* 92, 1991: where
//! `τ = t - w_t` is beyond the disk of radius μ n, `t = μ n τ / |τ|`, otherwise `w_t = 0`.

use nalgebra::RealField;

use super::elimination::Equations;
use super::problem::{Candidate, Contact, Joint, Law, Modes, PerRow, Problem};
use super::rows::Rows;

/// Rounds of projections and Newton's method.
const ROUNDS: usize = 8;

/// The steps of Newton's method in a round.
const STEPS: usize = 24;

/// Forces for which all laws hold, or the best ones that were found.
pub(super) fn search<S: RealField + Copy, const P: usize, const M: usize>(
    problem: &Problem<S, P, M>,
) -> Option<Candidate<S, P, M>> {
    let mut start = Rows::filled(S::zero());
    let mut best: Option<Candidate<S, P, M>> = None;
    let mut sweeps = 16_usize;
    for _ in 0..ROUNDS {
        for _ in 0..sweeps {
            problem.relax(&mut start);
        }
        sweeps = sweeps.saturating_mul(2);
        let found = refined(problem, &start);
        if found.holds || best.is_none_or(|best| found.excess < best.excess) {
            best = Some(found);
        }
        if found.holds {
            break;
        }
    }
    best
}

/// The best forces that Newton's method passes from a start.
pub(super) fn refined<S: RealField + Copy, const P: usize, const M: usize>(
    problem: &Problem<S, P, M>,
    start: &PerRow<S, P, M>,
) -> Candidate<S, P, M> {
    let mut forces = *start;
    let mut best = problem.candidate(problem.predicted(start), *start, None);
    for _ in 0..STEPS {
        let modes = problem.predicted(&forces);
        let (next, dependent) = problem.newton(&modes, &forces);
        let change = next.iter().zip(forces.iter());
        let change = change.fold(S::zero(), |most, (x, y)| most.max((*x - *y).abs()));
        let size = next.iter().fold(S::zero(), |most, x| most.max(x.abs()));
        forces = next;
        let modes = problem.predicted(&forces);
        let candidate = problem.candidate(modes, forces, dependent);
        if candidate.excess < best.excess {
            best = candidate;
        }
        if candidate.holds {
            // A further step brings the last digits.
            let (forces, dependent) = problem.newton(&modes, &forces);
            let further = problem.candidate(modes, forces, dependent);
            return if further.holds { further } else { candidate };
        }
        if !(change > size * S::default_epsilon()) {
            break;
        }
    }
    best
}

impl<S: RealField + Copy, const P: usize, const M: usize> Problem<S, P, M> {
    /// The modes that forces and their rates suggest.
    fn predicted(&self, forces: &PerRow<S, P, M>) -> Modes<S, P, M> {
        let mut modes = self.start();
        let rates = self.rates(forces).0;
        for k in 0..P {
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
        for j in 0..M {
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
    fn relax(&self, forces: &mut PerRow<S, P, M>) {
        let one = S::one();
        for k in 0..P {
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
        for j in 0..M {
            if let Some(limit) = self.joints[j] {
                let row = P.wrapping_mul(3).wrapping_add(j);
                let force = forces.joints[j][0] - self.rate(row, forces);
                forces.joints[j][0] = force.max(-limit).min(limit);
            }
        }
    }

    /// The rate of one row.
    fn rate(&self, row: usize, forces: &PerRow<S, P, M>) -> S {
        let free = self.free.get(row).copied().unwrap_or_else(S::zero);
        let Some(entries) = self.matrix.get(row) else {
            return free;
        };
        let parts = entries.iter().zip(forces.iter());
        parts.fold(free, |sum, (entry, force)| sum + *entry * *force)
    }

    /// The forces after a step of Newton's method, with the modes fixed, and the first row that depends on others.
    fn newton(
        &self,
        modes: &Modes<S, P, M>,
        forces: &PerRow<S, P, M>,
    ) -> (PerRow<S, P, M>, Option<usize>) {
        let (zero, one) = (S::zero(), S::one());
        let mut forces = *forces;
        for k in 0..P {
            if modes.contacts[k] == Contact::Open {
                forces.contacts[k] = [zero; 3];
            }
        }
        for j in 0..M {
            if let (Some(limit), Joint::Moves(sign)) = (self.joints[j], modes.joints[j]) {
                forces.joints[j][0] = limit * sign;
            }
        }
        let rates = self.rates(&forces).0;
        let mut equations = Equations {
            matrix: self.matrix,
            right: rates.map(|rate| -*rate),
            active: self.held(modes),
        };
        for k in 0..P {
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
            let of_slips = [self.matrix.contacts[k][1], self.matrix.contacts[k][2]];
            for (i, part) in [x, y].into_iter().enumerate() {
                let place = i.wrapping_add(1);
                let mut row = Rows::filled(zero);
                for (entry, (a, b)) in row
                    .iter_mut()
                    .zip(of_slips[0].iter().zip(of_slips[1].iter()))
                {
                    *entry = (turn[i][0] * *a + turn[i][1] * *b) * bend;
                }
                row.contacts[k][0] += friction * part;
                row.contacts[k][1] -= turn[i][0] * bend;
                row.contacts[k][2] -= turn[i][1] * bend;
                let value = if i == 0 { first } else { second };
                if let (Some(target), Some(right), Some(own)) = (
                    equations.matrix.contacts[k].get_mut(place),
                    equations.right.contacts[k].get_mut(place),
                    row.contacts[k].get_mut(place),
                ) {
                    *own += one;
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

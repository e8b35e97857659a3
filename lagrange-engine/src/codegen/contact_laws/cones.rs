//! Friction in two directions: projections, and Newton's method on the cones.

use super::Laws;
use super::candidates::{Candidate, Contact, Modes};
use super::elimination::Equations;
use crate::codegen::kernels::{dot, largest};

impl Laws {
    /// The candidate of the cones, or the best one that was found.
    pub(super) fn by_cones(&self) -> Option<Candidate> {
        let mut best: Option<Candidate> = None;
        let mut start = vec![0.0; self.size()];
        for round in 0..8 {
            for _ in 0..16 << round {
                self.relax(&mut start);
            }
            let found = self.refined(start.clone());
            let holds = found.excess == 0.0;
            let is_better = |best: &Candidate| found.excess < best.excess;
            if holds || best.as_ref().is_none_or(is_better) {
                best = Some(found);
            }
            if holds {
                break;
            }
        }
        best
    }

    /// The best forces that Newton's method passes from a start.
    pub(super) fn refined(&self, mut x: Vec<f64>) -> Candidate {
        let mut best = self.judged(self.predicted(&x), x.clone(), None);
        for _ in 0..24 {
            let before = x.clone();
            let dependent = self.newton(&self.predicted(&x), &mut x);
            let changes = x.iter().zip(&before).map(|(x, before)| x - before);
            let changes: Vec<f64> = changes.collect();
            let candidate = self.judged(self.predicted(&x), x.clone(), dependent);
            if candidate.excess == 0.0 {
                // A further step brings the last digits.
                let dependent = self.newton(&candidate.modes, &mut x);
                let further = self.judged(candidate.modes.clone(), x, dependent);
                return if further.excess == 0.0 {
                    further
                } else {
                    candidate
                };
            }
            if candidate.excess < best.excess {
                best = candidate;
            }
            // NaN ends the steps.
            let moves = largest(&changes) > largest(&x) * f64::EPSILON;
            if !moves {
                break;
            }
        }
        best
    }

    /// The modes that forces and their rates suggest.
    fn predicted(&self, x: &[f64]) -> Modes {
        let [rate, _] = self.rates_by_forces(x);
        let mut modes = self.start();
        for (k, law) in self.closed_contacts() {
            let [pushed, u, v] = [0, 1, 2].map(|i| x[3 * k + i] - rate[3 * k + i]);
            if pushed > 0.0 {
                let length = u.hypot(v);
                modes.contacts[k] = match law.slips {
                    0 => Contact::Slides(law.direction),
                    _ if length <= law.friction * pushed => Contact::Sticks,
                    _ => Contact::Slides([-u / length, -v / length]),
                };
            }
        }
        let first = self.first_joint();
        for (j, joint) in self.joints.iter().enumerate() {
            let force = x[first + j] - rate[first + j];
            if !joint.is_free && force.abs() > joint.limit {
                modes.joints[j] = if force < 0.0 { -1.0 } else { 1.0 };
            }
        }
        modes
    }

    /// Projects the force of each contact and joint, one after the other.
    fn relax(&self, x: &mut [f64]) {
        let rate = |row: usize, x: &[f64]| self.b[row] + dot(&self.w[row], x);
        for (k, law) in self.closed_contacts() {
            let row = 3 * k + 1;
            let step = 1.0 / (1.0 + self.w[row][row + 1].abs());
            x[3 * k] = f64::max(0.0, x[3 * k] - rate(3 * k, x));
            let most = law.friction * x[3 * k];
            let [u, v] = if law.slips == 0 {
                law.direction.map(|part| -most * part)
            } else {
                let u = x[row] - rate(row, x) * step;
                let v = match law.slips {
                    1 => 0.0,
                    _ => x[row + 1] - rate(row + 1, x) * step,
                };
                let length = u.hypot(v);
                let share = if length > most { most / length } else { 1.0 };
                [u * share, v * share]
            };
            x[row] = u;
            x[row + 1] = v;
        }
        let first = self.first_joint();
        for (j, joint) in self.joints_at_rest() {
            let force = x[first + j] - rate(first + j, x);
            x[first + j] = force.max(-joint.limit).min(joint.limit);
        }
    }

    /// A step of Newton's method for forces, with the modes fixed: where a contact slides, `t = -mu n d` with the direction d
    /// of `w_t - t`. Returns the first row that depends on others.
    fn newton(&self, modes: &Modes, x: &mut [f64]) -> Option<usize> {
        for (k, contact) in modes.contacts.iter().enumerate() {
            if *contact == Contact::Open {
                x[3 * k..3 * k + 3].fill(0.0);
            }
        }
        let first = self.first_joint();
        for (j, joint) in self.joints_at_rest() {
            if modes.joints[j] != 0.0 {
                x[first + j] = joint.limit * modes.joints[j];
            }
        }
        let [rate, _] = self.rates_by_forces(x);
        let mut equations = Equations {
            active: self.held(modes),
            a: self.w.clone(),
            b: rate.iter().map(|rate| -rate).collect(),
        };
        let scales = self.scale.iter();
        let weights = scales.map(|scale| if *scale == 0.0 { 1.0 } else { *scale });
        let weights: Vec<f64> = weights.collect();
        for (k, law) in self.contacts.iter().enumerate() {
            let Contact::Slides(d) = modes.contacts[k] else {
                continue;
            };
            if law.friction == 0.0 {
                continue;
            }
            let row = 3 * k + 1;
            let drag = law.friction * x[3 * k];
            equations.active[row] = true;
            equations.active[row + 1] = law.slips != 1;
            let bend = match law.slips > 1 && x[3 * k] > 0.0 {
                true => drag / (x[row] - rate[row]).hypot(x[row + 1] - rate[row + 1]),
                false => 0.0,
            };
            for i in 0..2 {
                let turns = [0, 1].map(|j| f64::from(u8::from(i == j)) - d[i] * d[j]);
                let pairs = self.w[row].iter().zip(&self.w[row + 1]);
                let turned = pairs.map(|(u, v)| (turns[0] * u + turns[1] * v) * bend);
                let mut turned: Vec<f64> = turned.collect();
                turned[3 * k] += law.friction * d[i];
                turned[row] -= turns[0] * bend;
                turned[row + 1] -= turns[1] * bend;
                turned[row + i] += 1.0;
                equations.a[row + i] = turned;
                equations.b[row + i] = -(x[row + i] + drag * d[i]);
            }
        }
        let (change, dependent) = equations.solve(&weights);
        for (x, change) in x.iter_mut().zip(change) {
            *x += change;
        }
        dependent
    }
}

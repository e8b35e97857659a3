//! Forces for modes of contacts and joints, and whether the laws hold for them.

use super::Laws;
use super::elimination::Equations;

/// The mode of a contact.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Contact {
    Open,
    Sticks,
    /// It slides in this direction.
    Slides([f64; 2]),
}

impl Contact {
    /// As a result of a routine.
    pub(super) fn number(self) -> f64 {
        match self {
            Self::Open => 0.0,
            Self::Sticks => 1.0,
            Self::Slides(_) => 2.0,
        }
    }
}

#[derive(Clone)]
pub(super) struct Modes {
    pub(super) contacts: Vec<Contact>,
    /// Friction holds a joint (0), or has this sign.
    pub(super) joints: Vec<f64>,
}

/// Forces with their modes, rates and bounds of rounding errors.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) modes: Modes,
    pub(super) x: Vec<f64>,
    pub(super) rate: Vec<f64>,
    pub(super) bound: Vec<f64>,
    /// The largest part by which a law does not hold, in bounds: 0 if all laws hold.
    pub(super) excess: f64,
    /// The first row that depends on others.
    pub(super) dependent: Option<usize>,
}

impl Candidate {
    /// The forces of contacts, and those of their friction along both sliding velocities.
    pub(super) fn of_contacts(&self) -> [Vec<f64>; 2] {
        let forces = self.x.chunks_exact(3).take(self.modes.contacts.len());
        let frictions = forces.clone().flat_map(|forces| [forces[1], forces[2]]);
        [
            forces.map(|forces| forces[0]).collect(),
            frictions.collect(),
        ]
    }

    /// Notes by how much a value, which shall be at least 0, is below its rounding error. NaN is worst.
    fn judge(&mut self, value: f64, bound: f64) {
        let part = -value / bound;
        let (holds, is_less) = (value >= -bound, part <= self.excess);
        if !holds && !is_less {
            self.excess = part;
        }
    }
}

impl Laws {
    /// The rates by forces, and the bounds of their rounding errors.
    pub(super) fn rates_by_forces(&self, x: &[f64]) -> [Vec<f64>; 2] {
        let (mut rates, mut bounds) = (Vec::new(), Vec::new());
        for ((row, b), noise) in self.w.iter().zip(&self.b).zip(&self.noise) {
            let (mut rate, mut size) = (*b, b.abs());
            for (w, x) in row.iter().zip(x) {
                rate += w * x;
                size += (w * x).abs();
            }
            rates.push(rate);
            bounds.push(noise + 256.0 * f64::EPSILON * size);
        }
        [rates, bounds]
    }

    /// Open contacts, and joints that are held.
    pub(super) fn start(&self) -> Modes {
        Modes {
            contacts: vec![Contact::Open; self.contacts.len()],
            joints: vec![0.0; self.joints.len()],
        }
    }

    /// The rows whose rates are 0 in these modes.
    pub(super) fn held(&self, modes: &Modes) -> Vec<bool> {
        let pairs = modes.contacts.iter().zip(&self.contacts);
        let of_contacts = pairs.flat_map(|(contact, law)| {
            let slips = if *contact == Contact::Sticks {
                law.slips
            } else {
                0
            };
            [*contact != Contact::Open, slips > 0, slips > 1]
        });
        let joints = modes.joints.iter().zip(&self.joints);
        of_contacts
            .chain(joints.map(|(moves, joint)| !joint.is_free && *moves == 0.0))
            .collect()
    }

    /// The friction of a contact for a force of 1, along its sliding velocities.
    fn drag(&self, modes: &Modes, k: usize) -> [f64; 2] {
        match modes.contacts[k] {
            Contact::Slides(direction) => direction.map(|part| -self.contacts[k].friction * part),
            _ => [0.0; 2],
        }
    }

    /// The changes of forces that change the rates of the held rows to 0, the least ones if rows depend on each other; and
    /// the first row that does.
    pub(super) fn corrections(
        &self,
        modes: &Modes,
        held: &[bool],
        rate: &[f64],
    ) -> (Vec<f64>, Option<usize>) {
        let mut equations = Equations {
            active: held.to_vec(),
            a: self.w.clone(),
            b: rate.iter().map(|rate| -rate).collect(),
        };
        let mut weights = self.scale.clone();
        for k in 0..self.contacts.len() {
            let drag = self.drag(modes, k);
            for (to, w) in equations.a.iter_mut().zip(&self.w) {
                to[3 * k] += w[3 * k + 1] * drag[0] + w[3 * k + 2] * drag[1];
            }
            let slip = self.scale[3 * k + 1].max(self.scale[3 * k + 2]);
            weights[3 * k] = self.scale[3 * k].hypot(drag[0].hypot(drag[1]) * slip);
        }
        let (mut x, dependent) = equations.solve(&weights);
        for k in 0..self.contacts.len() {
            for (i, drag) in self.drag(modes, k).into_iter().enumerate() {
                x[3 * k + 1 + i] += drag * x[3 * k];
            }
        }
        (x, dependent)
    }

    /// The forces for which the rates of the held rows of modes are 0, with one step of refinement. Contacts without force
    /// push no matter what their mode is.
    pub(super) fn candidate(&self, modes: Modes, without_force: &[bool]) -> Candidate {
        let mut held = self.held(&modes);
        for k in (0..self.contacts.len()).filter(|k| without_force[*k]) {
            held[3 * k..3 * k + 3].fill(false);
        }
        let mut x = vec![0.0; self.size()];
        let first = self.first_joint();
        for (j, joint) in self.joints_at_rest() {
            x[first + j] = joint.limit * modes.joints[j];
        }
        let mut dependent = None;
        for pass in 0..2 {
            let [rate, _] = self.rates_by_forces(&x);
            let (change, row) = self.corrections(&modes, &held, &rate);
            if pass == 0 {
                dependent = row;
            }
            for (x, change) in x.iter_mut().zip(change) {
                *x += change;
            }
        }
        self.judged(modes, x, dependent)
    }

    /// The verdict of the laws on forces and modes. Forces have the scaled errors of their rates.
    pub(super) fn judged(&self, modes: Modes, x: Vec<f64>, dependent: Option<usize>) -> Candidate {
        let [rate, bound] = self.rates_by_forces(&x);
        let mut candidate = Candidate {
            modes: modes.clone(),
            x: x.clone(),
            rate: rate.clone(),
            bound: bound.clone(),
            excess: 0.0,
            dependent,
        };
        for (k, law) in self.closed_contacts() {
            let of = |values: &[f64]| [0, 1, 2].map(|i| values[3 * k + i]);
            let (rate, bound, x) = (of(&rate), of(&bound), of(&x));
            let most = bound[0].max(bound[1]).max(bound[2]);
            candidate.judge(rate[0], bound[0]);
            candidate.judge(x[0], bound[0]);
            if modes.contacts[k] == Contact::Open {
                candidate.judge(-x[0], bound[0]);
                candidate.judge(-x[1].hypot(x[2]), most);
                continue;
            }
            candidate.judge(-rate[0], bound[0]);
            if let Contact::Slides(way) = modes.contacts[k] {
                let [along, across] = way.map(|part| law.friction * x[0] * part);
                candidate.judge(-(x[1] + along).hypot(x[2] + across), most);
            }
            if law.slips == 0 {
                continue;
            }
            if let Contact::Slides(way) = modes.contacts[k] {
                candidate.judge(rate[1] * way[0] + rate[2] * way[1], most);
                candidate.judge(-(rate[1] * way[1] - rate[2] * way[0]).abs(), most);
                continue;
            }
            candidate.judge(law.friction * x[0] - x[1].hypot(x[2]), most);
            candidate.judge(-rate[1].abs(), most);
            if law.slips > 1 {
                candidate.judge(-rate[2].abs(), most);
            }
        }
        let first = self.first_joint();
        for (j, joint) in self.joints_at_rest() {
            let (rate, bound, force) = (rate[first + j], bound[first + j], x[first + j]);
            if modes.joints[j] == 0.0 {
                candidate.judge(joint.limit - force.abs(), bound);
                candidate.judge(-rate.abs(), bound);
            } else {
                let sign = modes.joints[j];
                candidate.judge(-(force - joint.limit * sign).abs(), bound);
                candidate.judge(-rate * sign, bound);
            }
        }
        candidate
    }
}

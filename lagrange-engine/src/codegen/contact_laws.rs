//! The laws of contacts and dry joints, for the interpreter: `backend/c99/contacts.c` has the same algorithms as text, and
//! `lagrange-runtime/src/contacts/friction` has them for every scalar type.

mod candidates;
mod cones;
mod elimination;
mod pivoting;
mod search;

use super::kernels::{Refused, Saddle, dot, largest};
use super::redundant::Redundant;
use super::routine::{Equations, RoutineError};
use candidates::Candidate;

/// A contact.
#[derive(Clone, Copy, Default)]
struct Law {
    /// A contact that is not closed has no force.
    is_closed: bool,
    /// Friction holds so many sliding velocities. With none it has the friction of the direction.
    slips: usize,
    friction: f64,
    direction: [f64; 2],
}

/// A dry joint.
#[derive(Clone, Copy)]
struct Joint {
    /// A joint that moves is free.
    is_free: bool,
    limit: f64,
}

/// The laws for rates `w x + b` of rows by the forces x along them. Contact k has the row 3 k of its gap and the rows
/// 3 k + 1 and 3 k + 2 of its sliding velocities; joint j has the row 3 p + j.
#[derive(Clone)]
struct Laws {
    contacts: Vec<Law>,
    joints: Vec<Joint>,
    /// The rate of a row is `row x + offset`, with the bound of the rounding errors of the offset.
    rows: Vec<Vec<f64>>,
    offset: Vec<f64>,
    offset_noise: Vec<f64>,
    /// w, b and its rounding errors, in units in which the diagonal of w is 1; the factors from scaled forces to forces.
    w: Vec<Vec<f64>>,
    b: Vec<f64>,
    noise: Vec<f64>,
    scale: Vec<f64>,
}

/// The equations of motion `M a = f + K lambda`, `J a = gamma`, with rows of J that may depend on each other.
struct Motion {
    n: usize,
    c: usize,
    mass: Vec<f64>,
    matrix: Matrix,
    f: Vec<f64>,
    gamma: Vec<f64>,
}

enum Matrix {
    Regular(Saddle),
    /// For derivatives the independent rows hold, else all of them.
    Redundant {
        independent: Box<Redundant>,
        all: Box<Redundant>,
    },
}

impl Motion {
    fn new(
        is_redundant: bool,
        [mass, jacobian]: [&[f64]; 2],
        forces: Option<&[f64]>,
        (f, gamma): (Vec<f64>, Vec<f64>),
    ) -> Self {
        let (n, c) = (f.len(), gamma.len());
        let matrix = if is_redundant {
            let of = |equations| {
                let matrix = Redundant::new((n, c), (mass, jacobian), forces, equations);
                Box::new(matrix)
            };
            Matrix::Redundant {
                independent: of(Equations::Independent),
                all: of(Equations::Redundant),
            }
        } else {
            Matrix::Regular(Saddle::new((n, c), mass, jacobian, forces))
        };
        Self {
            n,
            c,
            mass: mass.to_vec(),
            matrix,
            f,
            gamma,
        }
    }

    /// a and lambda for other forces.
    fn by_forces(&self, f: &[f64]) -> Result<[Vec<f64>; 2], Refused> {
        match &self.matrix {
            Matrix::Regular(matrix) => matrix.solve(f, &self.gamma, true),
            Matrix::Redundant { all, .. } => all.solve(f, &self.gamma, true),
        }
    }

    /// The changes of a by each row of forces.
    fn changes(&self, forces: &[f64]) -> Result<Vec<f64>, Refused> {
        let rates = vec![0.0; forces.len() / self.n.max(1) * self.c];
        let [a, _] = match &self.matrix {
            Matrix::Regular(matrix) => matrix.solve(forces, &rates, true),
            Matrix::Redundant { independent, .. } => independent.solve(forces, &rates, true),
        }?;
        Ok(a)
    }
}

/// The motion in which all laws hold.
struct Found {
    /// The accelerations, or changes of velocities.
    x: Vec<f64>,
    multipliers: Vec<f64>,
    candidate: Candidate,
    /// The largest rate of a row that is held.
    residual: f64,
}

/// The results of `friction_terms`, of which some are columns of p or rows of n numbers.
struct Terms<'a> {
    gap_bounds: &'a [f64],
    rate_bounds: &'a [f64],
    slips: [&'a [f64]; 2],
    slip_bounds: [&'a [f64]; 2],
    rows: [&'a [f64]; 2],
    gammas: [&'a [f64]; 2],
    friction: &'a [f64],
    restitution: &'a [f64],
    limits: &'a [f64],
}

impl<'a> Terms<'a> {
    fn new((n, p): (usize, usize), all: &'a [f64]) -> Self {
        let mut rest = all;
        let mut next = |length: usize| {
            let (part, others) = rest.split_at(length);
            rest = others;
            part
        };
        Self {
            gap_bounds: next(p),
            rate_bounds: next(p),
            slips: [next(p), next(p)],
            slip_bounds: [next(p), next(p)],
            rows: [next(p * n), next(p * n)],
            gammas: [next(p), next(p)],
            friction: next(p),
            restitution: next(p),
            limits: rest,
        }
    }
}

/// The motion where each of the active contacts opens or stays closed, slides or sticks by itself: a, lambda, the forces of
/// contacts and of their friction, their modes, the forces of dry joints, and which are held. The arguments are those of
/// `Kernel::ContactMotion`.
pub(super) fn motion(is_redundant: bool, given: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, Refused> {
    let [
        mass,
        jacobian,
        f,
        gamma,
        rows,
        all,
        slips,
        joints,
        v,
        active,
        gap_rates,
        gammas,
    ] = given
    else {
        return Err(RoutineError::NotFinite.into());
    };
    let (n, p) = (v.len(), slips.len());
    let terms = Terms::new((n, p), all);
    let places: Vec<usize> = joints.iter().map(|place| *place as usize).collect();
    let mut laws = Laws::new((n, p), &places, terms.limits);
    for k in 0..p {
        if active[k] == 0.0 || gap_rates[k] > terms.rate_bounds[k] {
            continue;
        }
        let count = slips[k] as usize;
        laws.close(k, count, rows, &terms);
        laws.offset[3 * k] = -gammas[k];
        for i in 0..count {
            laws.offset[3 * k + 1 + i] = -terms.gammas[i][k];
        }
        let first = terms.slips[0][k];
        let second = if count > 1 { terms.slips[1][k] } else { 0.0 };
        let law = &mut laws.contacts[k];
        let slides =
            first.abs() > terms.slip_bounds[0][k] || second.abs() > terms.slip_bounds[1][k];
        if law.slips > 0 && slides {
            let length = first.hypot(second);
            law.slips = 0;
            law.direction = [first / length, second / length];
        }
    }
    let mut total = f.clone();
    for (joint, place) in laws.joints.iter_mut().zip(&places) {
        joint.is_free = v[*place] != 0.0;
        if joint.is_free {
            total[*place] -= joint.limit.copysign(v[*place]);
        }
    }
    let equations = Motion::new(is_redundant, [mass, jacobian], None, (total, gamma.clone()));
    let Found {
        mut x,
        multipliers,
        candidate,
        ..
    } = laws.solve(&equations, is_redundant)?;
    let mut of_joints = Vec::new();
    let mut held = Vec::new();
    for (j, place) in places.iter().enumerate() {
        let Joint { is_free, limit } = laws.joints[j];
        let is_held = !is_free && candidate.modes.joints[j] == 0.0;
        of_joints.push(match is_free {
            true => -limit.copysign(v[*place]),
            false => candidate.x[3 * p + j],
        });
        held.push(f64::from(u8::from(is_held)));
        if is_held {
            x[*place] = 0.0;
        }
    }
    let [forces, frictions] = candidate.of_contacts();
    let modes = candidate.modes.contacts.iter();
    let modes = modes.map(|contact| contact.number()).collect();
    Ok(vec![
        x,
        multipliers,
        forces,
        frictions,
        modes,
        of_joints,
        held,
    ])
}

/// The velocity at the end of a step of Moreau and Jean, the impulses of contacts and of their friction, and the largest
/// rate of a row that is held. The arguments are those of `Kernel::ContactImpact`.
pub(super) fn impact(is_redundant: bool, given: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, Refused> {
    let [
        mass,
        jacobian,
        reactions,
        f,
        gamma,
        rows,
        all,
        slips,
        joints,
        v,
        gaps,
        gap_rates,
        h,
    ] = given
    else {
        return Err(RoutineError::NotFinite.into());
    };
    let (n, p) = (v.len(), slips.len());
    let terms = Terms::new((n, p), all);
    let places: Vec<usize> = joints.iter().map(|place| *place as usize).collect();
    let mut laws = Laws::new((n, p), &places, terms.limits);
    for k in 0..p {
        // NaN is open.
        let is_closed = gaps[k] <= terms.gap_bounds[k];
        if !is_closed {
            continue;
        }
        let count = slips[k] as usize;
        laws.close(k, count, rows, &terms);
        laws.offset[3 * k] = gap_rates[k] * (1.0 + terms.restitution[k]);
        laws.offset_noise[3 * k] = terms.rate_bounds[k];
        for i in 0..count {
            laws.offset[3 * k + 1 + i] = terms.slips[i][k];
            laws.offset_noise[3 * k + 1 + i] = terms.slip_bounds[i][k];
        }
    }
    for (j, place) in places.iter().enumerate() {
        laws.joints[j].limit *= h[0].abs();
        laws.offset[3 * p + j] = v[*place];
    }
    let forces = (!reactions.is_empty()).then_some(&reactions[..]);
    let right = (f.clone(), gamma.clone());
    let equations = Motion::new(is_redundant, [mass, jacobian], forces, right);
    let found = laws.solve(&equations, true)?;
    let mut velocity: Vec<f64> = v.iter().zip(&found.x).map(|(v, x)| v + x).collect();
    for (place, moves) in places.iter().zip(&found.candidate.modes.joints) {
        if *moves == 0.0 {
            velocity[*place] = 0.0;
        }
    }
    let [impulses, frictions] = found.candidate.of_contacts();
    Ok(vec![velocity, impulses, frictions, vec![found.residual]])
}

impl Laws {
    /// Contacts that are not closed, and dry joints at rest. A dry joint has the velocity of a number.
    fn new((n, p): (usize, usize), places: &[usize], limits: &[f64]) -> Self {
        let size = 3 * p + places.len();
        let mut rows = vec![vec![0.0; n]; size];
        for (row, place) in rows[3 * p..].iter_mut().zip(places) {
            row[*place] = 1.0;
        }
        let joints = limits.iter().map(|limit| Joint {
            is_free: false,
            limit: limit.max(0.0),
        });
        Self {
            contacts: vec![Law::default(); p],
            joints: joints.collect(),
            rows,
            offset: vec![0.0; size],
            offset_noise: vec![0.0; size],
            w: vec![vec![0.0; size]; size],
            b: vec![0.0; size],
            noise: vec![0.0; size],
            scale: vec![0.0; size],
        }
    }

    /// Closes a contact with so many sliding velocities, and with friction at rest.
    fn close(&mut self, k: usize, slips: usize, rows: &[f64], terms: &Terms) {
        let n = self.rows[3 * k].len();
        self.rows[3 * k].copy_from_slice(&rows[k * n..][..n]);
        for i in 0..slips {
            self.rows[3 * k + 1 + i].copy_from_slice(&terms.rows[i][k * n..][..n]);
        }
        let law = &mut self.contacts[k];
        law.is_closed = true;
        if slips > 0 && terms.friction[k] > 0.0 {
            law.slips = slips;
            law.friction = terms.friction[k];
        }
    }

    fn size(&self) -> usize {
        self.b.len()
    }

    /// The closed contacts, with their numbers.
    fn closed_contacts(&self) -> impl Iterator<Item = (usize, &Law)> {
        let contacts = self.contacts.iter().enumerate();
        contacts.filter(|(_, law)| law.is_closed)
    }

    /// The joints that friction may hold, with their numbers.
    fn joints_at_rest(&self) -> impl Iterator<Item = (usize, &Joint)> {
        let joints = self.joints.iter().enumerate();
        joints.filter(|(_, joint)| !joint.is_free)
    }

    /// The row of the first joint.
    fn first_joint(&self) -> usize {
        3 * self.contacts.len()
    }

    /// The motion in which all laws hold.
    fn solve(&mut self, motion: &Motion, serves_dependent: bool) -> Result<Found, Refused> {
        let [free, _] = motion.by_forces(&motion.f)?;
        self.scale(motion, &free)?;
        let mut candidate = self.search(serves_dependent).map_err(|refused| {
            // The constraints first, then the contacts, then the joints.
            let row = refused
                .row
                .map(|row| match row.checked_sub(self.first_joint()) {
                    Some(joint) => motion.c + self.contacts.len() + joint,
                    None => motion.c + row / 3,
                });
            Refused { row, ..refused }
        })?;
        for (force, scale) in candidate.x.iter_mut().zip(&self.scale) {
            *force *= scale;
        }
        // A force that pulls is a rounding error.
        for k in 0..self.contacts.len() {
            candidate.x[3 * k] = candidate.x[3 * k].max(0.0);
        }
        let add = |total: &mut [f64], forces: &[f64]| {
            for (row, force) in self.rows.iter().zip(forces).filter(|(_, x)| **x != 0.0) {
                for (total, entry) in total.iter_mut().zip(row) {
                    *total += entry * force;
                }
            }
        };
        let mut total = motion.f.clone();
        add(&mut total, &candidate.x);
        let [mut x, multipliers] = motion.by_forces(&total)?;
        let held = self.held(&candidate.modes);
        let rates = |x: &[f64]| -> Vec<f64> {
            let rows = self.rows.iter().zip(&self.offset).zip(&held);
            rows.map(|((row, offset), is_held)| if *is_held { dot(row, x) + offset } else { 0.0 })
                .collect()
        };
        // Large forces that cancel leave rounding errors in the rates.
        let scaled: Vec<f64> = rates(&x)
            .iter()
            .zip(&self.scale)
            .map(|(x, s)| x * s)
            .collect();
        let (corrections, _) = self.corrections(&candidate.modes, &held, &scaled);
        let pairs = corrections.iter().zip(&self.scale);
        let forces: Vec<f64> = pairs.map(|(force, scale)| force * scale).collect();
        let mut total = vec![0.0; motion.n];
        add(&mut total, &forces);
        for (x, change) in x.iter_mut().zip(motion.changes(&total)?) {
            *x += change;
        }
        let residual = largest(&rates(&x));
        let mut results = candidate.x.iter().chain(&x).chain(&multipliers);
        if !results.all(|x| x.is_finite()) {
            return Err(RoutineError::NotFinite.into());
        }
        Ok(Found {
            x,
            multipliers,
            candidate,
            residual,
        })
    }

    /// The rows that have a law.
    fn present(&self) -> Vec<bool> {
        let of_contacts = self.contacts.iter().flat_map(|law| {
            let slides = |i: usize| match law.slips {
                0 => law.direction[i] * law.friction != 0.0,
                slips => slips > i,
            };
            [law.is_closed, slides(0), slides(1)]
        });
        of_contacts
            .chain(self.joints.iter().map(|joint| !joint.is_free))
            .collect()
    }

    /// Sets w, b and the scales, with the constraints held, for the accelerations without forces of contacts.
    fn scale(&mut self, motion: &Motion, free: &[f64]) -> Result<(), Refused> {
        let (n, size) = (motion.n, self.size());
        let present = self.present();
        let responses = motion.changes(&self.rows.concat())?;
        for i in (0..size).filter(|i| present[*i]) {
            let row = &self.rows[i];
            for j in (0..size).filter(|j| present[*j]) {
                self.w[i][j] = dot(row, &responses[j * n..][..n]);
            }
            let parts = row.iter().zip(free).map(|(entry, a)| entry * a);
            let (mut rate, mut terms) = (0.0, 0.0);
            for part in parts {
                rate += part;
                terms += f64::abs(part);
            }
            self.b[i] = rate + self.offset[i];
            let rounding = 32.0 * f64::EPSILON;
            self.noise[i] = self.offset_noise[i] + (terms + self.offset[i].abs()) * rounding;
            let inertias = row.iter().enumerate();
            let parts = inertias.map(|(k, entry)| entry * entry / motion.mass[k * n + k].abs());
            let mobility: f64 = parts.filter(|part| part.is_finite()).sum();
            // A mobility that is rounding beside that without constraints is none.
            if self.w[i][i] > mobility * 64.0 * n as f64 * f64::EPSILON {
                self.scale[i] = 1.0 / self.w[i][i].sqrt();
            }
        }
        for (k, law) in self.contacts.iter_mut().enumerate() {
            let [normal, slips @ ..] = &mut self.scale[3 * k..3 * k + 3] else {
                continue;
            };
            // The larger mobility has the smaller scale; a scale of 0 is one that nothing moves.
            let common = match slips[0] == 0.0 || (slips[1] < slips[0] && slips[1] != 0.0) {
                true => slips[1],
                false => slips[0],
            };
            for scale in slips.iter_mut().filter(|scale| **scale != 0.0) {
                *scale = common;
            }
            // Friction along a velocity that nothing changes does not matter.
            law.friction = match common > 0.0 {
                true => law.friction * *normal / common,
                false => 0.0,
            };
            let is_blocked = law.is_closed && *normal == 0.0;
            if is_blocked && self.b[3 * k] < -self.noise[3 * k] {
                return Err(RoutineError::NoContactSolution.into());
            }
        }
        let first = self.first_joint();
        for (joint, scale) in self.joints.iter_mut().zip(&self.scale[first..]) {
            if *scale > 0.0 {
                joint.limit /= scale;
            }
        }
        for i in 0..size {
            for j in 0..size {
                self.w[i][j] *= self.scale[i] * self.scale[j];
            }
            self.b[i] *= self.scale[i];
            self.noise[i] *= self.scale[i];
        }
        let mut entries = self.w.iter().flatten().chain(&self.b);
        match entries.all(|entry| entry.is_finite()) {
            true => Ok(()),
            false => Err(RoutineError::NotFinite.into()),
        }
    }
}

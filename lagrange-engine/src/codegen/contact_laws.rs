//! The laws of contacts and dry joints, for the interpreter. The forces of the laws are found by a [`ContactSearch`] from
//! outside: the runtime has one. The same as text, with a search, is `backend/c99/contacts.c`.

use super::kernels::{Refused, Saddle, dot, largest};
use super::redundant::Redundant;
use super::routine::{Equations, RoutineError};

/// The search for forces of contacts and dry joints in which all laws hold. If rows depend on each other, it takes the
/// least forces where the flag is true.
///
/// # Errors
///
/// `NoContactSolution`, `NotConverged`, or `DependentConstraints` with the row of the problem that depends on others.
pub type ContactSearch =
    fn(ContactProblem, bool) -> Result<ContactForces, (RoutineError, Option<usize>)>;

/// The most refinements of forces, each of which brings some digits.
const MOST_REFINEMENTS: u8 = 4;

/// The laws between the rates `matrix x + free` of rows and the forces x along them, in units in which the diagonal of the
/// matrix is 1. Contact k has the row 3 k of its gap and the rows 3 k + 1 and 3 k + 2 of its sliding velocities; joint j has
/// the row 3 p + j behind those of all p contacts.
#[derive(Clone, Debug)]
pub struct ContactProblem {
    /// The laws of the contacts.
    pub contacts: Vec<ContactLaw>,
    /// The largest forces of the dry joints; none for a joint that moves.
    pub joints: Vec<Option<f64>>,
    /// The changes of the rates by the forces, row by row.
    pub matrix: Vec<Vec<f64>>,
    /// The rates without forces.
    pub free: Vec<f64>,
    /// The bounds of their rounding errors.
    pub noise: Vec<f64>,
    /// The factors from scaled forces to forces.
    pub scales: Vec<f64>,
}

/// The law of a contact.
#[derive(Clone, Copy, Default, Debug)]
pub struct ContactLaw {
    /// A contact that is not closed has no force.
    pub is_closed: bool,
    /// Friction holds so many sliding velocities. With none it has the friction of the direction.
    pub slips: usize,
    /// The coefficient of friction.
    pub friction: f64,
    /// The direction in which the contact slides.
    pub direction: [f64; 2],
}

/// The forces of a [`ContactProblem`].
pub struct ContactForces {
    /// The forces along the rows.
    pub forces: Vec<f64>,
    /// The modes of the contacts: 0 for an open one, 1 for one that sticks, 2 for one that slides.
    pub modes: Vec<u8>,
    /// The rows whose rates are 0.
    pub held: Vec<bool>,
    /// Corrections of the forces, with the modes as they are.
    pub corrections: ContactCorrections,
}

/// The changes of forces that change these rates of held rows to 0.
pub type ContactCorrections = Box<dyn Fn(&[f64]) -> Vec<f64>>;

/// The laws of a state, and the rows that they are for.
struct Laws {
    problem: ContactProblem,
    /// The rate of a row is `row x + offset`, with the bound of the rounding errors of the offset.
    rows: Vec<Vec<f64>>,
    offset: Vec<f64>,
    offset_noise: Vec<f64>,
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
    /// The square of the length of a row in the metric of the diagonal of M^-1: about its mobility without constraints.
    fn free_mobility(&self, row: &[f64]) -> f64 {
        let inertias = row.iter().enumerate();
        let parts = inertias.map(|(k, entry)| entry * entry / self.mass[k * self.n + k].abs());
        parts.filter(|part| part.is_finite()).sum()
    }

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
    /// The forces along the rows.
    forces: Vec<f64>,
    modes: Vec<u8>,
    held: Vec<bool>,
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
pub(super) fn motion(
    search: ContactSearch,
    is_redundant: bool,
    given: &[Vec<f64>],
) -> Result<Vec<Vec<f64>>, Refused> {
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
        let [first, second] = [terms.slips[0][k], terms.slips[1][k]];
        if active[k] == 0.0 {
            continue;
        }
        if ![gap_rates[k], first, second].iter().all(|x| x.is_finite()) {
            return Err(RoutineError::NotFinite.into());
        }
        if gap_rates[k] > terms.rate_bounds[k] {
            continue;
        }
        let count = slips[k] as usize;
        laws.close(k, count, rows, &terms);
        laws.offset[3 * k] = -gammas[k];
        for i in 0..count {
            laws.offset[3 * k + 1 + i] = -terms.gammas[i][k];
        }
        let law = &mut laws.problem.contacts[k];
        let slides =
            first.abs() > terms.slip_bounds[0][k] || second.abs() > terms.slip_bounds[1][k];
        if law.slips > 0 && slides {
            let length = first.hypot(second);
            law.slips = 0;
            law.direction = [first / length, second / length];
        }
    }
    let mut total = f.clone();
    // The forces of joints that move.
    let mut of_joints = vec![0.0; places.len()];
    for (j, place) in places.iter().enumerate() {
        if v[*place] != 0.0 {
            let limit = laws.problem.joints[j].take().unwrap_or(0.0);
            of_joints[j] = -limit.copysign(v[*place]);
            total[*place] += of_joints[j];
        }
    }
    let equations = Motion::new(is_redundant, [mass, jacobian], None, (total, gamma.clone()));
    let Found {
        mut x,
        multipliers,
        forces,
        modes,
        held,
        ..
    } = laws.solve(&equations, search, is_redundant)?;
    let [of_contacts, frictions] = divide(&forces[..3 * p]);
    for (j, place) in places.iter().enumerate() {
        if laws.problem.joints[j].is_some() {
            of_joints[j] = forces[3 * p + j];
        }
        if held[3 * p + j] {
            x[*place] = 0.0;
        }
    }
    let held = held[3 * p..].iter();
    Ok(vec![
        x,
        multipliers,
        of_contacts,
        frictions,
        modes.into_iter().map(f64::from).collect(),
        of_joints,
        held.map(|is_held| f64::from(u8::from(*is_held))).collect(),
    ])
}

/// The forces of contacts, and those of their friction along both sliding velocities.
fn divide(forces: &[f64]) -> [Vec<f64>; 2] {
    let contacts = forces.chunks_exact(3);
    let frictions = contacts.clone().flat_map(|forces| [forces[1], forces[2]]);
    let frictions = frictions.collect();
    [contacts.map(|forces| forces[0]).collect(), frictions]
}

/// The velocity at the end of a step of Moreau and Jean, the impulses of contacts and of their friction, and the largest
/// rate of a row that is held. The arguments are those of `Kernel::ContactImpact`.
pub(super) fn impact(
    search: ContactSearch,
    is_redundant: bool,
    given: &[Vec<f64>],
) -> Result<Vec<Vec<f64>>, Refused> {
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
        if let Some(limit) = &mut laws.problem.joints[j] {
            *limit *= h[0].abs();
        }
        laws.offset[3 * p + j] = v[*place];
    }
    let forces = (!reactions.is_empty()).then_some(&reactions[..]);
    let right = (f.clone(), gamma.clone());
    let equations = Motion::new(is_redundant, [mass, jacobian], forces, right);
    let found = laws.solve(&equations, search, true)?;
    let mut velocity: Vec<f64> = v.iter().zip(&found.x).map(|(v, x)| v + x).collect();
    for (place, is_held) in places.iter().zip(&found.held[3 * p..]) {
        if *is_held {
            velocity[*place] = 0.0;
        }
    }
    let [impulses, frictions] = divide(&found.forces[..3 * p]);
    Ok(vec![velocity, impulses, frictions, vec![found.residual]])
}

/// The number, or 0 for a negative one. NaN stays NaN.
fn positive_part(number: f64) -> f64 {
    if number < 0.0 { 0.0 } else { number }
}

impl Laws {
    /// Contacts that are not closed, and dry joints at rest. A dry joint has the velocity of a number.
    fn new((n, p): (usize, usize), places: &[usize], limits: &[f64]) -> Self {
        let size = 3 * p + places.len();
        let mut rows = vec![vec![0.0; n]; size];
        for (row, place) in rows[3 * p..].iter_mut().zip(places) {
            row[*place] = 1.0;
        }
        let problem = ContactProblem {
            contacts: vec![ContactLaw::default(); p],
            joints: limits
                .iter()
                .copied()
                .map(positive_part)
                .map(Some)
                .collect(),
            matrix: vec![vec![0.0; size]; size],
            free: vec![0.0; size],
            noise: vec![0.0; size],
            scales: vec![0.0; size],
        };
        Self {
            problem,
            rows,
            offset: vec![0.0; size],
            offset_noise: vec![0.0; size],
        }
    }

    /// Closes a contact with so many sliding velocities, and with friction at rest.
    fn close(&mut self, k: usize, slips: usize, rows: &[f64], terms: &Terms) {
        let n = self.rows[3 * k].len();
        self.rows[3 * k].copy_from_slice(&rows[k * n..][..n]);
        for i in 0..slips {
            self.rows[3 * k + 1 + i].copy_from_slice(&terms.rows[i][k * n..][..n]);
        }
        let law = &mut self.problem.contacts[k];
        law.is_closed = true;
        if slips > 0 && (terms.friction[k] > 0.0 || terms.friction[k].is_nan()) {
            law.slips = slips;
            law.friction = terms.friction[k];
        }
    }

    /// Ends unless all numbers of the laws are finite: a comparison with NaN would choose a mode.
    fn require_finite(&self) -> Result<(), Refused> {
        let frictions = self.problem.contacts.iter().map(|law| law.friction);
        let limits = self.problem.joints.iter().flatten().copied();
        let offsets = self.offset.iter().copied();
        let mut numbers = frictions.chain(limits).chain(offsets);
        match numbers.all(f64::is_finite) {
            true => Ok(()),
            false => Err(RoutineError::NotFinite.into()),
        }
    }

    /// The motion in which all laws hold.
    fn solve(
        &mut self,
        motion: &Motion,
        search: ContactSearch,
        serves_dependent: bool,
    ) -> Result<Found, Refused> {
        self.require_finite()?;
        let [free, _] = motion.by_forces(&motion.f)?;
        self.scale(motion, &free)?;
        let contacts = self.problem.contacts.len();
        let scales = &self.problem.scales;
        let found = search(self.problem.clone(), serves_dependent).map_err(|(error, row)| {
            // The constraints first, then the contacts, then the joints.
            let row = row.map(|row| match row.checked_sub(3 * contacts) {
                Some(joint) => motion.c + contacts + joint,
                None => motion.c + row / 3,
            });
            Refused { error, row }
        })?;
        let scaled = |forces: &[f64]| -> Vec<f64> {
            let pairs = forces.iter().zip(scales);
            pairs.map(|(force, scale)| force * scale).collect()
        };
        let along = |forces: &[f64]| {
            let mut total = vec![0.0; motion.n];
            for (row, force) in self.rows.iter().zip(forces).filter(|(_, x)| **x != 0.0) {
                for (total, entry) in total.iter_mut().zip(row) {
                    *total += entry * force;
                }
            }
            total
        };
        let rates = |x: &[f64]| -> Vec<f64> {
            let rows = self.rows.iter().zip(&self.offset).zip(&found.held);
            rows.map(|((row, offset), is_held)| if *is_held { dot(row, x) + offset } else { 0.0 })
                .collect()
        };
        let mut unscaled = found.forces;
        let (mut last, mut refinements) = (largest(&unscaled) * 0.25, 0);
        let (forces, mut x, multipliers, corrections) = loop {
            let mut forces = scaled(&unscaled);
            // A force that pulls is a rounding error.
            for k in 0..contacts {
                forces[3 * k] = forces[3 * k].max(0.0);
            }
            let mut total = along(&forces);
            for (total, force) in total.iter_mut().zip(&motion.f) {
                *total += force;
            }
            let [x, multipliers] = motion.by_forces(&total)?;
            let corrections = (found.corrections)(&scaled(&rates(&x)));
            let change = largest(&corrections);
            let rounding = largest(&unscaled) * f64::EPSILON * 16.0;
            if refinements == MOST_REFINEMENTS || !(change > rounding && change < last) {
                break (forces, x, multipliers, corrections);
            }
            // Forces of rows that nearly depend on each other have errors larger than rounding.
            for (force, correction) in unscaled.iter_mut().zip(&corrections) {
                *force += correction;
            }
            last = change * 0.5;
            refinements += 1;
        };
        // Large forces that cancel leave rounding errors in the rates.
        let total = along(&scaled(&corrections));
        for (x, change) in x.iter_mut().zip(motion.changes(&total)?) {
            *x += change;
        }
        let residual = largest(&rates(&x));
        let mut results = forces.iter().chain(&x).chain(&multipliers);
        if !results.all(|x| x.is_finite()) {
            return Err(RoutineError::NotFinite.into());
        }
        Ok(Found {
            x,
            multipliers,
            forces,
            modes: found.modes,
            held: found.held,
            residual,
        })
    }

    /// The rows that have a law.
    fn present(&self) -> Vec<bool> {
        let of_contacts = self.problem.contacts.iter().flat_map(|law| {
            let slides = |i: usize| match law.slips {
                0 => law.direction[i] * law.friction != 0.0,
                slips => slips > i,
            };
            [law.is_closed, slides(0), slides(1)]
        });
        of_contacts
            .chain(self.problem.joints.iter().map(Option::is_some))
            .collect()
    }

    /// Sets the matrix, the free rates and the scales, with the constraints held, for the accelerations without forces of contacts.
    fn scale(&mut self, motion: &Motion, free: &[f64]) -> Result<(), Refused> {
        let (n, size) = (motion.n, self.rows.len());
        let present = self.present();
        let problem = &mut self.problem;
        let responses = motion.changes(&self.rows.concat())?;
        for i in (0..size).filter(|i| present[*i]) {
            let row = &self.rows[i];
            for j in (0..size).filter(|j| present[*j]) {
                problem.matrix[i][j] = dot(row, &responses[j * n..][..n]);
            }
            let parts = row.iter().zip(free).map(|(entry, a)| entry * a);
            let (mut rate, mut terms) = (0.0, 0.0);
            for part in parts {
                rate += part;
                terms += f64::abs(part);
            }
            problem.free[i] = rate + self.offset[i];
            let rounding = 32.0 * f64::EPSILON;
            problem.noise[i] = self.offset_noise[i] + (terms + self.offset[i].abs()) * rounding;
            let rounding = 64.0 * n as f64 * f64::EPSILON;
            let mobility = motion.free_mobility(row);
            // A mobility that is rounding beside that without constraints is none.
            if problem.matrix[i][i] > mobility * rounding {
                problem.scales[i] = 1.0 / problem.matrix[i][i].sqrt();
            } else {
                // What rounding leaves of forces that the constraints balance.
                let of_forces = motion.free_mobility(&motion.f);
                problem.noise[i] += (mobility * of_forces).sqrt() * rounding;
            }
        }
        for (k, law) in problem.contacts.iter_mut().enumerate() {
            let [normal, slips @ ..] = &mut problem.scales[3 * k..3 * k + 3] else {
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
            if is_blocked && problem.free[3 * k] < -problem.noise[3 * k] {
                return Err(RoutineError::NoContactSolution.into());
            }
        }
        let of_joints = &problem.scales[3 * problem.contacts.len()..];
        for (joint, scale) in problem.joints.iter_mut().zip(of_joints) {
            if let Some(limit) = joint.as_mut().filter(|_| *scale > 0.0) {
                *limit /= scale;
            }
        }
        for i in 0..size {
            for j in 0..size {
                problem.matrix[i][j] *= problem.scales[i] * problem.scales[j];
            }
            problem.free[i] *= problem.scales[i];
            problem.noise[i] *= problem.scales[i];
        }
        let mut entries = problem.matrix.iter().flatten().chain(&problem.free);
        match entries.all(|entry| entry.is_finite()) {
            true => Ok(()),
            false => Err(RoutineError::NotFinite.into()),
        }
    }
}

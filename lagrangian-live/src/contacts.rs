//! The search for the modes of contacts and dry joints: the runtime's, for sizes that are known at run time.

use lagrange_engine::{ContactForces, ContactLaw, ContactProblem, RoutineError};
use lagrange_runtime::Error;
use lagrange_runtime::contacts::friction::{Contact, Law, PerRow, Problem, Rows, Sizes};

/// The numbers of contacts and joints.
#[derive(Clone, Copy)]
struct Counts {
    contacts: usize,
    joints: usize,
}

impl Sizes for Counts {
    type Contacts<X: Clone> = Vec<X>;
    type Joints<X: Clone> = Vec<X>;

    fn of_contacts<X: Clone>(self, function: impl FnMut(usize) -> X) -> Vec<X> {
        (0..self.contacts).map(function).collect()
    }

    fn of_joints<X: Clone>(self, function: impl FnMut(usize) -> X) -> Vec<X> {
        (0..self.joints).map(function).collect()
    }

    fn contacts(self) -> usize {
        self.contacts
    }

    fn joints(self) -> usize {
        self.joints
    }
}

impl Counts {
    /// Values row by row.
    fn rows<X: Clone>(self, value: impl Fn(usize) -> X) -> PerRow<X, Self> {
        let first = 3 * self.contacts;
        Rows::new(self, |k, i| value(3 * k + i), |j, _| value(first + j))
    }
}

/// The [`lagrange_engine::ContactSearch`] of models.
pub(crate) fn find_forces(
    laws: ContactProblem,
    serves_dependent: bool,
) -> Result<ContactForces, (RoutineError, Option<usize>)> {
    let counts = Counts {
        contacts: laws.contacts.len(),
        joints: laws.joints.len(),
    };
    let values = |values: &[f64]| counts.rows(|row| values[row]);
    let problem = Problem {
        matrix: counts.rows(|row| values(&laws.matrix[row])),
        free: values(&laws.free),
        noise: values(&laws.noise),
        scales: values(&laws.scales),
        contacts: laws.contacts.iter().map(law).collect(),
        joints: laws.joints,
    };
    let candidate = problem
        .search(serves_dependent)
        .map_err(|error| match error {
            Error::DependentConstraints { row } => (RoutineError::DependentConstraints, Some(row)),
            Error::NoContactSolution => (RoutineError::NoContactSolution, None),
            _ => (RoutineError::NotConverged, None),
        })?;
    let modes = candidate.modes.contacts.iter().map(|mode| match mode {
        Contact::Open => 0,
        Contact::Sticks => 1,
        Contact::Slides(_) => 2,
    });
    let held_rows = problem.held(&candidate.modes);
    Ok(ContactForces {
        forces: candidate.forces.iter().copied().collect(),
        modes: modes.collect(),
        held: held_rows.iter().copied().collect(),
        corrections: Box::new(move |rates| {
            let rates = counts.rows(|row| rates[row]);
            let changes = problem.corrections(&candidate.modes, &held_rows, &rates).x;
            changes.iter().copied().collect()
        }),
    })
}

fn law(law: &ContactLaw) -> Law<f64> {
    let ContactLaw {
        is_closed,
        slips,
        friction,
        direction,
    } = *law;
    match slips {
        _ if !is_closed => Law::Absent,
        0 => Law::Slides {
            friction,
            direction,
        },
        _ => Law::Rests { slips, friction },
    }
}

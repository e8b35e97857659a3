//! Wording of lists and symbols in messages.

use lagrange_engine::Shape;

use crate::model::{Declared, Velocity};

/// The advice for a coordinate of a robot that has no inertia.
pub(super) const MASSLESS_LINK: &str = "give a link that the joint moves an `<inertial>` in the file, put a `body` on its frame, or lock the joint";

/// `a`, `b` and `c`
pub(super) fn enumerate_words(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [name] => name.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// Some elements of a coordinate, named for messages.
pub(super) struct Elements {
    /// ``the coordinate `r` `` if all elements are meant, otherwise ``the coordinates `r[0]` and `r[2]` ``.
    pub(super) subject: String,
    pub(super) are_many: bool,
}

impl Elements {
    /// The elements of the coordinate with these velocities.
    pub(super) fn of(coordinate: &Declared, velocities: &[usize]) -> Self {
        let own_velocities = coordinate.velocities();
        let is_rotation = matches!(coordinate.velocity, Velocity::Rotation(_));
        let what = if is_rotation {
            "rotation"
        } else {
            "coordinate"
        };
        // A coordinate of a robot has its place in the file.
        let file = coordinate.file.as_ref();
        let file = file.map_or_else(String::new, |file| format!(" ({file})"));
        // If only some rates of a rotation are meant, they are named.
        if velocities.len() == own_velocities.len() {
            return Elements {
                subject: match (is_rotation, coordinate.shape) {
                    (true, Shape::Matrix(..)) => {
                        format!("the array `{}` of rotations", coordinate.text())
                    }
                    _ => format!("the {what} `{}`{file}", coordinate.text()),
                },
                are_many: false,
            };
        }
        let numbers: Vec<usize> = velocities
            .iter()
            .filter_map(|i| i.checked_sub(own_velocities.start))
            .collect();
        let (what, names, numbers) = match is_rotation.then(|| find_whole_rotations(&numbers)) {
            Some(Some(rotations)) => (what, coordinate.rotation_names(), rotations),
            Some(None) => ("rate", coordinate.velocity_names(), numbers),
            None => (what, coordinate.element_names(), numbers),
        };
        let quoted: Vec<String> = numbers
            .into_iter()
            .filter_map(|i| Some(format!("`{}`", names.get(i)?)))
            .collect();
        let are_many = quoted.len() > 1;
        let plural = if are_many { "s" } else { "" };
        Elements {
            subject: format!("the {what}{plural} {}{file}", enumerate_words(&quoted)),
            are_many,
        }
    }
}

/// The rotations with exactly these rates. `None` if some rates of a rotation are missing.
fn find_whole_rotations(rates: &[usize]) -> Option<Vec<usize>> {
    let mut rotations: Vec<usize> = rates.iter().map(|rate| rate / 3).collect();
    rotations.dedup();
    rotations
        .iter()
        .flat_map(|rotation| 3 * rotation..3 * rotation + 3)
        .eq(rates.iter().copied())
        .then_some(rotations)
}

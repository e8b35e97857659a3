//! Wording of lists and symbols in messages.

use lagrange_engine::{Names, Shape, Symbol};

use crate::model::{Declared, Velocity};

/// The advice for a coordinate of a robot that has no inertia.
pub(super) const MASSLESS_LINK: &str = "give a link that the joint moves an `<inertial>` in the file, put a `body` on its frame, or lock the joint";

/// `a`, `b` and `c`
pub(super) fn enumeration(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [name] => name.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// A symbol in the notation of the language.
pub(super) fn symbol_name(names: &Names, symbol: Symbol) -> String {
    let name_of = |names: &[String], i: u32| names.get(i as usize).cloned();
    let name = match symbol {
        Symbol::Coordinate(i) => name_of(&names.coordinates, i),
        Symbol::Velocity(i) => name_of(&names.velocities(), i),
        Symbol::Acceleration(i) => {
            name_of(&names.velocities(), i).map(|rate| format!("der({rate})"))
        }
        Symbol::Parameter(i) => name_of(&names.parameters, i),
        Symbol::State(i) => name_of(&names.states, i),
        Symbol::StateRate(i) => name_of(&names.states, i).map(|state| format!("der({state})")),
        Symbol::Input(i) => name_of(&names.inputs, i),
        Symbol::Time => names.time.clone(),
        Symbol::Multiplier(_) | Symbol::Momentum(_) | Symbol::Weight(_) => None,
    };
    name.unwrap_or_default()
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
        let (what, names, numbers) = match is_rotation.then(|| whole_rotations(&numbers)) {
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
            subject: format!("the {what}{plural} {}{file}", enumeration(&quoted)),
            are_many,
        }
    }
}

/// The rotations with exactly these rates. `None` if some rates of a rotation are missing.
fn whole_rotations(rates: &[usize]) -> Option<Vec<usize>> {
    let mut rotations: Vec<usize> = rates.iter().map(|rate| rate / 3).collect();
    rotations.dedup();
    rotations
        .iter()
        .flat_map(|rotation| 3 * rotation..3 * rotation + 3)
        .eq(rates.iter().copied())
        .then_some(rotations)
}

//! One-sentence summaries of names.

use lagrange_engine::Shape;
use proc_macro2::Ident;

use super::Kind;
use crate::lower::in_words;
use crate::model::{Declared, Head};
use crate::syntax::ast::{BlockField, ConstraintKind, text};

/// A name of the head, and the number of elements of its role before it.
pub(super) struct Field<'a> {
    pub(super) item: &'a Declared,
    before: usize,
}

/// `None` for the time, and for a name that belongs to another field.
pub(super) fn field<'a>(kind: Kind, name: &Ident, head: &'a Head) -> Option<Field<'a>> {
    let declared = match kind {
        Kind::Coordinate | Kind::Rotation => &head.coordinates,
        Kind::Parameter => &head.parameters,
        Kind::State => &head.states,
        Kind::Input => &head.inputs,
        _ => return None,
    };
    let written = text(name);
    let index = declared
        .iter()
        .position(|item| text(&item.name) == written)?;
    Some(Field {
        item: &declared[index],
        before: declared[..index].iter().map(|item| item.shape.len()).sum(),
    })
}

/// `A coordinate: a vector of length 3, entries 1 to 3 of q and of v.`
pub(super) fn of_field(kind: Kind, field: Option<&Field>) -> String {
    let what = match kind {
        Kind::Coordinate => "A coordinate",
        Kind::Rotation => "A rotation",
        Kind::Parameter => "A parameter",
        Kind::State => "A state",
        Kind::Input => "An input",
        Kind::Robot => {
            return "A robot from a file: its joints are coordinates, its links frames.".to_owned();
        }
        _ => return "The time: a scalar, the argument t.".to_owned(),
    };
    let Some(Field { item, before }) = field else {
        return format!("{what}.");
    };
    let shape = in_words(item.shape);
    let position = entries(*before, item.shape.len());
    match kind {
        Kind::Rotation if item.rotation_names() != [item.text()] => {
            let (count, velocities) = (item.rotation_names().len(), of_velocities(item));
            format!(
                "An array of {count} rotations: unit quaternions x, y, z, w, {position} of q; their rates are \
                 {velocities} of v."
            )
        }
        Kind::Rotation => {
            let velocities = of_velocities(item);
            format!(
                "{what}: a unit quaternion x, y, z, w, {position} of q; its rates are {velocities} of v."
            )
        }
        Kind::Coordinate if position == of_velocities(item) => {
            format!("{what}: {shape}, {position} of q and of v.")
        }
        Kind::Coordinate => {
            let velocities = of_velocities(item);
            format!("{what}: {shape}, {position} of q and {velocities} of v.")
        }
        Kind::State => format!("{what}: {shape}, {position} of z."),
        Kind::Input => format!("{what}: {shape}, {position} of u."),
        _ => format!("{what}: {shape}."),
    }
}

fn of_velocities(item: &Declared) -> String {
    let velocities = item.velocities();
    entries(velocities.start, velocities.len())
}

fn entries(first: usize, count: usize) -> String {
    match count {
        1 => format!("entry {first}"),
        _ => format!("entries {first} to {}", (first + count).saturating_sub(1)),
    }
}

/// ``A `let`: a 2 x 2 matrix.``
pub(super) fn of_let(public: bool, mutable: bool, shape: Option<Shape>) -> String {
    let what = match (public, mutable) {
        (true, _) => "An output",
        (false, true) => "A `let mut`",
        (false, false) => "A `let`",
    };
    match shape {
        Some(shape) => format!("{what}: {}.", in_words(shape)),
        None => format!("{what}."),
    }
}

/// `A function of 2 arguments.`
pub(super) fn of_function(arguments: usize) -> String {
    let are = if arguments == 1 {
        "argument"
    } else {
        "arguments"
    };
    format!("A function of {arguments} {are}.")
}

/// ``An argument of the function `f`.``
pub(super) fn of_argument(function: &Ident) -> String {
    format!("An argument of the function `{function}`.")
}

/// `An actuator: a motor behind a gear.`
pub(super) fn of_actuator(is_elastic: bool) -> String {
    let elastic = match is_elastic {
        true => ", which is elastic: the motor's angle is a coordinate",
        false => "",
    };
    format!("An actuator: a motor behind a gear{elastic}.")
}

/// `A contact: a gap that is not negative, with friction and restitution.`
pub(super) fn of_contact(fields: &[BlockField]) -> String {
    let has = |name: &str| fields.iter().any(|field| field.name == name);
    let with = match (has("friction"), has("restitution")) {
        (true, true) => ", with friction and restitution",
        (true, false) => ", with friction",
        (false, true) => ", with restitution",
        (false, false) => "",
    };
    format!("A contact: a gap that is not negative{with}.")
}

/// `A holonomic constraint: 2 equations.`
pub(super) fn of_constraint(kind: ConstraintKind, rows: usize) -> String {
    let what = match kind {
        ConstraintKind::Holonomic => "A holonomic constraint",
        ConstraintKind::Nonholonomic => "A nonholonomic constraint",
    };
    let equations = if rows == 1 { "equation" } else { "equations" };
    format!("{what}: {rows} {equations}.")
}

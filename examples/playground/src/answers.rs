//! The answers to the page, in JSON.

use lagrangian_live::figure::{Figure, Kind, Role, Shape};
use lagrangian_live::motion::elements;
use lagrangian_live::{Diagnostic, Model, Severity, Variable};

use crate::json::{array, object, string};

/// Velocities of a rotation at the start: about the second axis mostly, so that free bodies turn over.
const SPIN: [f64; 3] = [0.1, 4.0, 0.1];

/// The messages of a text with mistakes.
pub(crate) fn of_messages(messages: &[Diagnostic]) -> String {
    object(&[
        ("messages", array(messages.iter().map(message))),
        ("model", "null".to_owned()),
    ])
}

/// The warnings of a text without mistakes, and all that the page shows of the model.
pub(crate) fn of_model(model: &Model) -> String {
    let shown = object(&[
        ("name", string(model.name())),
        ("doc", string(model.doc())),
        ("parameters", parameters(model)),
        ("inputs", variables(model.inputs(), |_, _| 0.0)),
        ("coordinates", coordinates(model)),
        ("velocities", velocities(model)),
        ("states", variables(model.states(), |_, _| 0.0)),
        ("constraints", model.constraints().len().to_string()),
    ]);
    object(&[
        ("messages", array(model.warnings().iter().map(message))),
        ("model", shown),
    ])
}

/// The shapes to draw.
pub(crate) fn of_figure(figure: &Figure) -> String {
    object(&[
        ("dimension", figure.dimension.to_string()),
        ("shapes", array(figure.shapes.iter().map(shape))),
    ])
}

pub(crate) fn of_error(message: &str) -> String {
    object(&[("error", string(message))])
}

/// True if the equations depend on time.
pub(crate) fn has_time(model: &Model) -> bool {
    let method = model.method("acceleration").ok();
    method.is_some_and(|method| method.arguments.iter().any(|argument| argument.name == "t"))
}

fn message(message: &Diagnostic) -> String {
    let severity = match message.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let help = message.help.as_deref();
    object(&[
        ("severity", string(severity)),
        ("code", string(&message.code)),
        ("message", string(&message.message)),
        ("help", help.map_or("null".to_owned(), string)),
        ("line", message.line.to_string()),
        ("column", message.column.to_string()),
        ("endLine", message.end_line.to_string()),
        ("endColumn", message.end_column.to_string()),
        ("text", string(&message.to_string())),
    ])
}

/// Elements with their values; `value` is that of an element by its number within its variable and its name.
fn variables(variables: &[Variable], value: impl Fn(&Variable, usize) -> f64) -> String {
    array(variables.iter().flat_map(|variable| {
        let names = elements(variable).into_iter().enumerate();
        let value = &value;
        names.map(move |(index, name)| element(variable, &name, value(variable, index)))
    }))
}

fn element(variable: &Variable, name: &str, value: f64) -> String {
    let unit = variable.unit.as_deref();
    let unit = unit.filter(|unit| *unit != "?").unwrap_or_default();
    object(&[
        ("name", string(name)),
        ("value", format!("{value}")),
        ("unit", string(unit)),
        ("doc", string(&variable.doc)),
    ])
}

/// With their defaults; the acceleration of gravity is that of the earth, and others are 1.
fn parameters(model: &Model) -> String {
    variables(model.parameters(), |variable, index| {
        variable
            .default
            .as_ref()
            .and_then(|values| values.get(index).copied())
            .unwrap_or(if variable.name == "g" { 9.81 } else { 1.0 })
    })
}

fn is_of_rotation(name: &str) -> bool {
    [".x", ".y", ".z", ".w"]
        .iter()
        .any(|part| name.ends_with(part))
}

/// At a start where most systems move: none of the coordinates is 0, and rotations are the identity.
fn coordinates(model: &Model) -> String {
    let coordinates = model.coordinates().iter().enumerate();
    array(coordinates.map(|(index, coordinate)| {
        let name = &coordinate.name;
        let value = match is_of_rotation(name) {
            true if name.ends_with(".w") => 1.0,
            true => 0.0,
            false => 0.5 + 0.3 * (index % 5) as f64,
        };
        element(coordinate, name, value)
    }))
}

fn velocities(model: &Model) -> String {
    array(model.velocities().iter().map(|velocity| {
        let name = &velocity.name;
        let part = [".x", ".y", ".z"]
            .iter()
            .position(|part| name.ends_with(part));
        let value = part.map_or(0.0, |part| SPIN[part]);
        element(velocity, name, value)
    }))
}

fn shape(shape: &Shape) -> String {
    const INKS: [&str; 4] = ["blue", "orange", "green", "violet"];
    let kind = match shape.kind {
        Kind::Rod => "rod",
        Kind::Line => "line",
        Kind::Mark => "mark",
        Kind::Circle => "circle",
        Kind::Ball => "ball",
        Kind::Block => "block",
        Kind::Arrow => "arrow",
    };
    let ink = match shape.role {
        Role::Ground => "ground",
        Role::Rod => "body",
        Role::Body(number) | Role::Output(number) => INKS[number % INKS.len()],
        Role::Axis(number) => ["orange", "green", "blue"][number % 3],
        Role::Spring => "green",
        Role::Damper => "violet",
    };
    object(&[
        ("kind", string(kind)),
        ("ink", string(ink)),
        ("name", string(&shape.name)),
        ("size", format!("{}", shape.size)),
        ("points", shape.points.to_string()),
        ("traced", matches!(shape.role, Role::Output(_)).to_string()),
    ])
}

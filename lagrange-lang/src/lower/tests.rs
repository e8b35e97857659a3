//! Tests from source text to values and messages.

mod arrays;
mod constraint_defects;
mod constraints;
mod expressions;
mod forces;
mod frame_mistakes;
mod frames;
mod functions;
mod head;
mod loops;
mod names;
mod physics;
mod recursion;
mod regressors_and_symmetries;
mod rotations;
mod shapes;
mod statements;
mod systems;

use lagrange_engine::{Shape, Symbol, System};

use super::lower;
use crate::check::{Findings, check};
use crate::errors::Errors;
use crate::model::Head;
use crate::syntax;
use crate::tables::Tables;

/// The lowered statements after the checks.
struct Lowered {
    /// `None` after any mistake.
    system: Option<System>,
    tables: Tables,
    findings: Findings,
}

/// Runs everything before the derivation of the equations.
fn run(source: &str) -> (Head, Lowered, Errors) {
    let mut errors = Errors::default();
    let definition = syntax::parse(source.parse().unwrap(), &mut errors).unwrap();
    let (mut head, declarations) = super::head(&definition, &mut errors);
    let (system, tables) = lower(&definition, &mut head, declarations, &mut errors);
    let findings = check(&system, &tables, &head, &mut errors);
    let lowered = Lowered {
        system: errors.is_empty().then_some(system),
        tables,
        findings,
    };
    (head, lowered, errors)
}

/// Each mistake as `first token[..last token]: message`, with the help after ` | `.
fn mistakes(source: &str) -> Vec<String> {
    describe(&run(source).2)
}

fn describe(errors: &Errors) -> Vec<String> {
    errors
        .messages()
        .into_iter()
        .zip(errors.places())
        .map(|(message, place)| {
            let message = message.replace("\n\nhelp: ", " | ");
            let first = place.first.source_text().unwrap_or_default();
            let last = place.last.source_text().unwrap_or_default();
            if format!("{:?}", place.first) == format!("{:?}", place.last) {
                format!("{first}: {message}")
            } else {
                format!("{first}..{last}: {message}")
            }
        })
        .collect()
}

/// A system without mistakes.
fn system(source: &str) -> System {
    let (_, lowered, errors) = run(source);
    assert_eq!(describe(&errors), Vec::<String>::new(), "{source}");
    lowered.system.unwrap()
}

const HEAD: &str = "struct S { x, y: coordinate, a, b: parameter, u: input, t: time }";
const KINETIC: &str = "T = (der(x)^2 + der(y)^2) / 2;";

/// The values of the symbols of `HEAD` in tests.
fn at(symbol: Symbol) -> f64 {
    match symbol {
        Symbol::Coordinate(i) => [0.3, -0.7][i as usize],
        Symbol::Velocity(i) => [1.1, 0.4][i as usize],
        Symbol::Acceleration(_) => f64::NAN,
        Symbol::Parameter(i) => [2.0, 1.5][i as usize],
        Symbol::Input(_) => 0.25,
        Symbol::Time => 0.6,
        Symbol::State(_)
        | Symbol::StateRate(_)
        | Symbol::Multiplier(_)
        | Symbol::Momentum(_)
        | Symbol::Weight(_) => f64::NAN,
    }
}

const X: f64 = 0.3;
const Y: f64 = -0.7;
const VX: f64 = 1.1;
const VY: f64 = 0.4;
const A: f64 = 2.0;
const B: f64 = 1.5;
const U: f64 = 0.25;

/// Shape and values of an expression, with statements before it.
fn output(statements: &str, expression: &str) -> (Shape, Vec<f64>) {
    let source = format!("{HEAD} {statements} pub let out = {expression}; {KINETIC}");
    let system = system(&source);
    let output = system.outputs.last().unwrap();
    (output.shape, system.graph.evaluate(&output.entries, &at))
}

fn scalar(expression: &str) -> f64 {
    let (shape, values) = output("", expression);
    assert_eq!(shape, Shape::Scalar, "{expression}");
    values[0]
}

/// The mistakes of one expression.
fn mistakes_in(expression: &str) -> Vec<String> {
    mistakes(&format!("{HEAD} pub let out = {expression}; {KINETIC}"))
}

/// The mistakes of statements next to a valid kinetic energy.
fn mistakes_of(statements: &str) -> Vec<String> {
    mistakes(&format!("{HEAD} {KINETIC} {statements}"))
}

fn assert_close(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        let error = (found - expected).abs();
        assert!(
            error <= 1e-12 * expected.abs().max(1.0),
            "{what}: {found} is not {expected}"
        );
    }
}

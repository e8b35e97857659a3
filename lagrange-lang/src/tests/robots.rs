//! Robots of files beside their own text as a declaration.

use std::fs;
use std::path::Path;

use lagrange_engine::{Dynamics, Quantity, Symbol};

use crate::errors::Errors;
use crate::expand::{read, write_robots};

/// Relative to the largest entry. The order of sums may differ.
const TOLERANCE: f64 = 1e-12;

/// The names in the elements of this kind.
fn names<'a>(text: &'a str, element: &str) -> Vec<&'a str> {
    text.split(element)
        .skip(1)
        .filter_map(|rest| rest.split('>').next()?.split("name=\"").nth(1))
        .filter_map(|rest| rest.split('"').next())
        .collect()
}

/// The equations of a declaration without mistakes.
fn equations(declaration: &str) -> Option<Dynamics> {
    let (_, understood) = read(declaration.parse().unwrap(), &mut Errors::default())?;
    Some(understood.ok()?.dynamics)
}

/// The entries of a quantity at some state.
fn entries(dynamics: &Dynamics, quantity: Quantity) -> Vec<f64> {
    let value = |symbol| match symbol {
        Symbol::Coordinate(i) => (1.7 * f64::from(i) + 0.3).sin(),
        Symbol::Velocity(i) => (2.3 * f64::from(i) + 0.7).cos(),
        _ => 1.5,
    };
    let nodes = dynamics.expressions(quantity);
    dynamics.graph().evaluate(&nodes, &value)
}

/// Each robot of the tests, with all kinds of options, has the equations of its own text.
#[test]
fn the_text_of_a_robot_has_its_equations() {
    let mut compared = 0;
    for folder in ["files", "real"] {
        let folder = Path::new("../tests/robots").join(folder);
        let mut files: Vec<_> = fs::read_dir(&folder).unwrap().flatten().collect();
        files.sort_by_key(fs::DirEntry::path);
        for file in files.iter().map(fs::DirEntry::path) {
            let text = fs::read_to_string(&file).unwrap_or_default();
            let (links, joints) = (names(&text, "<link "), names(&text, "<joint "));
            let mut options = vec!["friction: ignore".to_owned()];
            options.extend(
                links.last().map(|link| {
                    format!("base: free, friction: smooth(0.03), parameters: [{link:?}]")
                }),
            );
            options.extend(
                joints
                    .first()
                    .map(|joint| format!("lock: {{ {joint:?}: 0.3 }}, friction: smooth(2)")),
            );
            for options in options {
                let robot = format!("struct Robot {{ arm: robot = {file:?} {{ {options} }} }}");
                let gravity = "gravity [0, 0, -9.81];";
                let Some(expected) = equations(&format!("{robot} {gravity}")) else {
                    continue;
                };
                let texts = write_robots(robot.parse().unwrap()).unwrap();
                let [text] = &texts[..] else {
                    panic!("{robot}: {texts:?}")
                };
                let derived = equations(&format!("{text} {gravity}"))
                    .unwrap_or_else(|| panic!("{robot}\n{text}"));
                assert_eq!(derived.sizes(), expected.sizes(), "{robot}\n{text}");
                for quantity in [Quantity::MassMatrix, Quantity::Forcing, Quantity::Energy] {
                    let (derived, expected) =
                        (entries(&derived, quantity), entries(&expected, quantity));
                    let largest = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
                    for (derived, expected) in derived.iter().zip(&expected) {
                        let is_close = (derived - expected).abs() <= TOLERANCE * largest;
                        assert!(
                            is_close,
                            "{quantity:?}: {derived} {expected}\n{robot}\n{text}"
                        );
                    }
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 40, "{compared}");
}

/// The generalized forces of a robot and these statements.
fn forcing(robot: &str, statements: &str) -> Vec<f64> {
    let robot = format!("struct Robot {{ arm: robot = \"../tests/robots/files/{robot} }}");
    let dynamics = equations(&format!("{robot} {statements}"))
        .unwrap_or_else(|| panic!("{robot} {statements}"));
    entries(&dynamics, Quantity::Forcing)
}

#[test]
fn a_part_of_a_part_takes_a_force() {
    let of_base = |statement| forcing("two_links.urdf\" { base: free }", statement);
    assert_eq!(
        of_base("Q.arm.base.position[0..2][1] = 2;"),
        of_base("Q.arm.base.position.y = 2;")
    );
}

#[test]
fn a_robot_reads_no_names_of_the_declaration() {
    let of_hinge = |statements| forcing("driven.urdf\" { friction: smooth(0.1) }", statements);
    let expected = of_hinge("Q.arm.hinge = 2;");
    for statements in [
        "let tanh(x) = 5 * x; Q.arm.hinge = tanh(0.4);",
        "let z(arm) = arm.origin.z; pub let height = z(arm.rod); Q.arm.hinge = 2;",
    ] {
        assert_eq!(of_hinge(statements), expected, "{statements}");
    }
}

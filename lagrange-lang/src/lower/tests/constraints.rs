//! Constraint statements: rows, names, numbers, and forbidden parts.

use lagrange_engine::{Constraint, ConstraintKind, Dynamics, Quantity, Symbol};

use super::*;

fn values(dynamics: &Dynamics, quantity: Quantity, at: &dyn Fn(Symbol) -> f64) -> Vec<f64> {
    let entries = dynamics.expressions(quantity);
    dynamics.graph().evaluate(&entries, at)
}

/// The rows of a system.
fn rows(source: &str) -> (System, Vec<Constraint>) {
    let system = system(source);
    let rows = system.constraints.clone();
    (system, rows)
}

fn rows_of(statements: &str) -> (System, Vec<Constraint>) {
    rows(&format!("{HEAD} {KINETIC} {statements}"))
}

fn names(rows: &[Constraint]) -> Vec<&str> {
    rows.iter().map(|row| row.name.as_str()).collect()
}

fn residuals(system: &System) -> Vec<f64> {
    let roots: Vec<_> = system.constraints.iter().map(|row| row.residual).collect();
    system.graph.evaluate(&roots, &at)
}

#[test]
fn a_residual_is_left_side_less_right_side() {
    let (system, rows) =
        rows_of("holonomic ring: a * x = y^2; nonholonomic r#type: der(x) = b * y;");
    assert_eq!(names(&rows), ["ring", "type"]);
    assert_eq!(rows[0].kind, ConstraintKind::Holonomic);
    assert_eq!(rows[1].kind, ConstraintKind::Nonholonomic);
    assert_close(&residuals(&system), &[A * X - Y * Y, VX - B * Y], "ring");
}

#[test]
fn an_equation_of_vectors_has_a_row_for_each_component() {
    let (system, rows) = rows_of("let p = [x, a * y]; holonomic pin: p = [b, t];");
    assert_eq!(names(&rows), ["pin[0]", "pin[1]"]);
    assert_close(&residuals(&system), &[X - B, A * Y - 0.6], "pin");
}

const FOUR: &str = "struct S { c11, c12, c21, c22: coordinate } \
    let B = [[c11, c12], [c21, c22]]; T = (c11\u{307}^2 + c12\u{307}^2 + c21\u{307}^2 + c22\u{307}^2) / 2;";

fn four(symbol: Symbol) -> f64 {
    match symbol {
        Symbol::Coordinate(i) => [0.9, 0.2, -0.4, 1.3][i as usize],
        _ => f64::NAN,
    }
}

#[test]
fn a_symmetric_equation_of_matrices_has_its_upper_triangle() {
    let (found, rows) = rows(&format!(
        "{FOUR} holonomic rigid: transpose(B) * B = identity(2);"
    ));
    assert_eq!(names(&rows), ["rigid[0, 0]", "rigid[0, 1]", "rigid[1, 1]"]);
    let roots: Vec<_> = rows.iter().map(|row| row.residual).collect();
    let expected = [
        0.9 * 0.9 + 0.4 * 0.4 - 1.0,
        0.9 * 0.2 - 0.4 * 1.3,
        0.2 * 0.2 + 1.3 * 1.3 - 1.0,
    ];
    assert_close(&found.graph.evaluate(&roots, &four), &expected, "rigid");
}

#[test]
fn symmetry_is_that_of_values_where_structure_does_not_show_it() {
    // (c11 + c12)^2 written in two ways.
    let square = "c11^2 + 2 * c11 * c12 + c12^2";
    let (_, found) = rows(&format!(
        "{FOUR} holonomic s: [[c21, (c11 + c12)^2], [{square}, c22]] = [[1, 2], [2, 3]];"
    ));
    assert_eq!(names(&found), ["s[0, 0]", "s[0, 1]", "s[1, 1]"]);
    let (_, found) = rows(&format!("{FOUR} holonomic m: B = [[1, 2], [2, 1]];"));
    assert_eq!(names(&found), ["m[0, 0]", "m[0, 1]", "m[1, 0]", "m[1, 1]"]);
    let (_, found) = rows(&format!("{FOUR} holonomic m: [[c11, c12]] = [[1, 2]];"));
    assert_eq!(names(&found), ["m[0, 0]", "m[0, 1]"]);
}

#[test]
fn a_four_bar_linkage_closes() {
    let source = "struct FourBar { a, b, c: coordinate, l1, l2, l3, d: parameter } \
        T = (der(a)^2 + der(b)^2 + der(c)^2) / 2; \
        let tip = [l1 * cos(a) + l2 * cos(b), l1 * sin(a) + l2 * sin(b)]; \
        holonomic closure: tip = [d + l3 * cos(c), l3 * sin(c)];";
    let dynamics = Dynamics::new(system(source));
    assert_eq!(dynamics.constraint_names(), ["closure[0]", "closure[1]"]);
    let (q, l) = ([0.4_f64, -0.2, 1.1], [1.0, 2.0, 1.5, 2.2]);
    let value = |symbol: Symbol| match symbol {
        Symbol::Coordinate(i) => q[i as usize],
        Symbol::Parameter(i) => l[i as usize],
        _ => f64::NAN,
    };
    let jacobian = values(&dynamics, Quantity::ConstraintJacobian, &value);
    let expected = [
        -l[0] * q[0].sin(),
        -l[1] * q[1].sin(),
        l[2] * q[2].sin(),
        l[0] * q[0].cos(),
        l[1] * q[1].cos(),
        -l[2] * q[2].cos(),
    ];
    assert_close(&jacobian, &expected, "J");
}

#[test]
fn a_disk_rolls() {
    let source = "struct Disk { x, y, heading, spin: coordinate, r: parameter } \
        T = (der(x)^2 + der(y)^2 + der(heading)^2 + der(spin)^2) / 2; \
        nonholonomic roll: der([x, y]) = r * der(spin) * [cos(heading), sin(heading)];";
    let dynamics = Dynamics::new(system(source));
    assert_eq!(dynamics.constraint_names(), ["roll[0]", "roll[1]"]);
    let value = |symbol: Symbol| match symbol {
        Symbol::Coordinate(_) => 0.5,
        Symbol::Velocity(i) => [0.1, 0.2, 0.3, 0.4][i as usize],
        Symbol::Parameter(_) => 2.0,
        _ => f64::NAN,
    };
    let (s, c) = 0.5_f64.sin_cos();
    let jacobian = values(&dynamics, Quantity::ConstraintJacobian, &value);
    let expected = [1.0, 0.0, 0.0, -2.0 * c, 0.0, 1.0, 0.0, -2.0 * s];
    assert_close(&jacobian, &expected, "J");
    let gamma = values(&dynamics, Quantity::ConstraintGamma, &value);
    let turn = 2.0 * 0.4 * 0.3;
    assert_close(&gamma, &[-turn * s, turn * c], "gamma");
}

#[test]
fn a_guide_may_move() {
    let dynamics = Dynamics::new(rows_of("holonomic guide: y = x * sin(a * t);").0);
    let (s, c) = (A * 0.6).sin_cos();
    let velocity = values(&dynamics, Quantity::ConstraintVelocity, &at);
    assert_close(&velocity, &[VY - VX * s - X * A * c], "velocity level");
    let gamma = values(&dynamics, Quantity::ConstraintGamma, &at);
    let expected = 2.0 * VX * A * c - X * A * A * s;
    assert_close(&gamma, &[expected], "gamma");
}

#[test]
fn names_of_constraints_live_apart_from_values() {
    let (_, found) = rows_of("holonomic x: x = a; let c = 1; nonholonomic norm: der(y) = c;");
    assert_eq!(names(&found), ["x", "norm"]);
    assert_eq!(
        mistakes_of("holonomic c: x = a; nonholonomic c: der(y) = b;"),
        ["c: duplicate name: `c` is already a constraint | choose another name"]
    );
    assert_eq!(
        mistakes_of("holonomic c: x = a; holonomic c: x = a;").len(),
        1,
        "a copy is one mistake"
    );
}

#[test]
fn both_sides_have_one_shape() {
    for (statement, message) in [
        (
            "holonomic c: [x, y] = 0;",
            "[..0: mismatched shapes: the left side is a vector of length 2, the right side a \
             scalar",
        ),
        (
            "nonholonomic c: der(x) = [[x, y], [y, x]];",
            "der..]: mismatched shapes: the left side is a scalar, the right side a 2 x 2 matrix",
        ),
    ] {
        assert_eq!(mistakes_of(statement), [message], "{statement}");
    }
}

#[test]
fn a_holonomic_constraint_contains_no_velocity() {
    let rule = "a `holonomic` constraint depends on positions and time only | use `nonholonomic` \
                for a constraint on velocities";
    for (statements, place) in [
        ("holonomic c: der(x) = 1;", "der: velocity"),
        // The keyword is wrong, and is reported once.
        ("holonomic c: x = der(x) + der(y);", "der: velocity"),
        ("holonomic c: [x, y] = [x\u{307}, 0];", "x\u{307}: velocity"),
        (
            "let w = der(x); holonomic c: w = x;",
            "w: `w` contains a velocity",
        ),
    ] {
        let messages = mistakes_of(statements);
        assert_eq!(messages, [format!("{place}: {rule}")], "{statements}");
    }
}

#[test]
fn a_constraint_contains_neither_inputs_nor_accelerations() {
    let help = "a motion given in time is a function of it: declare `t: time` and write for example `u_0 * sin(t)`; inputs may occur in `Q`, `force`, `torque`, `D`, and outputs only";
    assert_eq!(
        mistakes_of("let w = 2 * u; holonomic c: x = u; nonholonomic d: der(y) = w * y;"),
        [
            format!("u: the input `u` may not occur in a constraint | {help}"),
            format!(
                "w: `w` depends on the input `u`, which may not occur in a constraint | {help}"
            ),
        ]
    );
    let messages = mistakes_of("nonholonomic c: der(der(x)) = der(y) / 0;");
    assert_eq!(messages.len(), 2, "both sides are looked at: {messages:?}");
    assert!(
        messages[0].starts_with("der: acceleration: "),
        "{messages:?}"
    );
    assert_eq!(messages[1], "0: division by zero");
}

#[test]
fn a_nonholonomic_constraint_is_affine_in_the_velocities() {
    let rule = "not affine in the velocities: a `nonholonomic` constraint is `A v + b = 0`, where \
                A and b depend on positions and time only";
    for (statements, places) in [
        ("nonholonomic c: der(x)^2 = x;", vec!["der..2"]),
        ("nonholonomic c: der(x) + 2 * der(x) * y - y = x;", vec![]),
        (
            "nonholonomic c: der(y) + y * der(x) * der(y) = x;",
            vec!["y..)"],
        ),
        (
            "nonholonomic c: -(x * sin(der(x))) + y = 1 / der(y);",
            vec!["sin..)"],
        ),
        (
            "let v2 = der(x)^2; nonholonomic c: der(y) = [x, v2].y;",
            vec!["v2"],
        ),
        (
            "nonholonomic c: if der(x) > 0 { der(x) } else { 0 } = der(y);",
            vec!["if..}"],
        ),
        (
            "nonholonomic c: [der(x), x + der(y).abs()] = [x, y];",
            vec!["der..)"],
        ),
    ] {
        let expected: Vec<String> = places.iter().map(|p| format!("{p}: {rule}")).collect();
        assert_eq!(mistakes_of(statements), expected, "{statements}");
    }
}

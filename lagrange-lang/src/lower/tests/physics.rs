//! Checks of whole systems.

use lagrange_engine::Dynamics;

use super::*;
use crate::check;

#[test]
fn kinetic_energy_is_of_degree_two() {
    let help = "give the whole Lagrangian as `L = ..`, which may be any function";
    for value in ["x * der(x)^3", "sqrt(1 + der(x)^2)", "der(x)^2 * der(y)^2"] {
        assert_eq!(
            mistakes(&format!("{HEAD} T = der(x)^2 + der(y)^2; T += {value};")),
            [format!(
                "T..{}: `T` is not a polynomial of degree 2 or less in the velocities | {help}",
                last_token(value)
            )]
        );
    }
    system(&format!(
        "{HEAD} T = der(x) * der(y) + sin(x) * der(x) + exp(y);"
    ));
}

fn last_token(value: &str) -> &str {
    if value.ends_with(')') {
        ")"
    } else {
        &value[value.len() - 1..]
    }
}

#[test]
fn a_coordinate_that_nothing_uses_is_refused() {
    assert_eq!(
        mistakes(&format!(
            "{HEAD} let n = y; pub let o = y; T = der(x)^2 + n - y;"
        )),
        ["y: nothing depends on the coordinate `y` | remove it, or give it a kinetic energy"]
    );
    // With other mistakes, only a name that occurs nowhere is reported.
    assert_eq!(
        mistakes(&format!("{HEAD} T = der(x)^2 / 0;")),
        [
            "0: division by zero",
            "y: nothing depends on the coordinate `y` | remove it, or give it a kinetic energy"
        ]
    );
    assert_eq!(
        mistakes(&format!("{HEAD} T = der(x)^2 + der(yy)^2;")).len(),
        1
    );
}

fn inertia(source: &str) -> Vec<String> {
    let (head, lowered, mut errors) = run(source);
    assert_eq!(describe(&errors), Vec::<String>::new());
    let dynamics = Dynamics::new(lowered.system.unwrap());
    check::check_inertia(&dynamics, &lowered.tables, &head, &mut errors);
    describe(&errors)
}

#[test]
fn every_coordinate_has_inertia() {
    let fields = "struct S { x, y: coordinate, m: parameter }";
    assert_eq!(
        inertia(&format!("{fields} T = m * (der(x)^2 + der(y)^2);")),
        Vec::<String>::new()
    );
    assert_eq!(
        inertia(&format!("{fields} T = m * der(x)^2; V = x * y;")),
        [
            "y: the coordinate `y` has no inertia: its row of the mass matrix is zero | \
          give it a mass, or remove it"
        ]
    );
    assert_eq!(
        inertia(&format!("{fields} T = m * (der(x) + der(y))^2; V = x * y;")),
        [
            "S: the mass matrix is singular at every state: some combination of the coordinates has \
          no inertia | give it a kinetic energy, or use fewer coordinates"
        ]
    );
    assert_eq!(
        inertia(&format!(
            "{fields} T = m * (der(x) + der(y))^2; V = x * y; D = m * der(y)^2;"
        )),
        [
            "S: the mass matrix is singular at every state: some combination of the coordinates has \
          no inertia | give it a kinetic energy, or use fewer coordinates; or declare `y: state` and give its rate, \
          `der(y) = ..;`, if that combination moves without inertia"
        ]
    );
    // Singular only at x = 0.
    assert_eq!(
        inertia(&format!("{fields} T = m * (der(x)^2 + x^2 * der(y)^2);")),
        Vec::<String>::new()
    );
}

#[test]
fn a_force_that_is_in_the_potential_too_is_noticed() {
    let warnings = |statements: &str| -> Vec<String> {
        let source = format!("{HEAD} {KINETIC} {statements}");
        let (_, lowered, errors) = run(&source);
        assert_eq!(describe(&errors), Vec::<String>::new());
        lowered
            .findings
            .warnings
            .iter()
            .map(|w| w.span.source_text().unwrap_or_default())
            .collect()
    };
    for (statements, expected) in [
        ("V = a * x^2 / 2 + b * y; Q.x = -a * x;", vec!["Q"]),
        (
            "V = a * x^2 / 2 + b * y; force [0, -b] at [x, y];",
            vec!["force"],
        ),
        (
            "V = b * sin(x)^2; Q.x = -b * sin(2 * x); Q.y = -x;",
            vec!["Q"],
        ),
        (
            "V = b * y; V += a * x; force [-a, 0] at [x, y]; Q.y = -b;",
            vec!["Q", "force"],
        ),
        ("V = a * x^2 / 2; Q.x = -a * x + u;", vec![]),
        ("V = a * x^2 / 2; Q.x = a * x;", vec![]),
        ("V = a * x^2 / 2; Q.x = -a * der(x);", vec![]),
        ("V = a * x^2 / 2; Q.x = 0;", vec![]),
        ("V = b * y; force [a, -b] at [x, y];", vec![]),
    ] {
        let mut messages = warnings(statements);
        messages.sort();
        assert_eq!(messages, expected, "{statements}");
    }
}

#[test]
fn inertia_is_judged_amid_mistakes_elsewhere() {
    let fields = "struct S { x, y: coordinate, m: parameter }";
    let no_inertia = "y: the coordinate `y` has no inertia: its row of the mass matrix is zero | \
                      give it a mass, or remove it";
    let kinetic = "T = m * der(x)^2;";
    for (statements, also) in [
        ("V = y / 0;", true),
        ("V = y; D = unknown;", true),
        ("V = y; Q.z = 1;", true),
        // The mistake may be the reason for the missing inertia.
        ("V = y; T += der(unknown)^2;", false),
        ("V = y; T += der(y)^3;", false),
        ("V = y; L = der(y)^2;", false),
        ("V = y; body { mass: unknown, at: [0, y] }", false),
        ("V = y; T += ;", false),
    ] {
        let messages = mistakes(&format!("{fields} {kinetic} {statements}"));
        assert_eq!(
            messages.len(),
            1 + usize::from(also),
            "{statements}: {messages:?}"
        );
        assert_eq!(messages.last().unwrap() == no_inertia, also, "{statements}");
    }
}

#[test]
fn without_a_kinetic_energy_no_coordinate_counts_as_unused() {
    assert_eq!(
        mistakes("struct S { x: coordinate }"),
        ["S: the kinetic energy is missing | write `T = ..;`, or `L = ..;` alone"]
    );
}

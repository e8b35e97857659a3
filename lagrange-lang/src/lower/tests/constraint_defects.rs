//! Conflicts of constraints with each other and with the inertia.

use lagrange_engine::Dynamics;

use super::*;
use crate::check::check_inertia;

/// The end of the advice for rows that the others imply.
const KEEP: &str = "; `#[lagrangian(redundant)]` on the struct accepts rows that agree";

/// All mistakes, including those that only the derived equations show.
fn all_mistakes(source: &str) -> Vec<String> {
    let (head, lowered, mut errors) = run(source);
    if let Some(system) = lowered.system {
        let dynamics = Dynamics::new(system);
        check_inertia(&dynamics, &lowered.tables, &head, &mut errors);
    }
    describe(&errors)
}

fn all_mistakes_of(statements: &str) -> Vec<String> {
    all_mistakes(&format!("{HEAD} {KINETIC} {statements}"))
}

#[test]
fn a_constraint_restricts_something() {
    let trivial = "is trivially true: both sides are equal at every point | remove it";
    let contradictory = "is contradictory: its sides differ by the same number at every point";
    let constant = "restricts nothing: it does not depend on a coordinate";
    let still = "is `nonholonomic` but contains no velocity | use `holonomic` for a constraint on \
                 coordinates";
    for (statements, row, message) in [
        ("holonomic c: x = x;", "c", trivial),
        ("holonomic c: 0 = 0;", "c", trivial),
        (
            "holonomic c: sin(2 * x) = 2 * sin(x) * cos(x);",
            "c",
            trivial,
        ),
        (
            "nonholonomic c: der(x * y) = y * der(x) + x * der(y);",
            "c",
            trivial,
        ),
        (
            "holonomic c: [x, y] = [a, y];",
            "c[1]",
            "is trivially true: both sides are equal at every point | a row cannot be removed by itself: write \
             the others out, without `c[1]`",
        ),
        ("holonomic c: x + 1 = x;", "c", contradictory),
        ("holonomic c: sin(x)^2 + cos(x)^2 = 2;", "c", contradictory),
        ("nonholonomic c: 1 = 0;", "c", contradictory),
        ("holonomic c: a = b;", "c", constant),
        ("holonomic c: a = t + x - x;", "c", constant),
        ("nonholonomic c: a = 1;", "c", constant),
        ("nonholonomic c: x = y;", "c", still),
        ("nonholonomic c: [der(x), y] = [a, b];", "c[1]", still),
    ] {
        let expected = format!("c: the constraint `{row}` {message}");
        assert_eq!(all_mistakes_of(statements), [expected], "{statements}");
    }
}

#[test]
fn a_constraint_is_stated_once() {
    let repeats = |base: &str| {
        format!("repeats {base}: one is a multiple of the other | remove one of them{KEEP}")
    };
    let depends = |on: &str, advice: &str| {
        format!(
            "depends on {on} at every point: it adds nothing to them, or contradicts them | {advice}{KEEP}"
        )
    };
    for (statements, row, message) in [
        (
            "holonomic c: x^2 + y^2 = a^2; holonomic d: x^2 = a^2 - y^2;",
            "d",
            repeats("`c`"),
        ),
        (
            "holonomic c: x = y; holonomic d: a * (y - x) = 0;",
            "d",
            repeats("`c`"),
        ),
        (
            "nonholonomic c: der(x) = y * a; nonholonomic d: x * der(x) = x * y * a;",
            "d",
            repeats("`c`"),
        ),
        (
            "holonomic c: x^2 + y^2 = a^2; holonomic d: sqrt(x^2 + y^2) = a;",
            "d",
            depends("`c`", "remove one of `c` and `d`"),
        ),
        (
            "holonomic c: x + y = t; holonomic d: x + y = 2 * t;",
            "d",
            depends("`c`", "remove one of `c` and `d`"),
        ),
        (
            "holonomic c: [x, x + y] = [y, b]; holonomic d: x + y = a;",
            "d",
            depends("`c[1]`", "remove `d`"),
        ),
        (
            "holonomic c: [x, 2 * x] = [a, b];",
            "c[1]",
            "depends on `c[0]` at every point: it adds nothing to them, or contradicts them | a row cannot be \
             removed by itself: write the others out, without `c[1]`"
                .to_owned(),
        ),
    ] {
        let place = row.split('[').next().unwrap();
        let expected = format!("{place}: the constraint `{row}` {message}");
        assert_eq!(all_mistakes_of(statements), [expected], "{statements}");
    }
    let three = "struct S { x, y, z: coordinate, w: coordinate } \
        T = (der(x)^2 + der(y)^2 + der(z)^2 + der(w)^2) / 2;";
    assert_eq!(
        all_mistakes(&format!(
            "{three} holonomic a: x = y; holonomic b: y = z; nonholonomic c: der(x) = der(z);"
        )),
        [format!(
            "c: the constraint `c` {}",
            depends("`a` and `b`", "remove one of `a`, `b` and `c`")
        )]
    );
}

#[test]
fn a_derivative_of_a_constraint_is_none_of_its_own() {
    let holonomic = "holonomic c: x^2 * y = t;";
    let rate = "nonholonomic d: 2 * x * y * der(x) + x^2 * der(y) = 1;";
    let message = "the constraint `d` is the time derivative of `c`, which implies it | remove `d`; \
                   `#[lagrangian(redundant)]` on the struct accepts rows that agree";
    assert_eq!(
        all_mistakes_of(&format!("{holonomic} {rate}")),
        [format!("d: {message}")]
    );
    assert_eq!(
        all_mistakes_of(&format!("{rate} {holonomic}")),
        [format!("c: {message}")]
    );
    assert_eq!(
        all_mistakes_of("holonomic c: x = y; nonholonomic d: der(x) = der(y) + 1;"),
        [format!(
            "d: the constraint `d` depends on `c` at every point: it adds nothing to them, or \
             contradicts them | remove one of `c` and `d`{KEEP}"
        )]
    );
}

#[test]
fn as_many_constraints_as_coordinates_are_enough() {
    assert_eq!(
        all_mistakes_of("holonomic c: x = a; nonholonomic d: der(y) = b;"),
        Vec::<String>::new()
    );
    let surplus = |name: &str, count: usize| {
        let remove = if name.contains('[') {
            ""
        } else {
            "remove it, or "
        };
        format!(
            "more independent constraints than coordinates ({count}): `{name}` is the first \
             surplus one | {remove}constrain less"
        )
    };
    assert_eq!(
        all_mistakes_of(
            "holonomic c: x = a; holonomic d: y = b; holonomic e: x + y^2 = t; \
             nonholonomic f: der(x) = x * der(y);"
        ),
        [format!("e: {}", surplus("e", 2))]
    );
    assert_eq!(
        all_mistakes_of("holonomic c: [x, y, x * y] = [a, b, 1];"),
        [format!("c: {}", surplus("c[2]", 2))]
    );
    assert_eq!(
        all_mistakes(
            "struct S { x: coordinate } T = der(x)^2; holonomic c: x = 1; holonomic d: x^2 = 3;"
        ),
        [format!("d: {}", surplus("d", 1))]
    );
}

#[test]
fn rows_that_depend_at_some_states_only_are_accepted() {
    for statements in [
        // Both gradients vanish, or agree, only on the constraints.
        "holonomic c: (x - y)^2 = 0;",
        "holonomic c: x = y; holonomic d: x^2 = y^2 + 2 * (x - y);",
        "holonomic c: y = 0; holonomic d: y = x^2;",
        "holonomic c: abs(x) = a; holonomic d: max(x, y) = b;",
    ] {
        assert_eq!(
            all_mistakes_of(statements),
            Vec::<String>::new(),
            "{statements}"
        );
    }
}

#[test]
fn constraints_determine_coordinates_without_inertia() {
    let head = "struct S { x, y, z: coordinate, m: parameter } T = m * (der(x)^2 + der(y)^2) / 2;";
    let none = "the coordinate `z` has no inertia, and no constraint determines it: its row of the \
                mass matrix and its column of the constraint Jacobian are zero | give it a mass or \
                a constraint, or remove it";
    for (statements, expected) in [
        ("holonomic c: z = x * y;", vec![]),
        ("V = z; holonomic c: z + x = y;", vec![]),
        ("V = z; holonomic c: x = y;", vec![format!("z: {none}")]),
        // With mistakes elsewhere, unless the coordinate may be determined by the faulty constraint.
        (
            "V = z; holonomic c: x = y; holonomic d: 2 * x = 2 * y;",
            vec![
                format!(
                    "d: the constraint `d` repeats `c`: one is a multiple of the other | remove one of \
                     them{KEEP}"
                ),
                format!("z: {none}"),
            ],
        ),
        (
            "holonomic c: z = z;",
            vec![
                "c: the constraint `c` is trivially true: both sides are equal at every point | \
                  remove it"
                    .to_owned(),
            ],
        ),
        (
            "V = z; holonomic c: x / 0 = y;",
            vec!["0: division by zero".to_owned()],
        ),
    ] {
        let messages = all_mistakes(&format!("{head} {statements}"));
        assert_eq!(messages, expected, "{statements}");
    }
    assert_eq!(
        all_mistakes(
            "struct S { x, y, z: coordinate } T = der(x)^2 / 2; holonomic c: y + z = x; V = y;"
        ),
        [
            "S: the equations of motion are singular at every state: some combination of the \
          coordinates has no inertia, and no constraint determines it | give it a kinetic energy \
          or a constraint, or use fewer coordinates"
        ]
    );
}

#[test]
fn a_quaternion_needs_its_norm() {
    let kinetic = "struct Body { q0, q1, q2, q3: coordinate, i1, i2, i3: parameter } \
        let w1 = 2 * (q0 * der(q1) - q1 * der(q0) + q3 * der(q2) - q2 * der(q3)); \
        let w2 = 2 * (q0 * der(q2) - q2 * der(q0) + q1 * der(q3) - q3 * der(q1)); \
        let w3 = 2 * (q0 * der(q3) - q3 * der(q0) + q2 * der(q1) - q1 * der(q2)); \
        T = (i1 * w1^2 + i2 * w2^2 + i3 * w3^2) / 2;";
    let messages = all_mistakes(kinetic);
    assert_eq!(messages.len(), 1);
    assert!(messages[0].starts_with("Body: the mass matrix is singular at every state"));
    let norm = "holonomic norm: q0^2 + q1^2 + q2^2 + q3^2 = 1;";
    assert_eq!(
        all_mistakes(&format!("{kinetic} {norm}")),
        Vec::<String>::new()
    );
}

#[test]
fn several_mistakes_are_seen_in_one_run() {
    let messages = all_mistakes_of(
        "holonomic c: der(x) = 1; holonomic d: [x, y] = 1; nonholonomic e: der(x)^2 = u; \
         holonomic f: x = x; holonomic g: x = a; holonomic h: 2 * x = 2 * a; holonomic h: y = b;",
    );
    let starts = [
        "der: velocity: a `holonomic` constraint",
        "[..1: mismatched shapes",
        "u: the input `u` may not occur in a constraint",
        "der..2: not affine in the velocities",
        "h: duplicate name: `h`",
        "f: the constraint `f` is trivially true",
        "h: the constraint `h` repeats `g`",
    ];
    assert_eq!(messages.len(), starts.len(), "{messages:#?}");
    for (messages, start) in messages.iter().zip(starts) {
        assert!(messages.starts_with(start), "{messages}");
    }
}

#[test]
fn a_nonholonomic_constraint_that_is_integrable_is_noticed() {
    let kinetic = "struct S { x, y, z: coordinate, a: parameter, t: time } \
        T = (der(x)^2 + der(y)^2 + der(z)^2) / 2;";
    let integrable = |statements: &str| -> Vec<(String, Vec<String>)> {
        let (_, lowered, errors) = run(&format!("{kinetic} {statements}"));
        assert_eq!(describe(&errors), Vec::<String>::new(), "{statements}");
        let places = lowered
            .findings
            .warnings
            .iter()
            .map(|w| w.span.source_text().unwrap_or_default());
        let items = lowered
            .findings
            .integrable
            .into_iter()
            .filter(|names| !names.is_empty());
        let actual: Vec<_> = places.zip(items).collect();
        assert_eq!(
            actual.len(),
            lowered.findings.warnings.len(),
            "{statements}"
        );
        actual
    };
    let one_constraint = |name: &str, rows: &[&str]| {
        vec![(
            name.to_owned(),
            rows.iter().map(|row| (*row).to_owned()).collect(),
        )]
    };
    for (statements, expected) in [
        (
            "nonholonomic skate: der(x) * sin(z) = der(y) * cos(z);",
            vec![],
        ),
        ("nonholonomic c: der(z) = y * der(x);", vec![]),
        (
            "nonholonomic c: der(x) = a * der(y);",
            one_constraint("c", &["c"]),
        ),
        (
            "nonholonomic c: der(x) = x * y * der(y);",
            one_constraint("c", &["c"]),
        ),
        // An integrating factor is needed.
        (
            "nonholonomic c: y * der(x) = x * der(y) + x * y * z * der(z);",
            one_constraint("c", &["c"]),
        ),
        // Time is involved.
        (
            "nonholonomic c: der(x) = a * t;",
            one_constraint("c", &["c"]),
        ),
        ("nonholonomic c: der(x) = y;", vec![]),
        ("nonholonomic c: der(x) = t * der(y);", vec![]),
        ("nonholonomic c: der(x) = x;", one_constraint("c", &["c"])),
        (
            "nonholonomic c: [der(x), der(y)] = [y, a];",
            one_constraint("c", &["c[1]"]),
        ),
        (
            "nonholonomic c: [der(x), der(y)] = [1, a];",
            one_constraint("c", &["c[0]", "c[1]"]),
        ),
        ("holonomic c: x = a;", vec![]),
    ] {
        assert_eq!(integrable(statements), expected, "{statements}");
    }
}

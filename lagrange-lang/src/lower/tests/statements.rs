//! Statements: energies, assignments, and permitted dependences.

use super::*;

#[test]
fn energies_add_up() {
    let mut lowered = system(&format!(
        "{HEAD} T += der(x)^2; T += der(y)^2; V = x; V += y * t; D = der(x)^2 * u; D += 1;"
    ));
    let lagrange_engine::Energy::Natural { kinetic, potential } = lowered.whole_energy() else {
        panic!("T and V were given");
    };
    let values = lowered
        .graph
        .evaluate(&[kinetic, potential, lowered.dissipation], &at);
    assert_close(
        &values,
        &[VX * VX + VY * VY, X + Y * 0.6, VX * VX * U + 1.0],
        "energies",
    );
    let mut lowered = system(&format!("{HEAD} L = der(x)^4 + der(y)^2; L += x;"));
    let lagrange_engine::Energy::Lagrangian(lagrangian) = lowered.whole_energy() else {
        panic!("L was given");
    };
    let values = lowered.graph.evaluate(&[lagrangian], &at);
    assert_close(&values, &[VX.powi(4) + VY * VY + X], "L");
}

#[test]
fn energies_are_given_once_and_in_one_way() {
    for (statements, message) in [
        ("T = 1;", "T: `T` is given twice | add to it with `+=`"),
        (
            "V += x; V = y;",
            "V: `V` is given twice | add to it with `+=`",
        ),
        (
            "D = 1; D = 1;",
            "D: `D` is given twice | add to it with `+=`",
        ),
        (
            "V -= x;",
            "-: `V` takes `=` or `+=` | add the opposite: `+= -(..)`",
        ),
        (
            "L = x;",
            "L: `L` beside `T` | give either `L`, or `T` and `V`: L = T - V",
        ),
        (
            "V = [x, y];",
            "[..]: `V` is a scalar, found a vector of length 2",
        ),
        (
            "V = [x, y] + [a, b];",
            "[..]: `V` is a scalar, found a vector of length 2",
        ),
    ] {
        assert_eq!(mistakes_of(statements), [message], "{statements}");
    }
    assert_eq!(
        mistakes(&format!("{HEAD} L = der(x)^2 + der(y)^2; T = 1; V = x;")),
        ["T: `T` beside `L` | give either `L`, or `T` and `V`: L = T - V"]
    );
    assert_eq!(
        mistakes(&format!("{HEAD} V = x * y;")),
        ["S: the kinetic energy is missing | write `T = ..;`, or `L = ..;` alone"]
    );
    // A broken statement does not count as missing.
    assert_eq!(
        mistakes(&format!("{HEAD} T = foo;")),
        [
            "foo: unknown name `foo` | declare it among the fields, `foo: parameter`, or before this by `let foo = ..;`"
        ]
    );
}

#[test]
fn inputs_have_their_places() {
    let input_rule = "inputs may occur in `Q`, `force`, `torque`, `D`, and outputs only";
    let instead = "give its force by `Q.x = ..;` or `force F at p;`; a motion given in time is a function of time: \
                   declare `t: time`";
    for (statements, message) in [
        ("V = u * x;", "u: the input `u` may not occur in `V`"),
        (
            "let w = 2 * u; let z = w * x; V = z;",
            "z: `z` depends on the input `u`, which may not occur in `V`",
        ),
        ("T += u;", "u: the input `u` may not occur in `T`"),
        (
            "force [x, y] at [x, u];",
            "u: the input `u` may not occur in the point of a force",
        ),
    ] {
        let help = match statements.starts_with("force") {
            true => input_rule,
            false => instead,
        };
        assert_eq!(
            mistakes_of(statements),
            [format!("{message} | {help}")],
            "{statements}"
        );
    }
    assert_eq!(
        mistakes_of("let w = u; Q.x = w; D = w * der(x)^2; force [u, w] at [x, y]; pub let o = w;"),
        Vec::<String>::new()
    );
    // With another mistake too.
    assert_eq!(
        mistakes_of("V = u * x + sin(x, y);"),
        [
            "y: `sin` takes 1 argument, found 2 | remove the others".to_owned(),
            format!("u: the input `u` may not occur in `V` | {instead}"),
        ]
    );
    // Terms that cancel do not count.
    assert_eq!(mistakes_of("V = u - u + x;"), Vec::<String>::new());
    assert_eq!(
        mistakes(
            "struct S { x: coordinate, u, w: input } T = der(x)^2; V = u * x + w * x + u * x^2;"
        ),
        [
            format!("u: the input `u` may not occur in `V` | {instead}"),
            format!("w: the input `w` may not occur in `V` | {instead}"),
        ]
    );
}

#[test]
fn velocities_have_their_places() {
    let in_v = |velocity: &str| {
        format!(
            "`V` depends on positions and time only | a damping is `D = c * {velocity}^2 / 2;`, a potential of \
             velocities belongs to the whole Lagrangian, `L = ..;`"
        )
    };
    let in_point = "the point of a force depends on positions and time only";
    for (statements, message) in [
        (
            "V = x + x * der(y);",
            format!("der: velocity: {}", in_v("der(y)")),
        ),
        (
            "V = x\u{307} * y;",
            format!("x\u{307}: velocity: {}", in_v("der(x)")),
        ),
        (
            "let w = der(x); V = w^2;",
            format!("w: `w` contains a velocity: {}", in_v("der(x)")),
        ),
        (
            "force [1, 2] at [x, der(x)];",
            format!("der: velocity: {in_point}"),
        ),
    ] {
        assert_eq!(mistakes_of(statements), [message], "{statements}");
    }
    let acceleration = "acceleration: `der` of an expression that contains velocities | \
                        the equations of motion determine accelerations, no expression contains them";
    for (statements, place) in [
        ("V = der(der(x));", "der"),
        ("let v = [der(x), y]; Q.x = der(v).x;", "der"),
        ("Q.x = der(x\u{307});", "der"),
    ] {
        assert_eq!(
            mistakes_of(statements),
            [format!("{place}: {acceleration}")],
            "{statements}"
        );
    }
    let rate = "an input is given at each instant, and its rate can be another input";
    assert_eq!(
        mistakes_of("Q.x = der(u * x);"),
        [format!("u: `der` of the input `u` | {rate}")]
    );
    assert_eq!(
        mistakes_of("let w = u; Q.x = der(2 * w);"),
        [format!(
            "w: `der` of `w`, which depends on the input `u` | {rate}"
        )]
    );
}

#[test]
fn mutable_names_are_assigned() {
    let (_, values) = output("let mut n = x; n += y; n *= a; n -= 1; n /= b;", "n");
    assert_close(&values, &[((X + Y) * A - 1.0) / B], "n");
    let (_, values) = output("let mut n = [x, y]; n = [y, x]; n *= 2;", "n");
    assert_close(&values, &[2.0 * Y, 2.0 * X], "n");
    for (statements, message) in [
        (
            "let n = x; n = 1;",
            "n: `n` is not mutable | declare it with `let mut n = ..;`",
        ),
        ("a = 1;", "a: `a` is a parameter and has no value to assign"),
        (
            "nn = 1;",
            "nn: unknown name `nn` | declare it with `let nn = ..;`",
        ),
        (
            "let mut n = x; n = [x, y];",
            "[..]: mismatched shapes: the new value is a vector of length 2, the old one a scalar",
        ),
        (
            "let mut n = x; n += [x, y];",
            "+: mismatched shapes: a scalar plus a vector of length 2",
        ),
        ("let mut n = x; n /= 0;", "0: division by zero"),
        (
            "pub let mut n = x;",
            "n: an output cannot be `mut` | give the final value another name: `pub let n = ..;`",
        ),
    ] {
        assert_eq!(mistakes_of(statements), [message], "{statements}");
    }
}

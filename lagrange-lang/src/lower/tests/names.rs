//! Names: unknown, reserved, duplicate or used too early, and the rules for each kind.

use super::*;
use crate::lower::functions;

#[test]
fn a_hessian_is_no_larger_than_a_mass_matrix() {
    for (coordinates, inputs, is_fine) in [(128, 0, true), (100, 57, false), (127, 2, true)] {
        let inputs = match inputs {
            0 => String::new(),
            count => format!("u: input[{count}], "),
        };
        let (_, _, errors) = run(&format!(
            "struct S {{ x: coordinate[{coordinates}], {inputs} m: parameter }} \
             #[hessian] pub let cost = x^2; T = m * der(x)^2;"
        ));
        let messages = describe(&errors);
        assert_eq!(messages.is_empty(), is_fine, "{messages:?}");
        let expected = "a Hessian has at most 256 rows, one for each displacement, velocity, state and \
             input; here it has 257";
        assert!(
            messages.iter().all(|message| message.contains(expected)),
            "{messages:?}"
        );
    }
}

#[test]
fn unknown_names_suggest_declared_ones() {
    for (source, expected) in [
        (
            "struct S { theta: coordinate, l: parameter } T = l * der(tehta)^2 + theta;",
            vec!["tehta: unknown name `tehta` | did you mean `theta`?"],
        ),
        // Reported once, because its declaration is missing.
        (
            "struct S { theta: coordinate, a, b, c, d: parameter } \
             T = mass * der(theta)^2; V = mass * theta;",
            vec![
                "mass: unknown name `mass` | declare it among the fields, `mass: parameter`, or before this by `let mass = ..;`",
            ],
        ),
        // Each is reported, because each has to change.
        (
            "struct S { theta: coordinate } T = der(thete)^2; V = thete + theta;",
            vec![
                "thete: unknown name `thete` | did you mean `theta`?",
                "thete: unknown name `thete` | did you mean `theta`?",
            ],
        ),
        // Reported once, because the declaration may be misspelt.
        (
            "struct S { theta: coordinate } T = der(thete)^2; V = thete;",
            vec!["thete: unknown name `thete` | did you mean `theta`?"],
        ),
        // An undeclared name is not suggested for others.
        (
            "struct S { x: coordinate } T = der(x)^2; V = mass1; let a = mass2; V += y;",
            vec![
                "mass1: unknown name `mass1` | declare it among the fields, `mass1: parameter`, or before this by `let mass1 = ..;`",
                "mass2: unknown name `mass2` | declare it among the fields, `mass2: parameter`, or before this by `let mass2 = ..;`",
                "y: unknown name `y` | declare it among the fields, `y: parameter`, or before this by `let y = ..;`",
            ],
        ),
    ] {
        assert_eq!(mistakes(source), expected, "{source}");
    }
    for (expression, message) in [
        ("sine(x)", "sine: unknown function `sine` | write `sin(x)`"),
        (
            "x.sqr()",
            "sqr: unknown function `sqr` | a square is written `x^2`, a root `sqrt(x)`",
        ),
        (
            "a(x)",
            "a: `a` is a parameter, not a function | a product is written `a * (..)`",
        ),
        ("sin + 1", "sin: `sin` is a function | write `sin(..)`"),
        (
            "T + x",
            "T: `T` cannot be read | name the expression with `let` and use that name in both places; as an output there is the method `kinetic_energy`, of `T + V` `energy`",
        ),
        (
            "sin()",
            "): `sin` takes 1 argument, found 0 | write the argument of `sin` between the parentheses",
        ),
        (
            "sin(x, y)",
            "y: `sin` takes 1 argument, found 2 | remove the others",
        ),
        (
            "x.max()",
            "): `max` takes 1 argument, found 0 | write the argument of `max` between the parentheses",
        ),
        (
            "diag()",
            "): `diag` takes at least 1 argument, found 0 | write the argument of `diag` between the parentheses",
        ),
        (
            "a\u{307}",
            "a\u{307}: a dot makes the velocity of a coordinate, but `a` is a parameter",
        ),
        (
            "x\u{308}",
            "x\u{308}: acceleration: more than one dot above `x` | \
          the equations of motion determine accelerations, no expression contains them",
        ),
        (
            "xx\u{307}",
            "xx\u{307}: unknown name `xx` | declare it among the fields: `xx: coordinate`",
        ),
    ] {
        let messages = mistakes_in(expression);
        assert_eq!(messages, [message], "{expression}");
    }
}

#[test]
fn names_are_declared_before_their_use() {
    assert_eq!(
        mistakes_of("let p = 2 * r; let r = x; V = p + r;"),
        ["r: `r` is used before its declaration | move its `let` up to before this"]
    );
    assert_eq!(mistakes_of("let qq = qq + x; V = qq;").len(), 1);
}

#[test]
fn duplicates_and_reserved_names_are_refused_at_the_later_one() {
    for (statements, message) in [
        (
            "let x = 1; V = x;",
            "x: duplicate name: `x` is already a coordinate | choose another name",
        ),
        (
            "let a = [1, 2]; V = a;",
            "a: duplicate name: `a` is already a parameter | choose another name",
        ),
        (
            "let D = 1; V = D;",
            "D: `D` is reserved for the dissipation function | choose another name",
        ),
        (
            "let der = 1;",
            "der: `der` is reserved for the derivative by time | choose another name",
        ),
        (
            "let world = 1;",
            "world: `world` is reserved for the frame at rest | choose another name",
        ),
        (
            "pub let n = x; pub let n = y;",
            "n: duplicate name: `n` is already an output | choose another name",
        ),
        (
            "pub let energy = x;",
            "energy: the output `energy` has the name of a generated item | choose another name",
        ),
        (
            "pub let hamilton_equations = x;",
            "hamilton_equations: the output `hamilton_equations` has the name of a generated item | \
             choose another name",
        ),
        (
            "pub let p = [x, y]; pub let p_jacobian = x;",
            "p_jacobian: the output `p` has a method `p_jacobian` beside it, a name that is taken | \
             choose another name",
        ),
        (
            "pub let p_jacobian = x; pub let p = [x, y];",
            "p: the output `p` has a method `p_jacobian` beside it, a name that is taken | \
             choose another name",
        ),
        (
            "pub let constraint = x;",
            "constraint: the output `constraint` has a method `constraint_jacobian` beside it, a \
             name that is taken | choose another name",
        ),
    ] {
        assert_eq!(mistakes_of(statements), [message], "{statements}");
    }
}

#[test]
fn lets_may_shadow_lets_and_other_words_are_free() {
    let (_, values) = output("let n = 1; let n = n + x; let n = 2 * n;", "n");
    assert_close(&values, &[2.0 * (1.0 + X)], "shadowing");
    assert_eq!(
        mistakes_of(
            "pub let p = [[x]]; pub let p_jacobian = 1; pub let w = u; pub let w_jacobian = x;"
        ),
        Vec::<String>::new()
    );
    system(
        "struct S { force: coordinate, t, q, S, z, energy, frame: parameter, velocity: input } \
         T = (t + q + S + z + energy + frame) * der(force)^2; Q.force = velocity;",
    );
}

#[test]
fn what_nothing_reads_is_listed() {
    let unused = |source: &str| -> Vec<String> {
        let (_, lowered, errors) = run(source);
        assert!(errors.is_empty());
        lowered
            .tables
            .unused
            .iter()
            .map(|u| u.name.to_string())
            .collect()
    };
    let source = "struct S { x: coordinate, #[allow(unused_variables)] a, b: parameter, u: input } \
                  let n = x; let n = b; let m = n; pub let o = 1; let mut k = 1; k += 1; \
                  T = der(x)^2;";
    assert_eq!(unused(source), ["a", "u", "n", "m", "k"]);
    let (_, lowered, _) = run(source);
    assert_eq!(lowered.tables.unused[0].attributes.len(), 1);
    assert!(lowered.system.is_some());
}

/// Every word that the language recognizes only by its position.
fn free_words() -> Vec<&'static str> {
    let words = [
        "velocity",
        "angular_velocity",
        "rotate",
        "translate",
        "orient",
        "point",
        "vector",
        "origin",
        "rotation",
        "force",
        "torque",
        "gravity",
        "holonomic",
        "nonholonomic",
        "frame",
        "body",
        "spring",
        "damper",
        "actuator",
        "bundle",
        "regressor",
        "symmetry",
        "coordinate",
        "parameter",
        "input",
        "time",
        "at",
        "on",
        "mass",
        "inertia",
        "rest",
        "from",
        "to",
        "k",
        "c",
        "x",
        "y",
        "z",
        "t",
        "q",
        "v",
        "u",
        "a",
        "p",
        "S",
        "N",
        "Self_",
        "r#for",
        "r#in",
        "r#if",
        "r#let",
        "r#mut",
        "r#pub",
        "r#struct",
        "r#type",
        "hessian",
        "union",
        "default",
        "clone",
        "some",
        "value",
    ];
    words
        .into_iter()
        .chain(functions::names().filter(|name| *name != "der"))
        .collect()
}

/// A name of any kind hides nothing of the language except the few reserved words.
#[test]
fn every_other_word_may_be_any_name() {
    for word in free_words() {
        // These are methods, and an output is a method too.
        let output = if ["velocity", "default", "clone"].contains(&word) {
            "let"
        } else {
            "pub let"
        };
        let kinetic = "T = (der(aa)^2 + der(bb)^2) / 2;";
        for source in [
            format!(
                "struct A {{ aa, bb, {word}: coordinate }} {kinetic} T += der({word})^2; Q.{word} = 1;"
            ),
            format!(
                "struct A {{ aa, bb: coordinate, {word}: parameter }} {kinetic} V = {word} * aa;"
            ),
            format!(
                "struct A {{ aa, bb: coordinate, {word}: parameter[2] = [1, 2] }} {kinetic} \
                 V = {word}[0] * aa + {word}.y * dot({word}, [aa, bb]);"
            ),
            format!("struct A {{ aa, bb: coordinate, {word}: input }} {kinetic} Q.aa = {word};"),
            format!("struct A {{ aa, bb: coordinate, {word}: time }} {kinetic} V = {word} * aa;"),
            format!("struct A {{ aa, bb: coordinate }} let {word} = aa; {kinetic} V = {word}^2;"),
            format!(
                "struct A {{ aa, bb: coordinate }} let mut {word} = aa; {word} = 2; {word} += 1; \
                 {kinetic} V = {word} * aa;"
            ),
            format!(
                "struct A {{ aa, bb: coordinate }} {output} {word} = aa; {kinetic} V = {word}^2;"
            ),
            format!(
                "struct A {{ aa, bb: coordinate }} frame {word} = world.rotate(z, aa); {kinetic} \
                 V = {word}.origin.x + {word}.point([1, 0, 0]).y;"
            ),
            format!(
                "struct A {{ aa, bb: coordinate }} {kinetic} for {word} in 1..3 {{ V += {word} * aa; }}"
            ),
            format!(
                "struct A {{ aa, bb: coordinate }} {kinetic} V = sum({word} in 1..3, {word} * aa);"
            ),
            format!("struct A {{ aa, bb: coordinate }} {kinetic} holonomic {word}: aa = bb;"),
            format!(
                "struct A {{ aa, bb: coordinate }} {kinetic} body {word} {{ mass: 1, at: [aa, bb] }}"
            ),
        ] {
            assert_eq!(mistakes(&source), Vec::<String>::new(), "{source}");
        }
    }
}

/// `name(` is the function, even if something else has the name.
#[test]
fn a_name_before_parentheses_is_the_function() {
    let names = functions::names().filter(|name| *name != "der");
    for name in names.chain(["velocity", "angular_velocity"]) {
        let with = |declared: &str| {
            let call = match name {
                "velocity" | "angular_velocity" => format!("{name}(world.rotate(z, a))"),
                "sum" => "sum(i in 0..2, a)".to_owned(),
                "identity" => "identity(2)".to_owned(),
                "powi" => "powi(a, 3)".to_owned(),
                "dot" | "cross" | "outer" => format!("{name}([a, b], [b, a])"),
                "norm" | "diag" | "transpose" => format!("{name}([a, b])"),
                "table" | "pchip" | "akima" | "spline" | "bspline" => {
                    format!("{name}(a, 0..2, [1, 3, 2, 5])")
                }
                "csv" => "csv(\"../tests/data/wing.csv\", \"lift\")".to_owned(),
                "trace" => "trace([[a, b], [b, a]])".to_owned(),
                "atan2" | "min" | "max" | "hypot" | "pow" | "powf" => format!("{name}(a, b)"),
                _ => format!("{name}(a / 8)"),
            };
            let source = format!("{declared} pub let out = {call}; T = der(a)^2 / 2;");
            let system = system(&source);
            let value = |symbol: Symbol| match symbol {
                Symbol::Coordinate(0) => 0.3,
                _ => 0.7,
            };
            system.graph.evaluate(&system.outputs[0].entries, &value)
        };
        let bare = with("struct A { a: coordinate, b: parameter }");
        let named = with(&format!(
            "struct A {{ a: coordinate, b, {name}: parameter }}"
        ));
        assert_eq!(bare, named, "{name}");
    }
}

#[test]
fn only_a_few_words_are_reserved() {
    for word in ["T", "V", "L", "D", "Q", "der", "pi", "world"] {
        for source in [
            format!("struct A {{ a: coordinate, {word}: parameter }} T = der(a)^2;"),
            format!("struct A {{ a: coordinate, r#{word}: input }} T = der(a)^2;"),
            format!("struct A {{ a: coordinate }} let {word} = 1; T = der(a)^2;"),
        ] {
            let messages = mistakes(&source);
            assert_eq!(messages.len(), 1, "{source}: {messages:?}");
            assert!(messages[0].contains("is reserved for"), "{messages:?}");
        }
    }
}

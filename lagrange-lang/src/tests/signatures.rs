//! The arguments of outputs, which depend on the names in their text and not on simplification, and their forbidden
//! names.

use std::collections::{BTreeSet, HashMap};

use super::expanded;
use super::workloads::{absolute, cases};
use crate::generated::{Parts, is_taken};

/// A declaration without mistakes, followed by these statements.
fn declaration(statements: &str) -> String {
    format!(
        "struct Sample {{ t: time, q, x: coordinate, p: coordinate[2], m: parameter, u: input }}
         T = m * (der(q)^2 + der(x)^2 + der(p)^2) / 2;
         Q.q = u;
         frame Turned = world.rotate(x, q).translate([m, 0, 0]);
         frame Fixed = world.rotate(x, 1);
         let speed = der(q);
         {statements}"
    )
}

/// The functions in the text of an expansion, each with its arguments.
fn functions(text: &str) -> HashMap<&str, &str> {
    text.split(" fn ")
        .skip(1)
        .filter_map(|head| head.split_once("->")?.0.split_once(" (& self ,"))
        .collect()
}

/// The arguments of an output, and its additional methods.
fn takes(functions: &HashMap<&str, &str>, output: &str) -> Option<(String, Vec<&'static str>)> {
    let names = functions.get(output)?.split(',').filter_map(|argument| {
        let name = argument.split_once(':')?.0.trim();
        ["q", "v", "u"].contains(&name).then_some(name)
    });
    let optional_methods = [
        "velocity",
        "jacobian",
        "rate",
        "bias",
        "derivatives",
        "hessian",
    ];
    let is_there = |method: &&str| functions.contains_key(&*format!("{output}_{method}"));
    Some((
        names.collect(),
        optional_methods.into_iter().filter(is_there).collect(),
    ))
}

/// Asserts the arguments of each output, also after errors in its own expression or in another one. In each text
/// `#` stands for `@` and an expression.
fn assert_takes(cases: &[(String, &str)]) {
    let statements: Vec<String> = cases
        .iter()
        .enumerate()
        .map(|(i, (text, _))| text.replace('#', &i.to_string()))
        .collect();
    let whole = declaration(&statements.join("\n"));
    let sound = whole.replace('@', "");
    assert!(!expanded(&sound).to_string().contains("compile_error"));
    let with_mistakes = [
        format!("{sound} D = nothing;"),
        whole.replace('@', "0 * nothing + "),
        whole.replace('@', "1 / 0 + "),
        sound.replace("let speed = ", "let speed = 1 / 0 + "),
    ];
    for declaration in std::iter::once(sound).chain(with_mistakes) {
        let text = expanded(&declaration).to_string();
        let functions = functions(&text);
        for (i, (statement, expected)) in cases.iter().enumerate() {
            let beside = match *expected {
                "q" => vec!["jacobian", "rate", "bias"],
                _ => vec!["derivatives"],
            };
            let expected = Some((expected.to_string(), beside));
            let taken = takes(&functions, &format!("o{i}"));
            assert_eq!(taken, expected, "{statement} in {declaration}");
        }
    }
}

fn written(cases: &[(&str, &'static str)]) -> Vec<(String, &'static str)> {
    cases
        .iter()
        .map(|(text, takes)| ((*text).to_owned(), *takes))
        .collect()
}

/// Expressions of one scalar, with the arguments that each requires.
const NAMING: [(&str, &str); 14] = [
    ("1", "q"),
    ("q", "q"),
    ("m * t", "q"),
    ("der(t)", "q"),
    ("velocity(Fixed).x", "q"),
    ("der(q)", "qv"),
    ("q̇", "qv"),
    ("der(p - p).x", "qv"),
    ("speed", "qv"),
    ("velocity(Turned).x", "qv"),
    ("angular_velocity(world.rotate(x, 0 * q)).z", "qv"),
    ("Turned.velocity().y", "qv"),
    ("u", "qvu"),
    ("u * der(p).y", "qvu"),
];

#[test]
fn what_simplifies_away_was_named() {
    let around = [
        "#",
        "# - #",
        "0 * (#)",
        "dot([#, 1], [0, 0])",
        "[1, #].x",
        "if 1 < 2 { 1 } else { # }",
        "if # < # { 1 } else { 1 }",
        "sum(i in 0..2, i * (#)) - (#)",
        "min(#, #)",
        "(#)^0",
    ];
    let mut cases = Vec::new();
    for (naming, expected) in NAMING {
        for whole in around {
            let whole = whole.replace('#', naming);
            cases.push((format!("pub let o# = @({whole});"), expected));
            let text = format!("let a# = {whole}; pub let o# = @a# - a#;");
            cases.push((text, expected));
        }
    }
    assert_takes(&cases);
}

#[test]
fn a_product_with_zeros_takes_the_velocities_that_it_names() {
    let text = "let a# = [q, q]; pub let o# = @dot([der(x), 1], a# - a#);";
    assert_takes(&written(&[(text, "qv")]));
}

#[test]
fn all_that_was_assigned_counts() {
    assert_takes(&written(&[
        ("let mut a# = 0; pub let o# = @a#; a# += der(q);", "q"),
        ("let mut a# = 0; a# += 0 * der(q); pub let o# = @a#;", "qv"),
        ("let mut a# = u; a# = 1; pub let o# = @a#;", "qvu"),
        (
            "let mut a# = 0; for i in 0..2 { a# += der(p[i]); } pub let o# = @a#;",
            "qv",
        ),
        (
            "let mut a# = 0; for i in 0..2 { let b# = der(p[i]); a# *= b#; } pub let o# = @a#;",
            "qv",
        ),
        // An assignment further down in the body reaches the second iteration.
        (
            "let mut a# = 0; let mut b# = 0; let mut c# = 0;
             for i in 0..3 { a# = b#; b# = c#; c# = u; } pub let o# = @a#;",
            "qvu",
        ),
        (
            "let mut a# = 0; let mut b# = 0;
             for i in 0..2 { for j in 0..2 { a# += der(b#); } b# += q; } pub let o# = @a#;",
            "qv",
        ),
        ("let a# = u; let a# = q; pub let o# = @a#;", "q"),
        (
            "for i in 0..2 { let a# = u; } let a# = q; pub let o# = @a#;",
            "q",
        ),
    ]));
}

#[test]
fn frames_are_named_too() {
    assert_takes(&written(&[
        ("pub let o# = @Turned.origin;", "q"),
        (
            "frame F# = Turned.rotate(z, m); pub let o# = @velocity(F#) - velocity(F#);",
            "qv",
        ),
        (
            "frame F# = world.translate([0 * q, 0, 0]); pub let o# = @velocity(F#);",
            "qv",
        ),
        (
            "frame F# = world.translate([0, 0, 0]); pub let o# = @velocity(F#);",
            "q",
        ),
        // The axis x is not the coordinate x.
        (
            "frame F# = world.rotate(-x, m); pub let o# = @angular_velocity(F#);",
            "q",
        ),
        (
            "frame mut F# = world; for i in 0..2 { F# = F#.rotate(z, p[i]); } pub let o# = @velocity(F#);",
            "qv",
        ),
    ]));
}

/// An output with the name of a private method would define it twice.
#[test]
fn private_methods_are_taken() {
    let declarations = cases()
        .into_iter()
        .filter(|(_, size, _)| *size <= 3)
        .map(|(.., declaration)| declaration);
    // The first system eliminates velocities; the second writes matrices in place.
    let large = [
        absolute(24),
        "struct Masses { x: coordinate[40] } T = der(x)^2 / 2;".to_owned(),
        "struct Bound { x: coordinate[40] } T = der(x)^2 / 2; holonomic rod: x[0]^2 + x[1]^2 = 1;"
            .to_owned(),
    ];
    let mut all_names = BTreeSet::new();
    for declaration in declarations.chain(large) {
        let text = expanded(&declaration).to_string();
        assert!(!text.contains("compile_error"), "{declaration}");
        let names = text
            .split(" fn __")
            .skip(1)
            .filter_map(|head| Some(format!("__{}", head.split_once(' ')?.0)));
        all_names.extend(names);
    }
    assert!(
        all_names.contains("__sensitivities") && all_names.contains("__inertia"),
        "{all_names:?}"
    );
    for name in all_names {
        let (contacts, friction, states) = (false, false, false);
        let parts = Parts {
            contacts,
            friction,
            states,
        };
        assert!(is_taken(&name, parts), "{name}");
    }
}

//! Messages about bundles, regressors and symmetries, and which mistakes are reported together.

use proc_macro2::{TokenStream, TokenTree};

use super::{expanded, formatted};

/// The messages of an expansion, with the help after ` | `.
fn messages(declaration: &str) -> Vec<String> {
    let tokens: Vec<TokenTree> = expanded(declaration).into_iter().collect();
    tokens
        .windows(3)
        .filter_map(|window| match window {
            [TokenTree::Ident(name), _, TokenTree::Group(text)] if name == "compile_error" => {
                Some(unquoted(text.stream()))
            }
            _ => None,
        })
        .collect()
}

fn unquoted(literal: TokenStream) -> String {
    let text: syn::LitStr = syn::parse2(literal).unwrap();
    let text = text.value().replace("\n\nhelp: ", " | ");
    // Without the number of its kind.
    let (text, _) = text.rsplit_once(" [L").unwrap_or((&text, ""));
    text.to_owned()
}

/// A point on a plane, with these statements.
fn with(statements: &str) -> String {
    format!(
        "struct Point {{ x, y: coordinate, r: coordinate[3], att: rotation, t: time, m, k, l: parameter, \
         c: parameter[2], i: parameter[3], u: input }}
         T = m * (der(x)^2 + der(y)^2) / 2 + der(r)^2 / 2;
         frame F = world.rotate(att);
         body {{ frame: F, inertia: diag(i) }}
         let private = x;
         pub let norm = hypot(x, y);
         pub let speed = der(x);
         {statements}"
    )
}

#[track_caller]
fn refused(statements: &str, expected: &[&str]) {
    let expected: Vec<String> = expected
        .iter()
        .map(|message| match message {
            change if change.contains("is no symmetry: ") => {
                format!("{change} | a symmetry leaves the energies and constraints as they are")
            }
            other => (*other).to_owned(),
        })
        .collect();
    assert_eq!(messages(&with(statements)), expected, "{statements}");
}

#[test]
fn items_of_bundles() {
    for (items, message) in [
        (
            "mass_matrx",
            "unknown item `mass_matrx` | did you mean `mass_matrix`?",
        ),
        (
            "zzz",
            "unknown item `zzz` | a bundle holds generated methods, such as `mass_matrix`, and outputs",
        ),
        (
            "solve",
            "`solve` may fail, and the methods of a bundle cannot | list `acceleration_unchecked`, which \
             solves the same equations without a check",
        ),
        (
            "integrate",
            "`integrate` is no quantity of q, v, u and a | call it beside the method of the bundle",
        ),
        (
            "state_derivative_unchecked",
            "`state_derivative_unchecked` is no quantity of q, v, u and a | list `coordinate_rates` and \
             `acceleration_unchecked`",
        ),
        (
            "constraint_gamma",
            "this system has no `constraint_gamma`: it is a method of systems with constraints | remove it",
        ),
        (
            "bias, norm, bias",
            "duplicate item: `bias` is in the bundle already | remove it",
        ),
        (
            "private",
            "`private` is a `let`, and no method | make it an output: `pub let private = ..;`",
        ),
        (
            "m",
            "`m` is a parameter, and no method | a bundle holds generated methods and outputs",
        ),
        (
            "speed_jacobian",
            "there is no `speed_jacobian`: only a frame, or a scalar or vector of q and t alone has a Jacobian | \
             remove it",
        ),
        (
            "bundled",
            "unknown item `bundled` | a bundle holds generated methods, such as `mass_matrix`, and outputs",
        ),
        (
            "b",
            "`b` is a bundle, and no bundle contains another one | list its items",
        ),
        (
            "late",
            "`late` is used before its declaration | move the declaration of `late` up to before this",
        ),
        (
            "late_jacobian",
            "`late_jacobian` is used before its declaration | move the declaration of `late` up to before \
             this",
        ),
        (
            "",
            "the bundle `b` is empty | list methods and outputs: `bundle b { mass_matrix, bias }`",
        ),
    ] {
        refused(
            &format!("bundle b {{ {items} }} pub let late = x;"),
            &[message],
        );
    }
    let by_lagrangian =
        "struct A { x: coordinate } L = der(x)^2; bundle b { energy, kinetic_energy }";
    assert_eq!(
        messages(by_lagrangian),
        [
            "this system has no `kinetic_energy`: it is a method of systems that are given by T and V | \
          remove it"
        ]
    );
}

#[test]
fn names_are_those_of_methods() {
    for (statements, message) in [
        (
            "bundle bias { energy }",
            "the bundle `bias` has the name of a generated item | choose another name",
        ),
        (
            "regressor linearize { m }",
            "the regressor `linearize` has the name of a generated item | choose another name",
        ),
        (
            "symmetry norm: x -> 1;",
            "duplicate name: `norm` is already an output | choose another name",
        ),
        (
            "bundle b { bias } regressor b { m }",
            "duplicate name: `b` is already a bundle | choose another name",
        ),
        (
            "bundle b { bias } pub let b = x;",
            "duplicate name: `b` is already a bundle | choose another name",
        ),
        (
            "symmetry clone: r -> [1, 0, 0];",
            "the symmetry `clone` would hide the method of this name of the trait `Clone` | choose \
             another name",
        ),
        (
            "bundle norm_jacobian { bias }",
            "the output `norm` has a method `norm_jacobian` beside it, a name that is taken | choose \
             another name",
        ),
        (
            "bundle full_step { bias } bundle fullStep { bias }",
            "the bundles `full_step` and `fullStep` would both return a struct `PointFullStep` | choose \
             another name",
        ),
        (
            "bundle __ { bias }",
            "the bundle `__` gives its struct no name | choose a name with letters",
        ),
        (
            "for j in 0..2 { bundle b { bias } }",
            "a bundle cannot be declared in a loop | declare it after the loop",
        ),
        (
            "for j in 0..2 { regressor b { m } }",
            "a regressor cannot be declared in a loop | declare it after the loop",
        ),
        (
            "for j in 0..2 { symmetry b: r -> [j, 0, 0]; }",
            "a symmetry cannot be declared in a loop | declare it after the loop",
        ),
    ] {
        refused(statements, &[message]);
    }
    // Values have separate names.
    refused("bundle m { bias } symmetry x: r -> [1, 0, 0];", &[]);
}

#[test]
fn parameters_of_regressors() {
    let potential = "V = k * l^2 * x + k * m * y + c[1]^2 * c[0] * x + dot(i, [x, y, x]); D = sin(l * x) * der(x);";
    for (listed, expected) in [
        ("m, i", &[][..]),
        ("k, i", &[]),
        (
            "l",
            &[
                "`l` enters as `l^2`: the equations are not linear in it | make `k*l^2` a parameter, and list \
               that",
            ],
        ),
        (
            "m, k",
            &[
                "`m` and `k` enter in one product, `m*k`: the equations are not linear in both | make `m*k` a \
               parameter, and list that",
            ],
        ),
        (
            "c",
            &[
                "`c[1]` enters as `c[1]^2`: the equations are not linear in it | make `c[0]*c[1]^2` a \
               parameter, and list that",
            ],
        ),
        (
            "mm",
            &["unknown parameter `mm` | expected `m`, `k`, `l`, `c` or `i`"],
        ),
        ("x", &["`x` is a coordinate | a regressor lists parameters"]),
        ("F", &["`F` is a frame | a regressor lists parameters"]),
        (
            "m, m",
            &["duplicate parameter: `m` is in the list already | remove it"],
        ),
        (
            "",
            &["the regressor `r` is empty | list parameters: `regressor r { m, k }`"],
        ),
    ] {
        let listing = format!("regressor reg {{ {listed} }}").replace("reg ", "r1 ");
        let expected: Vec<String> = expected
            .iter()
            .map(|message| {
                message
                    .replace("`r`", "`r1`")
                    .replace("regressor r ", "regressor r1 ")
            })
            .collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        refused(&format!("{potential} {listing}"), &expected);
    }
    refused(
        "V = exp(k * x); regressor r1 { k }",
        &[
            "`k` enters as `exp(x*k)`: the equations are not linear in it | leave it out: a regressor finds the factors of terms",
        ],
    );
}

#[test]
fn directions_of_symmetries() {
    for (statements, expected) in [
        ("symmetry s: x -> 1;", &[][..]),
        ("symmetry s: x -> -y, y -> x;", &[]),
        ("symmetry s: r -> [1, 2, 3];", &[]),
        ("symmetry s: r.x -> -r.y, r[1] -> r[0];", &[]),
        ("symmetry s: att -> transpose(F.rotation) * [0, 0, 1];", &[]),
        (
            "symmetry s: att -> [0, 0, 1];",
            &["`s` is no symmetry: `T` changes along it at the rate \
               `der(att).x*der(att).y*(i[0] - i[1])`"],
        ),
        (
            "V = m * k * y; symmetry s: y -> 1;",
            &["`s` is no symmetry: `V` changes along it at the rate `m*k`"],
        ),
        (
            "symmetry s: x -> t;",
            &[
                "`s` depends on t and is no symmetry of this kind: `T` changes along it at the rate `m*der(x)` | \
               a symmetry leaves the energies and constraints as they are; a direction that changes L by the rate of a function of q and t, such as a Galilean boost, is not accepted",
            ],
        ),
        (
            "V = sign(y); symmetry s: y -> 1;",
            &["`s` is no symmetry: `V` jumps along it"],
        ),
        (
            "V = if hypot(x, y) < 1 { 0 } else { 1 }; symmetry s: x -> -y, y -> x;",
            &[],
        ),
        (
            "symmetry s: x -> 0;",
            &["the symmetry `s` moves nothing | remove it"],
        ),
        (
            "symmetry s: x -> sin(x)^2 + cos(2 * x) / 2 - 1 / 2;",
            &["the symmetry `s` moves nothing | remove it"],
        ),
        (
            "symmetry s: x -> der(y);",
            &[
                "velocity: a symmetry depends on positions and time only | write how far it moves the coordinate, a function of coordinates and time",
            ],
        ),
        (
            "symmetry s: x -> u;",
            &[
                "the input `u` may not occur in a symmetry | inputs may occur in `Q`, `force`, `torque`, `D`, \
               and outputs only",
            ],
        ),
        (
            "symmetry s: z -> 1;",
            &["unknown coordinate `z` | expected `x`, `y`, `r` or `att`"],
        ),
        (
            "symmetry s: m -> 1;",
            &["`m` is a parameter | a symmetry moves coordinates"],
        ),
        (
            "symmetry s: F -> 1;",
            &["`F` is a frame | a symmetry moves coordinates"],
        ),
        (
            "symmetry s: r -> 1;",
            &[
                "mismatched shapes: `r` is a vector of length 3, its move a scalar | give the \
                 move as many components as the coordinate has",
            ],
        ),
        (
            "symmetry s: att -> 1;",
            &[
                "mismatched shapes: the rotation `att` moves by a vector of length 3, found a scalar | write \
               its rates in the turned axes, `[0, 0, 1]`",
            ],
        ),
        (
            "symmetry s: r -> [1, 0, 0], r.x -> 2;",
            &["`r` is moved twice | remove one of them"],
        ),
    ] {
        refused(statements, expected);
    }
}

#[test]
fn constraints_have_to_be_kept() {
    let on = |constraint: &str, symmetry: &str| {
        format!("holonomic held: {constraint}; symmetry s: {symmetry};")
    };
    // A rolling ball: translated, rotated, and rotated about itself.
    let ball = "frame B = world.translate(r).rotate(att);
        body { frame: B, inertia: identity(3) }
        holonomic touching: r.z = l;
        nonholonomic rolling: velocity(B).x = angular_velocity(B).y * l;
        nonholonomic aside: velocity(B).y = -angular_velocity(B).x * l;";
    for (direction, is_kept) in [
        ("r -> [1, 2, 0]", true),
        (
            "r -> [-r.y, r.x, 0], att -> transpose(B.rotation) * [0, 0, 1]",
            true,
        ),
        ("att -> [1, 2, 3]", true),
        ("att -> transpose(B.rotation) * [0, 0, 1]", false),
        ("r -> [-r.y, r.x, 0]", false),
    ] {
        let declaration =
            "struct Ball { r: coordinate[3], att: rotation, l: parameter } T = der(r)^2 / 2;";
        let messages = messages(&format!("{declaration} {ball} symmetry s: {direction};"));
        assert_eq!(messages.is_empty(), is_kept, "{direction}: {messages:?}");
    }
    // A sphere, a line, and a helix, for which the change is zero only on the constraint.
    refused(&on("x^2 + y^2 = l^2", "x -> -y, y -> x"), &[]);
    refused(
        &on("x^2 + y^2 = l^2", "x -> 1"),
        &["`s` is no symmetry: the constraint `held` changes along it at the rate `2*x`"],
    );
    let helix = "[r.x, r.y, r.z] = [k * cos(x), k * sin(x), l * x]";
    let screw = "r -> [-r.y, r.x, l], x -> 1";
    refused(&on(helix, screw), &[]);
    refused(
        &on(helix, "r -> [-r.y, r.x, 0], x -> 1"),
        &["`s` is no symmetry: the constraint `held[2]` changes along it at the rate `-l`"],
    );
    // A skate moves in its own direction. It is invariant under rotations and translations of the whole.
    let skate = "nonholonomic blade: der(x) * sin(r.x) = der(y) * cos(r.x);";
    refused(
        &format!("{skate} symmetry s: x -> -y, y -> x, r.x -> 1;"),
        &[],
    );
    refused(&format!("{skate} symmetry s: x -> 1;"), &[]);
    refused(
        &format!("{skate} symmetry s: r.x -> 1;"),
        &[
            "`s` is no symmetry: the constraint `blade` changes along it at the rate \
           `der(x)*cos(r[0]) + der(y)*sin(r[0])`",
        ],
    );
}

/// Mistakes of all kinds are reported in one run.
#[test]
fn one_run_tells_all() {
    let all_messages = messages(&with(
        "V = k * l^2 * x;
         bundle b { nothing_at_all }
         regressor r1 { l }
         symmetry s: x -> 1;
         symmetry t1: y -> nothing;
         regressor r2 { missing }",
    ));
    assert_eq!(all_messages.len(), 5, "{all_messages:#?}");
    // A term of the equations has a mistake, so the statements are not judged.
    let first_messages = messages(&with(
        "V = nothing; regressor r1 { l } symmetry s: att -> [0, 0, 1];",
    ));
    assert_eq!(first_messages.len(), 1, "{first_messages:#?}");
}

#[test]
fn the_documentation_lists_what_is_conserved() {
    let text = formatted(
        "struct Cart {
            x, y, z: coordinate,
            m, c: parameter,
        }
        T = m * (der(x)^2 + der(y)^2 + der(z)^2) / 2;
        V = z;
        D = c * der(z)^2 / 2;
        holonomic round: x^2 + y^2 = 1;
        /// About the vertical.
        symmetry angular: x -> -y, y -> x;
        regressor identify { m, c }",
    );
    let section = text.split("# Conserved quantities\n\n").nth(1).unwrap();
    assert!(
        section.starts_with("- `angular`: About the vertical.\n\n# Equations"),
        "{section}"
    );
    assert!(text.contains("It is constant along every motion."));
    assert!(text.contains("- column 0: `m`\n- column 1: `c`\n"));
    // A force does work along the symmetry.
    let damped = "struct A { x, y: coordinate, c: parameter } T = (der(x)^2 + der(y)^2) / 2; D = c * der(x)^2;
        symmetry along: x -> 1; symmetry aside: y -> 1; regressor idle { c }";
    let text = formatted(damped);
    let section = text.split("# Conserved quantities\n\n").nth(1).unwrap();
    assert!(
        section.starts_with("- `momenta`, entry 1, that of `der(y)`\n- `aside`\n"),
        "{section}"
    );
    assert!(text.contains("It changes by the work"));
}

/// The base functions of a B-spline have the sum 1 and combine to x, and a curve of data is seen in all of its pieces,
/// wherever these are.
#[test]
fn ranks_obey_the_laws_of_curves() {
    let systems = [
        // The slopes of six base functions are five independent curves, and that of g is among them.
        ("c: parameter[6], m, g: parameter } T = m * der(x)^2 / 2; V = bspline(x, -1..1, c) + g * x;
          regressor r { c, m, g }", 6),
        // As a force, and far away.
        ("c: parameter[9], m, g: parameter } T = m * der(x)^2 / 2; Q.x = bspline(der(x), 200..300, c) + g * der(x);
          regressor r { c, m, g }", 10),
        ("c: parameter[9], m: parameter } T = m * der(x)^2 / 2; Q.x = bspline(x^2 / 1e3, 0..1e-3, c) * sin(y);
          regressor r { c, m }", 10),
        // A sine reaches two of six pieces, whose base functions are five.
        ("c: parameter[9], m: parameter } T = m * der(x)^2 / 2; Q.x = bspline(sin(x), -3..3, c);
          regressor r { c, m }", 6),
        // Two curves of one argument, with places of their own.
        ("k: parameter[3], m: parameter } T = m * der(x)^2 / 2;
          Q.x = k[0] * table(x, 0..9, [1, 2, 0, 4]) + k[1] * table(x, 0..9, [2, 4, 0, 8]) + k[2] * pchip(x, [0, 1, 50], [0, 3, 4]);
          regressor r { k, m }", 3),
        ("k, j: parameter[5], m: parameter } T = m * der(x)^2 / 2; Q.x = bspline(x, 0..50, k) - bspline(y, -5..0, j);
          regressor r { k, j, m }", 10),
        ("k: parameter[2], z: state, m: parameter } T = m * der(x)^2 / 2; der(z) = x - z;
          Q.x = k[0] * table(z, 5..6, [0, 0, 1]) + k[1] * table(z, 5..6, [0, 1, 1]);
          regressor r { k, m }", 3),
    ];
    for (number, (text, rank)) in systems.into_iter().enumerate() {
        let text = formatted(&format!(
            "struct S {{ x, y: coordinate, {text} T += der(y)^2;"
        ));
        let actual = text
            .split("const R_RANK")
            .nth(1)
            .unwrap_or_default()
            .split(['=', ';'])
            .nth(1)
            .unwrap_or_default()
            .trim();
        assert_eq!(actual, rank.to_string(), "{number}");
    }
}

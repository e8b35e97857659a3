//! Every statement, and its mistakes.

use super::{check_statements, kept, mistakes, parse_source, printed, with_head};
use crate::syntax::ast::StatementKind;

#[test]
fn every_statement() {
    let statements = printed(
        "let a1 = 1;
        #[allow(unused)] let mut n = x;
        n += 2;
        n -= 2; n *= 2; n /= 2; n = 3;
        /// The bob.
        pub let bob = [x, y];
        pub(crate) let other = x;
        let f() = 1; let r#box(c,) = c ^ 2; #[allow(unused)] let g(x, ẋ) = x * ẋ + ẏ;
        #[hessian] pub let cost = x^2;
        T = x; V += y; L = x; D += y^2;
        Q.x = 1; Q.r.x += 2; Q.r[0] = 3; Q.r[0, 1] -= 4;
        force [1, 0] at bob;
        force [1, 0, 0] at bob on A.rotate(z, x);
        torque [0, 0, x] on A.rotate(z, x);
        gravity [0, -g];
        holonomic loop_a: x^2 + y^2 = l^2;
        nonholonomic roll: der(x) = 0;
        contact floor: y >= l;
        contact heel: 0 <= y { slip: [der(x), 1], friction: m, restitution: 1/2, };
        contact toe: y >= 0 { restitution: 1 }
        contact bare: y >= 0 {}
        frame A = world; frame mut B = A.translate([1, 2]); pub(crate) frame C = A;
        body { mass: m, at }
        body rod { frame: A, mass: m, inertia: diag(1, 2, 3), }
        spring { k, rest: 1, from: p, to: r }
        damper {}
        bundle control { mass_matrix, bob, }
        regressor identify { m }
        sensitivity by_mass { m, c[1], k[0, 1], l[0..2] }
        symmetry angular: x -> -y, r.y -> [1, 2], r[0] -> x;
        symmetry along: x -> 1,;
        for i in 0..3 { let c = i; for j in i..3 { V += c; } }",
    );
    let expected = [
        "let a1 = 1",
        "#let mut n = x",
        "n += 2",
        "n -= 2",
        "n *= 2",
        "n /= 2",
        "n = 3",
        "#pub let bob = [x, y]",
        "pub let other = x",
        "let f() = 1",
        "let r#box(c) = (c ^ 2)",
        "#let g(x, ẋ) = ((x * ẋ) + y')",
        "hessian pub let cost = (x ^ 2)",
        "T:Kinetic = x",
        "V:Potential += y",
        "L:Lagrangian = x",
        "D:Dissipation += (y ^ 2)",
        "Q.x = 1",
        "Q.r.x += 2",
        "Q.r[0] = 3",
        "Q.r[0, 1] -= 4",
        "force [1, 0] at bob",
        "force [1, 0, 0] at bob on A.rotate(z, x)",
        "torque [0, 0, x] on A.rotate(z, x)",
        "gravity [0, (-g)]",
        "Holonomic loop_a: ((x ^ 2) + (y ^ 2)) = (l ^ 2)",
        "Nonholonomic roll: der(x) = 0",
        "contact floor: y >= l",
        "contact heel: y >= 0 { slip: [der(x), 1], friction: m, restitution: (1 / 2) }",
        "contact toe: y >= 0 { restitution: 1 }",
        "contact bare: y >= 0",
        "frame A = world",
        "frame mut B = A.translate([1, 2])",
        "pub frame C = A",
        "body { mass: m, at: at }",
        "body rod { frame: A, mass: m, inertia: diag(1, 2, 3) }",
        "spring { k: k, rest: 1, from: p, to: r }",
        "damper {  }",
        "bundle control { mass_matrix, bob }",
        "regressor identify { m }",
        "sensitivity by_mass { m, c[1], k[0, 1], l[0..2] }",
        "symmetry angular: x -> (-y), r.y -> [1, 2], r[0] -> x",
        "symmetry along: x -> 1",
        "for i in 0..3 { let c = i; for j in i..3 { V:Potential += c } }",
    ];
    assert_eq!(statements, expected);
}

#[test]
fn statement_words_may_be_names() {
    let statements = printed(
        "let mut force = 1; force = 3; force += force * at;
        force [force, 0] at at;
        let body = on; torque body on on;
        frame frame = world; body body { frame }
        holonomic holonomic: x = y;
        let mut gravity = 2; gravity *= 2; gravity [0, gravity];
        let mut bundle = 1; bundle = 2; bundle bundle { bundle }
        let mut regressor = 1; regressor += bundle; regressor regressor { regressor }
        let mut symmetry = regressor; symmetry *= 2; symmetry symmetry: symmetry -> symmetry;",
    );
    let expected = [
        "let mut force = 1",
        "force = 3",
        "force += (force * at)",
        "force [force, 0] at at",
        "let body = on",
        "torque body on on",
        "frame frame = world",
        "body body { frame: frame }",
        "Holonomic holonomic: x = y",
        "let mut gravity = 2",
        "gravity *= 2",
        "gravity [0, gravity]",
        "let mut bundle = 1",
        "bundle = 2",
        "bundle bundle { bundle }",
        "let mut regressor = 1",
        "regressor += bundle",
        "regressor regressor { regressor }",
        "let mut symmetry = regressor",
        "symmetry *= 2",
        "symmetry symmetry: symmetry -> symmetry",
    ];
    assert_eq!(statements, expected);
}

#[test]
fn semicolons_behind_blocks_are_silent() {
    assert_eq!(
        printed("body { mass: m };; for i in 0..1 { T = x; };").len(),
        2
    );
}

#[test]
fn missing_semicolons() {
    for (statements, mistake) in [
        ("T = x\nV = y;", "x: missing `;` after this"),
        ("let c = x\nlet d = y;", "x: missing `;` after this"),
        (
            "gravity [0, 1]\nfor i in 0..1 { T = x; }",
            "]: missing `;` after this",
        ),
        ("let c = f(x)\nforce c at y;", "): missing `;` after this"),
        (
            "force c at y\n#[allow(a)] T = x;",
            "y: missing `;` after this",
        ),
        ("Q.x = a\nQ.y = b;", "a: missing `;` after this"),
        ("let mut c = 1\nc = 2;", "1: missing `;` after this"),
        ("let c = 1; T = x", "x: missing `;` after this"),
    ] {
        check_statements(statements, &[mistake]);
        assert_eq!(kept(statements).len(), 2, "{statements}");
    }
    check_statements(
        "T = x 1 + 2; V = y;",
        &["1: expected an operator or `;`, found `1` | a product is written with `*`"],
    );
    check_statements(
        "T = x = y; V = y;",
        &["=: expected an operator or `;`, found `=`"],
    );
}

#[test]
fn broken_assignments() {
    check_statements("T == x;", &["=..=: expected `=`, found `==` | write `=`"]);
    check_statements(
        "let c == x;",
        &["=..=: expected `=`, found `==` | write `=`"],
    );
    check_statements("y == x;", &["=..=: expected `=`, found `==` | write `=`"]);
    check_statements("T x;", &["x: expected `=`, found `x` | write `T = ..;`"]);
    check_statements("T;", &[";: expected `=`, found `;` | write `T = ..;`"]);
    check_statements(
        "T ^= x;",
        &["^..=: expected `=`, found `^=` | write `T = ..;`"],
    );
    check_statements(
        "let c += x;",
        &["+: a new name has no value to change | write `c = ..;`"],
    );
    check_statements("let c;", &[";: expected `=`, found `;` | write `c = ..;`"]);
    check_statements("let c = ;", &[";: expected an expression, found `;`"]);
    check_statements("let = 2;", &["=: expected a name, found `=`"]);
    check_statements("let 2x = 2;", &["2x: expected a name, found `2x`"]);
    check_statements(
        "let c: Vec<f64> = x;",
        &[":..>: a `let` has no type: it is found from the value | remove it"],
    );
    check_statements(
        "let fn = x;",
        &["fn: expected a name, found the Rust keyword `fn` \
           | write `r#fn` to use the word as a name"],
    );
    check_statements(
        "let self = x;",
        &["self: expected a name, found the Rust keyword `self`"],
    );
    check_statements(
        "V(x) = x;",
        &[
            "(..): `V` takes no arguments: it is an expression of whatever names it uses \
           | write `V = ..;`",
        ],
    );
    check_statements(
        "Q = x;",
        &["Q: a generalized force acts on a coordinate | write `Q.x = ..;` for the coordinate `x`"],
    );
    check_statements("Q.x;", &[";: expected `=`, found `;` | write `Q.x = ..;`"]);
}

#[test]
fn a_broken_let_declares_its_names() {
    let statements = "let (a1, mut b1) = (1, 2); T = a1;";
    check_statements(
        statements,
        &["(..): a `let` has one name | write one `let` for each name"],
    );
    let expected = ["let a1 = ?", "let b1 = ?", "T:Kinetic = a1"];
    assert_eq!(kept(statements), expected);
    assert_eq!(kept("let c = 2 +; T = c;"), ["let c = ?", "T:Kinetic = c"]);
    assert_eq!(kept("T x; V = y;"), ["T:Kinetic += ?", "V:Potential = y"]);
}

#[test]
fn broken_mechanics() {
    check_statements(
        "force x;",
        &[";: expected `at`, found `;` | write `force F at p;`"],
    );
    check_statements(
        "force x on y;",
        &["on: expected `at`, found `on` | write `force F at p;`"],
    );
    check_statements(
        "torque x at y;",
        &["at: expected `on`, found `at` | write `torque t on B;`"],
    );
    check_statements(
        "gravity = [0, 1];",
        &["=: expected a vector, found `=` | write `gravity [0, 1];`"],
    );
    check_statements(
        "holonomic x = y;",
        &["x: a constraint has a name | write `holonomic name: lhs = rhs;`"],
    );
    check_statements(
        "nonholonomic : x = y;",
        &[":: a constraint has a name | write `nonholonomic name: lhs = rhs;`"],
    );
    check_statements(
        "holonomic c: x == y;",
        &["=..=: expected `=`, found `==` | write `=`"],
    );
    check_statements(
        "holonomic c: x - y;",
        &["x..y: a constraint is an equation | add `= 0` or a right-hand side"],
    );
    check_statements(
        "holonomic c: x <= y;",
        &["<..=: a constraint is an equation, not an inequality"],
    );
    check_statements(
        "holonomic c: x = y = a;",
        &["=: an equation has one `=` | write two constraints"],
    );
    check_statements(
        "frame = world;",
        &["=: expected the name of the frame, found `=`"],
    );
    check_statements(
        "frame A world;",
        &["world: expected `=`, found `world` | write `A = ..;`"],
    );
}

#[test]
fn broken_blocks() {
    check_statements(
        "body b (mass: m); T = x;",
        &["(: expected `{`, found `(` | write `body name { mass: m, at: p }`"],
    );
    check_statements(
        "spring s { k: 1 }",
        &["s: a spring has no name | remove `s`"],
    );
    check_statements(
        "body { mass = m, at: x; inertia: 2 frame: A }",
        &[
            "=: expected `:`, found `=` | write `:`",
            ";: fields are separated by `,` | write `,`",
            "2: missing `,` after this",
        ],
    );
    check_statements(
        "body { mass: 2m, 3, ..Default::default(), at x, frame: , inertia: 1 1 }",
        &[
            "2m: unknown suffix `m` on the number `2` \
             | a product is written `2 * m`, a unit `2 [m]`",
            "3: expected the name of a field, found `3`",
            "....: expected the name of a field, found `..`",
            "x: expected `:` or `,`, found `x`",
            ",: expected an expression, found `,`",
            "1: expected an operator or `,`, found `1` | a product is written with `*`, and the items of a list are separated by `,`",
        ],
    );
    let kept_statements = kept("body { mass: 2m, at: x }");
    assert_eq!(kept_statements, ["body { mass: ?, at: x }"]);
}

#[test]
fn broken_loops() {
    check_statements(
        "for i in 0..=3 { T = x; }",
        &["...=: a range is written `a..b`, with `b` excluded"],
    );
    check_statements(
        "for i in b { T = 2 x; }",
        &[
            "{: expected `..`, found `{`",
            "x: expected an operator or `;`, found `x` | a product is written with `*`",
        ],
    );
    check_statements(
        "for (i, j) in 0..3 { T = x; } V = y;",
        &["(: expected a name for the index, found `(`"],
    );
    check_statements("for i 0..3 { T = x; }", &["0: expected `in`, found `0`"]);
    check_statements("for i in 0..3;", &[";: expected `{`, found `;`"]);
    assert_eq!(printed("for i in 0..3 {}"), ["for i in 0..3 {  }"]);
}

#[test]
fn what_is_no_statement() {
    check_statements(
        "holonmic c: x = y; T = x;",
        &["holonmic: unknown statement `holonmic` | did you mean `holonomic`?"],
    );
    check_statements(
        "bdy { mass: m } T = x;",
        &["bdy: unknown statement `bdy` | did you mean `body`?"],
    );
    check_statements(
        "gravty [0, 1]; T = x;",
        &["gravty: unknown statement `gravty` | did you mean `gravity`?"],
    );
    check_statements(
        "whatever c: x = y;",
        &[
            "whatever: unknown statement `whatever` | a statement begins with `let`, `T`, `V`, `L`, `D`, `Q`, `for`, `force`, `torque`, `gravity`, `holonomic`, `nonholonomic`, `contact`, `frame`, `body`, `spring`, `damper`, `actuator`, `bundle`, `regressor`, `sensitivity`, `export`, `symmetry` or `place`",
        ],
    );
    check_statements(
        "x + y; T = x;",
        &["x..y: an expression alone has no effect | name it: `let n = ..;`"],
    );
    check_statements(
        "x; T = x;",
        &["x: an expression alone has no effect | name it: `let n = ..;`"],
    );
    check_statements(
        "x.y = 2; x[0] += 1; sin(x) = y;",
        &[
            "x..y: only a name can be assigned to | an equation of coordinates is `holonomic name: lhs = rhs;`, a new value `let n = e;`",
            "x..]: only a name can be assigned to | an equation of coordinates is `holonomic name: lhs = rhs;`, a new value `let n = e;`",
            "sin: a function begins with `let` | write `let sin(..) = ..;`",
        ],
    );
    check_statements(
        "z: coordinate; T = x;",
        &[
            "z: expected a statement, found a field | `z` is declared between the braces of the \
           struct, a constraint by `holonomic z: ..`",
        ],
    );
    check_statements(
        "fn f(x: f64) -> f64 { x } use a::b; while x < 1 { T = x; } T = 2 x;",
        &[
            "fn: unknown statement `fn` | write `let f(s) = ..;`",
            "use: unknown statement `use` | remove it: the language sees nothing from outside, and its functions need no import",
            "while: unknown statement `while` | repeat by `for i in a..b { .. }`, whose bounds are constant",
            "x: expected an operator or `;`, found `x` | a product is written with `*`",
        ],
    );
    check_statements(
        "if x < 1 { T = x; } else { T = y; } V = 2 x;",
        &[
            "if: an `if` is an expression, not a statement \
             | write for example `let n = if a < b { e } else { f };`",
            "x: expected an operator or `;`, found `x` | a product is written with `*`",
        ],
    );
    check_statements(
        "pub T = x; pub frame A = world; pub body b { mass: 1 } pub frame mut = world;",
        &[
            "pub: only a `let` or a `frame` can be `pub` | remove `pub`",
            "pub: only a `let` or a `frame` can be `pub` | remove `pub`",
            "=: expected the name of the frame, found `=`",
        ],
    );
    check_statements("{ T = x; } V = y;", &["{: expected a statement, found `{`"]);
    check_statements("= 2; V = y;", &["=: expected a statement, found `=`"]);
    check_statements(
        "mut c = 2;",
        &["mut: unknown statement `mut` | a value that changes is declared by `let mut n = ..;`"],
    );
}

#[test]
fn attributes_need_something_behind_them() {
    let message = "expected a statement after this attribute or doc comment";
    check_statements(
        "T = x; #[allow(a)]",
        &[&format!("#..[allow(a)]: {message}")],
    );
    let source = with_head("for i in 0..1 { T = x; #[b] }");
    assert_eq!(mistakes(&source), [format!("#..[b]: {message}")]);
    check_statements(
        "#![allow(a)] T = x;",
        &["[..]: expected an attribute or doc comment for the next item | write `#[..]` or `///`"],
    );
}

/// A `cfg` that were ignored would change the physics in silence.
#[test]
fn no_attribute_is_dropped() {
    let conditional = "a statement cannot be conditional | put `#[cfg(..)]` before the struct, and \
                       declare one system for each case";
    let statements = [
        "T = x;",
        "V += x;",
        "D = 1;",
        "L = x;",
        "Q.x = 1;",
        "force [1, 0] at [x, y];",
        "torque [0, 0, 1] on world;",
        "gravity [0, 0, 1];",
        "let n = 1;",
        "let mut n = 1; n = 2;",
        "pub let n = 1;",
        "holonomic n: x = 1;",
        "nonholonomic n: der(x) = 1;",
        "frame A = world;",
        "body { mass: 1 }",
        "spring { k: 1, from: x, to: y }",
        "damper { c: 1, from: x, to: y }",
        "for i in 0..2 { T += x; }",
    ];
    for statement in statements {
        check_statements(
            &format!("#[cfg(any())] {statement}"),
            &[&format!("#..[cfg(any())]: {conditional}")],
        );
        check_statements(
            &format!("for i in 0..1 {{ #[cfg_attr(a, b)] {statement} }}"),
            &[&format!("#..[cfg_attr(a, b)]: {conditional}")],
        );
        check_statements(&format!("/// Why.\n #[allow(unused)] {statement}"), &[]);
        for (attribute, named) in [("must_use", "must_use"), ("doc(hidden)", "doc(..)")] {
            let dropped = format!(
                "#..[{attribute}]: `#[{named}]` has no effect on a statement | remove it; doc comments \
                 and `#[allow(..)]` are allowed here"
            );
            let expected: &[&str] = match statement.starts_with("pub") {
                true => &[],
                false => &[&dropped],
            };
            check_statements(&format!("#[{attribute}] {statement}"), expected);
        }
    }
    // They are methods.
    for statement in [
        "bundle b { bias }",
        "regressor r { m }",
        "symmetry s: x -> 1;",
    ] {
        check_statements(&format!("/// Why.\n #[doc(hidden)] {statement}"), &[]);
    }
    for (field, what, has_field) in [
        ("a: coordinate", "a coordinate", false),
        ("a: input[2]", "an input", false),
        ("a: time", "time", false),
        ("a: parameter = 1", "a parameter", true),
    ] {
        let with = |attribute: &str| {
            mistakes(&format!(
                "struct A {{ x: coordinate, {attribute} {field} }}"
            ))
        };
        assert_eq!(with("/// Why.\n #[allow(unused)]"), Vec::<String>::new());
        assert_eq!(
            with("#[cfg(any())]"),
            [format!(
                "#..[cfg(any())]: {what} cannot be conditional | put `#[cfg(..)]` before the struct, \
                 and declare one system for each case"
            )]
        );
        assert_eq!(with("#[serde::skip]").is_empty(), has_field, "{field}");
        assert_eq!(with("#[doc(hidden)]").is_empty(), has_field, "{field}");
    }
}

#[test]
fn levels_before_a_loop_hold_in_it() {
    let (system, errors) = parse_source(&with_head(
        "#[allow(a)] for i in 0..1 { for j in 0..1 { #[warn(b)] let n = 1; } }",
    ));
    assert_eq!(errors.messages(), Vec::<String>::new());
    let StatementKind::For { body, .. } = &system.unwrap().statements[0].kind else {
        panic!("a loop");
    };
    let StatementKind::For { body, .. } = &body[0].kind else {
        panic!("a loop");
    };
    let attributes = &body[0].attributes;
    let written: Vec<bool> = attributes
        .iter()
        .map(|a| a.path().is_ident("allow"))
        .collect();
    assert_eq!(written, [true, false]);
}

#[test]
fn independent_mistakes_are_all_found() {
    check_statements(
        "T = x +; let c = sin(); V = 2 y; holonomic c x = y; body { mass: } Q = 1; D = c;",
        &[
            ";: expected an expression, found `;`",
            "y: expected an operator or `;`, found `y` | a product is written with `*`",
            "c: a constraint has a name | write `holonomic name: lhs = rhs;`",
            "}: expected an expression, found `}`",
            "Q: a generalized force acts on a coordinate \
             | write `Q.x = ..;` for the coordinate `x`",
        ],
    );
}

/// Each costs its own statement no more than needs be, and its neighbours nothing.
#[test]
fn broken_lists() {
    for (statement, mistake, rest) in [
        (
            "bundle { a, b }",
            "bundle: a bundle has a name | write `bundle name { mass_matrix, bias }`",
            "bundle ? { a, b }",
        ),
        (
            "regressor identify { m k }",
            "m: missing `,` after this",
            "regressor identify { m, k }",
        ),
        (
            "bundle c { a; b }",
            ";: names are separated by `,` | write `,`",
            "bundle c { a, b }",
        ),
        (
            "regressor r { m[0], k }",
            "[..]: an array is listed as a whole | write `m`",
            "regressor r { m, k }",
        ),
        (
            "bundle c { a: 1, b }",
            ":: expected `,`, found `:`",
            "bundle c { a, b }",
        ),
        (
            "bundle c { 1, b }",
            "1: expected a name, found `1`",
            "bundle c { b }",
        ),
        (
            "symmetry x -> 1;",
            "x: a symmetry has a name | write `symmetry name: x -> 1, theta -> e;`",
            "symmetry ?: x -> 1",
        ),
        (
            "symmetry s: x = 1, y => 2;",
            "=: expected `->`, found `=` | write `->`",
            "symmetry s: x -> 1, y -> 2",
        ),
        (
            "symmetry s: x -> 1 y -> 2;",
            "1: missing `,` after this",
            "symmetry s: x -> 1, y -> 2",
        ),
        (
            "symmetry s: x -> 1",
            "1: missing `;` after this",
            "symmetry s: x -> 1?",
        ),
        (
            "symmetry s: x -> ;",
            ";: expected an expression, found `;`",
            "symmetry s: x -> ?",
        ),
        (
            "symmetry s: x;",
            ";: expected `->`, found `;` | write `symmetry name: x -> 1, theta -> e;`",
            "symmetry s: , ?",
        ),
        (
            "pub bundle c { a }",
            "pub: only a `let` or a `frame` can be `pub` | remove `pub`",
            "bundle c { a }",
        ),
    ] {
        let statements = format!("{statement}\nT = x;");
        let messages = mistakes(&with_head(&statements));
        assert_eq!(messages[0], mistake, "{statement}");
        assert_eq!(kept(&statements), [rest, "T:Kinetic = x"], "{statement}");
    }
    check_statements(
        "bundle c;\nT = x;",
        &[";: expected `{`, found `;` | write `bundle name { mass_matrix, bias }`"],
    );
}

#[test]
fn broken_functions() {
    let cases: &[(&str, &[&str], &str)] = &[
        (
            "let f(a: f64, b = 2) = a * b;",
            &[
                ":..f64: an argument has no type | remove it: an argument is whatever a call gives",
                "=..2: an argument has no default | remove it: every call gives all arguments",
            ],
            "let f(a, b) = (a * b)",
        ),
        (
            "let f(a, 2) = a;",
            &["2: expected the name of an argument, found `2`"],
            "let f(a?) = a",
        ),
        (
            "let f(a b) = a;",
            &["b: expected `,`, found `b` | fields are separated by `,`"],
            "let f(?) = a",
        ),
        (
            "let f(a, fn) = a;",
            &[
                "fn: expected the name of an argument, found the Rust keyword `fn` | write `r#fn` to use the \
               word as a name",
            ],
            "let f(a?) = a",
        ),
        (
            "let f(a): f64 = a;",
            &[":..f64: a `let` has no type: it is found from the value | remove it"],
            "let f(a) = a",
        ),
        (
            "pub let f(a) = a;",
            &["f: a function is no output | make a value of it one: `pub let y = f(..);`"],
            "let f(a) = a",
        ),
        (
            "let mut f(a) = a;",
            &[
                "f: a function cannot be `mut` | write `let f(..) = ..;`, and declare another one for another \
               value",
            ],
            "let f(a) = a",
        ),
        (
            "let f(a) += a;",
            &["+: a new name has no value to change | write `f = ..;`"],
            "let f(a) = a",
        ),
        (
            "let f(a) a;",
            &["(: expected `=`, found `(` | write `f = ..;`"],
            "let f = ?",
        ),
    ];
    for (statement, expected, left) in cases {
        check_statements(statement, expected);
        assert_eq!(kept(statement), [*left], "{statement}");
    }
}

/// The arguments are names within the body only.
#[test]
fn arguments_end_with_the_body() {
    assert_eq!(
        printed("let f(force, ẋ) = force[0] + ẋ; force [ẋ, 0] at x;"),
        ["let f(force, ẋ) = (force[0] + ẋ)", "force [x', 0] at x"]
    );
}

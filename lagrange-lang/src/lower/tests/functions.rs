//! Functions that a declaration defines, `let f(a, b) = e;`.

use super::*;

/// The mistakes of statements that declare functions, and of expressions that call them.
fn check(cases: &[(&str, &[&str])]) {
    for (statements, expected) in cases {
        assert_eq!(mistakes_of(statements), *expected, "{statements}");
    }
}

/// The unused names.
fn unused(statements: &str) -> Vec<String> {
    let source = format!("struct S {{ x, y: coordinate }} {KINETIC} {statements}");
    let (_, lowered, errors) = run(&source);
    assert_eq!(describe(&errors), Vec::<String>::new(), "{source}");
    let unused = lowered.tables.unused.iter();
    unused.map(|unused| unused.name.to_string()).collect()
}

#[test]
fn a_call_is_its_body_with_the_arguments() {
    for (functions, call, expected) in [
        ("let square(s) = s^2;", "square(x + y)", (X + Y).powi(2)),
        ("let f(a, b) = a - 2 * b;", "f(y, x)", Y - 2.0 * X),
        // Arguments hide every name, but only in the body.
        ("let f(x) = a * x;", "f(y) + x", A * Y + X),
        ("let f(pi1) = pi1 * pi;", "f(1)", std::f64::consts::PI),
        // Names have their meaning at the declaration.
        ("let k = 3; let f(s) = k * s; let k = 5;", "f(1) + k", 8.0),
        ("let mut k = 3; let f(s) = k * s; k = 5;", "f(1) + k", 8.0),
        (
            "let f(s) = s + 1; let g(s) = f(2 * s); let f(s) = s;",
            "g(x) + f(1)",
            2.0 * X + 2.0,
        ),
        (
            "let f(s) = s + 1; let f(s) = 2 * f(s);",
            "f(x)",
            2.0 * (X + 1.0),
        ),
        // `f` and `f(..)` are separate, and a function of the declaration hides one of the language.
        ("let f = 7; let f(s) = s;", "f + f(x)", 7.0 + X),
        ("let x(s) = 2 * s;", "x(x)", 2.0 * X),
        (
            "let clamp(s) = min(max(s, 0), 1);",
            "clamp(2) + clamp(-x)",
            1.0,
        ),
        ("let sin(s) = s - s^3 / 6;", "sin(x)", X - X.powi(3) / 6.0),
        // A function without arguments, and a function as a method of its first argument.
        ("let f() = x;", "f()", X),
        ("let f(a, b) = a - b;", "y.f(x)", Y - X),
        // Vectors, matrices and frames.
        ("let f(v) = v^2;", "f([x, y])", X * X + Y * Y),
        ("let f(v) = v^2;", "f(x) + f([x, y])", 2.0 * X * X + Y * Y),
        (
            "let f(m, v) = dot(v, m * v);",
            "f([[a, 0], [0, b]], [x, y])",
            A * X * X + B * Y * Y,
        ),
        (
            "let height(F) = F.origin.y; frame F = world.translate([0, y, 0]);",
            "height(F)",
            Y,
        ),
        (
            "let up(F, r) = F.point(r).y; let g(F) = up(F.translate([0, y, 0]), [0, 1, 0]);",
            "g(world)",
            Y + 1.0,
        ),
        (
            "let speed(F) = norm(velocity(F));",
            "speed(world.translate([x, 0, 0]))",
            VX,
        ),
        // `der` differentiates the argument that is given.
        (
            "let f(s) = der(s)^2;",
            "f(x * y)",
            (VX * Y + X * VY).powi(2),
        ),
        ("let f(v) = v * der(x);", "f(der(y))", VX * VY),
        // Arguments may be indices and choose branches, bounds and shapes.
        ("let r = [x, y]; let f(i) = r[i];", "f(0) - f(1)", X - Y),
        (
            "let r = [x, y]; let f(i) = if i > 0 { r[i - 1] } else { 10 };",
            "f(0) + f(1) + f(2)",
            10.0 + X + Y,
        ),
        ("let f(n) = sum(i in 0..n, i);", "f(4) + f(1)", 6.0),
        (
            "let f(n) = if n == 2 { [x, y] } else { [x, y, a] };",
            "norm(f(2))^2 + f(3).z",
            X * X + Y * Y + A,
        ),
        ("let f(n) = x^n;", "f(3)", X.powi(3)),
        // In loops functions see the variable, and end with the iteration.
        (
            "let mut s = 0; for i in 0..3 { let f(a) = i * a; s += f(x) + f(1); }",
            "s",
            3.0 * X + 3.0,
        ),
        ("let f(a) = a^2;", "sum(i in 0..3, f(i))", 5.0),
    ] {
        let (shape, values) = output(functions, call);
        assert_eq!(shape, Shape::Scalar, "{functions} {call}");
        assert_close(&values, &[expected], &format!("{functions} {call}"));
    }
    let actual = output(
        "let e(a) = [cos(a), sin(a)]; let f(a) = [e(a), e(a + 1)];",
        "f(x)",
    );
    let expected = [X.cos(), X.sin(), (X + 1.0).cos(), (X + 1.0).sin()];
    assert_eq!(actual.0, Shape::Matrix(2, 2));
    assert_close(&actual.1, &expected, "a matrix");
}

#[test]
fn a_mistake_in_a_body_is_told_there_and_at_the_call() {
    let scalar = "mismatched shapes: a scalar plus a vector of length 2";
    let in_call = |headline: &str| {
        format!(
            "f: in this call of `f`: {headline} | the mistake is in the body of `f`, or in the arguments of the call"
        )
    };
    let at_call = in_call(scalar);
    let of_sine = "mismatched shapes: `sin` takes a scalar, found a vector of length 2";
    check(&[
        (
            "let f(s) = s + [1, 2]; V = f(x);",
            &[&format!("+: {scalar}"), &at_call],
        ),
        // As long as no call has a value, only one call is reported.
        (
            "let f(s) = s + [1, 2]; V = f(x) + f(y); Q.x = f(a);",
            &[&format!("+: {scalar}"), &at_call],
        ),
        // If other calls have a value, the call is wrong, and each wrong call is reported.
        (
            "let f(s) = sin(s); V = f([x, y]); Q.x = f([a, b]) + f(u); Q.y = f([b, b]);",
            &[
                &format!("s: {of_sine}"),
                &in_call(of_sine),
                &in_call(of_sine),
                &in_call(of_sine),
            ],
        ),
        // Reported once in a loop.
        (
            "let f(s) = s + [1, 2]; for i in 0..3 { V += f(i * x); }",
            &[&format!("+: {scalar}"), &at_call],
        ),
        // Through functions: in each body, and at each call.
        (
            "let f(s) = s + [1, 2]; let g(s) = 2 * f(s); V = g(x);",
            &[
                &format!("+: {scalar}"),
                &at_call,
                &at_call.replace("f: in", "g: in").replace("`f`", "`g`"),
            ],
        ),
        // Mistakes that do not depend on a call are found at the declaration, even without a call.
        (
            "let f(s) = s * unknwon; V = f(x) + f(y);",
            &[
                "unknwon: unknown name `unknwon` | declare it among the fields, `unknwon: parameter`, or before this by `let unknwon = ..;`",
            ],
        ),
        ("let f(s) = s + 1 / 0; V = x;", &["0: division by zero"]),
        (
            "let f(s) = sqrt(-1) * s; V = f(x);",
            &["-..1: `sqrt` has no finite value here"],
        ),
        (
            "let f(s) = sine(s); V = f(x);",
            &["sine: unknown function `sine` | write `sin(x)`"],
        ),
    ]);
}

#[test]
fn functions_have_their_arguments_and_no_recursion() {
    let recursion = "f: `f` calls itself | each call is replaced by the body of the function, which must end; repeat by `for` or `sum`";
    let late = "f: `f(..)` is used before its declaration | move its `let` up to before this";
    check(&[
        (
            "let f(s) = if s > 0 { s * f(s - 1) } else { 1 }; V = x;",
            &[recursion],
        ),
        ("V = f(x); let f(s) = s^2;", &[late]),
        ("let g(s) = f(s); let f(s) = g(s); V = x;", &[late]),
        (
            "let f(a, b) = a * b; V = f(x);",
            &["): `f` takes 2 arguments, found 1 | it is declared as `f(a, b)`"],
        ),
        (
            "let f(s) = s; V = f(x, y);",
            &["y: `f` takes 1 argument, found 2 | it is declared as `f(s)`"],
        ),
        (
            "let f(s) = s; V = x.f(y);",
            &[
                "y: `f` takes 1 argument, found 2, the one before the dot included | it is declared as `f(s)`",
            ],
        ),
        (
            "let f() = 2; V = x * f(1);",
            &["1: `f` takes no argument, found 1 | it is declared as `f()`"],
        ),
        (
            "let f(s, s) = s; V = f(x, y);",
            &["s: duplicate name: `s` is already an argument | choose another name"],
        ),
        (
            "let f(T) = 1; V = x;",
            &["T: `T` is reserved for the kinetic energy | choose another name"],
        ),
        (
            "let der(s) = s; V = x;",
            &["der: `der` is reserved for the derivative by time | choose another name"],
        ),
        (
            "let sum(s) = s; V = x;",
            &["sum: `sum(..)` is reserved for sums over a range | choose another name"],
        ),
        (
            "let f(s) = sum(s in 0..2, s); V = x;",
            &["s: duplicate name: `s` is already an argument | choose another name"],
        ),
        (
            "let f(s) = s^2; V = f;",
            &["f: `f` is a function | write `f(..)`"],
        ),
        (
            "let square(s) = s^2; V = sqare(square(x));",
            &["sqare: unknown function `sqare` | did you mean `square`?"],
        ),
        (
            "let f(s) = foo(x); V = x;",
            &["foo: unknown function `foo` | declare it before this, `let foo(a) = ..;`"],
        ),
        (
            "let f(s) = world.rotate(z, s); V = x;",
            &[
                "world..): a frame is not a value | a function has a value: give it a frame as an argument, and read that one",
            ],
        ),
        (
            "for i in 0..2 { let f(s) = i * s; V += f(x); } Q.x = f(1);",
            &["f: unknown function `f` | declare it before this, `let f(a) = ..;`"],
        ),
        // A declaration that is incomplete, or in the form of another language, is one mistake.
        (
            "let f(s) 2 * s; V = f(x);",
            &["(: expected `=`, found `(` | write `f = ..;`"],
        ),
        (
            "let f(s) = ; V = f(x);",
            &[";: expected an expression, found `;`"],
        ),
        (
            "let f(s, 2) = s; V = f(x, y);",
            &["2: expected the name of an argument, found `2`"],
        ),
        // A statement reports its argument, or the call.
        (
            "let f(s) = s^2; V = f(der(x));",
            &[
                "der: velocity: `V` depends on positions and time only | a damping is `D = c * der(x)^2 / 2;`, a potential of velocities belongs to the whole Lagrangian, `L = ..;`",
            ],
        ),
        (
            "let f(s) = s * der(x); V = f(2);",
            &[
                "f: `f` contains a velocity: `V` depends on positions and time only | a damping is `D = c * der(x)^2 / 2;`, a potential of velocities belongs to the whole Lagrangian, `L = ..;`",
            ],
        ),
        (
            "let f(s) = s * u; V = f(x);",
            &[
                "f: `f` depends on the input `u`, which may not occur in `V` | give its force by `Q.x = ..;` or `force F at p;`; a motion given in time is a function of time: declare `t: time`",
            ],
        ),
    ]);
}

#[test]
fn functions_and_arguments_that_nothing_reads_are_told_of() {
    assert_eq!(unused("let f(s) = s;"), ["f"]);
    assert_eq!(unused("let f(s, _t) = s; let g(s) = f(s, 1);"), ["_t", "g"]);
    assert_eq!(unused("let f(s, r) = s; V = f(x, y);"), ["r"]);
    // Names in a body are read, also in a branch that is not taken and in one that depends on arguments.
    assert_eq!(
        unused("let k = 2; let f(i) = if i > 0 { k } else { 0 }; V = f(0) * x;"),
        [""; 0]
    );
    assert_eq!(
        unused("let h(s) = s; let f(i) = if i > 0 { h(i) } else { 0 }; V = f(0) * x;"),
        [""; 0]
    );
    // Reported once in a loop.
    assert_eq!(
        unused("for i in 0..3 { let f(s) = i; V += i * x; }"),
        ["s", "f"]
    );
}

/// Each of sixty functions calls the previous one twice. The result of each call is stored.
#[test]
fn calls_of_one_argument_are_evaluated_once() {
    let mut statements = "let f0(s) = s + x; let bad0(s) = s + [1, 2];".to_owned();
    for i in 1..60 {
        let before = i - 1;
        statements += &format!("let f{i}(s) = f{before}(s) + f{before}(s) / 3;");
        statements += &format!("let bad{i}(s) = bad{before}(s) + bad{before}(s);");
    }
    let (_, values) = output(&statements, "f59(y)");
    assert_close(&values, &[(X + Y) * (4.0_f64 / 3.0).powi(59)], "f59");
    let mistakes = mistakes_of(&format!("{statements} V = bad59(x);"));
    assert_eq!(mistakes.len(), 61);
}

/// A chain of calls may be as deep as a nested expression. A longer one is refused once.
#[test]
fn chains_of_calls_have_an_end() {
    let chain = |length: usize| {
        let mut statements = "let f0(s) = s;".to_owned();
        for i in 1..length {
            statements += &format!("let f{i}(s) = f{}(s);", i - 1);
        }
        format!("{statements} V = f{}(x);", length - 1)
    };
    assert_eq!(mistakes_of(&chain(150)), Vec::<String>::new());
    let mistakes = mistakes_of(&chain(1000));
    assert!(
        mistakes[0].contains("functions in functions, more than 384"),
        "{mistakes:?}"
    );
}

#[test]
fn outputs_take_what_calls_name() {
    use lagrange_engine::Dependence;
    for (statements, out, expected) in [
        ("let f(s) = s^2;", "f(x)", Dependence::COORDINATE),
        (
            "let f(s) = s * der(y);",
            "f(1)",
            Dependence::COORDINATE.union(Dependence::VELOCITY),
        ),
        (
            "let f(s) = der(s);",
            "f(x)",
            Dependence::COORDINATE.union(Dependence::VELOCITY),
        ),
        (
            "let f(s) = der(s); let g(r) = f(r);",
            "g(x)",
            Dependence::COORDINATE.union(Dependence::VELOCITY),
        ),
        (
            "let f(s) = s; let g(r) = der(f(r));",
            "g(x)",
            Dependence::COORDINATE.union(Dependence::VELOCITY),
        ),
        (
            "let f(s, r) = der(s) + r;",
            "f(a, x)",
            Dependence::COORDINATE.union(Dependence::PARAMETER),
        ),
        ("let f(s) = u;", "f(1)", Dependence::INPUT),
        (
            "let f(s) = t;",
            "x.f()",
            Dependence::COORDINATE.union(Dependence::TIME),
        ),
        // The parameters hide other declarations of the same name.
        ("let f(u) = u;", "f(x)", Dependence::COORDINATE),
        ("let u(s) = s;", "u(x)", Dependence::COORDINATE),
    ] {
        let source = format!("{HEAD} {statements} pub let out = {out}; {KINETIC}");
        let (_, lowered, errors) = run(&source);
        assert_eq!(describe(&errors), Vec::<String>::new(), "{source}");
        let kind = &lowered.tables.outputs[0].item.kind;
        let crate::model::OutputKind::Value { reads, .. } = kind else {
            panic!("{source}");
        };
        assert_eq!(*reads, expected, "{source}");
    }
}

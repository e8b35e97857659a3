//! Values of expressions.

use super::*;

#[test]
fn arithmetic_has_the_usual_values() {
    for (expression, value) in [
        ("1/2", 0.5),
        ("2 - 3 - 4", -5.0),
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("x^-1", 1.0 / X),
        ("a * x - b / y + 1", A * X - B / Y + 1.0),
        ("a / b / x", A / B / X),
        ("-x * -y", X * Y),
        ("2.5e-3 * 1_000f64 + 0x10", 18.5),
        ("pi / 2", std::f64::consts::FRAC_PI_2),
        ("x^(1/2)", X.sqrt()),
        ("a^x", A.powf(X)),
        ("x^1000000", 0.0),
        ("r#x + x", 2.0 * X),
        ("if x < y { a } else if x > y { b } else { u }", B),
        ("if x <= 0.3 { 1 } else { 2 }", 1.0),
        ("if x >= 1 { 1 } else { 2 }", 2.0),
        ("if a == 2 { 1 } else { 2 }", 1.0),
        ("if a != 2 { 1 } else { 2 }", 2.0),
        ("if x < y { ln(x - x + y) } else { x }", X),
    ] {
        assert_close(&[scalar(expression)], &[value], expression);
    }
}

#[test]
fn functions_have_their_values_in_both_forms() {
    for (expression, value) in [
        ("sin(x)", X.sin()),
        ("x.cos()", X.cos()),
        ("tan(x)", X.tan()),
        ("x.asin()", X.asin()),
        ("acos(x)", X.acos()),
        ("atan(y)", Y.atan()),
        ("y.atan2(x)", Y.atan2(X)),
        ("sinh(x)", X.sinh()),
        ("cosh(x)", X.cosh()),
        ("tanh(x)", X.tanh()),
        ("exp(x)", X.exp()),
        ("ln(x)", X.ln()),
        ("a.sqrt()", A.sqrt()),
        ("abs(y)", -Y),
        ("sign(y)", -1.0),
        ("y.signum()", -1.0),
        ("min(x, y)", Y),
        ("x.max(y)", X),
        ("x.hypot(y)", X.hypot(Y)),
        ("pow(x, a)", X.powf(A)),
        ("x.powf(b)", X.powf(B)),
        ("x.powi(-3)", X.powi(-3)),
        ("x.recip()", 1.0 / X),
        ("dot([x, y], [a, b])", X * A + Y * B),
        ("[x, y].dot([a, b])", X * A + Y * B),
        ("cross([x, y], [a, b])", X * B - Y * A),
        ("norm([x, y])", X.hypot(Y)),
        ("[x, y]^2", X * X + Y * Y),
        ("trace([[x, 1], [2, y]])", X + Y),
        ("transpose([x, y]) * [a, b]", X * A + Y * B),
        (
            "transpose([x, y]) * [[a, 0], [0, b]] * [x, y] / 2",
            (A * X * X + B * Y * Y) / 2.0,
        ),
        ("[x, y, a].z + [x, y].x", A + X),
        ("[x, y, a, b][1 + 2]", B),
        ("[[x, y], [a, b]][1, 0]", A),
        ("[[x, y], [a, b]][1].y", B),
        ("identity(3)[2, 2]", 1.0),
    ] {
        assert_close(&[scalar(expression)], &[value], expression);
    }
}

#[test]
fn vectors_and_matrices_are_row_by_row() {
    for (expression, shape, values) in [
        ("[x, y] + [a, b]", Shape::Vector(2), vec![X + A, Y + B]),
        ("-[x, y] / a", Shape::Vector(2), vec![-X / A, -Y / A]),
        (
            "a * [x, y] * b",
            Shape::Vector(2),
            vec![A * B * X, A * B * Y],
        ),
        (
            "cross([x, y, a], [b, u, 1])",
            Shape::Vector(3),
            vec![Y - A * U, A * B - X, X * U - Y * B],
        ),
        (
            "[[x, y], [a, b], [u, 1]]",
            Shape::Matrix(3, 2),
            vec![X, Y, A, B, U, 1.0],
        ),
        (
            "[[x, y], [a, b]] * [a, b]",
            Shape::Vector(2),
            vec![X * A + Y * B, A * A + B * B],
        ),
        (
            "[[x, y], [a, b]] * [[1, 2, 0], [0, 1, 1]]",
            Shape::Matrix(2, 3),
            vec![X, 2.0 * X + Y, Y, A, 2.0 * A + B, B],
        ),
        (
            "transpose([[x, y, u], [a, b, 1]])",
            Shape::Matrix(3, 2),
            vec![X, A, Y, B, U, 1.0],
        ),
        ("transpose([x, y])", Shape::Matrix(1, 2), vec![X, Y]),
        ("diag(x, y)", Shape::Matrix(2, 2), vec![X, 0.0, 0.0, Y]),
        ("diag([x, y])", Shape::Matrix(2, 2), vec![X, 0.0, 0.0, Y]),
        ("diag(x)", Shape::Matrix(1, 1), vec![X]),
        (
            "outer([x, y], [a, b])",
            Shape::Matrix(2, 2),
            vec![X * A, X * B, Y * A, Y * B],
        ),
        (
            "[x, y] * transpose([a, b])",
            Shape::Matrix(2, 2),
            vec![X * A, X * B, Y * A, Y * B],
        ),
        (
            "if x < y { [1, 2] } else { [x, y] }",
            Shape::Vector(2),
            vec![X, Y],
        ),
        ("[[x, y], [a, b]][0]", Shape::Vector(2), vec![X, Y]),
    ] {
        let actual = output("", expression);
        assert_eq!(actual.0, shape, "{expression}");
        assert_close(&actual.1, &values, expression);
    }
}

#[test]
fn der_is_the_total_time_derivative() {
    for (expression, value) in [
        ("der(x)", VX),
        ("x.der()", VX),
        ("x\u{307}", VX),
        ("der(x * y)", VX * Y + X * VY),
        ("der(sin(x))", X.cos() * VX),
        ("der(a)", 0.0),
        ("der(t)", 1.0),
        ("der(t * x)", X + 0.6 * VX),
        ("der([x, t])^2", VX * VX + 1.0),
        ("if x < y { 0 } else { der(x) }", VX),
    ] {
        assert_close(&[scalar(expression)], &[value], expression);
    }
    assert_eq!(
        output("let p = [x, x * y];", "der(p)"),
        (Shape::Vector(2), vec![VX, VX * Y + X * VY])
    );
}

#[test]
fn a_dot_is_part_of_a_name_that_was_declared_with_it() {
    let (_, values) = output("let x\u{307} = a;", "x\u{307}");
    assert_eq!(values, [A]);
    let lowered = system("struct S { θ: coordinate } T = θ\u{307}^2 / 2;");
    let actual = lowered
        .graph
        .text(lowered.forces[0], &lagrange_engine::plain_names);
    assert_eq!(actual, "0");
    let composed = system("struct S { x: coordinate } T = \u{1e8b}^2 / 2; pub let v = \u{1e8b};");
    assert_eq!(
        composed.graph.evaluate(&composed.outputs[0].entries, &at),
        [VX]
    );
}

#[test]
fn constants_are_checked() {
    for (expression, message) in [
        ("1e999", "1e999: literal out of range"),
        ("1 / 0", "0: division by zero"),
        ("x / (1 - 1)", "(..): division by zero"),
        ("x / a / 0.0", "0.0: division by zero"),
        ("0^-1", "0: division by zero"),
        ("0.recip()", "0: division by zero"),
        ("pow(0, -1/2)", "0: division by zero"),
        (
            "1e300 * 1e300",
            "1e300..1e300: overflow: this constant is beyond every number",
        ),
        (
            "1e308 + 1e308",
            "1e308..1e308: overflow: this constant is beyond every number",
        ),
        (
            "10^400",
            "^: overflow: this constant is beyond every number",
        ),
        (
            "10.powi(400)",
            "powi: overflow: this constant is beyond every number",
        ),
        (
            "x^3000000000",
            "3000000000: the exponent is out of range | integer exponents lie between \
             -2147483645 and 2147483645",
        ),
        (
            "x^(2^31)",
            "(..): the exponent is out of range | integer exponents lie between \
             -2147483645 and 2147483645",
        ),
        (
            "x^(-2^31)",
            "(..): the exponent is out of range | integer exponents lie between \
             -2147483645 and 2147483645",
        ),
        (
            "(x^65536)^65536",
            "65536: the exponent is out of range | integer exponents lie between \
             -2147483645 and 2147483645",
        ),
        (
            "x.powi(1/2)",
            "1..2: the exponent of `powi` is a constant integer | use `powf`",
        ),
        (
            "x.powi(a)",
            "a: the exponent of `powi` is a constant integer | use `powf`",
        ),
        ("ln(0)", "0: `ln` has no finite value here"),
        ("sqrt(-1)", "-..1: `sqrt` has no finite value here"),
        ("ln(-pi)", "-..pi: `ln` has no finite value here"),
        ("acos(pi)", "pi: `acos` has no finite value here"),
        ("tan(pi / 2)", "pi..2: `tan` has no finite value here"),
        (
            "1 / tan(-7 * pi / 2)",
            "-..2: `tan` has no finite value here",
        ),
        (
            "(pi + pi / 2).tan()",
            "(..): `tan` has no finite value here",
        ),
        ("(-pi)^(1/3)", "^: this power has no real value"),
        (
            "identity(0)",
            "0: the size of `identity` is a constant integer above 0",
        ),
        (
            "identity(a)",
            "a: the size of `identity` is a constant integer above 0",
        ),
    ] {
        assert_eq!(mistakes_in(expression), [message], "{expression}");
    }
}

#[test]
fn a_constant_at_the_edge_of_a_domain_is_not_refused_for_its_rounding() {
    // 4 sin^2 = 3, and 2 sin / sqrt(3) = 1.
    for expression in [
        "sqrt(4 * sin(pi / 3)^2 - 3)",
        "asin(2 * sin(pi / 3) / sqrt(3))",
        "tan(pi / 3)",
    ] {
        assert_eq!(mistakes_in(expression), [] as [&str; 0], "{expression}");
    }
}

#[test]
fn a_declaration_that_grows_without_bound_is_stopped() {
    let messages = mistakes_in("identity(2000)");
    assert_eq!(
        messages,
        ["identity: `out` makes the system too large: more than 2000000 operations"]
    );
    // Nothing after the mistake is evaluated or reported.
    let messages = mistakes_of("let m = identity(500); let n = m * m; V = x * (n * m)[0, 0];");
    assert_eq!(
        messages,
        ["*: `n` makes the system too large: more than 2000000 operations"]
    );
}

#[test]
fn long_chains_cost_what_they_are_long() {
    let terms: Vec<String> = (1..5000).map(|i| format!("{i} * cos({i} * x)")).collect();
    let expected: f64 = (1..5000)
        .map(|i| f64::from(i) * (f64::from(i) * X).cos())
        .sum();
    let actual = scalar(&terms.join(" + "));
    assert!((actual - expected).abs() < 1e-6);
}

#[test]
fn nesting_up_to_the_limit_of_the_parser_is_no_strain() {
    let nested =
        |open: &str, depth, close: &str| format!("{}x{}", open.repeat(depth), close.repeat(depth));
    assert!(scalar(&nested("sin(", 120, ")")).is_finite());
    assert_eq!(scalar(&nested("if x < y { 0 } else { ", 120, " }")), X);
    assert_eq!(scalar(&nested("[", 60, "][0]")), X);
}

#[test]
fn a_condition_between_numbers_leaves_the_other_branch_alone() {
    for (expression, expected) in [
        ("if 1 > 0 { x } else { 1 / 0 }", X),
        ("if 1 < 0 { ln(0) } else { x }", X),
        ("if 1 < 0 { [1, 2][7] } else { x }", X),
        ("if 1 < 0 { [1, 2] } else { x }", X),
        (
            "if 1 < 0 { [x] } else if 2 == 2 { x } else { identity(5000) }",
            X,
        ),
        (
            "if x < y { x } else if 1 == 1 { 2 * x } else { 1 / 0 }",
            2.0 * X,
        ),
        ("sum(i in 0..3, if i > 0 { x / i } else { 0 })", 1.5 * X),
        (
            "sum(i in 0..3, if i > 0 { [x, y, x][i - 1] } else { 0 })",
            X + Y,
        ),
        (
            "sum(i in 0..3, if i == 0 { 0 } else if i == 1 { ln(i) } else { sqrt(i - 1) * x })",
            X,
        ),
    ] {
        let actual = scalar(expression);
        assert!((actual - expected).abs() < 1e-12, "{expression}: {actual}");
    }
    // The chosen branch is judged. A name in the other branch counts as used.
    assert_eq!(
        mistakes_in("if 1 > 0 { 1 / 0 } else { x }"),
        ["0: division by zero"]
    );
    let (_, values) = output(
        "let w = 2 * x;",
        "if 1 > 0 { 3 } else { sum(i in 0..2, w * i) }",
    );
    assert_close(&values, &[3.0], "w");
}

#[test]
fn an_index_costs_what_it_reads() {
    let source = "struct S { x: coordinate, A: parameter[128, 128] } \
         T = der(x)^2 / 2; \
         V = x * sum(i in 0..128, A[i, i] + sum(j in 0..128, A[i, j]) + A[i][2]);";
    let lowered = system(source);
    assert!(lowered.graph.len() > 128 * 128);
}

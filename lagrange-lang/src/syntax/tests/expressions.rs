//! Trees of expressions.

use super::{check_statements, kept, parse_source, printed, with_head};
use crate::syntax::ast::StatementKind;

#[track_caller]
fn reads(source: &str, expected: &str) {
    let statements = printed(&format!("let n = {source};"));
    assert_eq!(statements, [format!("let n = {expected}")]);
}

/// The mistakes of one expression, which do not touch the statement behind it.
#[track_caller]
fn refuses(source: &str, expected: &[&str]) {
    let statements = format!("let n = {source};\nT = x;");
    check_statements(&statements, expected);
    let kept_statements = kept(&statements);
    assert_eq!(kept_statements.len(), 2, "{kept_statements:?}");
    assert!(
        kept_statements[0].starts_with("let n = "),
        "{kept_statements:?}"
    );
    assert_eq!(kept_statements[1], "T:Kinetic = x");
}

#[test]
fn precedence() {
    reads("a + b * x - y / m", "(a + (b * x) - (y / m))");
    reads("a / b / x * y", "(a / b / x * y)");
    reads("-a^2", "(-(a ^ 2))");
    reads("-a * b", "((-a) * b)");
    reads("a * -b", "(a * (-b))");
    reads("a - -b", "(a - (-b))");
    reads("- -a", "(-(-a))");
    reads("a^b^x", "(a ^ (b ^ x))");
    reads("x^-1", "(x ^ (-1))");
    reads("2^-x^2", "(2 ^ (-(x ^ 2)))");
    reads("-x^-y * a", "((-(x ^ (-y))) * a)");
    reads("(a + b) * x", "((a + b) * x)");
    reads("((a))", "a");
    reads("x.y^2", "(x.y ^ 2)");
    reads("a-1", "(a - 1)");
}

#[test]
fn operands() {
    reads("[a, [b, 1,],]", "[a, [b, 1]]");
    reads("x.x", "x.x");
    reads("x[0]", "x[0]");
    reads("m[1, a + 1][2].y", "m[1, (a + 1)][2].y");
    reads("sin(x) + atan2(y, x,)", "(sin(x) + atan2(y, x))");
    reads("x.sin().powi(2)", "x.sin().powi(2)");
    reads(
        "world.rotate(z, x).point([0, 1])",
        "world.rotate(z, x).point([0, 1])",
    );
    reads("(a + b).sin()", "(a + b).sin()");
    reads("2.0.sqrt()", "2.0.sqrt()");
    reads("f()", "f()");
    reads("r#type + θ", "(r#type + θ)");
    reads("force + at + on + body", "(force + at + on + body)");
}

#[test]
fn numbers() {
    reads("1_000.0f64", "1000.0");
    reads("2u8 * 1. + 0x10", "((2 * 1.0) + 16)");
    reads("2.5e-3", "2.5e-3");
}

#[test]
fn velocities() {
    reads("θ\u{307} * x\u{307}", "(θ' * x')");
    reads("\u{1e8b} + \u{1e8d}", "(x' + x'')");
    reads("θ\u{307}^2", "(θ' ^ 2)");
    // A name that was declared with dots is that name.
    let declared = printed("let ẏ = 1; T = ẏ + ẋ;");
    assert_eq!(declared[1], "T:Kinetic = (ẏ + x')");
}

#[test]
fn conditions() {
    reads("if a < b { 1 } else { 2 }", "if a < b { 1 } else { 2 }");
    reads(
        "if a + 1 <= -b { x } else if a != b { y } else { 0 } * 2",
        "(if (a + 1) <= (-b) { x } else if a != b { y } else { 0 } * 2)",
    );
    reads("if (a >= b) { 1 } else { 2 }", "if a >= b { 1 } else { 2 }");
    reads("if (a) > (b) { 1 } else { 2 }", "if a > b { 1 } else { 2 }");
    reads("if a<-b { 1 } else { 2 }", "if a < (-b) { 1 } else { 2 }");
    reads("if x == 1 { 1 } else { 2 }", "if x == 1 { 1 } else { 2 }");
}

#[test]
fn parts() {
    reads("x[0..2]", "x[0..2]");
    reads("x[i..i + 2, 1]", "x[i..(i + 2), 1]");
    reads("x[-a..b].xy[0]", "x[(-a)..b].xy[0]");
    reads("x[0, (1)..2,]", "x[0, 1..2]");
    refuses("x[]", &["]: expected an index, found `]`"]);
    refuses(
        "x[0..2..3]",
        &["....: a range is allowed only in `for`, `sum` and an index"],
    );
    refuses(
        "x[0..2 3]",
        &[
            "3: expected an operator or `,`, found `3` | a product is written with `*`, and the items of a list are separated by `,`",
        ],
    );
}

#[test]
fn sums() {
    reads("sum(i in 0..3, x[i])", "sum(i in 0..3, x[i])");
    reads(
        "sum(i in a..2*b+1, i^2,)",
        "sum(i in a..((2 * b) + 1), (i ^ 2))",
    );
    refuses("sum(x)", &["x: a sum is written `sum(i in a..b, e)`"]);
    refuses("sum()", &["): a sum is written `sum(i in a..b, e)`"]);
    refuses("sum(i in 3, x)", &[",: expected `..`, found `,`"]);
    refuses(
        "sum(i in 0..=3, x)",
        &["...=: a range is written `a..b`, with `b` excluded"],
    );
    refuses(
        "sum(i in 0..3)",
        &["): expected `,` and the expression to add up, found `)`"],
    );
    refuses(
        "x + 0..2",
        &["....: a range is allowed only in `for`, `sum` and an index"],
    );
}

#[test]
fn foreign_operators() {
    refuses("x**2", &["*..*: a power is written with `^` | write `^`"]);
    refuses(
        "x % 2",
        &[
            "%: `%` is not an operator of the language | a remainder is not part of the language, a comment begins with `//`",
        ],
    );
    refuses(
        "x < y",
        &["<: a comparison is allowed only in the condition of an `if`"],
    );
    refuses(
        "(x == y)",
        &["=..=: a comparison is allowed only in the condition of an `if`"],
    );
    refuses(
        "&x",
        &["&: `&` is not an operator of the language | values are not borrowed"],
    );
    refuses(
        "|x",
        &[
            "|: `|` is not an operator of the language | the size of a number is `abs(x)`, the length of a vector `norm(v)`",
        ],
    );
    refuses(
        "!x",
        &[
            "!: `!` is not an operator of the language | the operators are `+`, `-`, `*`, `/` and `^`",
        ],
    );
    refuses("+x", &["+: expected an expression, found `+`"]);
    refuses(
        "f64::consts::PI",
        &["f64..PI: paths are not part of the language | the constant is `pi`"],
    );
    refuses(
        "vec![x]",
        &[
            "vec: macros are not part of the language | a vector is written `[a, b]`, a matrix `[[a, b], [c, d]]`",
        ],
    );
    refuses(
        "x as f64",
        &["as: casts are not part of the language: every number is real | remove the cast"],
    );
    refuses(
        "x?",
        &[
            "?: `?` is not an operator of the language | a choice is written `if a < b { e } else { f }`",
        ],
    );
    refuses("'a", &["': expected an expression, found `'`"]);
}

#[test]
fn broken_operands() {
    refuses("", &[";: expected an expression, found `;`"]);
    refuses("x +", &[";: expected an expression, found `;`"]);
    refuses("()", &["): expected an expression, found `)`"]);
    refuses("[]", &["[..]: a vector has at least one element"]);
    refuses("x[]", &["]: expected an index, found `]`"]);
    refuses("[0; 3]", &[";: expected an operator or `,`, found `;`"]);
    refuses(
        "{ x }",
        &["{: expected an expression, found `{` | group with parentheses"],
    );
    refuses(
        "x y",
        &["y: expected an operator or `;`, found `y` | a product is written with `*`"],
    );
    refuses(
        "2 (x)",
        &["(: expected an operator, found `(` | a product is written with `*`"],
    );
    refuses("\"x\"", &["\"x\": expected a number, found a string"]);
    refuses(
        "x.0",
        &["0: a component is not a number after a dot \
           | write `.x`, `.y`, `.z` or an index such as `[0]`"],
    );
    refuses(
        "x.0.1",
        &["0.1: a component is not a number after a dot \
           | write `.x`, `.y`, `.z` or an index such as `[0]`"],
    );
    refuses("x.", &[";: expected a component or a method, found `;`"]);
    refuses(
        "type",
        &[
            "type: expected an expression, found the Rust keyword `type` \
           | write `r#type` to use the word as a name",
        ],
    );
    refuses("_", &["_: expected an expression, found `_`"]);
    refuses(
        "#[doc = \"a\"] x",
        &["#: expected an expression, found an attribute or doc comment"],
    );
}

#[test]
fn broken_conditions() {
    refuses(
        "if a < b { 1 }",
        &["if: an `if` is an expression and needs an `else` | add `else { 0 }` or another value"],
    );
    refuses(
        "if a < b { 1 } else if a > b { 2 }",
        &["if: an `if` is an expression and needs an `else` | add `else { 0 }` or another value"],
    );
    refuses(
        "if a + b { 1 } else { 2 }",
        &["a..b: the condition of an `if` is a comparison | write for example `x > 0`"],
    );
    refuses(
        "if a = b { 1 } else { 2 }",
        &["=: expected a comparison, found `=` | write `==`"],
    );
    refuses(
        "if a < b < x { 1 } else { 2 }",
        &["<: comparisons cannot be chained | put one `if` into a branch of another"],
    );
    refuses(
        "if a < b && x < y { 1 } else { 2 }",
        &["&..&: `&&` cannot join conditions | put one `if` into a branch of another"],
    );
    refuses(
        "if (a < b) || (x < y) { 1 } else { 2 }",
        &["|..|: `||` cannot join conditions | put one `if` into a branch of another"],
    );
    refuses(
        "if a < b { 1; } else { 2 }",
        &[";: expected an operator, found `;`"],
    );
    refuses(
        "if a < b {} else { 2 }",
        &["}: expected an expression, found `}`"],
    );
    refuses(
        "if a < b 1 else { 2 }",
        &["1: expected `{` and an expression, found `1`"],
    );
}

#[test]
fn mistakes_in_one_expression_are_all_found() {
    refuses(
        "sin(2x) + [3y, 4] ** 2 * max(a b, \"c\")",
        &[
            "2x: unknown suffix `x` on the number `2` \
             | a product is written `2 * x`",
            "3y: unknown suffix `y` on the number `3` \
             | a product is written `3 * y`",
            "*..*: a power is written with `^` | write `^`",
            "b: expected an operator or `,`, found `b` | a product is written with `*`, and the items of a list are separated by `,`",
            "\"c\": expected a number, found a string",
        ],
    );
}

/// An expression of random form, by a generator of Knuth's.
fn random(state: &mut u64, depth: u32) -> String {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    let choice = (*state >> 33) % if depth == 0 { 3 } else { 11 };
    let mut inner = || random(state, depth.saturating_sub(1));
    match choice {
        0 => "x".to_owned(),
        1 => "2.5".to_owned(),
        2 => "m".to_owned(),
        3 => format!("({} + {} - {})", inner(), inner(), inner()),
        4 => format!("{} * {} / {}", inner(), inner(), inner()),
        5 => format!("({})^{}", inner(), inner()),
        6 => format!("-{}", inner()),
        7 => format!("(({})).x", inner()),
        8 => format!("sin({})[{}, 1]", inner(), inner()),
        9 => format!("[{}, {}]", inner(), inner()),
        _ => format!("({}).max({})", inner(), inner()),
    }
}

/// Advice repeats an expression exactly.
#[test]
fn what_is_written_out_is_read_as_the_same() {
    let (mut state, mut count) = (1, 0);
    for _ in 0..2000 {
        let source = random(&mut state, 3);
        let (system, _) = parse_source(&with_head(&format!("let n = {source};")));
        let statements = system.unwrap().statements;
        let StatementKind::Let { value, .. } = &statements[0].kind else {
            panic!("{source}");
        };
        let Some(written) = value.written() else {
            continue;
        };
        count += 1;
        let same = printed(&format!("let n = {written};"));
        assert_eq!(
            same,
            printed(&format!("let n = {source};")),
            "{source}: {written}"
        );
    }
    assert!(count > 500, "{count}");
}

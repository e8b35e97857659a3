//! Tests of deeply nested tokens, as other macros can write them, on a small stack.

use std::thread;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::expand::expand;
use crate::host::Purpose;
use crate::syntax::ast::MAX_NESTING;

/// Less stack than any compiler gives to a macro; the tests run without optimisation.
const STACK: usize = 1536 << 10;
const LEVELS: usize = 10_000;

/// The number of errors in the expansion of the tokens that `tokens` creates.
fn errors(tokens: impl FnOnce() -> TokenStream + Send + 'static) -> usize {
    let run = move || {
        let expansion = expand(tokens(), Purpose::Code);
        expansion
            .into_iter()
            .filter(|token| matches!(token, TokenTree::Ident(word) if word == "compile_error"))
            .count()
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(run);
    thread.unwrap().join().unwrap()
}

/// A group in a group in a group .., each with more tokens next to the inner one.
fn nested(delimiter: Delimiter, inner: &str, beside: &str) -> TokenStream {
    let beside: TokenStream = beside.parse().unwrap();
    let mut stream: TokenStream = inner.parse().unwrap();
    for _ in 0..LEVELS {
        let group = TokenTree::Group(Group::new(delimiter, stream));
        stream = beside.clone().into_iter().chain([group]).collect();
    }
    stream
}

/// The declaration with the stream inserted at each `HERE`.
fn placed(declaration: &str, stream: &TokenStream) -> TokenStream {
    fn put(tokens: TokenStream, stream: &TokenStream) -> TokenStream {
        tokens
            .into_iter()
            .map(|token| match token {
                TokenTree::Ident(word) if word == "HERE" => stream.clone(),
                TokenTree::Group(group) => {
                    let inner = put(group.stream(), stream);
                    TokenTree::Group(Group::new(group.delimiter(), inner)).into()
                }
                other => other.into(),
            })
            .collect()
    }
    put(declaration.parse().unwrap(), stream)
}

const PLACES: [&str; 24] = [
    "HERE struct A { x: coordinate } T = der(x)^2;",
    "#[a HERE] struct A { x: coordinate } T = der(x)^2;",
    "#[lagrangian HERE] struct A { x: coordinate } T = der(x)^2;",
    "#[derive(HERE)] struct A { x: coordinate } T = der(x)^2;",
    "#[allow HERE] struct A { x: coordinate, m: parameter } T = der(x)^2;",
    "pub HERE struct A { x: coordinate } T = der(x)^2;",
    "struct HERE { x: coordinate } T = der(x)^2;",
    "struct A HERE T = der(x)^2;",
    "struct A { #[a HERE] x: coordinate, #[allow HERE] m: parameter } T = der(x)^2;",
    "struct A { HERE x: coordinate } T = der(x)^2;",
    "struct A { x: HERE } T = der(x)^2;",
    "struct A { x: coordinate HERE } T = der(x)^2;",
    "struct A { x: coordinate[HERE], m: parameter = HERE } T = der(x)^2;",
    "struct A { x: coordinate } HERE T = der(x)^2;",
    "struct A { x: coordinate } let HERE = 1; T = der(x)^2;",
    "struct A { x: coordinate } #[a HERE] pub HERE let n = HERE; T = der(x)^2;",
    "struct A { x: coordinate } T = der(x)^2 + HERE;",
    "struct A { x: coordinate } T = der(x)^2; V = x.HERE + sin HERE;",
    "struct A { x: coordinate } T = der(x)^2; V = if HERE < 1 { HERE } else HERE;",
    "struct A { x: coordinate } T = der(x)^2; V = if x < 1 HERE else { 1 };",
    "struct A { x: coordinate } T = der(x)^2; for i in HERE { HERE }",
    "struct A { x: coordinate } T = der(x)^2; for i in 0..2 HERE",
    "struct A { x: coordinate } T = der(x)^2; body HERE; spring { from: HERE }",
    "struct A { x: coordinate } T = der(x)^2; Q HERE = 1; frame F = HERE; force HERE at HERE;",
];

#[test]
fn groups_in_groups() {
    let delimiters = [
        (Delimiter::Parenthesis, ""),
        (Delimiter::Bracket, ""),
        (Delimiter::Brace, ""),
        (Delimiter::None, ""),
        (Delimiter::None, "1 +"),
        (Delimiter::Brace, "for i in 0..1"),
        (Delimiter::Brace, "if x < 1 { 2 } else"),
        (Delimiter::Parenthesis, "a"),
        (Delimiter::Parenthesis, "in"),
    ];
    for place in PLACES {
        for (delimiter, beside) in delimiters {
            // The test is that the call returns.
            errors(move || placed(place, &nested(delimiter, "x + 1", beside)));
        }
    }
}

#[test]
fn attributes_and_visibilities_are_refused_where_they_are_too_deep() {
    for place in [
        "#[a HERE] struct A { x: coordinate } T = der(x)^2;",
        "pub HERE struct A { x: coordinate } T = der(x)^2;",
        "struct A { x: coordinate, #[a HERE] m: parameter } T = m * der(x)^2;",
        "struct A { x: coordinate } #[a HERE] pub let n = x; T = der(x)^2;",
        "struct A { x: coordinate } pub HERE let n = x; T = der(x)^2;",
        "struct A { x, y: coordinate } T = der(x)^2 + der(y)^2; #[a HERE] holonomic c: x = y;",
    ] {
        let count = errors(move || placed(place, &nested(Delimiter::Parenthesis, "x", "")));
        assert_eq!(count, 1, "{place}");
    }
}

#[test]
fn chains_have_no_depth() {
    let long = |part: &str| part.repeat(20_000);
    for value in [
        format!("{} x", long("x +")),
        format!("{} x", long("x *")),
        format!("{} {{ 2 }}", long("if x < 1 { 2 } else ")),
        format!("{} x", long("-")),
        format!("{} x", long("x^")),
        format!("x {}", long(".y")),
        format!("x {}", long(".sin()")),
        format!("x {}", long("[0]")),
        format!("x {}", long("(0)")),
        long("x ="),
        long("let n ="),
        long("pub"),
        long("#[a]"),
        long("else"),
        long("{} {"),
    ] {
        let text = format!("struct A {{ x: coordinate }} T = der(x)^2; let n = {value};");
        let Ok(tokens) = text.parse::<TokenStream>() else {
            continue;
        };
        let text = tokens.to_string();
        errors(move || text.parse().unwrap());
    }
}

/// Input that the parser accepts is evaluated on the small stack too, and so is the stub.
#[test]
fn the_deepest_that_is_read_is_evaluated() {
    let around = |open: &str, inner: &str, close: &str, levels: usize| {
        format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))
    };
    let most = MAX_NESTING - 2;
    let frames = around("", "world", ".rotate(z, x).translate([1, 0, 0])", most / 2);
    let loops = around("for i in 0..1 { ", "V += x;", " }", most);
    let other_statements = format!("frame F = {frames}; {loops} D = nothing;");
    let values = [
        around("(", "x", ")", most),
        around("(1 + 2 * -", "x", "^2)", most / 2 - 1),
        around("sin(", "x", ")", most),
        around("-", "x", "", most),
        around("x^-", "1", "", most / 2),
        around("", "x", ".sin()", most),
        around("[x, ", "x", "].y", most / 2),
        around("min(x, ", "x", ")", most),
        around("sum(i in 0..1, ", "x", ")", most),
        around("if x < 1 { 0 } else { ", "x", " }", most),
        around("if ", "x", " < 1 { x } else { 0 }", most),
    ];
    let outputs: String = values
        .iter()
        .enumerate()
        .map(|(i, value)| format!("pub let o{i} = {value}; pub let p{i} = nothing + {value};"))
        .collect();
    let text = format!("struct A {{ x: coordinate }} T = der(x)^2; {outputs} {other_statements}");
    assert!(errors(move || text.parse().unwrap()) >= 1);
    let text = format!(
        "struct A {{ x: coordinate }} T = der(x)^2; V = {};",
        values[2]
    );
    assert_eq!(errors(move || text.parse().unwrap()), 0);
}

/// The maximum number of functions that call one another, and more, with bodies of several forms.
#[test]
fn calls_in_calls_fit() {
    for (body, most) in [
        ("HERE(s)", 191),
        ("s.HERE()", 191),
        ("2 * (HERE(s) + 1)", 95),
        ("sum(i in 0..1, HERE(s))", 127),
        ("if s > 0 { HERE(s) } else { s }", 127),
        ("[HERE(s), 1][0]", 95),
        ("-(-(HERE(-s)))", 76),
    ] {
        let declaration = |count: usize| {
            let mut text = "struct A { x: coordinate } let f0(s) = s + x;".to_owned();
            for i in 1..=count {
                let body = body.replace("HERE", &format!("f{}", i - 1));
                text += &format!("let f{i}(s) = {body};");
            }
            format!("{text} T = der(x)^2; V = f{count}(x);")
        };
        let (deepest, deeper) = (declaration(most), declaration(5 * most));
        assert_eq!(errors(move || deepest.parse().unwrap()), 0, "{body}");
        assert!(errors(move || deeper.parse().unwrap()) > 0, "{body}");
    }
}

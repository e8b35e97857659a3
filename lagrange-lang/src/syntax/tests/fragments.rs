//! Tokens as `macro_rules!` fragments and other procedural macros hand them over.

use proc_macro2::{Delimiter, Group, Literal, Punct, Spacing, TokenStream, TokenTree};

use super::{parse_source, parse_tokens, print};

fn tokens(source: &str) -> TokenStream {
    source.parse().unwrap()
}

fn invisible(source: &str) -> TokenStream {
    TokenTree::from(Group::new(Delimiter::None, tokens(source))).into()
}

/// Replaces each `$` by the next of the given fragments.
fn fill(source: &str, fragments: &[TokenStream]) -> TokenStream {
    fn fill_level(
        stream: TokenStream,
        fragments: &mut std::slice::Iter<'_, TokenStream>,
    ) -> TokenStream {
        let mut filled = TokenStream::new();
        for token in stream {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '$' => {
                    filled.extend(fragments.next().unwrap().clone());
                }
                TokenTree::Group(group) => {
                    let inner = fill_level(group.stream(), fragments);
                    filled.extend([TokenTree::Group(Group::new(group.delimiter(), inner))]);
                }
                other => filled.extend([other]),
            }
        }
        filled
    }
    fill_level(tokens(source), &mut fragments.iter())
}

#[track_caller]
fn reads(source: &str, fragments: &[TokenStream], expected: &[&str]) {
    let (system, errors) = parse_tokens(fill(source, fragments));
    assert_eq!(errors.messages(), Vec::<String>::new());
    let statements = system.unwrap().statements;
    let printed: Vec<String> = statements.iter().map(print::statement).collect();
    assert_eq!(printed, expected);
}

#[test]
fn expressions_keep_their_grouping() {
    reads(
        "struct A { x: coordinate } T = 2 * $ + $.sin() + $[0];",
        &[invisible("a + b"), invisible("a * b"), invisible("v + w")],
        &["T:Kinetic = ((2 * (a + b)) + (a * b).sin() + (v + w)[0])"],
    );
    reads(
        "struct A { x: coordinate } force $ at $; gravity $;",
        &[
            invisible("[1, 2]"),
            invisible("p + r"),
            invisible("[0, -g]"),
        ],
        &["force [1, 2] at (p + r)", "gravity [0, (-g)]"],
    );
    reads(
        "struct A { x: coordinate } for i in $..$ { T = $; }",
        &[invisible("0 + 1"), invisible("3"), invisible("-1.5")],
        &["for i in (0 + 1)..3 { T:Kinetic = (-1.5) }"],
    );
}

#[test]
fn ranges_are_looked_through() {
    reads(
        "struct A { x: coordinate[4] } for i in $ { V = x[$].x + m[$, $] + sum(k in $, $[k]); }",
        &[
            invisible("0 .. n + 1"),
            invisible("1..3"),
            invisible("0..2"),
            invisible("i"),
            invisible("0..i"),
            invisible("x"),
        ],
        &["for i in 0..(n + 1) { V:Potential = (x[1..3].x + m[0..2, i] + sum(k in 0..i, x[k])) }"],
    );
}

#[test]
fn names_and_visibilities_are_looked_through() {
    let deep = TokenTree::from(Group::new(Delimiter::None, invisible("y"))).into();
    reads(
        "$ struct $ { $: $ $ = $ } $ let $ = $; Q.$ = $.$; $ $: $ = 0; body $ { $: $ }",
        &[
            invisible("pub(crate)"),
            invisible("A"),
            invisible("m"),
            invisible("parameter"),
            invisible(""),
            invisible("3"),
            invisible("pub"),
            invisible("out"),
            deep,
            invisible("y"),
            invisible("r"),
            invisible("x"),
            invisible("holonomic"),
            invisible("c"),
            invisible("x"),
            invisible("b"),
            invisible("mass"),
            invisible("m"),
        ],
        &[
            "pub let out = y",
            "Q.y = r.x",
            "Holonomic c: x = 0",
            "body b { mass: m }",
        ],
    );
}

#[test]
fn statements_and_meta_fragments() {
    reads(
        "$ struct A { x: coordinate } $; #[$] T = 1;",
        &[
            invisible("#[derive(Clone)] #[doc = \"a\"]"),
            invisible("let c = x"),
            invisible("allow(unused)"),
        ],
        &["let c = x", "#T:Kinetic = 1"],
    );
}

#[test]
fn broken_fragments_are_reported() {
    let (_, errors) = parse_tokens(fill(
        "struct A { x: coordinate } T = $; let $ = 2; V = 1;",
        &[invisible("a b"), invisible("a::b")],
    ));
    assert_eq!(
        errors.messages(),
        [
            "expected an operator, found `b`\n\nhelp: a product is written with `*`",
            "expected a name, found a macro's fragment",
        ]
    );
}

#[test]
fn literals_of_other_macros_may_hold_a_sign() {
    let negative = |literal: Literal| TokenStream::from(TokenTree::Literal(literal));
    reads(
        "struct A { x: coordinate } T = 2 - $ * $;",
        &[
            negative(Literal::f64_unsuffixed(-1.5)),
            negative(Literal::i32_suffixed(-3)),
        ],
        &["T:Kinetic = (2 - ((-1.5) * (-3)))"],
    );
}

#[test]
fn no_stream_of_tokens_panics() {
    let joint = |c| TokenTree::Punct(Punct::new(c, Spacing::Joint));
    let mut pieces: Vec<TokenStream> = [
        "",
        "struct",
        "A",
        "{ x: coordinate }",
        "T",
        "=",
        "x",
        ";",
        ",",
        ".",
        "..",
        "2",
        "1.5",
        "\"s\"",
        "b'c'",
        "'life",
        "( )",
        "[ ]",
        "{ }",
        "(x)",
        "[x, y]",
        "{ a: 1 }",
        "if",
        "else",
        "for",
        "in",
        "let",
        "pub",
        "mut",
        "#",
        "#[doc = \"a\"]",
        "#![a]",
        "<",
        "&&",
        "-",
        "^",
        "**",
        "::",
        ":",
        "!",
        "force",
        "at",
        "on",
        "body",
        "frame",
        "holonomic",
        "sum",
        "Q",
        "_",
        "r#type",
        "as",
        "θ̇",
        "1u7",
    ]
    .into_iter()
    .map(tokens)
    .collect();
    pieces.push(invisible(""));
    pieces.push(invisible("a + b"));
    pieces.push(joint('=').into());
    pieces.push(joint('\'').into());
    pieces.push(TokenTree::Literal(Literal::f64_unsuffixed(-1.0)).into());

    // A fixed linear congruential sequence, so that a failure repeats.
    let mut state = 1_u64;
    let mut random = move |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(state >> 33).unwrap() % below
    };
    for round in 0..20_000 {
        let mut stream = if round % 2 == 0 {
            tokens("struct A { x: coordinate }")
        } else {
            TokenStream::new()
        };
        for _ in 0..random(12) {
            let piece = pieces[random(pieces.len())].clone();
            if random(6) == 0 {
                let delimiter = [
                    Delimiter::Parenthesis,
                    Delimiter::Brace,
                    Delimiter::Bracket,
                    Delimiter::None,
                ][random(4)];
                stream = TokenTree::from(Group::new(delimiter, stream)).into();
            }
            stream.extend(piece);
        }
        let text = stream.to_string();
        let (system, errors) = parse_tokens(stream);
        // Whatever is given up has been reported.
        assert!(system.is_some() || !errors.is_empty(), "{text}");
    }
    let (_, errors) = parse_source("");
    assert_eq!(errors.messages(), ["expected `struct`, found the end"]);
}

//! The parser from tokens to tree, and every message it has.

mod expressions;
mod fragments;
mod head;
mod limits;
mod print;
mod statements;

use proc_macro2::TokenStream;

use super::ast::SystemDef;
use super::parse;
use crate::errors::Errors;

fn parse_tokens(tokens: TokenStream) -> (Option<SystemDef>, Errors) {
    let mut errors = Errors::default();
    let system = parse(tokens, &mut errors);
    (system, errors)
}

fn parse_source(source: &str) -> (Option<SystemDef>, Errors) {
    parse_tokens(source.parse().unwrap())
}

/// Each mistake as `first token[..last token]: message`, the help behind ` | `.
fn mistakes(source: &str) -> Vec<String> {
    let (_, errors) = parse_source(source);
    errors
        .messages()
        .into_iter()
        .zip(errors.places())
        .map(|(message, place)| {
            let message = message.replace("\n\nhelp: ", " | ");
            let first = place.first.source_text().unwrap_or_default();
            let last = place.last.source_text().unwrap_or_default();
            if format!("{:?}", place.first) == format!("{:?}", place.last) {
                format!("{first}: {message}")
            } else {
                format!("{first}..{last}: {message}")
            }
        })
        .collect()
}

/// A system with these statements behind a sound head.
fn with_head(statements: &str) -> String {
    format!("struct A {{ x, y: coordinate, m, a, b: parameter }}\n{statements}")
}

/// Asserts the mistakes of some statements.
#[track_caller]
fn check_statements(statements: &str, expected: &[&str]) {
    assert_eq!(mistakes(&with_head(statements)), expected, "{statements}");
}

/// The statements as text, free of mistakes.
#[track_caller]
fn printed(statements: &str) -> Vec<String> {
    let (system, errors) = parse_source(&with_head(statements));
    assert_eq!(errors.messages(), Vec::<String>::new(), "{statements}");
    let statements = system.unwrap().statements;
    statements.iter().map(print::statement).collect()
}

/// The statements that are kept, with or without mistakes.
fn kept(statements: &str) -> Vec<String> {
    let (system, _) = parse_source(&with_head(statements));
    let statements = system.unwrap().statements;
    statements.iter().map(print::statement).collect()
}

//! Sizes that a loop in another macro may write.

use std::thread;

use super::{parse_source, parse_tokens, with_head};
use crate::syntax::ast::{ExprKind, MAX_NESTING, StatementKind};

const STACK: usize = 2 << 20;

/// The messages for `let n = {value};`, found with the stack that rustc gives to a macro.
fn messages(value: String) -> Vec<String> {
    messages_of(format!("let n = {value};"))
}

fn messages_of(statements: String) -> Vec<String> {
    let run = move || parse_source(&with_head(&statements)).1.messages();
    thread::Builder::new()
        .stack_size(STACK)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap()
}

fn nested(open: &str, inner: &str, close: &str, levels: usize) -> String {
    format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))
}

fn too_deep() -> Vec<String> {
    vec![format!(
        "nested more than {MAX_NESTING} levels deep\n\nhelp: name a part of it with `let`"
    )]
}

#[test]
fn long_chains_are_lists() {
    let terms = vec!["x"; 10_000];
    for operator in ["+", "-", "*", "/"] {
        assert_eq!(messages(terms.join(operator)), Vec::<String>::new());
    }
    assert_eq!(
        messages(format!("[{}]", terms.join(","))),
        Vec::<String>::new()
    );
    let arms = vec!["if x < 1 { 2 }"; 10_000];
    let value = format!("{} else {{ 3 }}", arms.join(" else "));
    assert_eq!(messages(value), Vec::<String>::new());
    let (system, _) = parse_source(&with_head(&format!("T = {};", terms.join("+"))));
    let StatementKind::Energy { value, .. } = &system.unwrap().statements[0].kind else {
        panic!("no energy");
    };
    let ExprKind::Sum { further_terms, .. } = &value.kind else {
        panic!("no sum");
    };
    assert_eq!(further_terms.len(), 9_999);
}

#[test]
fn nesting_up_to_the_limit_is_read() {
    let most = MAX_NESTING;
    for value in [
        nested("(", "x", ")", most),
        nested("(1 + 2 * -", "x", "^2)", most / 2 - 1),
        nested("sin(", "x", ")", most),
        nested("[", "x", "]", most),
        nested("x[", "0", "]", most),
        nested("x.sin(", "0", ")", most),
        nested("-", "x", "", most),
        nested("x^", "x", "", most),
        nested("x^-", "x", "", most / 2),
        nested("", "x", ".y", most),
        nested("", "x", ".sin()", most),
        nested("", "x", "[0]", most),
        nested("sum(i in 0..1, ", "x", ")", most),
        nested("if x < 1 { 0 } else { ", "x", " }", most),
        nested("if ", "x", " < 1 { 0 } else { 0 }", most),
    ] {
        assert_eq!(messages(value.clone()), Vec::<String>::new(), "{value}");
    }
}

#[test]
fn one_level_more_is_refused_once() {
    for levels in [MAX_NESTING + 1, 3_000] {
        for value in [
            nested("(", "x", ")", levels),
            nested("(1 + 2 * -", "x", "^2)", levels),
            nested("sin(", "x", ")", levels),
            nested("[", "x", "]", levels),
            nested("x[", "0", "]", levels),
            nested("x.sin(", "0", ")", levels),
            nested("-", "x", "", levels),
            nested("x^", "x", "", levels),
            nested("x^-", "x", "", levels),
            nested("", "x", ".y", levels),
            nested("", "x", ".sin()", levels),
            nested("", "x", "[0]", levels),
            nested("(", "x", ").y", levels),
            nested("(-", "x", ")[0]", levels),
            nested("sum(i in 0..1, ", "x", ")", levels),
            nested("if x < 1 { 0 } else { ", "x", " }", levels),
            nested("if ", "x", " < 1 { 0 } else { 0 }", levels),
        ] {
            assert_eq!(messages(value.clone()), too_deep(), "{}", &value[..40]);
        }
    }
}

#[test]
fn ten_thousand_parentheses_are_refused_once() {
    assert_eq!(messages(nested("(", "x", ")", 10_000)), too_deep());
}

#[test]
fn loops_count_as_levels() {
    let fits = nested("for i in 0..1 { ", "T = x;", " }", MAX_NESTING);
    assert_eq!(messages_of(fits), Vec::<String>::new());
    let deeper = nested("for i in 0..1 { ", "T = x;", " }", MAX_NESTING + 1);
    assert_eq!(messages_of(deeper), too_deep());
}

#[test]
fn many_statements_are_fast_and_all_kept() {
    let statements: String = (0..10_000).map(|i| format!("let c{i} = x;")).collect();
    let tokens = with_head(&statements).parse().unwrap();
    let (system, errors) = parse_tokens(tokens);
    assert!(errors.is_empty());
    assert_eq!(system.unwrap().statements.len(), 10_000);
}

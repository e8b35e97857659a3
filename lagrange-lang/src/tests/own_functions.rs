//! Compares declarations of this repository with the same ones rewritten with functions. Every `let` becomes the
//! value of a function: once with the names in it as arguments, and once without arguments.

use std::collections::BTreeSet;

use lagrange_engine::{Energy, Symbol, System};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree, extra};
use quote::quote;

use super::declarations;
use crate::editor::Kind;
use crate::errors::Errors;
use crate::expand::read;
use crate::lower;
use crate::syntax;
use crate::syntax::ast::text;

/// How the bodies of functions refer to the names in them.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Arguments,
    Captured,
}

/// The statements with each `let` as a function and a call, and the number of these.
fn rewritten(tokens: TokenStream, values: &BTreeSet<String>, way: Way) -> (TokenStream, usize) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut values = values.clone();
    let (mut out, mut count, mut at) = (TokenStream::new(), 0, 0);
    while at < trees.len() {
        let is =
            |at: usize, word: &str| matches!(trees.get(at), Some(tree) if tree.to_string() == word);
        let end = (at..trees.len()).find(|end| is(*end, ";"));
        match (&trees[at], trees.get(at + 1), end) {
            (TokenTree::Ident(word), Some(TokenTree::Ident(name)), Some(end))
                if word == "let" && is(at + 2, "=") =>
            {
                let body = &trees[at + 3..end];
                let function = Ident::new(&format!("{}_function", text(name)), Span::call_site());
                match arguments(body, &values, way) {
                    Some(arguments) => {
                        let body: TokenStream = body.iter().cloned().collect();
                        let definition = quote!(let #function(#(#arguments),*) = #body;);
                        // Words before the `let`, such as `pub`, belong to the value.
                        let before = visibility(&mut out);
                        out.extend(
                            quote!(#definition #before let #name = #function(#(#arguments),*);),
                        );
                        count += 1;
                    }
                    None => out.extend(trees[at..=end].iter().cloned()),
                }
                values.insert(text(name));
                at = end + 1;
            }
            (TokenTree::Group(body), ..) if body.delimiter() == Delimiter::Brace => {
                let mut inner = values.clone();
                if let Some(TokenTree::Ident(variable)) = trees[..at]
                    .iter()
                    .rposition(|tree| matches!(tree, TokenTree::Ident(word) if word == "for"))
                    .and_then(|start| trees.get(start + 1))
                {
                    inner.insert(text(variable));
                }
                let (body, inside) = rewritten(body.stream(), &inner, way);
                out.extend([TokenTree::Group(Group::new(Delimiter::Brace, body))]);
                count += inside;
                at += 1;
            }
            (tree, ..) => {
                out.extend([tree.clone()]);
                at += 1;
            }
        }
    }
    (out, count)
}

/// Removes the words before a `let` from the end of the output, and returns them.
fn visibility(out: &mut TokenStream) -> TokenStream {
    let mut trees: Vec<TokenTree> = std::mem::take(out).into_iter().collect();
    let is_end = |tree: &TokenTree| {
        matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ';')
            || matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
    };
    let start = trees.iter().rposition(is_end).map_or(0, |at| at + 1);
    let before = trees.split_off(start);
    out.extend(trees);
    before.into_iter().collect()
}

/// The names of values in a body; `None` if a name may not be a value.
fn arguments(body: &[TokenTree], values: &BTreeSet<String>, way: Way) -> Option<Vec<Ident>> {
    let mut names = Vec::new();
    collect(body.iter().cloned().collect(), &mut names);
    let text_of_body: String = body.iter().map(ToString::to_string).collect();
    // Letters of axes, dots of velocities, and conditions on indices cannot be recognized by a name alone.
    if ["rotate", "\u{307}", "ẋ"]
        .iter()
        .any(|mark| text_of_body.contains(mark))
    {
        return None;
    }
    let mut arguments: Vec<Ident> = Vec::new();
    if way == Way::Arguments {
        for name in names {
            let is_new = !arguments
                .iter()
                .any(|argument| text(argument) == text(&name));
            if values.contains(&text(&name)) && is_new {
                arguments.push(placeless(&name));
            }
        }
    }
    Some(arguments)
}

/// The words that are neither called functions nor members.
fn collect(tokens: TokenStream, found: &mut Vec<Ident>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        let is_dot = |at: Option<usize>| {
            let tree = at.and_then(|at| trees.get(at));
            matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == '.')
        };
        let is_member = is_dot(at.checked_sub(1)) && !is_dot(at.checked_sub(2));
        let is_call = matches!(
            trees.get(at + 1),
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis
        );
        match tree {
            TokenTree::Group(group) => collect(group.stream(), found),
            TokenTree::Ident(name) if !is_member && !is_call => found.push(name.clone()),
            _ => {}
        }
    }
}

/// The same name without a span.
fn placeless(name: &Ident) -> Ident {
    let written = name.to_string();
    match written.strip_prefix("r#") {
        Some(word) => Ident::new_raw(word, Span::call_site()),
        None => Ident::new(&written, Span::call_site()),
    }
}

/// The values of all parts of a system at a fixed state.
fn values(tokens: TokenStream) -> Result<Vec<f64>, Vec<String>> {
    let mut errors = Errors::default();
    let definition = syntax::parse(tokens, &mut errors).ok_or_else(|| errors.messages())?;
    let (mut head, declarations) = lower::head(&definition, &mut errors);
    let (system, _) = lower::lower(&definition, &mut head, declarations, &mut errors);
    if !errors.is_empty() {
        return Err(errors.messages());
    }
    let kinematics = system.names.kinematics();
    let System {
        mut graph,
        energy,
        multibody,
        dissipation,
        forces,
        constraints,
        outputs,
        symmetries,
        ..
    } = system;
    let mut roots = match energy {
        Energy::Natural { kinetic, potential } => vec![kinetic, potential],
        Energy::Lagrangian(lagrangian) => vec![lagrangian],
    };
    roots.push(multibody.kinetic(&mut graph, &kinematics));
    roots.push(multibody.potential(&mut graph));
    roots.push(dissipation);
    roots.extend(forces);
    roots.extend(constraints.iter().map(|constraint| constraint.residual));
    roots.extend(outputs.iter().flat_map(|output| output.entries.clone()));
    roots.extend(
        symmetries
            .iter()
            .flat_map(|symmetry| symmetry.along.clone()),
    );
    let value = |symbol: Symbol| {
        let (kind, number) = match symbol {
            Symbol::Coordinate(i) => (0.3, i),
            Symbol::Velocity(i) => (1.7, i),
            Symbol::Parameter(i) => (2.9, i),
            Symbol::Input(i) => (4.1, i),
            _ => (0.8, 0),
        };
        0.6 + 0.3 * (kind + 1.3 * f64::from(number)).sin()
    };
    Ok(graph.evaluate(&roots, &value))
}

#[test]
fn a_let_is_the_same_as_a_call_of_a_function() {
    let mut calls = 0;
    for sound in declarations::sound() {
        let declaration: TokenStream = sound.text.parse().unwrap();
        let mut errors = Errors::default();
        let names = match read(declaration.clone(), &mut errors) {
            Some((_, Ok(sound))) => sound.names,
            _ => panic!("{}", sound.text),
        };
        let fields: BTreeSet<String> = names
            .declarations
            .iter()
            .filter(|declaration| {
                matches!(
                    declaration.kind,
                    Kind::Coordinate | Kind::Parameter | Kind::Input | Kind::Time
                )
            })
            .map(|field| text(&field.name))
            .collect();
        // The head stays unchanged. Its braces are the first ones.
        let mut trees: Vec<TokenTree> = declaration.clone().into_iter().collect();
        let is_braces = |tree: &TokenTree| matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        let Some(end) = trees.iter().position(is_braces) else {
            continue;
        };
        let statements: TokenStream = trees.split_off(end + 1).into_iter().collect();
        let expected = values(declaration.clone()).unwrap();
        for way in [Way::Arguments, Way::Captured] {
            let (statements, count) = rewritten(statements.clone(), &fields, way);
            let head: TokenStream = trees.iter().cloned().collect();
            let written = quote!(#head #statements);
            // Parsed from text, so that every token has its own span.
            let actual = values(written.to_string().parse().unwrap());
            let Ok(actual) = actual else {
                panic!("{actual:?} in\n{written}");
            };
            assert_eq!(actual.len(), expected.len(), "{written}");
            for (actual, expected) in actual.iter().zip(&expected) {
                let is_same = (actual - expected).abs() <= 1e-12 * expected.abs().max(1.0)
                    || actual.to_bits() == expected.to_bits()
                    || (actual.is_nan() && expected.is_nan());
                assert!(is_same, "{actual} is not {expected}: {written}");
            }
            calls += count;
        }
        extra::invalidate_current_thread_spans();
    }
    assert!(calls > 500, "{calls} calls");
}

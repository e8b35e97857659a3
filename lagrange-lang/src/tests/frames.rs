//! Tests of stack frames: large matrices that are seldom needed are not in the frame of the unrolled solve.

use proc_macro2::{TokenStream, TokenTree};

use super::expanded;
use super::workloads::{absolute, four_bars, scissor, spatial};

/// Returns whether these tokens have a word, groups aside.
fn has(tokens: &TokenStream, word: &str) -> bool {
    let mut tokens = tokens.clone().into_iter();
    tokens.any(|token| token.to_string() == word)
}

/// The bodies that have this word.
fn bodies(tokens: TokenStream, word: &str, found: &mut Vec<TokenStream>) {
    for token in tokens {
        if let TokenTree::Group(group) = token {
            let stream = group.stream();
            if has(&stream, word) {
                found.push(stream);
            } else {
                bodies(stream, word, found);
            }
        }
    }
}

#[test]
fn matrices_of_the_pivoted_solve_are_apart() {
    let declarations = [absolute(24), spatial(20), scissor(5), four_bars(20)];
    for declaration in declarations {
        let expansion = expanded(&declaration);
        let name = declaration.split(',').next().unwrap();
        // `solve` or `acceleration`, and the method without a check.
        for (test, pivoted) in [
            ("accepts", "__pivoted"),
            ("regular_lanes", "__pivoted_unchecked"),
        ] {
            let mut found = Vec::new();
            bodies(expansion.clone(), test, &mut found);
            found.retain(|body| body.to_string().contains(&format!("self . {pivoted} (")));
            assert_eq!(found.len(), 1, "{name} {test}");
            for matrix in ["mass_matrix", "__inertia"] {
                assert!(!has(&found[0], matrix), "{name} {test} {matrix}");
            }
        }
    }
}

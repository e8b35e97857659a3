//! Tests of stack frames: large matrices that are seldom needed are not in the frame of the unrolled solve.

use proc_macro2::{TokenStream, TokenTree};

use super::expanded;
use super::workloads::{absolute, four_bars, scissor, spatial};

/// True for a matrix that is declared inside `apart`, and for one outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Declared {
    apart: bool,
    in_line: bool,
}

fn look(tokens: TokenStream, is_apart: bool, declared: &mut Declared) {
    let mut words = [const { String::new() }; 2];
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            look(group.stream(), is_apart || words[1] == "apart", declared);
        }
        let [_, before] = words;
        words = [before, token.to_string()];
        if words == ["mut", "__m"] {
            let place = if is_apart {
                &mut declared.apart
            } else {
                &mut declared.in_line
            };
            *place = true;
        }
    }
}

/// The methods whose bodies begin with the unrolled solution, which contains these words.
fn quick_ways(tokens: TokenStream, test: &str, found: &mut Vec<TokenStream>) {
    for token in tokens {
        if let TokenTree::Group(group) = token {
            let stream = group.stream();
            let words = |word: &str| {
                stream
                    .clone()
                    .into_iter()
                    .any(|token| token.to_string() == word)
            };
            if words("__terms") && words(test) {
                found.push(stream);
            } else {
                quick_ways(stream, test, found);
            }
        }
    }
}

#[test]
fn matrices_of_the_careful_way_are_apart() {
    let declarations = [absolute(24), spatial(20), scissor(5), four_bars(20)];
    for declaration in declarations {
        let expansion = expanded(&declaration);
        let name = declaration.split(',').next().unwrap();
        // `solve` or `acceleration`, and the method without a check.
        for test in ["accepts", "regular_lanes"] {
            let mut methods = Vec::new();
            quick_ways(expansion.clone(), test, &mut methods);
            assert_eq!(methods.len(), 1, "{name} {test}");
            let mut declared = Declared::default();
            look(methods.remove(0), false, &mut declared);
            let expected = Declared {
                apart: true,
                in_line: false,
            };
            assert_eq!(declared, expected, "{name} {test}");
        }
    }
}

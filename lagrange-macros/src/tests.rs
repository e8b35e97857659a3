//! What a declaration expands to.

use std::fmt::Write;
use std::time::Instant;

use proc_macro2::TokenStream;

use crate::expand::expand;

/// A chain of `n` point masses, in scalars.
fn pendulum(n: usize) -> String {
    let list = |prefix: &str| (0..n).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "struct Chain {{ {}: coordinate, {}, {}, g: parameter, }}\n",
        list("q"),
        list("m"),
        list("l")
    );
    for i in 0..n {
        let before = |axis: &str| if i == 0 { "0".to_owned() } else { format!("{axis}{}", i - 1) };
        let _ = writeln!(text, "let x{i} = {} + l{i} * sin(q{i});", before("x"));
        let _ = writeln!(text, "let y{i} = {} - l{i} * cos(q{i});", before("y"));
        let _ = writeln!(text, "T += m{i} * (der(x{i})^2 + der(y{i})^2) / 2;");
        let _ = writeln!(text, "V += m{i} * g * y{i};");
    }
    text
}

#[test]
#[ignore = "prints a profile"]
fn profile() {
    for n in [1, 2, 5, 10, 20] {
        let text = pendulum(n);
        let tokens: TokenStream = text.parse().unwrap();
        let start = Instant::now();
        let expanded = expand(tokens);
        let time = start.elapsed();
        println!("{n} links: {time:?}, {} bytes", expanded.to_string().len());
    }
}

//! mistake: `fn`, `use`, `while` and `return`; Rust's items are no statements

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    fn height(x: f64) -> f64 { x }
    use std::f64::consts::PI;
    while x < 2 { x += 1; }
    return x;
    T = m * der(x)^2 / 2;
}

fn main() {}

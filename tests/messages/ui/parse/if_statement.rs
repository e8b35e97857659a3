//! mistake: `if`; it is an expression

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    if x > 0 { V = m * x; }
}

fn main() {}

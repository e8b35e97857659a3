//! mistake: `sin` and `der`; functions have arguments

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V = m * sin + der;
}

fn main() {}

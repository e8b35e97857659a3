//! mistake: `k`; fields stand between the braces

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    k: parameter;
    T = m * der(x)^2 / 2;
}

fn main() {}

//! mistake: each of the names but `x` and `sin`; they are reserved

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x, T, V, L, D, Q, pi, world, der: coordinate, sin: parameter }
    T = der(x)^2 / 2;
}

fn main() {}

//! mistake: `1` for a vector; it moves by a vector

use lagrangian::lagrangian;

lagrangian! {
    struct Point { r: coordinate[3], m: parameter }
    T = m * der(r)^2 / 2;
    symmetry along: r -> 1;
}

fn main() {}

//! mistake: `f64`; a Rust type in place of a role

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: f64 }
    T = m * der(x)^2 / 2;
}

fn main() {}

//! mistake: `x` and `m`; only a `let mut` can change

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    x = 2;
    m *= 2;
    T = m * der(x)^2 / 2;
}

fn main() {}

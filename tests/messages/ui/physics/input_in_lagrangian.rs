//! mistake: `u`; an input may not occur in the Lagrangian

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter, u: input }
    L = m * der(x)^2 / 2 + u * x;
}

fn main() {}

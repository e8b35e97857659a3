//! mistake: `constant`; with the list of roles

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: constant }
    T = m * der(x)^2 / 2;
}

fn main() {}

//! mistake: `(x)` and `(x, v)`; energies take no arguments

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T(x, v) = m * der(x)^2 / 2;
    V(x) = m * x;
}

fn main() {}

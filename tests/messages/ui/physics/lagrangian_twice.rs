//! mistake: the second `L`; `+=` adds

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    L = m * der(x)^2 / 2;
    L = m * der(x)^2;
}

fn main() {}

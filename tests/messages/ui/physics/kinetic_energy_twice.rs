//! mistake: the second `T`; `+=` adds

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    T = m * der(x)^2;
}

fn main() {}

//! mistake: the value of `L`; the Lagrangian is a scalar

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    L = m * [x, der(x)];
}

fn main() {}

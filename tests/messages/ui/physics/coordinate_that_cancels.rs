//! mistake: `y`; nothing depends on it, as its velocity cancels

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x, y: coordinate, m: parameter }
    T = m * der(x)^2 / 2 + der(y)^2 - der(y)^2;
}

fn main() {}

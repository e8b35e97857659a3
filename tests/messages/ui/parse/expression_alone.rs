//! mistake: `m * x`; an expression alone has no effect

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    m * x;
}

fn main() {}

//! mistake: `if`, which has no `else`

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V = if x > 0 { m * x };
}

fn main() {}

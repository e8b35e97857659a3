//! mistake: `[x, m]`; only scalars can be compared

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V = if [x, m] < 2 { x } else { m };
}

fn main() {}

//! mistake: `[u, 0]`; the force on a scalar coordinate is a scalar

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter, u: input }
    T = m * der(x)^2 / 2;
    Q.x = [u, 0];
}

fn main() {}

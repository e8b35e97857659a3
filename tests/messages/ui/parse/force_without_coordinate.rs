//! mistake: `Q`; it needs a coordinate

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter, u: input }
    T = m * der(x)^2 / 2;
    Q = u;
}

fn main() {}

//! mistake: `m` behind `Q.`; a generalized force acts on a coordinate

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter, u: input }
    T = m * der(x)^2 / 2;
    Q.m = u;
}

fn main() {}

//! mistake: `u` of the point; a point depends on coordinates and time

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter, u: input }
    T = m * der(x)^2 / 2;
    force [u, 0] at [x, u];
}

fn main() {}

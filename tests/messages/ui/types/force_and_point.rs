//! mistake: the force and its point where their lengths differ, else the one that is no vector of the plane or space

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter, u: input }
    T = m * der(x)^2 / 2;
    force [u, 0, 0] at [x, 0];
    force u at [x, 0];
    force [u, 0] at x;
    force [u, 0, 0, 0] at [x, 0, 0, 0];
}

fn main() {}

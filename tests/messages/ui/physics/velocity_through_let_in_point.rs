//! mistake: `tip` of the force; it contains a velocity

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter, u: input }
    let tip = [x, der(x)];
    T = m * der(x)^2 / 2;
    force [u, 0] at tip;
}

fn main() {}

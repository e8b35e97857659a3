//! mistake: the `;` of the force; expected `at`

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter, u: input }
    T = m * der(x)^2 / 2;
    force [u, 0];
}

fn main() {}

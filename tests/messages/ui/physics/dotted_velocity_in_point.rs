//! mistake: `ẋ`; a point depends on coordinates and time

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter, u: input }
    T = m * ẋ^2 / 2;
    force [u * ẋ, 0] at [x + ẋ, 0];
}

fn main() {}

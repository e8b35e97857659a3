//! mistake: `ẏ`; expected the coordinate `x`

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * ẋ^2 / 2 + m * ẏ^2;
}

fn main() {}

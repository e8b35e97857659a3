//! mistake: `ṁ`; a dot is for coordinates

use lagrangian::lagrangian;

lagrangian! {
    struct Rocket { x: coordinate, m: parameter }
    T = m * ẋ^2 / 2;
    V = ṁ * x;
}

fn main() {}

//! mistake: `x` behind `2`; a product is written with `*`

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V = 2 x;
}

fn main() {}

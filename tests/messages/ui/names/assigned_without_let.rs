//! mistake: `height`; it is declared by `let mut`

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    height = 2 * x;
    T = m * der(x)^2 / 2;
    V = height;
}

fn main() {}

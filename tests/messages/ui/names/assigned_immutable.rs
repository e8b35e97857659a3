//! mistake: `height` before `+=`; its `let` is to be a `let mut`

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let height = 2 * x;
    height += 1;
    T = m * der(x)^2 / 2;
    V = height;
}

fn main() {}

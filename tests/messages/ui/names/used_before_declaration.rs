//! mistake: `height`; its `let` is to be moved up

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V = m * height;
    let height = 2 * x;
}

fn main() {}

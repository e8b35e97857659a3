//! mistake: `w` and `height`; components are `x`, `y` and `z`

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let p = [x, m];
    T = m * der(x)^2 / 2;
    V = p.w + p.height;
}

fn main() {}

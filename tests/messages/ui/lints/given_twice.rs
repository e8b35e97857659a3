//! warning: each `V` and `D`; a weight of the wrong sign, a damping by the `damper` too

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    struct Ball { y: coordinate, m, c, g: parameter }
    body { mass: m, at: [0, y] }
    gravity [0, -g];
    V = -m * g * y;
    damper { c: c, from: [0, 0], to: [0, y] }
    D = c * der(y)^2 / 2;
}

fn main() {}

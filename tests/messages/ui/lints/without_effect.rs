//! warning: each `force`, `torque`, `spring`, `damper`, `gravity`, `V`, `D` and `body` that does nothing

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m, k: parameter }
    T = m * der(x)^2 / 2;
    V = k;
    D = k * x^2;
    force [k, 0] at [1, 0];
    torque [0, 0, k] on world;
    spring { k: k, from: [0, 0], to: [1, 0] }
    damper { c: k, from: [x, 0], to: [x, 0] }
    body { at: [x, 0] }
    gravity [0, -9.81];
}

fn main() {}

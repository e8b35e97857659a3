//! warning of rustc: `k`, `u`, `t`, `height`, the first `width` and the frame `Spare`, which nothing reads

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m, k: parameter, u: input, t: time }
    let height = 2 * x;
    let width = x;
    let width = 3 * x;
    frame Spare = world.translate([x, 0, 0]);
    T = m * der(x)^2 / 2;
    V = width;
}

fn main() {}

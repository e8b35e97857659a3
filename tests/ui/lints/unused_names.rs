//! warning of rustc: `k`, `u`, `height` and the first `width`, which nothing reads; the time may be there for its own sake

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m, k: parameter, u: input, t: time }
    let height = 2 * x;
    let width = x;
    let width = 3 * x;
    T = m * der(x)^2 / 2;
    V = width;
}

fn main() {}

//! warning of rustc: `height`; `k` is read by it

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m, k: parameter }
    let height = k * x;
    T = m * der(x)^2 / 2;
}

fn main() {}

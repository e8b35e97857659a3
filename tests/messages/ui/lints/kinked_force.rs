//! warning: `pchip`, whose second derivative jumps; the second one is silenced

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V = pchip(x, [0, 1, 2], [0, 3, 4]);
    #[allow(deprecated)]
    V += akima(x, 0..3, [0, 3, 4, 4]);
}

fn main() {}

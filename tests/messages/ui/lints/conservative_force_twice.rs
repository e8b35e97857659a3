//! warning: `Q` of the force that the potential energy gives already

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    struct Oscillator { x: coordinate, m, k: parameter }
    T = m * der(x)^2 / 2;
    V = k * x^2 / 2;
    Q.x = -k * x;
}

fn main() {}

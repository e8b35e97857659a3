//! warning: `together`, whose gradient vanishes wherever it holds

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    struct Pair { x, y: coordinate, m: parameter }
    T = m * (der(x)^2 + der(y)^2) / 2;
    holonomic together: (x - y)^2 = 0;
}

fn main() {}

//! mistake: `pi`, `V`, `der` and `world`; they are reserved

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let pi = 3;
    let V = m * x;
    let der = m;
    let world = x;
    T = m * der(x)^2 / 2;
}

fn main() {}

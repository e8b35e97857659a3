//! mistake: `pub`; parameters are public anyway

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, pub m: parameter }
    T = m * der(x)^2 / 2;
}

fn main() {}

//! mistake: `y`; nothing uses it

use lagrangian::lagrangian;

lagrangian! {
    struct Cart {
        x: coordinate,
        y: coordinate,
        m: parameter,
    }
    T = m * der(x)^2 / 2;
}

fn main() {}

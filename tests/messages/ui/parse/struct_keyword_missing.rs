//! mistake: `Cart`; missing `struct` before it, and nothing about its uses

use lagrangian::lagrangian;

lagrangian! {
    Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
}

fn main() {
    let _ = Cart { m: 1.0 };
}

//! mistake: `m`; it has no role

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m }
    T = m * der(x)^2 / 2;
}

fn main() {
    let _ = Cart { m: 1.0 };
}

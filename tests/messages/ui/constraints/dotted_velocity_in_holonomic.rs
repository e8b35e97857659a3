//! mistake: `ẏ`; use `nonholonomic`

use lagrangian::lagrangian;

lagrangian! {
    struct Bead { x, y: coordinate, m, r: parameter }
    T = m * (der(x)^2 + der(y)^2) / 2;
    holonomic skate: x = r * ẏ;
}

fn main() {
    let bead = Bead { m: 1.0, r: 2.0 };
    let q = lagrangian::vector![0.0, 2.0];
    let _ = bead.acceleration(&q, &q);
}

//! mistake: `tangent`; the derivative of `ring`

use lagrangian::lagrangian;

lagrangian! {
    struct Bead { x, y: coordinate, m, r: parameter }
    T = m * (der(x)^2 + der(y)^2) / 2;
    holonomic ring: x^2 + y^2 = r^2;
    nonholonomic tangent: x * der(x) + y * der(y) = 0;
}

fn main() {
    let bead = Bead { m: 1.0, r: 2.0 };
    let q = lagrangian::vector![0.0, 2.0];
    let _ = bead.acceleration(&q, &q);
}

//! mistake: `z`; neither its inertia nor a constraint determines it

use lagrangian::lagrangian;

lagrangian! {
    struct Bead { x, y, z: coordinate, m, r: parameter }
    T = m * (der(x)^2 + der(y)^2) / 2;
    V = m * z;
    holonomic ring: x^2 + y^2 = r^2;
}

fn main() {
    let bead = Bead { m: 1.0, r: 2.0 };
    let q = lagrangian::vector![0.0, 2.0, 0.0];
    let _ = bead.acceleration(&q, &q);
}

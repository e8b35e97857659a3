//! mistake: `Bead`; neither masses nor constraints determine y - z

use lagrangian::lagrangian;

lagrangian! {
    struct Bead { x, y, z: coordinate, m, r: parameter }
    T = m * der(x)^2 / 2;
    V = m * y;
    holonomic sum: y + z = x + r;
}

fn main() {
    let bead = Bead { m: 1.0, r: 2.0 };
    let q = lagrangian::vector![0.0, 2.0, 0.0];
    let _ = bead.acceleration(&q, &q);
}

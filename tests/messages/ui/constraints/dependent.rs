//! mistake: `length`; the same in another form

use lagrangian::lagrangian;

lagrangian! {
    struct Bead { x, y: coordinate, m, r: parameter }
    T = m * (der(x)^2 + der(y)^2) / 2;
    holonomic ring: x^2 + y^2 = r^2;
    holonomic length: sqrt(x^2 + y^2) = r;
}

fn main() {
    let bead = Bead { m: 1.0, r: 2.0 };
    let q = lagrangian::vector![0.0, 2.0];
    let _ = bead.acceleration(&q, &q);
}

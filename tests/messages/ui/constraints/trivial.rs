//! mistake: `same`; both sides are equal

use lagrangian::lagrangian;

lagrangian! {
    struct Bead { x, y: coordinate, m, r: parameter }
    T = m * (der(x)^2 + der(y)^2) / 2;
    holonomic same: (x + y)^2 = x^2 + 2 * x * y + y^2;
}

fn main() {
    let bead = Bead { m: 1.0, r: 2.0 };
    let q = lagrangian::vector![0.0, 2.0];
    let _ = bead.acceleration(&q, &q);
}

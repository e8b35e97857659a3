//! mistake: `u` in each constraint

use lagrangian::lagrangian;

lagrangian! {
    struct Bead { x, y: coordinate, m, r: parameter, u: input }
    T = m * (der(x)^2 + der(y)^2) / 2 + r;
    holonomic drive: x = u;
    nonholonomic steer: der(y) = u * x;
}

fn main() {
    let bead = Bead { m: 1.0, r: 2.0 };
    let q = lagrangian::vector![0.0, 2.0];
    let _ = bead.acceleration(&q, &q, &lagrangian::vector![1.0]);
}

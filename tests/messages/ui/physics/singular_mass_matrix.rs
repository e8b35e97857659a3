//! mistake: the name of the struct; its mass matrix is singular at every point

use lagrangian::lagrangian;

lagrangian! {
    struct Pair { x, y: coordinate, m: parameter }
    T = m * (der(x) + der(y))^2 / 2;
    V = x^2 + y^2;
}

fn main() {
    let pair = Pair { m: 1.0 };
    let q = lagrangian::vector![0.0, 1.0];
    let _ = pair.solve(&q, &q);
}

//! mistake: the `:`; a constraint has a name. It counts nonetheless for what is generated

use lagrangian::{lagrangian, vector};

lagrangian! {
    struct Pendulum { x, y: coordinate }
    T = (der(x)^2 + der(y)^2) / 2;
    holonomic: x^2 + y^2 = 1;
}

fn main() {
    let pendulum = Pendulum::<f64>::default();
    let q = vector![0.6, 0.8];
    let _: [f64; 1] = pendulum.constraint_residual(&q).into();
    let _ = pendulum.project(&q, &q).map(|(q, _)| pendulum.constraint_jacobian(&q) * q);
}

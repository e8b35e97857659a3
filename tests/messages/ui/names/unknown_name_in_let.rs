//! mistake: `lenght`; nothing about the `let`s that use it

use lagrangian::lagrangian;

lagrangian! {
    struct Pendulum { theta: coordinate, m, length: parameter }
    pub let bob = [lenght * sin(theta), length * cos(theta)];
    pub let height = bob.y;
    T = m * der(bob)^2 / 2;
    V = m * height;
}

fn main() {
    let pendulum = Pendulum { m: 1.0, length: 2.0 };
    let q = lagrangian::vector![0.3];
    let _ = (pendulum.bob(&q), pendulum.height(&q), pendulum.bob_jacobian(&q));
}

//! mistakes: `coord`, the second `k`, `lenght`, `cosine`, `pi` of the `let`, `total` before its `let`, `y` of `Q.y`, `energy`: one message each

use lagrangian::lagrangian;

lagrangian! {
    pub struct Pendulum {
        theta: coordinate,
        x: coord,
        m, length, k, k: parameter,
        u: input,
    }
    pub let bob = [lenght * sin(theta), length * cosine(theta)];
    let pi = 3;
    pub let energy = k * pi;
    T = m * der(bob)^2 / 2 + m * der(x)^2 / 2;
    V = m * bob.y + total;
    let total = bob.x;
    Q.y = u;
}

fn main() {
    let pendulum = Pendulum { m: 1.0, length: 2.0, k: 3.0 };
    let _ = pendulum.bob(&Default::default());
    let _ = Pendulum::<f64>::PARAMETERS;
}

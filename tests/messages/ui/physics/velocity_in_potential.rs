//! mistake: the `der`; a potential energy depends on coordinates and time

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m, k: parameter }
    T = m * der(x)^2 / 2;
    V = k * x * der(x);
}

fn main() {
    let cart = Cart { m: 1.0, k: 2.0 };
    let _ = cart.potential_energy(&lagrangian::vector![0.0]);
    let _ = cart.potential_gradient(&lagrangian::vector![0.0]);
}

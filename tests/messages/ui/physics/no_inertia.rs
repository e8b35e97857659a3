//! mistake: `y`; T does not contain its velocity

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x, y: coordinate, m, k: parameter }
    T = m * der(x)^2 / 2;
    V = k * (x - y)^2 / 2;
}

fn main() {
    let cart = Cart { m: 1.0, k: 2.0 };
    let _ = cart.mass_matrix(&lagrangian::vector![0.0, 1.0]);
}

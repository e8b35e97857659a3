//! mistake: the `+`; a vector of length 2 plus a scalar

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let p = [x, m] + x;
    T = m * der(p)^2 / 2;
}

fn main() {
    let cart = Cart { m: 1.0 };
    let _ = cart.mass_matrix(&lagrangian::vector![0.0]);
}

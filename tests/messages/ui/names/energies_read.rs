//! mistake: `T`, `V`, `D` and `Q`; they cannot be read

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V = m * x + D;
    D = Q;
    pub let total = T + V;
}

fn main() {
    let cart = Cart { m: 1.0 };
    let _ = cart.total(&Default::default());
}

//! mistake: `L`; there are T and V already

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V = m * x;
    L = m * der(x)^2 / 2 - m * x;
}

fn main() {
    let cart = Cart { m: 1.0 };
    let _ = cart.lagrangian(&Default::default(), &Default::default());
}

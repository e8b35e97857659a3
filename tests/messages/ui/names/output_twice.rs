//! mistake: the second `height`; an output has one value

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    pub let height = 2 * x;
    pub let height = 3 * x;
    T = m * der(x)^2 / 2;
}

fn main() {
    let cart = Cart { m: 1.0 };
    let _ = cart.height(&Default::default());
}

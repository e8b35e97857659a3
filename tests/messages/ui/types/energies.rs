//! mistake: the value of each energy; an energy is a scalar

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = [m * der(x)^2 / 2, 0];
    V = [x, m];
    D = [[1, 2], [3, x]];
}

fn main() {
    let cart = Cart { m: 1.0 };
    let _ = cart.energy(&Default::default(), &Default::default());
}

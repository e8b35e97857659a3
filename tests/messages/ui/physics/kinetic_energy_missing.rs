//! mistake: the name of the struct; T is missing

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    V = m * x;
}

fn main() {
    let cart = Cart { m: 1.0 };
    let _ = cart.energy(&Default::default(), &Default::default());
}

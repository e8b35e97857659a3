//! mistake: the name of each output; methods of these names are generated

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    pub let mass_matrix = x;
    pub let energy = x;
    pub let acceleration_unchecked = x;
    pub let rhs = x;
    T = m * der(x)^2 / 2;
}

fn main() {
    let cart = Cart { m: 1.0 };
    let _ = cart.mass_matrix(&Default::default());
    let _ = cart.energy(&Default::default(), &Default::default());
}

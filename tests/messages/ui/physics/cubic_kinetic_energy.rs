//! mistake: the statement of `T`; its degree in the velocities is above 2, so that it is for `L =`

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^3 / 2;
}

fn main() {
    let cart = Cart { m: 1.0 };
    let _ = cart.kinetic_energy(&Default::default(), &Default::default());
}

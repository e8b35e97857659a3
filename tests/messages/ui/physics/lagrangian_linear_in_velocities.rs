//! mistake: `x` and `y`; they have no inertia

use lagrangian::lagrangian;

lagrangian! {
    struct Vortices { x, y: coordinate, k: parameter }
    L = k * x * der(y) - x^2 - y^2;
}

fn main() {}

//! mistake: the later `bob`, whose Jacobian would be called like the output before

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    pub let bob_jacobian = x;
    pub let bob = [x, 2 * x];
    T = m * der(x)^2 / 2;
}

fn main() {}

//! mistake: `bob_jacobian`; the output `bob` has a Jacobian of that name

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    pub let bob = [x, 2 * x];
    pub let bob_jacobian = x;
    T = m * der(x)^2 / 2;
}

fn main() {}

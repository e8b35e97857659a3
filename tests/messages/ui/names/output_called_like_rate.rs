//! mistake: `bob_rate`, `bob`, `power_derivatives`, `cost_hessian`; each is the later of two that clash

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    pub let bob_bias = 2 * x;
    pub let bob = [x, 2 * x];
    pub let bob_rate = x;
    pub let power = der(x)^2;
    pub let power_rate = x;
    pub let power_derivatives = x;
    #[hessian]
    pub let cost = x^2;
    pub let cost_hessian = x;
    T = m * der(x)^2 / 2;
}

fn main() {}

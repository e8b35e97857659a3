//! warning of rustc: the function, and the argument of another; `_t` and what is allowed are silent

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let cube(s) = s^3;
    let energy(v, r) = m * v^2 / 2;
    let potential(s, _t) = s^2;
    #[allow(unused_variables)]
    let quartic(s, r) = s^4;
    T = energy(der(x), x);
    V = potential(x, 1);
}

fn main() {}

//! warning: `force`; the potential energy gives the weight already

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    struct Pendulum { theta: coordinate, m, l, g: parameter }
    let bob = [l * sin(theta), -l * cos(theta)];
    T = m * der(bob)^2 / 2;
    V = m * g * bob.y;
    force [0, -m * g] at bob;
}

fn main() {}

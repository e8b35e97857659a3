//! warning: `wheel`, not `skate`; a wheel on a line is holonomic in kind

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x, y, theta, spin: coordinate, m, r: parameter }
    T = m * (der(x)^2 + der(y)^2 + r^2 * der(theta)^2 + r^2 * der(spin)^2) / 2;
    nonholonomic skate: der(x) * sin(theta) = der(y) * cos(theta);
    nonholonomic wheel: der(x) = r * der(spin);
}

fn main() {}

//! No warning: these forces only look like those of the potential energy.

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    struct Oscillator { x: coordinate, m, k, c: parameter, u: input }
    T = m * der(x)^2 / 2;
    V = k * x^2 / 2;
    Q.x = -c * x + u;
    Q.x += k * x;
}

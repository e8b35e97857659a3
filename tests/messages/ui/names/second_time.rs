//! mistake: `s`; there is one time

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter, t: time, s: time }
    T = m * der(x)^2 / 2;
    V = m * x * sin(t + s);
}

fn main() {}

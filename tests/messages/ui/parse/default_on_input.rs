//! mistake: `= 1.5`; only parameters have defaults

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, u: input = 1.5 }
    T = der(x)^2 / 2;
    Q.x = u;
}

fn main() {}

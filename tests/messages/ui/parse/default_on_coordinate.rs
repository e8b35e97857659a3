//! mistake: `= 0`; only parameters have defaults

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate = 0, m: parameter }
    T = m * der(x)^2 / 2;
}

fn main() {}

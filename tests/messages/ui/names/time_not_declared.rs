//! mistake: `t`; unknown name, which is to be declared as `time`

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V = m * x * sin(2 * t);
}

fn main() {}

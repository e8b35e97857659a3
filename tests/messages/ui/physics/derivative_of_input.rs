//! mistake: `u` within `der`; its rate is not known

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter, u: input }
    T = m * der(x)^2 / 2;
    Q.x = u + der(u);
}

fn main() {}

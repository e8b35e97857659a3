//! mistake: `T`; the Lagrangian is given already, and `V` is no other mistake

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    L = m * der(x)^2 / 2 - m * x;
    T = m * der(x)^2 / 2;
    V += m * x;
}

fn main() {}

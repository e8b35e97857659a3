//! mistake: the statement of `T`; no polynomial in the velocities, so that it is for `L =`

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x) * abs(der(x));
}

fn main() {}

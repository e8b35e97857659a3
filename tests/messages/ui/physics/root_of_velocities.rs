//! mistake: the statement of `T`; no polynomial in the velocities, so that it is for `L =`

use lagrangian::lagrangian;

lagrangian! {
    struct Particle { x, y: coordinate, m: parameter }
    T = m * sqrt(1 - der(x)^2 - der(y)^2);
}

fn main() {}

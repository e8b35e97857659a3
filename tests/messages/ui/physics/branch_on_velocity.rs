//! mistake: the statement of `T`; a condition on velocities is no polynomial in them

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = if der(x) > 0 { m * der(x)^2 } else { 2 * m * der(x)^2 };
}

fn main() {}

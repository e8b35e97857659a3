//! mistake: `y`; a term linear in its velocity gives it no inertia

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x, y: coordinate, m: parameter }
    T = m * der(x)^2 / 2 + x * der(y);
}

fn main() {}

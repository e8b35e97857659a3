//! mistake: the second `gravity`

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, g: parameter }
    gravity [0, -g];
    body { mass: m, at: [q, q^2] }
    gravity [0, -g];
}

fn main() {}

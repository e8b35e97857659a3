//! mistake: the position that has another shape than gravity

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, g: parameter }
    gravity [0, 0, -g];
    body { mass: m, at: [q, q^2] }
}

fn main() {}

//! mistake: `L` after the body

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m: parameter }
    body { mass: m, at: [q, 0] }
    L = m * der(q)^2;
}

fn main() {}

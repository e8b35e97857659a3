//! mistake: `body` after `L`, once

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, k: parameter }
    L = m * der(q)^2;
    body { mass: m, at: [q, 0] }
    spring { k, from: [q, 0], to: [0, 0] }
}

fn main() {}

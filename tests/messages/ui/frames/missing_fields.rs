//! mistake: the keywords of blocks that lack `k`, `to` and `c`

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, k, l: parameter }
    body { mass: m, at: [q, 0] }
    spring { from: [q, 0], to: [l, 0] }
    spring { k, from: [q, 0] }
    damper { from: [q, 0], to: [l, 0] }
}

fn main() {}

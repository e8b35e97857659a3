//! mistake: `mas`, the second `at`, and `stiffness`

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, k, l: parameter }
    body rod { mas: m, at: [q, 0, 0] }
    body bob { mass: m, at: [q, 0, 0], at: [l, 0, 0] }
    spring { stiffness: k, from: [q, 0], to: [0, 0] }
}

fn main() {}

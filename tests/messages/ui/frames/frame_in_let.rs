//! mistake: the frame that a `let` names

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, l: parameter }
    let link = world.rotate(z, q);
    body { frame: link, mass: m, at: [l, 0, 0] }
}

fn main() {}

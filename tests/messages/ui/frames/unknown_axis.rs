//! mistake: `w`, which is no axis

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, l: parameter }
    frame link = world.rotate(w, q);
    body { frame: link, mass: m, at: [l, 0, 0] }
}

fn main() {}

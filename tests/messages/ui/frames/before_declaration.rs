//! mistake: `link`, used above its declaration

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, l: parameter }
    body { frame: link, mass: m, at: [l, 0, 0] }
    frame link = world.rotate(z, q);
}

fn main() {}

//! mistake: `frame`, `body`, `gravity`, `torque`, `spring` and `damper`; not supported yet by this version

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, k, g: parameter }
    frame link = world.rotate(z, q);
    body rod { frame: link, mass: m, at: [1, 0, 0] }
    gravity [0, 0, -g];
    torque [0, 0, k] on link;
    spring { k: k, from: [0, 0, 0], to: link.point([1, 0, 0]) }
    damper { c: k, from: [0, 0, 0], to: link.origin }
}

fn main() {}

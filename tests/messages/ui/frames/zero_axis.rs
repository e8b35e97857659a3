//! mistake: the axis without a direction

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, l: parameter }
    frame link = world.rotate([0, 0, 0], q);
    body { frame: link, mass: m, at: [l, 0, 0] }
}

fn main() {}

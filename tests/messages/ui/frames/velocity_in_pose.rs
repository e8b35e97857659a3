//! mistake: `der` and the dotted name in the poses

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q, p: coordinate, m, l: parameter }
    frame link = world.rotate(z, der(q)).translate([l, 0, 0]).rotate(x, ṗ);
    body { frame: link, mass: m, at: [l, 0, 0] }
}

fn main() {}

//! mistake: the input `u` in the pose

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, l: parameter, u: input }
    frame link = world.rotate(z, q).translate([u, 0, 0]);
    body { frame: link, mass: m, at: [l, 0, 0] }
}

fn main() {}

//! mistake: `link`, which is not mutable

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, l: parameter }
    frame link = world.rotate(z, q);
    link = link.translate([l, 0, 0]);
    body { frame: link, mass: m }
}

fn main() {}

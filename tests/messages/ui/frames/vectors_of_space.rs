//! mistake: each vector that has not three entries, the angle, and the orientation

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, l: parameter }
    frame a = world.rotate([1, 0], q);
    frame b = world.rotate(z, [q, 0, 0]);
    frame c = world.translate([q, l]);
    frame d = world.orient([q, 0, 0]);
    frame link = world.rotate(z, q);
    body { frame: link, mass: m, at: [l, 0] }
    body { frame: link, mass: m, at: [l, 0, 0], inertia: diag(m, m) }
    torque q on link;
    gravity l;
    pub let tip = link.point([l, 0]);
}

fn main() {}

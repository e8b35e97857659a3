//! mistake: `q`, `p` and the vector `link.origin`, which are no frames

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, l: parameter }
    frame link = world.rotate(z, q);
    let p = [l, 0, 0];
    body { frame: q, mass: m, at: p }
    torque [0, 0, l] on p;
    frame tip = link.origin;
    pub let end = tip.point(p);
}

fn main() {}

//! mistake: `lnk` for `link`, twice

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, l: parameter }
    frame link = world.rotate(z, q);
    body { frame: lnk, mass: m, at: [l, 0, 0] }
    pub let tip = lnk.point([l, 0, 0]);
}

fn main() {}

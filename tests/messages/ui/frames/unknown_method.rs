//! mistake: `rotated`, `pont` and `orign`, which frames do not have

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, l: parameter }
    frame link = world.rotate(z, q);
    frame other = link.rotated(x, q);
    body { frame: other, mass: m, at: [l, 0, 0] }
    pub let tip = link.pont([l, 0, 0]);
    pub let joint = link.orign;
}

fn main() {}

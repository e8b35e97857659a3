//! mistake: the frames `link` and `world`, which are no values

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, l: parameter }
    frame link = world.rotate(z, q);
    body { frame: link, mass: m, at: [l, 0, 0] }
    pub let tip = link + [l, 0, 0];
    let rest = world;
    pub let axis = dot(rest, tip);
}

fn main() {}

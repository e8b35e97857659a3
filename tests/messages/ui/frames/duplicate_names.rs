//! mistake: the second body `rod` and the second frame `link`

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, l: parameter }
    frame link = world.rotate(z, q);
    frame link = world.rotate(x, q);
    body rod { frame: link, mass: m, at: [l, 0, 0] }
    body rod { frame: link, mass: m, at: [0, l, 0] }
}

fn main() {}

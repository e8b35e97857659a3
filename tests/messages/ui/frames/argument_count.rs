//! mistake: the surplus argument, and where one is missing

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, l: parameter }
    frame link = world.rotate(z, q, q);
    frame other = world.translate();
    body { frame: world, mass: m, at: [q, l, 0] }
}

fn main() {}

//! mistake: the symmetry `own` of a body that is not symmetric

use lagrangian::lagrangian;

lagrangian! {
    struct Body { att: rotation, i: parameter[3] }
    frame F = world.rotate(att);
    body { frame: F, inertia: diag(i) }
    symmetry own: att -> [0, 0, 1];
}

fn main() {}

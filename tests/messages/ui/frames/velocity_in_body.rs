//! mistake: the velocities in a mass, a position, an inertia, and ends

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate, m, k: parameter }
    body { mass: m * der(q), at: [q, 0] }
    body { mass: m, at: [der(q), 0] }
    body { inertia: diag(m, m, der(q)) }
    spring { k: k * der(q), from: [q, 0], to: [0, 0] }
    damper { c: k * der(q), from: [der(q), 0], to: [0, 0] }
}

fn main() {}

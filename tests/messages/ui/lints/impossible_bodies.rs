//! warning: the mass and the inertias that no body has, and the angle that is in degrees

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { a: rotation, m: parameter }
    frame A = world.rotate(x, 90).rotate(a);
    body { frame: A, mass: m, inertia: diag(1, 1, 1) }
    body { frame: A, mass: -1 }
    body { frame: A, mass: m, inertia: diag(1, 1, 3) }
    body { frame: A, mass: m, inertia: diag(1, -1, 1) }
    body { frame: A, mass: m, inertia: [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]] }
}

fn main() {}

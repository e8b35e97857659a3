//! Frames and bodies in any order; `z` as a coordinate and as an axis; words of statements as names.

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    pub struct Arm { z, velocity: coordinate, body, gravity, frame: parameter }
    gravity [0, 0, -gravity];
    frame mut Link = world.rotate(z, z);
    body body { frame: Link, mass: body, at: [frame, 0, 0] }
    Link = Link.translate([0, 0, frame]).rotate(-x, velocity);
    body tip { frame: Link, mass: body, at: [0, frame, 0], inertia: diag(1, 2, 3) }
    frame Same = Link;
    pub let speed = velocity(Same) + angular_velocity(Link);
}

pub(super) fn main() {
    let arm = Arm {
        body: 1.0,
        gravity: 9.81,
        frame: 0.5,
    };
    let _ = arm.speed(&[0.0, 0.0].into(), &[1.0, 1.0].into());
}

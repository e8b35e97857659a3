//! An arm of four joints, with every statement about bodies in frames.

use lagrangian::lagrangian;

lagrangian! {
    /// Arrays, loops, frames, bodies, springs and dampers: an arm whose joints turn about changing axes.
    pub struct Arm {
        q: coordinate[4],
        m, l: parameter[4] = 1,
        W: parameter[2, 2] = [[1, 0], [0, 2]],
        k, c: parameter = 1,
        tau: input[4],
    }

    gravity [0, 0, -9.81];
    frame mut End = world;
    for i in 0..4 {
        frame Link = End.rotate([i, 1, 2], q[i]);
        body link {
            frame: Link,
            mass: m[i],
            at: [l[i] / 2, 0, 0],
            inertia: diag(0, m[i] * l[i]^2 / 12, m[i] * l[i]^2 / 12),
        }
        torque Link.vector([0, 0, tau[i]]) on Link;
        End = Link.translate([l[i], 0, 0]);
    }
    spring { k, rest: 0.5, from: [1, 2, 3], to: End.origin }
    damper { c, from: [3, 2, 1], to: End.point([0, 0.1, 0]) }
    force [0, W[0, 1], W[1, 0]] at End.origin;
    pub let tip = End.origin;
    pub let spin = angular_velocity(End);
    pub let turn = End.rotation;
    pub let effort = tau[0] * der(q[0]);
    pub frame hand = End;
}

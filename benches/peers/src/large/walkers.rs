//! Robots whose trunk floats.

use lagrangian::lagrangian;

/// Declares a trunk of six degrees of freedom, and limbs of joints about axes, each link of the same numbers.
macro_rules! walker {
    ($name:ident, $joints:literal: $($at:tt [$($i:literal $axis:ident),+])+) => {
        lagrangian! {
            pub struct $name {
                p: coordinate[3],
                att: rotation,
                q: coordinate[$joints],
                u: input[$joints],
            }
            frame B = world.translate(p).rotate(att);
            body {
                frame: B,
                mass: 10,
                at: [0.01, 0, 0.1],
                inertia: diag(0.2, 0.3, 0.25),
            }
            frame mut limb = world;
            $(
                limb = B.translate($at);
                $(
                    limb = limb.rotate($axis, q[$i]);
                    body {
                        frame: limb,
                        mass: 1.1,
                        at: [0.01, 0.02, -0.1],
                        inertia: diag(0.02, 0.03, 0.01),
                    }
                    limb = limb.translate([0, 0, -0.2]);
                )+
            )+
            gravity [0, 0, -9.81];
            Q.q = u;
        }
    };
}

walker!(Quadruped, 12:
    [0.1, 0, 0.2] [0 x, 1 y, 2 y]
    [0.1, 0.1, 0.2] [3 x, 4 y, 5 y]
    [0.1, 0.2, 0.2] [6 x, 7 y, 8 y]
    [0.1, 0.3, 0.2] [9 x, 10 y, 11 y]);
walker!(Humanoid, 30:
    [0.1, 0, 0.2] [0 z, 1 x, 2 y, 3 y, 4 y, 5 x]
    [0.1, 0.1, 0.2] [6 z, 7 x, 8 y, 9 y, 10 y, 11 x]
    [0.1, 0.2, 0.2] [12 z, 13 x, 14 y, 15 x, 16 z, 17 y, 18 x, 19 z, 20 y]
    [0.1, 0.3, 0.2] [21 z, 22 x, 23 y, 24 x, 25 z, 26 y, 27 x, 28 z, 29 y]);

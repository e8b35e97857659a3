//! Chains of many links.

use lagrangian::lagrangian;

/// Declares points that hang from each other, by angles against the vertical.
macro_rules! absolute {
    ($name:ident, $n:literal) => {
        lagrangian! {
            pub struct $name {
                q: coordinate[$n],
                m, l: parameter[$n] = 1,
                g: parameter = 9.81,
            }
            let mut r = [0, 0];
            for i in 0..$n {
                r += l[i] * [sin(q[i]), -cos(q[i])];
                T += m[i] * der(r)^2 / 2;
                V += m[i] * g * r.y;
            }
        }
    };
}

absolute!(Chain10, 10);
absolute!(Chain20, 20);
absolute!(Chain40, 40);
absolute!(Chain80, 80);

/// Declares rods in space that hang from each other by joints about axes in turn, each link of the same numbers.
macro_rules! spatial {
    ($name:ident, $n:literal: $($i:literal $axis:ident),+) => {
        lagrangian! {
            pub struct $name { q: coordinate[$n], u: input[$n] }
            frame mut F = world;
            $(
                F = F.rotate($axis, q[$i]);
                body {
                    frame: F,
                    mass: 1.3,
                    at: [0.25, 0, 0],
                    inertia: diag(0.01, 0.03, 0.03),
                }
                F = F.translate([0.5, 0, 0]);
            )+
            gravity [0, 0, -9.81];
            Q.q = u;
        }
    };
}

spatial!(Spatial10, 10:
    0 z, 1 x, 2 y, 3 z, 4 x, 5 y, 6 z, 7 x, 8 y, 9 z);
spatial!(Spatial20, 20:
    0 z, 1 x, 2 y, 3 z, 4 x, 5 y, 6 z, 7 x, 8 y, 9 z, 10 x, 11 y, 12 z, 13 x, 14 y,
    15 z, 16 x, 17 y, 18 z, 19 x);
spatial!(Spatial40, 40:
    0 z, 1 x, 2 y, 3 z, 4 x, 5 y, 6 z, 7 x, 8 y, 9 z, 10 x, 11 y, 12 z, 13 x, 14 y,
    15 z, 16 x, 17 y, 18 z, 19 x, 20 y, 21 z, 22 x, 23 y, 24 z, 25 x, 26 y, 27 z, 28 x, 29 y,
    30 z, 31 x, 32 y, 33 z, 34 x, 35 y, 36 z, 37 x, 38 y, 39 z);

//! Systems with constraints, in redundant coordinates.

use lagrangian::lagrangian;

#[path = "../../tests/shared/rods.rs"]
mod declared;
use declared::rods;

lagrangian! {
    /// Crank, coupler and rocker, uniform rods, by their angles.
    #[derive(Clone, Debug)]
    pub(crate) struct FourBar {
        q1, q2, q3: coordinate,
        m: parameter[3] = 1,
        l1: parameter = 0.4,
        l2: parameter = 1.2,
        l3: parameter = 0.9,
        base: parameter = 1,
        g: parameter = 9.81,
    }

    let joint = l1 * [cos(q1), sin(q1)];
    let end = joint + l2 * [cos(q2), sin(q2)];
    let rocker = l3 * [cos(q3), sin(q3)];
    T = m[0] * der(joint)^2 / 6;
    T += m[1] * der((joint + end) / 2)^2 / 2 + m[1] * l2^2 * der(q2)^2 / 24;
    T += m[2] * der(rocker)^2 / 6;
    V = g * (m[0] * joint.y + m[1] * (joint.y + end.y) + m[2] * rocker.y) / 2;
    holonomic closure: end = [base, 0] + rocker;
}

lagrangian! {
    /// A free body, its attitude by four numbers: M is singular.
    #[derive(Clone, Debug)]
    pub(crate) struct Quaternion {
        w, x, y, z: coordinate,
        m: parameter[3] = [1, 2, 3],
    }

    let a = 2 * (w * der(x) - x * der(w) + z * der(y) - y * der(z));
    let b = 2 * (w * der(y) - y * der(w) + x * der(z) - z * der(x));
    let c = 2 * (w * der(z) - z * der(w) + y * der(x) - x * der(y));
    T = (m[0] * a^2 + m[1] * b^2 + m[2] * c^2) / 2;
    V = x * z;
    holonomic unit: w^2 + x^2 + y^2 + z^2 = 1;
}

lagrangian! {
    /// A ball with three principal moments that rolls on a plane, its attitude by three angles.
    #[derive(Clone, Debug)]
    pub(crate) struct RollingBall {
        a, b, c, x, y, z: coordinate,
        m: parameter = 2,
        i: parameter[3] = [0.3, 0.4, 0.5],
        r: parameter = 0.6,
    }

    frame B = world.translate([x, y, z]).rotate(z, a).rotate(x, b).rotate(y, c);
    body { frame: B, mass: m, inertia: diag(i[0], i[1], i[2]) }
    // The row of the height is integrable.
    #[allow(deprecated)]
    nonholonomic roll: der([x, y, z]) + cross(B.angular_velocity(), [0, 0, -r]) = [0, 0, 0];
}

rods! { pub(crate) struct Rods2 of 2 }
rods! { pub(crate) struct Rods5 of 5 }
rods! { pub(crate) struct Rods10 of 10 }

/// A biped of rods in the plane, whose feet are held by some statements.
macro_rules! biped {
    ($name:ident $($held:tt)*) => {
        lagrangian! {
            #[derive(Clone, Debug)]
            pub(crate) struct $name {
                x, y, trunk: coordinate,
                hip, knee: coordinate[2],
                m: parameter = 20,
                l: parameter = 0.4,
                g: parameter = 9.81,
            }

            let place = [x, y];
            T = m * der(place + l / 2 * [sin(trunk), cos(trunk)])^2 / 2 + m * l^2 / 24 * der(trunk)^2;
            V = m * g * (y + l / 2 * cos(trunk));
            let rod(angle) = l * [sin(angle), -cos(angle)];
            let thigh = [trunk + hip[0], trunk + hip[1]];
            let shank = thigh + knee;
            let joint = [place + rod(thigh[0]), place + rod(thigh[1])];
            let foot = [joint[0] + rod(shank[0]), joint[1] + rod(shank[1])];
            for i in 0..2 {
                T += m / 8 * (der(joint[i])^2 + der(foot[i])^2) / 2;
                V += m / 8 * g * (joint[i, 1] + foot[i, 1]);
            }
            $($held)*
        }
    };
}

biped! { Contacting
    for i in 0..2 {
        contact height: foot[i, 1] >= 0;
        contact along: foot[i, 0] >= 0;
    }
}
biped! { Standing holonomic place: foot[0] = [0, 0]; }
biped! { StandingOnBoth holonomic place: [foot[0], foot[1]] = [[0, 0], [1, 0]]; }

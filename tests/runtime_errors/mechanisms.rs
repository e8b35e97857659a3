//! Constrained systems, and the equations that they solve as they solve them.

use lagrangian::lagrangian;
use lagrangian::nalgebra::SVector;

use crate::rods::rods;
use crate::scissor::scissor;

lagrangian! {
    pub(crate) struct Gear {
        x, y: coordinate,
        m1, m2: parameter,
        f: input,
    }

    T = m1 * der(x)^2 / 2 + m2 * der(y)^2 / 2;
    Q.y = f;
    holonomic gear: y = x;
}

lagrangian! {
    pub(crate) struct SliderCrank {
        alpha, beta, x: coordinate,
        m1, m2, m3, r, l: parameter,
        f: input,
    }

    let p = [r * cos(alpha) + l / 2 * cos(beta), r * sin(alpha) + l / 2 * sin(beta)];
    T = m1 * r^2 * der(alpha)^2 / 6 + m2 * der(p)^2 / 2 + m2 * l^2 * der(beta)^2 / 24
        + m3 * der(x)^2 / 2;
    Q.x = f;
    holonomic pin: [r * cos(alpha) + l * cos(beta), r * sin(alpha) + l * sin(beta)] = [x, 0];
}

lagrangian! {
    /// Crank, coupler and rocker, uniform rods, by their angles.
    pub(crate) struct FourBar {
        q: coordinate[3],
        m, l: parameter[3],
        base, g: parameter,
    }

    let joint = l[0] * [cos(q[0]), sin(q[0])];
    let end = joint + l[1] * [cos(q[1]), sin(q[1])];
    let rocker = l[2] * [cos(q[2]), sin(q[2])];
    T = m[0] * der(joint)^2 / 6;
    T += m[1] * der((joint + end) / 2)^2 / 2 + m[1] * l[1]^2 * der(q[1])^2 / 24;
    T += m[2] * der(rocker)^2 / 6;
    V = g * (m[0] * joint.y + m[1] * (joint.y + end.y) + m[2] * rocker.y) / 2;
    holonomic closure: end = [base, 0] + rocker;
}

lagrangian! {
    pub(crate) struct Planes {
        p: coordinate[3],
        m: parameter[3],
        a, b: parameter[3],
        f: input[3],
    }

    T = sum(i in 0..3, m[i] * der(p[i])^2 / 2);
    Q.p = f;
    holonomic first: dot(a, p) = 0;
    holonomic second: dot(b, p) = 1;
}

rods! { pub(crate) struct Rods of 5 }
rods! { pub(crate) struct ManyRods of 9 }
scissor! { pub(crate) struct Scissor of 2 }

lagrangian! {
    /// M is singular at every state: two bodies whose attitudes are rotation matrices.
    pub(crate) struct Attitudes {
        A, B: coordinate[3, 3],
        i: parameter[3],
        k: parameter,
    }

    body { frame: world.orient(A), inertia: diag(i) }
    body { frame: world.orient(B), inertia: diag(i) }
    V = k * sum(n in 0..3, (A[n, 0] - B[n, 0])^2);
    holonomic first: transpose(A) * A = identity(3);
    holonomic second: transpose(B) * B = identity(3);
}

lagrangian! {
    pub(crate) struct RollingSphere {
        p: coordinate[3],
        psi, theta, phi: coordinate,
        m, i, r, g: parameter,
    }

    frame Ball = world.translate(p).rotate(z, psi).rotate(x, theta).rotate(y, phi);
    body ball { frame: Ball, mass: m, inertia: diag(i, i, i) }
    gravity [g, 0, -g];
    holonomic floor: p.z = r;
    let contact = velocity(Ball) + cross(angular_velocity(Ball), [0, 0, -r]);
    nonholonomic rolling: [contact.x, contact.y] = [0, 0];
}

lagrangian! {
    /// The same by a rotation, not round.
    pub(crate) struct RollingBody {
        p: coordinate[3],
        att: rotation,
        m, r, g: parameter,
        i: parameter[3],
        torque: input[3],
    }

    frame Body = world.translate(p).rotate(att);
    body { frame: Body, mass: m, inertia: diag(i) }
    gravity [g, 0, -g];
    Q.att = torque;
    holonomic floor: p.z = r;
    let contact = velocity(Body) + cross(angular_velocity(Body), [0, 0, -r]);
    nonholonomic rolling: [contact.x, contact.y] = [0, 0];
}

lagrangian! {
    /// M is singular.
    pub(crate) struct Quaternion {
        w, x, y, z: coordinate,
        i: parameter[3],
    }

    let a = 2 * (w * der(x) - x * der(w) + z * der(y) - y * der(z));
    let b = 2 * (w * der(y) - y * der(w) + x * der(z) - z * der(x));
    let c = 2 * (w * der(z) - z * der(w) + y * der(x) - x * der(y));
    T = (i[0] * a^2 + i[1] * b^2 + i[2] * c^2) / 2;
    holonomic unit: w^2 + x^2 + y^2 + z^2 = 1;
}

lagrangian! {
    pub(crate) struct Massless {
        x, y, z: coordinate,
        m: parameter,
        a, b: parameter,
    }

    T = m * der(x)^2 / 2;
    V = b * y + z^2;
    holonomic lever: y = a * x;
    nonholonomic skate: der(z) = y * der(x) * sin(b);
}

lagrangian! {
    /// Too dense to be unrolled.
    pub(crate) struct Spheres {
        q: coordinate[16],
        all, k: parameter,
        m, c: parameter[16],
    }

    T = all * der(sum(i in 0..16, q[i]))^2 / 2 + sum(i in 0..16, m[i] * der(q[i])^2 / 2);
    V = k * q^2 / 2;
    for i in 0..10 {
        // The first one is a point.
        #[allow(deprecated)]
        holonomic sphere: sum(j in 0..16, cos(i * j / 5) * (q[j] - c[j])^2) = i;
    }
}

/// `M a = f + Jᵀ λ`, `J a = γ`.
#[derive(Clone, Debug)]
pub(crate) struct Equations<const N: usize, const C: usize> {
    pub(crate) m: [[f64; N]; N],
    pub(crate) j: [[f64; N]; C],
    pub(crate) f: [f64; N],
    pub(crate) gamma: [f64; C],
}

macro_rules! equations {
    ($($system:ident: $q:literal $n:literal $c:literal $($u:literal)?;)+) => {
        $(impl $system {
            pub(crate) fn equations(
                &self,
                q: &SVector<f64, $q>,
                v: &SVector<f64, $n>
                $(, u: &SVector<f64, $u>)?
            ) -> Equations<$n, $c> {
                Equations {
                    m: self.mass_matrix(q).data.0,
                    j: self.constraint_jacobian(q).transpose().data.0,
                    f: self.forcing(q, v $(, { let _ = $u; u })?).data.0[0],
                    gamma: self.constraint_gamma(q, v).data.0[0],
                }
            }
        })+
    };
}

equations! {
    Gear: 2 2 1 1;
    SliderCrank: 3 3 2 1;
    FourBar: 3 3 2;
    Planes: 3 3 2 3;
    Rods: 10 10 5;
    ManyRods: 18 18 9;
    Scissor: 12 12 11;
    Attitudes: 18 18 12;
    RollingSphere: 6 6 3;
    RollingBody: 7 6 3 3;
    Quaternion: 4 4 1;
    Massless: 3 3 2;
    Spheres: 16 16 10;
}

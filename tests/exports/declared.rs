//! Fifteen systems, each with its exports, and a state of each; four with contacts, linkages, and two that
//! are identified.

#[path = "../shared/identified.rs"]
mod identified;
#[path = "../shared/redundant.rs"]
mod redundant;

pub(crate) use identified::*;
use lagrangian::lagrangian;
use lagrangian::nalgebra::SVector;
pub(crate) use redundant::*;

lagrangian! {
    pub struct CartPole { x, theta: coordinate, m_c, m_p, l, g: parameter, u: input }
    let bob = [x + l * sin(theta), l * cos(theta)];
    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
    export c99 {
        mass_matrix, forcing, energy, integrate, acceleration, solve, acceleration_derivatives, rk4_step
    }
    export cuda { acceleration, linearize, rk4_step }
    export casadi {
        mass_matrix, energy, integrate, acceleration, solve, state_derivative, acceleration_derivatives, rk4_step
    }
    export wgsl { acceleration, linearize, rk4_step }
}

lagrangian! {
    /// A mass on a driven support, with damping.
    pub struct Driven { x: coordinate, t: time, m, k, c: parameter, u: input }
    T = m * der(x + sin(3 * t))^2 / 2;
    V = k * x^2 / 2;
    D = c * der(x)^2 / 2;
    Q.x = u;
    export c99 {
        mass_matrix, forcing, energy, integrate, acceleration, solve, acceleration_derivatives, rk4_step
    }
    export cuda { acceleration, linearize, rk4_step }
    export casadi {
        mass_matrix, energy, integrate, acceleration, solve, state_derivative, acceleration_derivatives, rk4_step
    }
    export wgsl { acceleration, linearize, rk4_step }
}

lagrangian! {
    pub struct FourBar { q1, q2, q3: coordinate, m: parameter[3], l1, l2, l3, base, g: parameter }
    let joint = l1 * [cos(q1), sin(q1)];
    let end = joint + l2 * [cos(q2), sin(q2)];
    let rocker = l3 * [cos(q3), sin(q3)];
    T = m[0] * der(joint)^2 / 6 + m[2] * der(rocker)^2 / 6;
    T += m[1] * der((joint + end) / 2)^2 / 2 + m[1] * l2^2 * der(q2)^2 / 24;
    V = g * (m[0] * joint.y + m[1] * (joint.y + end.y) + m[2] * rocker.y) / 2;
    holonomic closure: end = [base, 0] + rocker;
    export c99 {
        mass_matrix, forcing, energy, integrate, acceleration, solve, acceleration_derivatives, rk4_step,
        project
    }
    export cuda { acceleration, linearize, rk4_step, project }
    export casadi {
        mass_matrix, energy, integrate, acceleration, solve, state_derivative, acceleration_derivatives, rk4_step, project
    }
    export wgsl { acceleration, linearize, linearize_reduced, rk4_step, project }
}

lagrangian! {
    /// A disk that rolls upright on the plane.
    pub struct Disk { x, y, phi, psi: coordinate, m, r, i, j: parameter, u: input[2] }
    T = m * (der(x)^2 + der(y)^2) / 2 + i * der(phi)^2 / 2 + j * der(psi)^2 / 2;
    nonholonomic forward: der(x) = r * der(phi) * cos(psi);
    nonholonomic sideways: der(y) = r * der(phi) * sin(psi);
    Q.phi = u[0];
    Q.psi = u[1];
    export c99 {
        mass_matrix, forcing, energy, integrate, acceleration, solve, acceleration_derivatives, rk4_step,
        project
    }
    export cuda { acceleration, linearize, rk4_step, project }
    export casadi {
        mass_matrix, energy, integrate, acceleration, solve, state_derivative, acceleration_derivatives, rk4_step, project
    }
    export wgsl { acceleration, linearize, rk4_step, project }
}

lagrangian! {
    /// A heavy top by a rotation.
    pub struct Top { att: rotation, m, l, g, i, k: parameter }
    frame B = world.rotate(att);
    body { frame: B, mass: m, at: [0, 0, l], inertia: diag(i, i, k) }
    gravity [0, 0, -g];
    export c99 {
        mass_matrix, forcing, energy, integrate, acceleration, solve, acceleration_derivatives, rk4_step
    }
    export cuda { acceleration, linearize, rk4_step }
    export casadi {
        mass_matrix, energy, integrate, acceleration, solve, state_derivative, acceleration_derivatives, rk4_step
    }
    export wgsl { acceleration, linearize, rk4_step }
}

lagrangian! {
    pub struct Chain { q: coordinate[5], m, l: parameter[5], g: parameter, u: input[5] }
    let mut r = [0, 0];
    for n in 0..5 {
        r += l[n] * [sin(q[n]), -cos(q[n])];
        T += m[n] * der(r)^2 / 2;
        V += m[n] * g * r.y;
    }
    Q.q = u;
    export c99 {
        mass_matrix, forcing, energy, integrate, acceleration, solve, acceleration_derivatives, rk4_step
    }
    export cuda { acceleration, linearize, rk4_step }
    export casadi {
        mass_matrix, energy, integrate, acceleration, solve, state_derivative, acceleration_derivatives, rk4_step
    }
    export wgsl { acceleration, linearize, rk4_step }
}

lagrangian! {
    /// Functions of every kind, and branches.
    pub struct Functions { x, y: coordinate, a, b: parameter }
    T = a * der(x)^2 / 2 + exp(x / 4) * der(y)^2 / 2;
    V = b * ln(1 + x^2) + sqrt(1 + y^2) + tanh(x * y) + atan2(y, 2 + x^2) + abs(x + 3) + hypot(x, y + 2);
    V += min(x, y) + max(2 * x, -y) + (1 + x^2)^1.5 + cosh(x) + sinh(y / 2) + asin(x / 9) + acos(y / 9) + atan(x);
    V += if x > 0 { x^3 } else { x^2 } + tan(y / 5) + x^7 + 1 / (2 + y^2)^3;
    export c99 {
        mass_matrix, forcing, energy, integrate, acceleration, solve, acceleration_derivatives, rk4_step
    }
    export cuda { acceleration, linearize, rk4_step }
    export casadi {
        mass_matrix, energy, integrate, acceleration, solve, state_derivative, acceleration_derivatives, rk4_step
    }
    export wgsl { acceleration, linearize, rk4_step }
}

lagrangian! {
    /// Two particles on a rod in the plane, by Cartesian coordinates.
    pub struct Rod { p, r: coordinate[2], m, n, l, g: parameter }
    T = m * der(p)^2 / 2 + n * der(r)^2 / 2;
    V = g * (m * p.y + n * r.y);
    holonomic length: (p - r)^2 = l^2;
    export c99 {
        mass_matrix, forcing, energy, integrate, acceleration, solve, acceleration_derivatives, rk4_step,
        project
    }
    export cuda { acceleration, linearize, rk4_step, project }
    export casadi {
        mass_matrix, energy, integrate, acceleration, solve, state_derivative, acceleration_derivatives, rk4_step, project
    }
    export wgsl { acceleration, linearize, rk4_step, project }
}

lagrangian! {
    /// An arm in space.
    pub struct Arm { q: coordinate[4], u: input[4], g: parameter }
    frame mut F = world;
    F = F.rotate(z, q[0]);
    body { frame: F, mass: 2, at: [0, 0.01, 0.1], inertia: diag(0.02, 0.03, 0.01) }
    F = F.translate([0, 0, 0.3]).rotate(y, q[1]);
    body { frame: F, mass: 1.5, at: [0.1, 0, 0.1], inertia: diag(0.02, 0.02, 0.01) }
    F = F.translate([0, 0, 0.3]).rotate(y, q[2]);
    body { frame: F, mass: 1, at: [0.1, 0, 0.05], inertia: diag(0.01, 0.02, 0.01) }
    F = F.translate([0, 0, 0.2]).rotate(x, q[3]);
    body { frame: F, mass: 0.5, at: [0, 0.05, 0.05], inertia: diag(0.01, 0.01, 0.01) }
    gravity [0, 0, -g];
    Q.q = u;
    export c99 {
        mass_matrix, forcing, energy, integrate, acceleration, solve, acceleration_derivatives, rk4_step
    }
    export cuda { acceleration, linearize, rk4_step }
    export casadi {
        mass_matrix, energy, integrate, acceleration, solve, state_derivative, acceleration_derivatives, rk4_step
    }
    export wgsl { acceleration, linearize, rk4_step }
}

lagrangian! {
    /// A body that floats, with a joint on it.
    pub struct Floating { p: coordinate[3], att: rotation, q: coordinate, u: input, g: parameter }
    frame B = world.translate(p).rotate(att);
    body { frame: B, mass: 10, at: [0.01, 0, 0.1], inertia: diag(0.2, 0.3, 0.25) }
    frame Link = B.translate([0.1, 0, 0.2]).rotate(x, q);
    body { frame: Link, mass: 1.1, at: [0.01, 0.02, -0.1], inertia: diag(0.02, 0.03, 0.01) }
    gravity [0, 0, -g];
    Q.q = u;
    export c99 {
        mass_matrix, forcing, energy, integrate, acceleration, solve, acceleration_derivatives, rk4_step
    }
    export cuda { acceleration, linearize, rk4_step }
    export casadi {
        mass_matrix, energy, integrate, acceleration, solve, state_derivative, acceleration_derivatives, rk4_step
    }
    export wgsl { acceleration, linearize, rk4_step }
}

lagrangian! {
    /// Matrices of parameters and of coordinates.
    pub struct Lattice { z: coordinate[2, 2], k: parameter[2, 2], m: parameter }
    for i in 0..2 {
        for j in 0..2 {
            T += m * der(z[i, j])^2 / 2;
            V += k[i, j] * (z[i, j] - z[1 - i, j])^2 / 2 + k[j, i] * z[i, j]^4;
        }
    }
    export c99 {
        mass_matrix, forcing, energy, integrate, acceleration, solve, acceleration_derivatives, rk4_step
    }
    export cuda { acceleration, linearize, rk4_step }
    export casadi {
        mass_matrix, energy, integrate, acceleration, solve, state_derivative, acceleration_derivatives, rk4_step
    }
    export wgsl { acceleration, linearize, rk4_step }
}

lagrangian! {
    /// A quaternion by four coordinates: M is singular, and the constraint determines the rest.
    pub struct Quaternion { s, x, y, z: coordinate, i: parameter[3] }
    let w = 2 * [
        s * der(x) - x * der(s) + y * der(z) - z * der(y),
        s * der(y) - y * der(s) + z * der(x) - x * der(z),
        s * der(z) - z * der(s) + x * der(y) - y * der(x),
    ];
    T = (i[0] * w.x^2 + i[1] * w.y^2 + i[2] * w.z^2) / 2;
    holonomic unit: s^2 + x^2 + y^2 + z^2 = 1;
    export c99 {
        mass_matrix, forcing, energy, integrate, acceleration, solve, acceleration_derivatives, rk4_step,
        project
    }
    export cuda { acceleration, linearize, rk4_step, project }
    export casadi {
        mass_matrix, energy, integrate, acceleration, solve, state_derivative, acceleration_derivatives, rk4_step, project
    }
    export wgsl { acceleration, linearize, rk4_step, project }
}

lagrangian! {
    /// A tippe top: a sphere that slides on the floor with friction.
    pub struct TippeTop { place: coordinate[3], att: rotation, m, r, off: parameter, i: parameter[2], mu, smooth, g: parameter }
    frame Body = world.translate(place).rotate(att);
    body { frame: Body, mass: m, at: [0, 0, -off], inertia: diag(i[0], i[0], i[1]) }
    gravity [0, 0, -g];
    holonomic floor: place.z = r;
    let slip = velocity(Body) + cross(angular_velocity(Body), [0, 0, -r]);
    let speed = sqrt(slip.x^2 + slip.y^2 + smooth^2);
    force -mu * multiplier(floor) / speed * [slip.x, slip.y, 0] at place + [0, 0, -r] on Body;
    export c99 {
        mass_matrix, forcing, energy, integrate, acceleration, solve, acceleration_derivatives, rk4_step,
        project
    }
    export cuda { acceleration, linearize, rk4_step, project }
    export casadi {
        mass_matrix, energy, integrate, acceleration, solve, state_derivative, acceleration_derivatives, rk4_step, project
    }
    export wgsl { acceleration, linearize, rk4_step, project }
}

lagrangian! {
    /// A cam with a follower, by curves of every kind.
    #[allow(deprecated, reason = "the derivatives of forces jump")]
    pub struct Follower { angle, lift, swing: coordinate, j, m: parameter, c: parameter[6], d: parameter[4], u: input }
    let places = [-1, -0.25, 0.5, 1, 2.5];
    T = j * der(angle)^2 / 2 + m * (der(lift)^2 + der(swing)^2) / 2 + pchip(swing, 0..1, [0.5, 0.7, 0.9]) * der(swing)^2;
    V = 9.81 * m * lift + akima(angle + lift, places, [0, 0.3, -0.2, 1, 0]) + bspline(swing, -2..1, [d[0], 2 * d[1], d[2], d[3]]);
    holonomic cam: lift = spline(angle, places, [0, 0.3, 0.5, 1, 0]) + bspline(angle, -1..2, c) / 5;
    Q.angle = u * table(angle, places, [1, 2, 1.5, 0, 3]) - table(der(angle), -1..1, [-3, -1, 0, 2, 5]);
    export c99 {
        mass_matrix, forcing, energy, integrate, acceleration, solve, acceleration_derivatives, rk4_step,
        project
    }
    export cuda { acceleration, linearize, rk4_step, project }
    export casadi {
        mass_matrix, energy, integrate, acceleration, solve, state_derivative, acceleration_derivatives, rk4_step, project
    }
    export wgsl { acceleration, linearize, rk4_step, project }
}

lagrangian! {
    /// A beam on two springs above the floor, that slides along a guide.
    pub struct Beam { x, y, angle: coordinate, m, l, g, k: parameter, u: input }
    T = m * (der(x)^2 + der(y)^2 + l^2 / 12 * der(angle)^2) / 2;
    V = m * g * y + k * angle^2 / 2;
    Q.x = u;
    holonomic guide: x + sin(angle) * y / 5 = 0.3;
    contact left: y - l / 2 * sin(angle) >= 0 {
        slip: [der(x) + l / 2 * sin(angle) * der(angle), der(x) - der(y)],
        friction: 0.5 / m,
        restitution: exp(-x^2),
    };
    contact right: y + l / 2 * sin(angle) >= 0;
    contact wall: x + l / 2 * cos(angle) <= 3;
    export c99 {
        gaps, solve_active, impact, delassus, linearize_active, impact_derivatives, acceleration, friction_terms
    }
    export cuda { solve_active, impact, delassus, linearize_active, impact_derivatives }
    export casadi { gaps, solve_active, impact, delassus, acceleration, friction_terms }
    export wgsl { solve_active, impact, delassus, linearize_active, impact_derivatives, friction_terms }
}

lagrangian! {
    /// A block on a floor and at a wall, which may be contacts, in a groove: friction in all of them.
    pub struct Sled { x, y, z: coordinate, m, mu, g: parameter, u: input }
    T = m * (der(x)^2 + der(y)^2 + der(z)^2 + der(x) * der(y) / 2) / 2;
    V = m * g * y;
    holonomic groove: z + x^2 / 5 = 0;
    contact floor: y - x / 5 >= 0;
    contact wall: 2 - x >= 0;
    Q.x = u - mu * multiplier(floor) - mu * multiplier(groove);
    Q.y = -mu / 2 * multiplier(wall) * tanh(der(y));
    Q.z = u * multiplier(floor) / 8;
    export c99 {
        solve_active, impact, impact_derivatives, delassus, acceleration, linearize_active, mass_matrix_full,
        forcing_full, hamilton_equations, linearize_unchecked
    }
    export cuda { solve_active, impact, linearize_active }
    export wgsl { solve_active, impact, delassus, impact_derivatives }
}

lagrangian! {
    /// A sledge in a groove, which is declared twice, on a floor with friction beside a wall, which is declared twice.
    #[lagrangian(redundant)]
    #[allow(deprecated, reason = "rows depend on each other")]
    pub struct Sledge { r: coordinate[3], m, mu, g: parameter, u: input }
    T = m * der(r)^2 / 2;
    V = m * g * r.z + sin(r.x) * r.y;
    holonomic groove: r.y = 0;
    holonomic again: 2 * r.y = 0;
    contact floor: r.z + r.x^2 / 2 >= 0;
    contact wall: 3 - r.x >= 0;
    contact brick: 6 - 2 * r.x >= 0;
    contact tile: 3 * r.z + 1.5 * r.x^2 >= 0;
    Q.r = [u - mu * multiplier(floor) * der(r.x), 0, u * der(r.z)];
    export c99 { solve_active, linearize_active, impact, impact_derivatives, delassus }
    export cuda { solve_active, linearize_active, impact }
    export wgsl { solve_active, linearize_active, impact }
}

/// Some numbers between -1 and 1.
pub(crate) fn scattered<const N: usize>(seed: usize) -> SVector<f64, N> {
    SVector::from_fn(|i, _| ((seed * 97 + i * 7) as f64 * 0.7391).sin())
}

pub(crate) fn state<const NQ: usize, const N: usize, const K: usize>(
    q: SVector<f64, NQ>,
) -> State<NQ, N, K> {
    State {
        t: 0.3,
        q,
        v: scattered(2),
        u: scattered(3),
    }
}

/// A state of a system.
pub(crate) struct State<const NQ: usize, const N: usize, const K: usize> {
    pub(crate) t: f64,
    pub(crate) q: SVector<f64, NQ>,
    pub(crate) v: SVector<f64, N>,
    pub(crate) u: SVector<f64, K>,
}

/// Calls a macro with the table of all systems: name of a test, type, name in exports, whether it declares time, a value,
/// its parameters, and q.
macro_rules! for_all_systems {
    ($macro:ident) => {
        $macro! {
    cart_pole: CartPole, "cart_pole", false,
        CartPole { m_c: 1.0, m_p: 0.3, l: 0.7, g: 9.81 }, [1.0, 0.3, 0.7, 9.81], vector![0.4, 0.9];
    driven: Driven, "driven", true, Driven { m: 1.3, k: 4.0, c: 0.2 }, [1.3, 4.0, 0.2], vector![0.4];
    four_bar: FourBar, "four_bar", false,
        FourBar { m: [1.0, 2.0, 1.5], l1: 1.0, l2: 2.5, l3: 2.0, base: 3.0, g: 9.81 },
        [1.0, 2.0, 1.5, 1.0, 2.5, 2.0, 3.0, 9.81], vector![1.1, 0.5, 1.4];
    disk: Disk, "disk", false, Disk { m: 2.0, r: 0.5, i: 0.3, j: 0.2 }, [2.0, 0.5, 0.3, 0.2],
        vector![0.1, 0.2, 0.3, 0.4];
    top: Top, "top", false, Top { m: 2.0, l: 0.5, g: 9.81, i: 0.3, k: 0.2 }, [2.0, 0.5, 9.81, 0.3, 0.2],
        vector![0.1, 0.5, 0.1, 0.8544003745317531];
    chain: Chain, "chain", false, Chain { m: [1.0; 5], l: [0.8; 5], g: 9.81 },
        [1.0, 1.0, 1.0, 1.0, 1.0, 0.8, 0.8, 0.8, 0.8, 0.8, 9.81], scattered(1);
    functions: Functions, "functions", false, Functions { a: 2.0, b: 0.5 }, [2.0, 0.5], vector![0.7, -0.4];
    rod: Rod, "rod", false, Rod { m: 1.0, n: 2.0, l: 1.5, g: 9.81 }, [1.0, 2.0, 1.5, 9.81],
        vector![0.0, 0.0, 0.9, 1.2];
    arm: Arm, "arm", false, Arm { g: 9.81 }, [9.81], scattered(1);
    floating: Floating, "floating", false, Floating { g: 9.81 }, [9.81],
        vector![0.3, -0.2, 0.5, 0.1, 0.5, 0.1, 0.8544003745317531, 0.3];
    lattice: Lattice, "lattice", false, Lattice { k: [[1.0, 2.0], [3.0, 4.0]], m: 0.5 },
        [1.0, 2.0, 3.0, 4.0, 0.5], scattered(1);
    quaternion: Quaternion, "quaternion", false, Quaternion { i: [0.3, 0.4, 0.5] }, [0.3, 0.4, 0.5],
        vector![0.8544003745317531, 0.1, 0.5, 0.1];
    tippe_top: TippeTop, "tippe_top", false,
        TippeTop { m: 0.6, r: 0.15, off: 0.03, i: [0.008, 0.007], mu: 0.3, smooth: 0.01, g: 9.81 },
        [0.6, 0.15, 0.03, 0.008, 0.007, 0.3, 0.01, 9.81],
        vector![0.3, -0.2, 0.15, 0.1, 0.5, 0.1, 0.8544003745317531];
    follower: Follower, "follower", false,
        Follower { j: 0.4, m: 1.5, c: [0.1, 0.5, -0.2, 0.3, 0.8, 0.4], d: [0.2, -0.1, 0.4, 0.3] },
        [0.4, 1.5, 0.1, 0.5, -0.2, 0.3, 0.8, 0.4, 0.2, -0.1, 0.4, 0.3], vector![0.7, 0.4, -0.3];
    in_space: InSpace, "in_space", false, InSpace { l: [1.0, 2.0, 1.5, 2.2], m: [1.0, 2.0, 1.5] },
        [1.0, 2.0, 1.5, 2.2, 1.0, 2.0, 1.5], vector![1.0, -0.8, -1.6];
        }
    };
}
pub(crate) use for_all_systems;

//! Systems whose rows may depend on each other, with exports.

#![allow(
    deprecated,
    reason = "the macro warns of rows that depend on each other at every state"
)]

use lagrangian::lagrangian;

lagrangian! {
    /// Bricard's mechanism: five rods of a cube's edges and the ground, six hinges at right angles. It has one motion,
    /// though it has five coordinates and five rows.
    #[lagrangian(redundant)]
    pub struct Bricard {
        q: coordinate[5],
        /// The moment of inertia of a rod about its own axis.
        axial: parameter,
        g: parameter = 9.81,
    }
    frame A = world.rotate(y, q[0]);
    frame B = A.translate([1, 0, 0]).rotate(z, q[1]);
    frame C = B.translate([0, -1, 0]).rotate(x, q[2]);
    frame F = C.translate([0, 0, 1]).rotate(y, q[3]);
    frame E = F.translate([-1, 0, 0]).rotate(z, q[4]);
    body { frame: A, mass: 1, at: [0.5, 0, 0], inertia: diag(axial, 1 / 12, 1 / 12) }
    body { frame: B, mass: 1, at: [0, -0.5, 0], inertia: diag(1 / 12, axial, 1 / 12) }
    body { frame: C, mass: 1, at: [0, 0, 0.5], inertia: diag(1 / 12, 1 / 12, axial) }
    body { frame: F, mass: 1, at: [-0.5, 0, 0], inertia: diag(axial, 1 / 12, 1 / 12) }
    body { frame: E, mass: 1, at: [0, 0.5, 0], inertia: diag(1 / 12, axial, 1 / 12) }
    gravity [0, -g, 0];
    holonomic place: E.point([0, 1, 0]) = [0, 0, 1];
    holonomic lean_y: dot(E.vector([1, 0, 0]), [0, 1, 0]) = 0;
    holonomic lean_z: dot(E.vector([1, 0, 0]), [0, 0, 1]) = 0;
    export c99 {
        solve, acceleration, state_derivative, constraint_forces, linearize, linearize_reduced,
        acceleration_derivatives, vjp, rk4_step, project
    }
    export cuda { solve, acceleration, linearize, linearize_reduced, vjp, project }
    export wgsl { solve, acceleration, linearize, vjp }
}

lagrangian! {
    /// A planar four-bar, closed in space by a hinge of five rows. Three of them restrict nothing.
    #[lagrangian(redundant)]
    pub struct InSpace { q: coordinate[3], l: parameter[4], m: parameter[3] }
    frame A = world.rotate(z, q[0]);
    frame B = A.translate([l[0], 0, 0]).rotate(z, q[1]);
    frame C = B.translate([l[1], 0, 0]).rotate(z, q[2]);
    body { frame: A, mass: m[0], at: [l[0] / 2, 0, 0], inertia: diag(0, 0, m[0] * l[0]^2 / 12) }
    body { frame: B, mass: m[1], at: [l[1] / 2, 0, 0], inertia: diag(0, 0, m[1] * l[1]^2 / 12) }
    body { frame: C, mass: m[2], at: [l[2] / 2, 0, 0], inertia: diag(0, 0, m[2] * l[2]^2 / 12) }
    gravity [0, -9.81, 0];
    holonomic place: C.point([l[2], 0, 0]) = [l[3], 0, 0];
    holonomic lean_x: dot(C.vector([0, 0, 1]), [1, 0, 0]) = 0;
    holonomic lean_y: dot(C.vector([0, 0, 1]), [0, 1, 0]) = 0;
    export c99 {
        mass_matrix, forcing, energy, integrate, acceleration, solve, acceleration_derivatives, rk4_step,
        project, linearize_reduced
    }
    export cuda { acceleration, linearize, linearize_reduced, rk4_step, project }
    export casadi {
        mass_matrix, energy, integrate, acceleration, solve, state_derivative, acceleration_derivatives, rk4_step, project
    }
    export wgsl { acceleration, linearize, linearize_reduced, rk4_step, project }
}

lagrangian! {
    /// The same with numbers of a file: an offset and a tilt that should be 0 and are not.
    #[lagrangian(redundant)]
    pub struct FileDigits { q: coordinate[3], l: parameter[4], m: parameter[3], offset, tilt, g: parameter }
    frame A = world.rotate(z, q[0]);
    frame B = A.translate([l[0], 0, offset]).rotate(z, q[1]);
    frame C = B.translate([l[1], 0, 0]).rotate(x, tilt).rotate(z, q[2]);
    body { frame: A, mass: m[0], at: [l[0] / 2, 0, 0], inertia: diag(0, 0, m[0] * l[0]^2 / 12) }
    body { frame: B, mass: m[1], at: [l[1] / 2, 0, 0], inertia: diag(0, 0, m[1] * l[1]^2 / 12) }
    body { frame: C, mass: m[2], at: [l[2] / 2, 0, 0], inertia: diag(0, 0, m[2] * l[2]^2 / 12) }
    gravity [0, -g, 0];
    holonomic place: C.point([l[2], 0, 0]) = [l[3], 0, 0];
    holonomic lean_x: dot(C.vector([0, 0, 1]), [1, 0, 0]) = 0;
    holonomic lean_y: dot(C.vector([0, 0, 1]), [0, 1, 0]) = 0;
    export c99 { acceleration, solve, constraint_forces, rk4_step, project, linearize }
    export cuda { acceleration, solve, project }
    export wgsl { acceleration, project }
}

lagrangian! {
    /// A coupler on three parallel cranks; the third crank is longer by `excess`. Each joint has two rows, and one of the
    /// six depends on the others where cranks are equally long.
    #[lagrangian(redundant)]
    pub struct Cranks { q: coordinate[3], x, y, phi: coordinate, l, excess, m, g: parameter }
    T = m * sum(k in 0..3, (l * der(q[k]))^2) / 6 + m * (der(x)^2 + der(y)^2 + (l * der(phi))^2) / 2;
    V = m * g * (y + sum(k in 0..3, l * sin(q[k]) / 2));
    for k in 0..2 {
        holonomic joint: [x + k * l * cos(phi), y + k * l * sin(phi)] = [k * l + l * cos(q[k]), l * sin(q[k])];
    }
    holonomic last: [x + 2 * l * cos(phi), y + 2 * l * sin(phi)]
        = [2 * l + (l + excess) * cos(q[2]), (l + excess) * sin(q[2])];
    export c99 { acceleration, solve, project }
}

lagrangian! {
    /// Three parallelograms in a row with links of length 1: at theta = 0 all of them lie flat, and J loses rank.
    #[lagrangian(redundant)]
    pub struct Parallelograms { x, y: coordinate[4], m, g: parameter }
    T = sum(k in 0..4, m * (der(x[k])^2 + der(y[k])^2) / 2);
    V = sum(k in 0..4, m * g * y[k]);
    for k in 0..4 {
        holonomic post: (x[k] - k)^2 + y[k]^2 = 1;
    }
    for k in 0..3 {
        holonomic bar: (x[k + 1] - x[k])^2 + (y[k + 1] - y[k])^2 = 1;
    }
    export c99 { solve, linearize_reduced }
}

lagrangian! {
    /// A load on two branches, and once more on both.
    #[lagrangian(redundant)]
    pub struct Branches { y, z: coordinate, m, g: parameter }
    T = m * (der(y)^2 + der(z)^2) / 2;
    V = m * g * y + m * g * z;
    holonomic left: y - z = 0;
    holonomic right: 2 * z - 2 * y = 0;
    holonomic top: y = 0;
    export c99 { solve, constraint_forces, linearize_reduced }
}

lagrangian! {
    /// A table on four legs that stand on the floor, which may also be contacts.
    #[lagrangian(redundant)]
    pub struct Table { z, roll, pitch: coordinate, m, i, g, load, at: parameter }
    T = m * der(z)^2 / 2 + i * (der(roll)^2 + der(pitch)^2) / 2;
    V = m * g * z + load * (z + at * sin(roll));
    holonomic steady: z + pitch = 0;
    holonomic again: 2 * (z + pitch) = 0;
    contact a: z + sin(roll) + pitch >= 0;
    contact b: z + sin(roll) - pitch >= 0;
    contact c: z - sin(roll) + pitch >= 0;
    contact d: z - sin(roll) - pitch >= 0;
    export c99 { solve_active, impact, delassus, linearize_active, impact_derivatives }
    export cuda { solve_active, impact, delassus }
    export wgsl { solve_active, impact, delassus, linearize_active, impact_derivatives }
}

lagrangian! {
    /// One row says that x rests, the other one that it accelerates, though they agree at t = 0.
    #[lagrangian(redundant)]
    pub struct Contradiction { x, y: coordinate, m: parameter = 1, t: time }
    T = m * (der(x)^2 + der(y)^2) / 2;
    V = m * y;
    holonomic rest: x + y^2 / 2 = 0;
    holonomic motion: x + sin(y)^2 / 2 = t^4;
    export c99 { solve, project }
}

lagrangian! {
    /// A plank on three points in a row: contacts alone depend on each other.
    #[lagrangian(redundant)]
    pub struct Plank { y, a: coordinate, m, i: parameter, g: parameter = 9.81, load: input }
    T = m * der(y)^2 / 2 + i * der(a)^2 / 2;
    V = m * g * y;
    Q.a = load;
    contact left: y - sin(a) >= 0;
    contact middle: y >= 0;
    contact right: y + sin(a) >= 0;
    export c99 { acceleration, solve_active, linearize_active, impact, impact_derivatives, delassus }
    export cuda { solve_active, impact }
}

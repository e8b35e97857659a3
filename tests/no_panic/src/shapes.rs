//! Small systems, one of each shape that generated code can have.

use crate::chain::pendulum_chain;
use crate::rods::rods;
use lagrangian::lagrangian;

lagrangian! {
    /// Without constraints: a cart that carries an inverted pendulum.
    #[lagrangian(hessian)]
    pub struct CartPole {
        x, theta: coordinate,
        m_c, m_p, l: parameter,
        g: parameter = 9.81,
        u: input,
    }

    pub let bob = [x + l * sin(theta), l * cos(theta)];
    pub let power = u * der(x);
    #[hessian]
    pub let cost = x^2 + sin(theta)^2 + der(theta)^2 * x + u^2;

    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;

    regressor identify { m_p, m_c }
    sensitivity by_mass { m_p, m_c }
    symmetry along: x -> 1;
    bundle control { mass_matrix, bias, bob, bob_jacobian, power, identify, along, acceleration_unchecked }
}

lagrangian! {
    /// Holonomic: a crank, its rod, and a slider that they push.
    #[lagrangian(hessian)]
    pub struct Linkage {
        crank, rod, x: coordinate,
        m, r, l: parameter,
    }

    let center = [r * cos(crank) + l / 2 * cos(rod), r * sin(crank) + l / 2 * sin(rod)];

    T = m * (r^2 * der(crank)^2 + der(center)^2 + l^2 * der(rod)^2 / 12 + der(x)^2) / 2;
    V = m * 9.81 * center.y;
    D = der(x)^2 / 10;
    holonomic closed: [r * cos(crank) + l * cos(rod), r * sin(crank) + l * sin(rod)] = [x, 0];
    sensitivity by_lengths { r, l }
}

lagrangian! {
    /// Nonholonomic: it slides along its edge only.
    pub struct Skate { x, y, heading: coordinate, m, i: parameter }

    T = m * der([x, y])^2 / 2 + i * der(heading)^2 / 2;
    nonholonomic blade: der(x) * sin(heading) = der(y) * cos(heading);
}

lagrangian! {
    /// Both: a sledge on a rod, whose blade does not slip sideways.
    pub struct Sledge { x, y, phi: coordinate, m, l: parameter, u: input }

    T = m * (der(x)^2 + der(y)^2) / 2 + m * l^2 * der(phi)^2 / 6;
    V = m * 9.81 * y;
    Q.phi = u;
    bundle step { acceleration_unchecked, forcing_full, constraint_jacobian }
    holonomic rod: x^2 + y^2 = l^2;
    nonholonomic blade: cos(phi) * der(y) = sin(phi) * der(x) + l * der(phi) / 3;
}

lagrangian! {
    /// Rows depend on each other: a bead in a groove that is declared twice.
    #[lagrangian(redundant)]
    pub struct Groove { x, y: coordinate, m: parameter, u: input }
    T = m * (der(x)^2 + der(y)^2) / 2;
    V = m * 9.81 * y;
    Q.x = u;
    holonomic groove: y = x^2 / 4;
    #[allow(deprecated)] // It repeats the groove.
    holonomic again: 4 * y = x^2;
}

lagrangian! {
    /// With contacts, one of them on a floor that moves, and a constraint.
    pub struct Walker { x, y, phi: coordinate, m, l: parameter, u: input, t: time }
    let foot = [x - l * sin(phi), y - l * cos(phi)];
    T = m * (der(x)^2 + der(y)^2 + l^2 * der(phi)^2 / 3) / 2;
    V = 9.81 * m * y;
    Q.phi = u;
    holonomic track: x = y * sin(phi);
    contact heel: foot.y >= sin(t) { slip: der(foot).x - cos(t), friction: 0.5, restitution: 1 / (1 + foot.x^2) };
    contact wall: foot.x <= 2;
    actuator { joint: phi, coulomb: m * exp(-x^2) }
}

lagrangian! {
    /// With a ball that slides in two directions.
    pub struct Ball { p: coordinate[3], att: rotation, m, r, mu: parameter }
    frame Body = world.translate(p).rotate(att);
    body { frame: Body, mass: m, inertia: m * r^2 * diag(0.4, 0.4, 0.4) }
    gravity [0, 0, -9.81];
    let slip = velocity(Body) + cross(angular_velocity(Body), [0, 0, -r]);
    contact floor: p.z >= r { slip: slip.xy, friction: mu };
}

lagrangian! {
    /// The same with friction on the track and on the floor.
    pub struct Slider { x, y, phi: coordinate, m, l: parameter, u: input, t: time }
    let foot = [x - l * sin(phi), y - l * cos(phi)];
    T = m * (der(x)^2 + der(y)^2 + l^2 * der(phi)^2 / 3) / 2;
    V = 9.81 * m * y;
    holonomic track: x = y * sin(phi);
    contact heel: foot.y >= sin(t);
    contact wall: foot.x <= 2;
    Q.phi = u * (1 + multiplier(track) / 8);
    Q.y = -multiplier(track) * tanh(der(y)) / 4;
    force [-multiplier(heel) * tanh(der(foot).x) / 3, 0] at foot;
}

lagrangian! {
    /// M singular at every state: y has no mass and goes where the guide puts it.
    pub struct Follower { x, y, z: coordinate, m: parameter, u: input }

    T = m * (der(x)^2 + der(z)^2) / 2;
    V = z * y;
    holonomic guide: y = x^2 + z;
    Q.y = u;
}

lagrangian! {
    /// Given by a Lagrangian that is quadratic in the velocities: momenta that do not vanish at rest.
    pub struct Charge { x, y: coordinate, m, b: parameter }

    L = m * der([x, y])^2 / 2 + b * (x * der(y) - y * der(x)) - x^2;
}

lagrangian! {
    /// Given by its Lagrangian, with time: M depends on the velocities.
    pub struct Relativistic { t: time, x, y: coordinate, m, c, omega: parameter = 1, e: input }

    L = -m * c^2 * sqrt(1 - (der(x)^2 + der(y)^2) / c^2) - x * cos(omega * t);
    Q.y = e;
}

lagrangian! {
    /// A constraint that contains time: a bead on a rod that turns.
    pub struct Bead { x, y: coordinate, t: time, m, w: parameter }

    T = m * der([x, y])^2 / 2;
    V = m * 9.81 * y;
    holonomic rod: y * cos(w * t) = x * sin(w * t);
}

lagrangian! {
    /// Every elementary function and curve, also with derivatives.
    #[allow(deprecated, reason = "the derivatives of forces jump")]
    pub struct Pull { x, y: coordinate, m, k: parameter = 1, c: parameter[6] = 1, u: input }

    T = m * der([x, y])^2 / 2;
    V = k * (asin(x / 9) * acos(y / 9) + atan(x) + atan2(y, x) + tan(x) + ln(2 + x^2) + exp(-y))
        + hypot(x, y) * tanh(x) + sinh(x) * cosh(y) + min(x, y) + max(x, 2 * y) + recip(3 + x^2);
    V += spline(x, [0, 1, 3, 4], [1, 3, 2, 2]) + pchip(y, 0..3, [1, 2, 4]) + bspline(x, 0..2, c);
    V += if x < y { abs(x)^k } else { pow(2 + y^2, x) };
    Q.x = u * table(der(x), 0..1, [3, 1, 0]) * sign(der(x)) + sqrt(der(x)^2 + 1) + norm([x, y, der(x)]);
    pub let every = [
        sin(x), cosh(x), abs(y)^x, sign(y), acos(x), ln(y), sqrt(x), atan2(der(x), der(y)),
        x * y - k, 2 * sin(y) + k, der(x)^99, if x != y { x } else if x <= k { y } else { 0 },
        if x == k { cos(x) } else { y }, akima(der(x), [0, 1, 3, 4], [1, 3, 2, 2]), bspline(y, 0..3, [x, y, 0, 1]),
    ];
}

lagrangian! {
    /// More coordinates than velocities: a body that turns freely.
    pub struct Top { attitude: rotation, mass, c: parameter, inertia: parameter[3] }

    frame Body = world.rotate(attitude);
    pub frame nose = Body.translate([0, 0, c]);
    #[hessian]
    pub let height = Body.point([0, 0, c]).z;
    body { frame: Body, mass: mass, at: [0, 0, c], inertia: diag(inertia[0], inertia[1], inertia[2]) }
    gravity [0, 0, -9.81];
}

lagrangian! {
    /// States of first order beside a constraint.
    pub struct Bristled { p: coordinate[2], bristle, current: state, m, l, s, f: parameter, u: input }

    T = m * der(p)^2 / 2;
    V = 9.81 * m * p.y + (p.x - bristle)^2 / 2;
    der(bristle) = der(p.x) - s * abs(der(p.x)) / f * bristle;
    der(current) = u - current - der(p.y);
    D = der(bristle)^2 * der(p.x)^2 / 2;
    Q.p = [-s * der(bristle), current];
    holonomic rod: p^2 = l^2;
}

// Derivatives of accelerations that are solved for column by column, without and with constraints: of smaller systems
// they are code as the accelerations are, of larger ones they are groups of columns.
pendulum_chain! {
    pub struct Chain8 {
        q1 m1 l1, q2 m2 l2, q3 m3 l3, q4 m4 l4, q5 m5 l5, q6 m6 l6, q7 m7 l7, q8 m8 l8,
    }
}
rods! { pub struct Rods5 of 5 }

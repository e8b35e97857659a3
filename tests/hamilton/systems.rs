//! Systems of all kinds.

use lagrangian::lagrangian;

lagrangian! {
    /// A torque-free body; psi about z, then theta about x, then phi about y.
    pub(crate) struct EulerBody {
        psi, theta, phi, x, y, z: coordinate,
        m: parameter,
        i: parameter[3],
    }

    frame F = world.translate([x, y, z]).rotate(z, psi).rotate(x, theta).rotate(y, phi);
    body { frame: F, mass: m, inertia: diag(i) }
}

lagrangian! {
    /// Two pinned rods, and a mass that slides on the second.
    pub(crate) struct PinnedRods { q1, q2, q3: coordinate, m, g, kt, kl, l: parameter }

    frame A = world.rotate(z, q1);
    frame B = A.translate([l, 0, 0]).rotate(x, q2);
    body { frame: A, mass: m, at: [l / 2, 0, 0], inertia: diag(0, m * l^2 / 12, m * l^2 / 12) }
    body { frame: B, mass: m, inertia: diag(m * l^2 / 12, 0, m * l^2 / 12) }
    body { mass: m / 4, at: B.point([0, q3, 0]) }
    gravity [g, 0, 0];
    V = kl * q3^2 / 2 + kt * (q1^2 + q2^2) / 2;
}

lagrangian! {
    /// A cat of three cylinders, with torques between them.
    pub(crate) struct FallingCat { q1, q2, q3: coordinate, k, l, r: parameter, tb, tc: input }

    let c = (4 * l^2 - 3 * r^2) * sin(q3)^2;
    T = k / 2 * ((c + 18 * r^2) * der(q1)^2 + 2 * (c + 12 * r^2) * der(q1) * der(q2));
    T += k / 2 * ((c + 12 * r^2) * der(q2)^2 + (4 * l^2 + 3 * r^2) * der(q3)^2);
    Q.q2 = tb;
    Q.q3 = tc;
}

lagrangian! {
    /// A cart that carries an inverted pendulum, with friction.
    pub(crate) struct CartPole { x, theta: coordinate, mc, mp, l, g, c: parameter, u: input }

    let bob = [x + l * sin(theta), l * cos(theta)];
    T = mc * der(x)^2 / 2 + mp * der(bob)^2 / 2;
    V = mp * g * bob.y;
    D = c * der(theta)^2 / 2;
    Q.x = u;
}

lagrangian! {
    /// A charge in a magnetic field along z and an electric one: momenta that do not vanish at rest.
    pub(crate) struct Charge { r: coordinate[3], m, e, b: parameter }

    let potential = [-r.y * b / 2, r.x * b / 2, 0];
    L = m * der(r)^2 / 2 + e * dot(potential, der(r)) - e * (0.3 * r.x + r.z^2 / 2);
}

lagrangian! {
    /// A pendulum whose pivot shakes and turns: T has terms linear in v, and t.
    pub(crate) struct ShakenPendulum { t: time, theta, phi: coordinate, m, l, a, w: parameter }

    let pivot = [a * cos(w * t), a * sin(w * t), a * sin(2 * w * t)];
    let bob = pivot + l * [sin(theta) * cos(phi), sin(theta) * sin(phi), -cos(theta)];
    T = m * der(bob)^2 / 2;
    V = m * 9.81 * bob.z;
}

lagrangian! {
    /// A four-bar linkage by three angles, with a torque at the crank.
    pub(crate) struct FourBar { a, b, c: coordinate, m, l1, l2, l3, d: parameter, torque: input }

    let first = [l1 * cos(a), l1 * sin(a)];
    let second = first + [l2 * cos(b), l2 * sin(b)];
    let middle = first + [l2 * cos(b), l2 * sin(b)] / 2;
    let centre = [d + l3 * cos(c) / 2, l3 * sin(c) / 2];
    T = m * (l1^2 * der(a)^2 / 3 + der(middle)^2 + l2^2 * der(b)^2 / 12 + l3^2 * der(c)^2 / 3) / 2;
    V = m * 9.81 * (first.y / 2 + middle.y + centre.y);
    Q.a = torque;
    holonomic closed: second = [d + l3 * cos(c), l3 * sin(c)];
}

lagrangian! {
    /// A bead on a rod that turns as told, by a constraint that contains time.
    pub(crate) struct Bead { t: time, x, y: coordinate, m, w: parameter }

    T = m * der([x, y])^2 / 2;
    V = m * 9.81 * y;
    holonomic rod: y * cos(w * t) = x * sin(w * t);
}

lagrangian! {
    /// A skate on an incline.
    pub(crate) struct Skate { x, y, heading: coordinate, m, i: parameter }

    T = m * der([x, y])^2 / 2 + i * der(heading)^2 / 2;
    V = m * 2 * x;
    nonholonomic blade: der(x) * sin(heading) = der(y) * cos(heading);
}

lagrangian! {
    /// A free body by a rotation.
    pub(crate) struct FreeBody { p: coordinate[3], att: rotation, m: parameter, i: parameter[3] }

    body { frame: world.translate(p).rotate(att), mass: m, inertia: diag(i) }
    gravity [0, 0, -9.81];
}

lagrangian! {
    /// A satellite with two wheels on motors, which turn in it as time goes: rotations beside coordinates.
    pub(crate) struct Satellite {
        t: time,
        p: coordinate[3],
        att: rotation,
        roll: coordinate,
        m: parameter,
        i: parameter[3],
        wheel: parameter,
        motor: input,
    }

    frame Hull = world.translate(p).rotate(att);
    frame First = Hull.translate([0.2, 0, 0.1]).rotate(x, roll);
    frame Second = Hull.translate([0, -0.3, 0.1]).rotate(y, 3 * t);
    body hull { frame: Hull, mass: m, at: [0, 0.01, -0.02], inertia: diag(i) }
    body first { frame: First, mass: wheel, inertia: wheel * diag(0.01, 0.005, 0.005) }
    body second { frame: Second, mass: wheel, inertia: wheel * diag(0.005, 0.01, 0.005) }
    Q.roll = motor;
    Q.att = [0, 0.1 * motor, 0];
}

lagrangian! {
    /// A lopsided ball that rolls on a floor.
    pub(crate) struct Ball { p: coordinate[3], att: rotation, m: parameter, i: parameter[3], r: parameter }

    frame F = world.translate(p).rotate(att);
    body { frame: F, mass: m, at: [0, 0, 0.1], inertia: diag(i) }
    gravity [0, 0, -9.81];
    let contact = velocity(F) + cross(angular_velocity(F), [0, 0, -r]);
    nonholonomic slip: [contact.x, contact.y] = [0, 0];
    holonomic floor: p.z = r;
}

pub(crate) const EULER_BODY: EulerBody = EulerBody {
    m: 1.5,
    i: [1.0, 2.0, 3.0],
};
pub(crate) const RODS: PinnedRods = PinnedRods {
    m: 0.25,
    g: 9.81,
    kt: 2.0,
    kl: 5.0,
    l: 0.6,
};
pub(crate) const CAT: FallingCat = FallingCat {
    k: 0.04,
    l: 1.1,
    r: 0.4,
};
pub(crate) const CART_POLE: CartPole = CartPole {
    mc: 1.0,
    mp: 0.2,
    l: 0.5,
    g: 9.81,
    c: 0.05,
};
pub(crate) const CHARGE: Charge = Charge {
    m: 0.7,
    e: 1.3,
    b: 2.0,
};
pub(crate) const SHAKEN: ShakenPendulum = ShakenPendulum {
    m: 0.6,
    l: 0.9,
    a: 0.2,
    w: 4.0,
};
pub(crate) const FOUR_BAR: FourBar = FourBar {
    m: 1.2,
    l1: 0.4,
    l2: 1.0,
    l3: 0.8,
    d: 1.1,
};
pub(crate) const BEAD: Bead = Bead { m: 0.3, w: 1.5 };
pub(crate) const SKATE: Skate = Skate { m: 1.0, i: 0.2 };
pub(crate) const FREE_BODY: FreeBody = FreeBody {
    m: 2.0,
    i: [0.3, 0.5, 0.7],
};
pub(crate) const SATELLITE: Satellite = Satellite {
    m: 12.0,
    i: [0.8, 1.1, 0.9],
    wheel: 0.9,
};
pub(crate) const BALL: Ball = Ball {
    m: 1.5,
    i: [0.16, 0.17, 0.15],
    r: 0.5,
};

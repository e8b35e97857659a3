//! Several bodies in space, by joints or by springs and dampers between their points.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SVector, vector};

use crate::harness::reference_test;
use crate::support::{State, assert_close};

lagrangian! {
    /// Two rods that hang by universal joints; the second joint has friction.
    struct UniversalJoints {
        a1, b1, a2, b2: coordinate,
        m1, m2, l1, l2, i, j, c, g: parameter,
    }

    frame First = world.rotate(x, a1).rotate(y, b1);
    frame Second = First.translate([0, 0, -l1]).rotate(x, a2).rotate(y, b2);
    let inertia = diag(i, i, j);
    body { frame: First, mass: m1, at: [0, 0, -l1 / 2], inertia }
    body { frame: Second, mass: m2, at: [0, 0, -l2 / 2], inertia }
    gravity [0, 0, -g];
    D = c * (angular_velocity(Second) - angular_velocity(First))^2 / 2;
    frame Tip = Second.translate([0, 0, -l2]);
    pub let tip = Tip.origin;
    pub let tip_velocity = velocity(Tip);
}

reference_test! {
    universal_joints: UniversalJoints { m1, m2, l1, l2, i, j, c, g },
    Natural (q, v),
    outputs [tip(&q), tip_jacobian(&q), tip_velocity(&q, &v)],
    coordinates ["a1", "b1", "a2", "b2"], cyclic [false; 4], conserved [false; 4],
    conserves_energy false, constant_mass_matrix false,
}

mod by_a_loop {
    use lagrangian::lagrangian;

    use crate::harness::reference_test;

    lagrangian! {
        /// The same: a row of coordinates for each joint, a frame that moves on from link to link.
        struct UniversalJoints {
            q: coordinate[2, 2],
            m1, m2, l1, l2, i, j, c, g: parameter,
        }

        let m = [m1, m2];
        let l = [l1, l2];
        gravity [0, 0, -g];
        frame mut Link = world;
        let mut turning = [0, 0, 0];
        let mut relative = [0, 0, 0];
        for k in 0..2 {
            Link = Link.rotate(x, q[k, 0]).rotate(y, q[k, 1]);
            body rod { frame: Link, mass: m[k], at: [0, 0, -l[k] / 2], inertia: diag(i, i, j) }
            relative = angular_velocity(Link) - turning;
            turning = angular_velocity(Link);
            Link = Link.translate([0, 0, -l[k]]);
        }
        D = c * relative^2 / 2;
        pub let tip = Link.origin;
        pub let tip_velocity = velocity(Link);
    }

    reference_test! {
        universal_joints: UniversalJoints { m1, m2, l1, l2, i, j, c, g },
        Natural (q, v),
        outputs [tip(&q), tip_jacobian(&q), tip_velocity(&q, &v)],
        coordinates ["q[0, 0]", "q[0, 1]", "q[1, 0]", "q[1, 1]"],
        cyclic [false; 4], conserved [false; 4],
        conserves_energy false, constant_mass_matrix false,
    }
}

/// With the second angles of both joints at zero the rods stay in a plane.
#[test]
fn universal_joints_swing_in_a_plane() {
    let rods = UniversalJoints {
        m1: 1.0,
        m2: 0.7,
        l1: 0.5,
        l2: 0.8,
        i: 0.03,
        j: 0.001,
        c: 0.0,
        g: 9.81,
    };
    let start = State::new([0.9, 0.0, -0.4, 0.0], [0.3, 0.0, 1.1, 0.0]);
    let energy = rods.energy(&start.q, &start.v);
    for State { q, v, .. } in
        start.trajectory(1e-3, 1000, |s| rods.acceleration(&s.q, &s.v).unwrap())
    {
        assert_eq!(rods.tip(&q).x, 0.0);
        assert_close("E", &rods.energy(&q, &v), &energy, 1e-8);
    }
}

lagrangian! {
    /// A swinging and a free body, tied by a spring and a damper between points of both; the free
    /// one hangs by a spring without rest length.
    struct SprungBodies {
        a, b, x, y, z, c: coordinate,
        m, l, i, j, k, rest, damping, g: parameter,
    }

    frame Swing = world.rotate(z, a).rotate(x, b);
    frame Free = world.translate([x, y, z]).rotate([1, 2, 2], c);
    let products = [[0, i / 4, i / 5], [i / 4, 0, 0], [i / 5, 0, 0]];
    body { frame: Swing, mass: m, at: [l / 2, 0, 0], inertia: diag(i, j, i + j) + products }
    body { frame: Free, mass: 2 * m, inertia: diag(j, i, i + j) }
    gravity [0, 0, -g];
    let hook = Swing.point([l, 0, l / 4]);
    let eye = Free.point([0, l, 0]);
    spring { k, rest, from: hook, to: eye }
    damper { c: damping, from: hook, to: eye }
    spring { k: k / 2, from: [0, l, 3 * l], to: Free.origin }
}

reference_test! {
    sprung_bodies: SprungBodies { m, l, i, j, k, rest, damping, g },
    Natural (q, v),
    outputs [],
    coordinates ["a", "b", "x", "y", "z", "c"], cyclic [false; 6], conserved [false; 6],
    conserves_energy false, constant_mass_matrix false,
}

lagrangian! {
    /// A body in a gimbal on a platform that is shaken and turned, tied to the platform and to a
    /// moving hook, and pushed.
    struct MovingPlatform {
        tilt, slide: coordinate,
        m, l, i, j, k, damping, w, g: parameter,
        push, twist: input,
        t: time,
    }

    frame Platform = world
        .translate([l * sin(w * t), 0, l * cos(w * t) / 4])
        .rotate(z, w * t^2 / 4);
    frame Tilted = Platform.translate([l, 0, 0]).rotate(y, tilt).translate([0, 0, slide]);
    body { frame: Tilted, mass: m, at: [0, l / 3, 0], inertia: diag(i, j, i + j) }
    gravity [0, 0, -g];
    let eye = Tilted.point([l / 2, 0, 0]);
    spring { k, rest: l, from: Platform.point([0, 0, -l]), to: eye }
    damper { c: damping, from: [0, l * t, 3 * l], to: eye }
    force [push, 0, push * t] at eye;
    torque Platform.vector([0, twist, twist]) on Tilted;
    pub let eye_velocity = der(eye);
    pub let turning = angular_velocity(Tilted);
    pub let speed = velocity(Tilted);
}

reference_test! {
    moving_platform: MovingPlatform { m, l, i, j, k, damping, w, g },
    Rheonomic ([t] q, v; u),
    outputs [eye_velocity(t, &q, &v), turning(t, &q, &v), speed(t, &q, &v)],
    coordinates ["tilt", "slide"], cyclic [false; 2], conserved [false; 2],
    conserves_energy false, constant_mass_matrix false,
}

lagrangian! {
    /// Six links, each with all products of inertia, driven at the joints.
    struct SixJointArm {
        q: coordinate[6],
        m, l, a, b, c, d, g: parameter,
        u: input[6],
    }

    let inertia = [[a, d / 4, -d / 6], [d / 4, b, d / 5], [-d / 6, d / 5, c]];
    let centre = [l / 8, -l / 9, l / 2];
    let end = [0, l / 10, l];
    frame First = world.rotate(z, q[0]);
    frame Second = First.translate(end).rotate(y, q[1]);
    frame Third = Second.translate(end).rotate(y, q[2]);
    frame Fourth = Third.translate(end).rotate(x, q[3]);
    frame Fifth = Fourth.translate(end).rotate(y, q[4]);
    frame Sixth = Fifth.translate(end).rotate(x, q[5]);
    body { frame: First, mass: m, at: centre, inertia }
    body { frame: Second, mass: m, at: centre, inertia }
    body { frame: Third, mass: m, at: centre, inertia }
    body { frame: Fourth, mass: m, at: centre, inertia }
    body { frame: Fifth, mass: m, at: centre, inertia }
    body { frame: Sixth, mass: m, at: centre, inertia }
    gravity [0, 0, -g];
    Q.q = u;
    pub let tip = Sixth.point(end);
}

reference_test! {
    six_joint_arm: SixJointArm { m, l, a, b, c, d, g },
    Natural (q, v; u),
    outputs [tip(&q), tip_jacobian(&q)],
    coordinates ["q[0]", "q[1]", "q[2]", "q[3]", "q[4]", "q[5]"],
    cyclic [true, false, false, false, false, false], conserved [false; 6],
    conserves_energy false, constant_mass_matrix false,
}

/// The torques that hold the arm at rest are those of its weight, and hold it.
#[test]
fn arm_is_held_by_the_torques_of_its_weight() {
    let arm = SixJointArm {
        m: 2.0,
        l: 0.4,
        a: 0.05,
        b: 0.06,
        c: 0.02,
        d: 0.01,
        g: 9.81,
    };
    let q = SVector::from([0.3, -0.8, 1.1, 0.4, -0.6, 0.9]);
    let still = SVector::zeros();
    let weight = arm.potential_gradient(&q);
    let a = arm.acceleration(&q, &still, &weight).unwrap();
    assert!(a.amax() < 1e-12, "it moves: {a}");
    // The first joint turns about the vertical.
    assert_close("Q1", &vector![weight[0]], &vector![0.0], 1e-12);
}

lagrangian! {
    /// Three carts on a line between two walls, one of which is shaken, by springs and dampers between scalars.
    #[derive(Clone, Copy, Debug)]
    struct CartsOnALine {
        s: coordinate[3],
        t: time,
        m, k, c: parameter[3],
        rest, width, amplitude: parameter,
    }

    let wall = width + amplitude * sin(t);
    T = sum(i in 0..3, m[i] * der(s[i])^2) / 2;
    spring { k: k[0], rest, from: 0, to: s[0] }
    damper { c: c[0], from: s[0], to: 0 }
    for i in 1..3 {
        spring { k: k[i], rest, from: s[i - 1], to: s[i] }
        damper { c: c[i], from: s[i - 1], to: s[i] }
    }
    spring { k: k[0], from: s[2], to: wall }
    damper { c: c[0], from: wall, to: s[2] }
}

lagrangian! {
    /// The same, written out.
    #[derive(Clone, Copy, Debug)]
    struct CartsWrittenOut {
        s: coordinate[3],
        t: time,
        m, k, c: parameter[3],
        rest, width, amplitude: parameter,
    }

    T = (m[0] * der(s[0])^2 + m[1] * der(s[1])^2 + m[2] * der(s[2])^2) / 2;
    V = k[0] * (s[0] - rest)^2 / 2 + k[1] * (s[1] - s[0] - rest)^2 / 2;
    V += k[2] * (s[2] - s[1] - rest)^2 / 2 + k[0] * (width + amplitude * sin(t) - s[2])^2 / 2;
    D = c[0] * der(s[0])^2 / 2 + c[1] * der(s[1] - s[0])^2 / 2 + c[2] * der(s[2] - s[1])^2 / 2;
    D += c[0] * (amplitude * cos(t) - der(s[2]))^2 / 2;
}

/// Also where the carts have passed each other: the stretch of a spring between scalars has a sign.
#[test]
fn springs_between_scalars_are_signed() {
    let (m, k, c) = ([1.0, 0.5, 2.0], [3.0, 40.0, 5.0], [0.3, 0.2, 0.7]);
    let (rest, width, amplitude) = (0.4, 3.0, 0.25);
    let blocks = CartsOnALine {
        m,
        k,
        c,
        rest,
        width,
        amplitude,
    };
    let written = CartsWrittenOut {
        m,
        k,
        c,
        rest,
        width,
        amplitude,
    };
    let v = vector![0.3, -1.0, 0.6];
    for q in [vector![0.1, 0.9, 2.0], vector![1.5, -0.5, -0.6]] {
        let t = 0.8;
        assert_close(
            "V",
            &blocks.potential_energy(t, &q),
            &written.potential_energy(t, &q),
            1e-14,
        );
        assert_close(
            "Q",
            &blocks.generalized_forces(t, &q, &v),
            &written.generalized_forces(t, &q, &v),
            1e-14,
        );
        let a = (
            blocks.acceleration(t, &q, &v),
            written.acceleration(t, &q, &v),
        );
        assert_close("a", &a.0.unwrap(), &a.1.unwrap(), 1e-14);
    }
}

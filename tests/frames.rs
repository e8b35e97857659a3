//! Systems of frames and bodies, against published numbers and the same systems by hand.

#[path = "systems/support.rs"]
#[allow(dead_code)]
mod support;

use lagrangian::lagrangian;
use lagrangian::nalgebra::{Matrix3, SVector, matrix, vector};
use support::{assert_close, assert_within};

lagrangian! {
    /// A free rigid body, turned about z, x and y.
    struct FreeBody {
        psi, theta, phi, x, y, z: coordinate,
        m, i_x, i_y, i_z: parameter,
    }
    frame B = world.translate([x, y, z]).rotate(z, psi).rotate(x, theta).rotate(y, phi);
    body { frame: B, mass: m, inertia: diag(i_x, i_y, i_z) }
    pub let angular_momentum = B.vector(diag(i_x, i_y, i_z) * transpose(B.rotation) * angular_velocity(B));
}

#[test]
fn a_free_body_moves_by_eulers_equations() {
    let body = FreeBody {
        m: 1.5,
        i_x: 1.0,
        i_y: 2.0,
        i_z: 3.0,
    };
    let q = SVector::<f64, 6>::from([0.4, 0.5, 0.6, 0.0, 0.0, 0.0]);
    let v = SVector::<f64, 6>::from([0.3, -0.7, 1.1, 0.2, -0.4, 0.6]);
    assert_within(
        "T",
        &[body.kinetic_energy(&q, &v)],
        &[2.278_433_704_281_84],
        1e-13,
    );
    let mass = body.mass_matrix(&q);
    let turning: Matrix3<f64> = mass.fixed_view::<3, 3>(0, 0).into();
    let expected = matrix![
        2.27907024238481, 0.81794124884508, 0.958851077208406;
        0.81794124884508, 1.63764224552333, 0.0;
        0.958851077208406, 0.0, 2.0
    ];
    assert_close("M", &turning, &expected, 1e-13);
    let expected = [
        -2.46987200781281,
        -1.79094433540776,
        -0.62712132469286,
        0.0,
        0.0,
        0.0,
    ];
    assert_close("h", &body.bias(&q, &v), &expected.into(), 1e-13);
    let expected = [
        1.16589838345313,
        -0.900967197212805,
        2.48765532316252,
        0.3,
        -0.6,
        0.9,
    ];
    assert_close("p", &body.momenta(&q, &v), &expected.into(), 1e-13);
    let expected = vector![-1.6856840410466, 1.67339477987887, 1.16589838345313];
    assert_close("H", &body.angular_momentum(&q, &v), &expected, 1e-13);
    assert_eq!(FreeBody::CYCLIC, [true, false, false, true, true, true]);
}

lagrangian! {
    /// Two rods, and a mass that slides along the second one.
    struct Rods {
        q1, q2, q3: coordinate,
        m, l, g, k_t, k_l: parameter,
    }
    gravity [g, 0, 0];
    frame A = world.rotate(z, q1);
    frame B = A.translate([l, 0, 0]).rotate(x, q2);
    let i = m * l^2 / 12;
    body rod { frame: A, mass: m, at: [l / 2, 0, 0], inertia: diag(0, i, i) }
    body other { frame: B, mass: m, inertia: diag(i, 0, i) }
    body slider { frame: B, mass: m / 4, at: [0, q3, 0] }
    V = k_t * (q1^2 + q2^2) / 2 + k_l * q3^2 / 2;
}

#[test]
fn rods_with_a_slider() {
    let rods = Rods {
        m: 0.25,
        g: 9.81,
        k_t: 2.0,
        k_l: 5.0,
        l: 0.6,
    };
    let q = vector![0.4, 0.5, 0.1];
    let v = vector![0.3, -0.7, 1.1];
    let expected = matrix![
        0.148757478117589, -0.00179784576976576, 0.032909346070889;
        -0.00179784576976576, 0.008125, 0.0;
        0.032909346070889, 0.0, 0.0625
    ];
    assert_close("M", &rods.mass_matrix(&q), &expected, 1e-13);
    let expected = vector![1.88304713603977, 0.979235796976814, 0.706037763918357];
    assert_close("h", &rods.bias(&q, &v), &expected, 1e-13);
    let expected = vector![0.0820860161520907, -0.00622685373092973, 0.0786228038212667];
    assert_close("p", &rods.momenta(&q, &v), &expected, 1e-13);
    let expected = vector![-13.1874028756082, -123.439349347806, -4.35278334253969];
    let acceleration = rods.acceleration(&q, &v).unwrap();
    assert_close("a", &acceleration, &expected, 1e-12);
    let at_rest = rods.bias(&SVector::zeros(), &SVector::zeros());
    assert_close("equilibrium", &at_rest, &SVector::zeros(), 1e-15);
}

lagrangian! {
    /// Three cylinders, bent and twisted by torques between them.
    struct Cat {
        q1, q2, q3: coordinate,
        r, l: parameter,
        twist, bend: input,
    }
    let m = l * pi * r^2;
    let across = m * (3 * r^2 + l^2) / 12;
    let inertia = diag(across, across, m * r^2 / 2);
    frame A = world.rotate(z, q1);
    frame B = A.rotate(z, q2);
    frame C = B.translate([0, 0, -3 * l / 2]).rotate(x, q3);
    body front { frame: A, mass: m, at: [0, 0, -l / 2], inertia }
    body middle { frame: B, mass: m, at: [0, 0, -l], inertia }
    body back { frame: C, mass: m, at: [0, 0, -l / 2], inertia }
    torque [0, 0, twist] on B;
    torque [0, 0, -twist] on A;
    torque B.vector([bend, 0, 0]) on C;
    torque B.vector([-bend, 0, 0]) on B;
}

#[test]
fn a_falling_cat_keeps_its_angular_momentum() {
    let cat = Cat { r: 0.3, l: 0.8 };
    let k = std::f64::consts::PI * cat.l * cat.r.powi(2) / 12.0;
    let (l2, r2) = (cat.l.powi(2), cat.r.powi(2));
    let q = vector![0.2_f64, -0.4, 0.7];
    let s = (4.0 * l2 - 3.0 * r2) * q[2].sin().powi(2);
    let expected = matrix![
        s + 18.0 * r2, s + 12.0 * r2, 0.0;
        s + 12.0 * r2, s + 12.0 * r2, 0.0;
        0.0, 0.0, 4.0 * l2 + 3.0 * r2
    ] * k;
    assert_close("M", &cat.mass_matrix(&q), &expected, 1e-13);
    assert_eq!(Cat::CYCLIC, [true, true, false]);
    assert_eq!(Cat::CONSERVED_MOMENTA, [true, false, false]);
    let forces = cat.generalized_forces(&q, &vector![0.1, 0.5, -0.2], &vector![0.4, 0.9]);
    assert_close("Q", &forces, &vector![0.0, 0.4, 0.9], 1e-13);
}

lagrangian! {
    /// A spinning rotor in two gimbals, each with its own inertia.
    struct Gimbals {
        ring, gimbal, spin: coordinate,
        a, b, c: parameter,
    }
    frame Outer = world.rotate(x, ring);
    frame Inner = Outer.rotate(y, gimbal);
    frame Rotor = Inner.rotate(z, spin);
    body { frame: Outer, inertia: diag(a, 0, 0) }
    body { frame: Inner, inertia: diag(0, b, 0) }
    body { frame: Rotor, inertia: diag(c, c, 2 * c) }
}

lagrangian! {
    struct GimbalsByHand {
        ring, gimbal, spin: coordinate,
        a, b, c: parameter,
    }
    let across = der(ring) * cos(gimbal);
    let along = der(spin) + der(ring) * sin(gimbal);
    T = a * der(ring)^2 / 2 + b * der(gimbal)^2 / 2
        + c * (across^2 + der(gimbal)^2) / 2 + c * along^2;
}

#[test]
fn gimbals_are_those_by_hand() {
    let (a, b, c) = (0.3, 0.2, 0.7);
    let frames = Gimbals { a, b, c };
    let hand = GimbalsByHand { a, b, c };
    let (q, v) = (vector![0.3, 0.8, -0.4], vector![0.5, -1.2, 20.0]);
    assert_close("M", &frames.mass_matrix(&q), &hand.mass_matrix(&q), 1e-14);
    assert_close("h", &frames.bias(&q, &v), &hand.bias(&q, &v), 1e-14);
    assert_eq!(Gimbals::CYCLIC, GimbalsByHand::CYCLIC);
}

lagrangian! {
    /// A chain of two masses at springs and a damper, under a force at a point of a bar.
    struct Links {
        x, theta: coordinate,
        m, k, c, l: parameter,
        f: input,
    }
    frame Bar = world.translate([x, 0, 0]).rotate(z, theta);
    let tip = Bar.point([l, 0, 0]);
    body { mass: m, at: [x, 0] }
    body { mass: m, at: tip }
    spring { k, rest: l / 2, from: [0, l, 0], to: tip }
    spring { k: 2 * k, from: [0, 0], to: [x, 0] }
    damper { c, from: [0, l, 0], to: tip }
    force [0, f, 0] at tip;
}

lagrangian! {
    struct LinksByHand {
        x, theta: coordinate,
        m, k, c, l: parameter,
        f: input,
    }
    let tip = [x + l * cos(theta), l * sin(theta)];
    let way = norm(tip - [0, l]);
    T = m * (der(x)^2 + der(tip)^2) / 2;
    V = k * (way - l / 2)^2 / 2 + k * x^2;
    D = c * der(way)^2 / 2;
    force [0, f] at tip;
}

#[test]
fn springs_and_dampers_are_those_by_hand() {
    let (m, k, c, l) = (0.7, 30.0, 0.4, 0.9);
    let links = Links { m, k, c, l };
    let hand = LinksByHand { m, k, c, l };
    let (q, v, u) = (vector![0.2, 0.6], vector![-0.3, 0.8], vector![1.3]);
    let (a, b) = (
        links.acceleration(&q, &v, &u),
        hand.acceleration(&q, &v, &u),
    );
    assert_close("a", &a.unwrap(), &b.unwrap(), 1e-13);
    let (a, b) = (links.energy(&q, &v), hand.energy(&q, &v));
    assert_close("E", &a, &b, 1e-14);
}

lagrangian! {
    /// A chain built in a loop: each link hangs at the tip of the one before.
    struct Chain {
        q: coordinate[4],
        m, l, g: parameter,
    }
    gravity [0, -g, 0];
    frame mut Link = world.rotate(z, -pi / 2);
    for i in 0..4 {
        Link = Link.rotate(z, q[i]);
        body link { frame: Link, mass: m, at: [l / 2, 0, 0], inertia: diag(0, 0, m * l^2 / 12) }
        Link = Link.translate([l, 0, 0]);
    }
    pub let tip = Link.origin;
    pub let tip_velocity = velocity(Link);
}

#[test]
fn a_chain_in_a_loop_hangs_at_rest() {
    let chain = Chain {
        m: 0.4,
        l: 0.5,
        g: 9.81,
    };
    let (q, v) = (SVector::zeros(), vector![0.1, 0.2, 0.3, 0.4]);
    assert_close("tip", &chain.tip(&q), &vector![0.0, -2.0, 0.0], 1e-15);
    let speed = 0.5 * (0.1 + 0.3 + 0.6 + 1.0);
    assert_close(
        "v",
        &chain.tip_velocity(&q, &v),
        &vector![speed, 0.0, 0.0],
        1e-14,
    );
    let at_rest = chain.bias(&q, &SVector::zeros());
    assert_close("h", &at_rest, &SVector::zeros(), 1e-15);
    // 4 m l^2 / 3 per link and the moments of the others: the trace of M about the suspension.
    let inertia = chain.mass_matrix(&q)[(0, 0)];
    let rods = (0..4).map(|i| (f64::from(i) + 0.5).powi(2) + 1.0 / 12.0);
    let expected = 0.4 * 0.25 * rods.sum::<f64>();
    assert_within("M11", &[inertia], &[expected], 1e-14);
}

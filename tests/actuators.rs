//! Actuators, against values by hand and against systems whose terms are written one by one.

#[path = "rotations/support.rs"]
#[allow(dead_code)]
mod support;

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{lagrangian, rk4_step};

use support::{Random, assert_close};

lagrangian! {
    /// A link on a base, both about one axis. The base has 2, and the rotor as a part of it.
    struct Carried { al, q: coordinate, rotor: parameter = 3e-4, tau: input }
    frame Base = world.rotate(z, al);
    frame Link = Base.rotate(z, q);
    body { frame: Base, inertia: diag(0, 0, 2 + rotor) }
    body { frame: Link, inertia: diag(0, 0, 0.5) }
    actuator motor { joint: q, gear: 100, rotor, torque: tau / 100, on: Base, axis: z }
}

lagrangian! {
    /// The same by the armature alone.
    struct Armature { al, q: coordinate, tau: input }
    frame Base = world.rotate(z, al);
    frame Link = Base.rotate(z, q);
    body { frame: Base, inertia: diag(0, 0, 2) }
    body { frame: Link, inertia: diag(0, 0, 0.5) }
    actuator { joint: q, gear: 100, rotor: 3e-4, torque: tau / 100 }
}

#[test]
fn a_rotor_on_a_moving_base_is_more_than_its_armature() {
    // M = [2.5003, 0.53; 0.53, 3.5], on which a torque of 4 acts at the joint.
    let (q, v) = (vector![0.3, -0.7], vector![0.2, 0.5]);
    let a = Carried::default()
        .acceleration(&q, &v, &vector![4.0])
        .unwrap();
    assert_close(
        "carried",
        &a,
        &vector![-0.250290726846632, 1.1807583100653471],
        1e-14,
    );
    // M = [2.5, 0.5; 0.5, 3.5].
    let a = Armature::<f64>::default()
        .acceleration(&q, &v, &vector![4.0])
        .unwrap();
    assert_close("armature", &a, &vector![-4.0 / 17.0, 20.0 / 17.0], 1e-14);
    assert_eq!(Carried::COORDINATES, ["al", "q"]);
    assert_eq!(Carried::CONSERVES_ENERGY, Armature::CONSERVES_ENERGY);
}

lagrangian! {
    struct Pendulum { q: coordinate, m, l: parameter = 1, g: parameter = 9.81, u: input }
    body { mass: m, at: [l * sin(q), -l * cos(q)] }
    gravity [0, -g];
    actuator { joint: q, gear: 160, rotor: 3.46e-4, torque: u }
}

#[test]
fn a_geared_motor_lifts_a_pendulum() {
    let a = Pendulum::default().acceleration(&vector![0.5], &vector![0.0], &vector![0.01]);
    assert_close("a", &a.unwrap(), &vector![-0.31479919389174155], 1e-14);
}

lagrangian! {
    /// An arm on a base that turns and flies, with a motor whose axis is oblique and whose gear is not constant.
    struct Flying {
        p: coordinate[3],
        att: rotation,
        q: coordinate,
        m, rotor, gear: parameter,
        i, axis: parameter[3],
        u: input,
    }
    frame Base = world.translate(p).rotate(att);
    frame Link = Base.rotate(axis, q);
    body { frame: Base, mass: m, inertia: diag(i) + rotor * outer(axis, axis) / axis^2 }
    body { frame: Link, mass: m, at: [0.3, 0.1, 0.2] }
    actuator motor { joint: q, gear: gear * (1 + q^2), rotor, torque: u, on: Base, axis: axis }
}

lagrangian! {
    /// The same with the rotor as a body of its own, at the rate of the motor.
    struct Rotor {
        p: coordinate[3],
        att: rotation,
        q: coordinate,
        m, rotor, gear: parameter,
        i, axis: parameter[3],
        u: input,
    }
    frame Base = world.translate(p).rotate(att);
    frame Link = Base.rotate(axis, q);
    frame Spun = Base.rotate(axis, gear * (q + q^3 / 3));
    let e = axis / norm(axis);
    body { frame: Base, mass: m, inertia: diag(i) }
    body { frame: Link, mass: m, at: [0.3, 0.1, 0.2] }
    body { frame: Spun, inertia: rotor * outer(e, e) }
    Q.q = gear * (1 + q^2) * u;
}

#[test]
fn a_carried_rotor_is_a_body_that_turns_at_the_rate_of_the_motor() {
    let (m, rotor, gear) = (1.3, 2e-2, 7.0);
    let (i, axis) = ([0.4, 0.5, 0.7], [1.0, -2.0, 0.5]);
    let (short, long) = (
        Flying {
            m,
            rotor,
            gear,
            i,
            axis,
        },
        Rotor {
            m,
            rotor,
            gear,
            i,
            axis,
        },
    );
    let mut random = Random(7);
    for _ in 0..8 {
        let mut q: SVector<f64, 8> = random.vector();
        q.fixed_rows_mut::<4>(3).copy_from(&random.quaternion());
        let (v, u) = (random.vector(), random.vector());
        assert_close("M", &short.mass_matrix(&q), &long.mass_matrix(&q), 1e-13);
        assert_close("h", &short.bias(&q, &v), &long.bias(&q, &v), 1e-12);
        let [a, b] = [
            short.acceleration(&q, &v, &u).unwrap(),
            long.acceleration(&q, &v, &u).unwrap(),
        ];
        assert_close("a", &a, &b, 1e-11);
        let difference = short.energy(&q, &v) - long.energy(&q, &v);
        assert!(difference.abs() < 1e-13, "energies differ by {difference}");
    }
}

lagrangian! {
    /// Two links with elastic gears.
    struct Elastic { q: coordinate[2], rotor, b, c: parameter, k: parameter[2], u: input[2] }
    frame A = world.rotate(z, q[0]);
    frame B = A.translate([1, 0, 0]).rotate(z, q[1]);
    body { frame: A, mass: 1.5, at: [0.5, 0, 0] }
    body { frame: B, mass: 0.7, at: [0.4, 0, 0] }
    gravity [0, -9.81, 0];
    for i in 0..2 {
        actuator motor {
            joint: q[i], gear: 20 + i, rotor, viscous: b, coulomb: c, smooth: 0.1, torque: u[i],
            elastic: k[i], on: A, axis: z,
        }
        Q.motor.angle += motor.angle^2;
    }
    Q.motor[1].angle += q[0];
    pub let wound = [motor[0].angle - q[0], motor[1].angle - q[1]];
    pub let rate = der(motor[1].angle);
}

lagrangian! {
    /// The same, with every term written.
    struct ByHand { q, a: coordinate[2], rotor, b, c: parameter, k: parameter[2], u: input[2] }
    frame A = world.rotate(z, q[0]);
    frame B = A.translate([1, 0, 0]).rotate(z, q[1]);
    body { frame: A, mass: 1.5, at: [0.5, 0, 0] }
    body { frame: B, mass: 0.7, at: [0.4, 0, 0] }
    gravity [0, -9.81, 0];
    for i in 0..2 {
        let turn = (20 + i) * der(a[i]);
        T += rotor * ((der(q[0]) + turn)^2 - der(q[0])^2) / 2;
        V += k[i] * (a[i] - q[i])^2 / 2;
        D += b * der(a[i])^2 / 2;
        Q.a[i] += (20 + i) * u[i] - c * tanh(der(a[i]) / 0.1) + a[i]^2;
    }
    Q.a[1] += q[0];
    pub let wound = a - q;
    pub let rate = der(a[1]);
}

#[test]
fn an_elastic_gear_has_the_terms_that_one_writes_by_hand() {
    let (rotor, b, c, k) = (1e-3, 0.4, 0.3, [300.0, 80.0]);
    let (short, long) = (Elastic { rotor, b, c, k }, ByHand { rotor, b, c, k });
    let mut random = Random(11);
    for _ in 0..8 {
        let (q, v, u) = (random.vector(), random.vector(), random.vector());
        assert_close("M", &short.mass_matrix(&q), &long.mass_matrix(&q), 1e-14);
        assert_close(
            "Q",
            &short.generalized_forces(&q, &v, &u),
            &long.generalized_forces(&q, &v, &u),
            1e-14,
        );
        let [a, b] = [
            short.acceleration(&q, &v, &u).unwrap(),
            long.acceleration(&q, &v, &u).unwrap(),
        ];
        assert_close("a", &a, &b, 1e-12);
        let [a, b] = [
            short.linearize(&q, &v, &u).unwrap(),
            long.linearize(&q, &v, &u).unwrap(),
        ];
        assert_close("A", &a.a, &b.a, 1e-11);
        assert_close("B", &a.b, &b.b, 1e-11);
        assert!((short.energy(&q, &v) - long.energy(&q, &v)).abs() < 1e-12);
        assert_close("wound", &short.wound(&q), &long.wound(&q), 0.0);
        assert_close(
            "slope",
            &short.wound_jacobian(&q),
            &long.wound_jacobian(&q),
            0.0,
        );
        assert_eq!(short.rate(&q, &v), v[3]);
    }
    assert_eq!(
        Elastic::COORDINATES,
        ["q[0]", "q[1]", "motor[0].angle", "motor[1].angle"]
    );
    assert_eq!(
        Elastic::VELOCITIES,
        [
            "der(q)[0]",
            "der(q)[1]",
            "der(motor[0].angle)",
            "der(motor[1].angle)"
        ]
    );
    assert_eq!(Elastic::CYCLIC, ByHand::CYCLIC);
    assert_eq!(Elastic::CONSERVES_ENERGY, ByHand::CONSERVES_ENERGY);
}

lagrangian! {
    /// A coordinate that is declared behind an elastic gear, a rotation, time, a constraint and a symmetry.
    struct Wound {
        x: coordinate,
        att: rotation,
        y: coordinate,
        i: parameter[3],
        t: time,
    }
    frame F = world.rotate(att);
    body { frame: F, inertia: diag(i) }
    T += (der(x)^2 + der(y)^2) / 2;
    symmetry spun: att -> transpose(F.rotation) * [0, 0, 1];
    actuator drive { joint: x, rotor: 2, elastic: 9, torque: sin(t) }
    symmetry along: x -> 1, drive.angle -> 1, y -> 1;
    holonomic driven: drive.angle = y + sin(t);
}

#[test]
fn the_coordinate_of_an_elastic_gear_is_one_like_others() {
    let names = ["x", "att.x", "att.y", "att.z", "att.w", "y", "drive.angle"];
    assert_eq!(Wound::COORDINATES, names);
    let names = [
        "der(x)",
        "der(att).x",
        "der(att).y",
        "der(att).z",
        "der(y)",
        "der(drive.angle)",
    ];
    assert_eq!(Wound::VELOCITIES, names);
    assert_eq!(Wound::DEGREES_OF_FREEDOM, 5);
    let wound = Wound { i: [1.0, 2.0, 2.5] };
    let mut q = wound.neutral();
    (q[0], q[5], q[6]) = (0.3, 0.2, 0.4);
    let v: SVector<f64, 6> = Random(3).vector();
    let t = 0.7;
    let a = wound.solve(t, &q, &v).unwrap();
    // x'' = 9 (a - x); y'' + l = 0 and 2 a'' = sin t - 9 (a - x) + l with a'' = y'' - sin t.
    let stretch = 0.4 - 0.3;
    assert!((a.acceleration[0] - 9.0 * stretch).abs() < 1e-14);
    let y = (3.0 * f64::sin(t) - 9.0 * stretch) / 3.0;
    assert!((a.acceleration[4] - y).abs() < 1e-14);
    assert!((a.acceleration[5] - (y - f64::sin(t))).abs() < 1e-14);
    assert!(
        (a.multipliers[0] + y).abs() < 1e-13,
        "{} {y}",
        a.multipliers
    );
    // With the axes of the body in those of the world.
    assert_eq!(wound.spun(t, &q, &v), 2.5 * v[3]);
    assert!((wound.along(t, &q, &v) - (v[0] + v[4] + 2.0 * v[5])).abs() < 1e-15);
}

lagrangian! {
    struct Damped { q: coordinate, m, b, c: parameter }
    T = m * der(q)^2 / 2;
    actuator { joint: q, gear: 5, viscous: b, coulomb: c, smooth: 0.2 }
}

lagrangian! {
    /// Friction that falls with the speed at first (Stribeck), and is viscous by the square.
    struct Stribeck { q: coordinate, m, b, c: parameter }
    T = m * der(q)^2 / 2;
    let speed = der(q);
    actuator { joint: q, viscous: b * sqrt(1 + speed^2), coulomb: c * (1 + exp(-(speed / 0.3)^2)), smooth: 0.2 }
}

lagrangian! {
    struct Free { q: coordinate, m: parameter }
    T = m * der(q)^2 / 2;
    actuator { joint: q, gear: 5, rotor: 0.1 }
}

lagrangian! {
    /// A motor and nothing else, and another one of it.
    struct Alone { q: coordinate, u: input[2] }
    actuator { joint: q, gear: 2, rotor: 3, torque: u[0] }
    actuator { joint: q, gear: 5, rotor: 4, torque: u[1] }
}

lagrangian! {
    /// Beside a Lagrangian of one's own a motor without a rotor.
    struct Relativistic { x: coordinate, m, b: parameter, u: input }
    L = -m * sqrt(1 - der(x)^2);
    actuator { joint: x, gear: 2, viscous: b, torque: u }
}

#[test]
fn friction_takes_energy_and_a_rotor_does_not() {
    let (m, b, c) = (2.0, 0.6, 0.3);
    for v in [-2.0, -0.1, 0.0, 0.05, 1.0] {
        let (q, speed) = (vector![0.4], vector![v]);
        let force = Damped { m, b, c }.generalized_forces(&q, &speed)[0];
        let expected = -b * v - c * f64::tanh(v / 0.2);
        assert!((force - expected).abs() < 1e-15, "{force} for {expected}");
        let force = Stribeck { m, b, c }.generalized_forces(&q, &speed)[0];
        let dry = c * (1.0 + f64::exp(-(v / 0.3) * (v / 0.3)));
        let expected = -b * f64::sqrt(1.0 + v * v) * v - dry * f64::tanh(v / 0.2);
        assert!((force - expected).abs() < 1e-15, "{force} for {expected}");
    }
    let never = (Damped::CONSERVES_ENERGY, Stribeck::CONSERVES_ENERGY);
    assert_eq!(never, (false, false));
    assert_eq!(
        (Damped::CONSERVED_MOMENTA, Free::CONSERVED_MOMENTA),
        ([false], [true])
    );
    const { assert!(Free::CONSERVES_ENERGY) };
    // m + gear^2 rotor
    assert_eq!(Free { m }.mass_matrix(&vector![0.0])[0], 2.0 + 25.0 * 0.1);
    let a = Alone::default().acceleration(&vector![0.0], &vector![1.0], &vector![1.0, 2.0]);
    assert_eq!(a.unwrap()[0], (2.0 + 10.0) / (4.0 * 3.0 + 25.0 * 4.0));
    let fast = Relativistic { m, b };
    let force = fast.generalized_forces(&vector![0.0], &vector![0.5], &vector![3.0])[0];
    assert_eq!(force, 6.0 - 0.3);
}

#[test]
fn friction_lets_the_energy_fall_along_a_motion() {
    let damped = Damped {
        m: 2.0,
        b: 0.6,
        c: 0.3,
    };
    let (mut q, mut v) = (vector![0.0], vector![1.0]);
    let mut energy = damped.energy(&q, &v);
    for _ in 0..200 {
        (q, v) = rk4_step(&damped, 0.0, &q, &v, &SVector::zeros(), 0.01).unwrap();
        let next = damped.energy(&q, &v);
        assert!(next < energy, "{next} after {energy}");
        energy = next;
    }
}

//! Blades, spheres and disks that do not slip.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SMatrix, SVector, matrix, vector};

use crate::harness::reference_test;
use crate::held::{assert_held, assert_workless, drifting, held, projected, violation};
use crate::support::{State, assert_close};

lagrangian! {
    /// A skate on an incline; x points down.
    struct KnifeEdge {
        x, y, phi: coordinate,
        m, i, g: parameter,
    }

    T = m * der([x, y])^2 / 2 + i * der(phi)^2 / 2;
    V = -m * g * x;
    nonholonomic blade: der(x) * sin(phi) = der(y) * cos(phi);
}

reference_test! {
    knife_edge: KnifeEdge { m, i, g },
    Natural (q, v),
    outputs [],
    constraints ["blade"], holonomic 0,
    coordinates ["x", "y", "phi"], cyclic [false, true, true], conserved [false, false, true],
    conserves_energy true, constant_mass_matrix true,
}

/// Released at rest but turning at w, a skate does not slide down: it moves on a cycloid,
/// x = g sin(w t)^2 / (2 w^2), y = g (w t - sin(2 w t) / 2) / (2 w^2).
#[test]
fn skate_on_an_incline_moves_on_a_cycloid() {
    let skate = KnifeEdge {
        m: 0.7,
        i: 0.2,
        g: 3.0,
    };
    let w = 1.7_f64;
    let start = State::new([0.0; 3], [0.0, 0.0, w]);
    for State { t, q, .. } in held(&skate, start, 1e-3, 4000) {
        let (s, size) = ((w * t).sin(), 3.0 / (2.0 * w * w));
        let expected = vector![
            size * s * s,
            size * (w * t - (2.0 * w * t).sin() / 2.0),
            w * t
        ];
        assert!((q - expected).amax() < 1e-9, "at {t}: {q}{expected}");
    }
    assert_workless(&skate, &State::new([0.1, 0.2, 0.5], [0.4, 0.3, 1.0]));
}

// The third row says z' = 0, which is no nonholonomic constraint: the compiler tells.
mod with_integrable_row {
    #![expect(
        deprecated,
        reason = "one row of three is the derivative of a position"
    )]

    use lagrangian::lagrangian;

    lagrangian! {
        /// A sphere of any inertia on a plane, turned by psi about z, then by theta about x, then by
        /// phi about y; all its constraints are on velocities.
        pub(crate) struct RollingSphere {
            psi, theta, phi, x, y, z: coordinate,
            m, ixx, iyy, izz, r, g: parameter,
        }

        let wx = -sin(phi) * cos(theta) * der(psi) + cos(phi) * der(theta);
        let wy = sin(theta) * der(psi) + der(phi);
        let wz = cos(phi) * cos(theta) * der(psi) + sin(phi) * der(theta);
        T = m * der([x, y, z])^2 / 2 + (ixx * wx^2 + iyy * wy^2 + izz * wz^2) / 2;
        V = m * g * z;
        nonholonomic slip_x: der(x) = r * (sin(psi) * der(theta) + cos(psi) * cos(theta) * der(phi));
        nonholonomic slip_y: der(y) = -r * (cos(psi) * der(theta) - sin(psi) * cos(theta) * der(phi));
        nonholonomic lift: der(z) = 0;
    }
}
pub(crate) use with_integrable_row::RollingSphere;

reference_test! {
    rolling_sphere: RollingSphere { m, ixx, iyy, izz, r, g },
    Natural (q, v),
    outputs [],
    constraints ["slip_x", "slip_y", "lift"], holonomic 0,
    coordinates ["psi", "theta", "phi", "x", "y", "z"],
    cyclic [true, false, false, true, true, false],
    conserved [true, false, false, false, false, false],
    conserves_energy true, constant_mass_matrix false,
}

/// Without weight, at a state off the constraints, as a textbook has it.
pub(crate) const SPHERE: RollingSphere = RollingSphere {
    m: 1.5,
    ixx: 1.0,
    iyy: 2.0,
    izz: 3.0,
    r: 0.5,
    g: 0.0,
};

pub(crate) fn tumbling() -> State<6> {
    State::new(
        [0.4, 0.5, 0.6, 0.0, 0.0, 0.0],
        [0.3, -0.7, 1.1, 0.2, -0.4, 0.6],
    )
}

#[test]
fn rolling_sphere_at_a_state() {
    let State { q, v, .. } = tumbling();
    let jacobian = matrix![
        0.0, -0.194709171154325, -0.404153533387173, 1.0, 0.0, 0.0;
        0.0, 0.460530497001443, -0.170873373245164, 0.0, 1.0, 0.0;
        0.0, 0.0, 0.0, 0.0, 0.0, 1.0
    ];
    let gamma = vector![0.016908745266598, 0.164360122999276, 0.0];
    let a = [
        0.943138181155219,
        0.560513701937519,
        -0.143998829384985,
        0.0678482678919364,
        -0.118379096450496,
        0.0,
    ];
    let lambda = vector![0.101772401837905, -0.177568644675743, 0.0];
    let motion = SPHERE.solve(&q, &v).unwrap();
    assert_close("J", &SPHERE.constraint_jacobian(&q), &jacobian, 1e-12);
    assert_close("gamma", &SPHERE.constraint_gamma(&q, &v), &gamma, 1e-12);
    assert_close("a", &motion.acceleration, &SVector::from(a), 1e-12);
    assert_close("lambda", &motion.multipliers, &lambda, 1e-12);
}

/// The turning of a uniform sphere is steady, its centre moves straight, and the floor bears it.
#[test]
fn uniform_sphere_rolls_straight() {
    let inertia = 0.4 * 1.5 * 0.5 * 0.5;
    let ball = RollingSphere {
        ixx: inertia,
        iyy: inertia,
        izz: inertia,
        g: 9.81,
        ..SPHERE
    };
    let mut start = tumbling();
    start.v[5] = 0.0;
    start.v[3] = 0.30827246691786225;
    start.v[4] = 0.51033205847069;
    let (_, slip) = violation(&ball, &start);
    assert!(slip < 1e-15, "the start slips by {slip:e}");
    let motion = ball.solve(&start.q, &start.v).unwrap();
    let weight = vector![0.0, 0.0, 1.5 * 9.81];
    assert_close("lambda", &motion.multipliers, &weight, 1e-13);
    for State { t, q, v } in held(&ball, start, 1e-2, 200) {
        let straight = start.q.fixed_rows::<3>(3) + start.v.fixed_rows::<3>(3) * t;
        let centre = q.fixed_rows::<3>(3).into_owned();
        assert!((centre - straight).amax() < 1e-8, "at {t}: {centre}");
        let a = ball.acceleration(&q, &v).unwrap();
        assert!(
            a.fixed_rows::<3>(3).amax() < 1e-12,
            "it is accelerated: {a}"
        );
    }
}

lagrangian! {
    /// The same with the floor as a constraint, and the slip as a vector.
    struct RollingBall {
        psi, theta, phi, x, y, z: coordinate,
        m, ixx, iyy, izz, r, g: parameter,
    }

    let wx = -sin(phi) * cos(theta) * der(psi) + cos(phi) * der(theta);
    let wy = sin(theta) * der(psi) + der(phi);
    let wz = cos(phi) * cos(theta) * der(psi) + sin(phi) * der(theta);
    T = m * der([x, y, z])^2 / 2 + (ixx * wx^2 + iyy * wy^2 + izz * wz^2) / 2;
    V = m * g * z;
    let across = [cos(psi) * cos(theta), sin(psi) * cos(theta)];
    nonholonomic slip: der([x, y]) = r * ([sin(psi), -cos(psi)] * der(theta) + across * der(phi));
    holonomic floor: z = r;
}

const BALL: RollingBall = RollingBall {
    m: 1.5,
    ixx: 1.0,
    iyy: 1.4,
    izz: 1.2,
    r: 0.5,
    g: 9.81,
};

fn rolling() -> State<6> {
    let near = State::new(
        [0.4, 0.2, 0.6, 0.0, 0.0, 0.6],
        [0.4, -0.8, 3.2, 0.2, -0.4, 0.6],
    );
    projected(&BALL, &near).expect("a floor to stand on")
}

#[test]
fn rows_of_both_kinds_come_in_their_order() {
    assert_eq!(RollingBall::CONSTRAINTS, ["floor", "slip[0]", "slip[1]"]);
    assert_eq!(RollingBall::DEGREES_OF_FREEDOM, 3);
    let conserved = [true, false, false, false, false, false];
    assert_eq!(RollingBall::CONSERVED_MOMENTA, conserved);
    let State { q, v, .. } = rolling();
    let residual: SVector<f64, 1> = BALL.constraint_residual(&q);
    assert_close("z - r", &residual, &vector![0.0], 1e-13);
    let velocity: SVector<f64, 3> = BALL.constraint_velocity(&q, &v);
    assert_close("slip", &velocity, &SVector::zeros(), 1e-12);
}

/// Both declarations move alike.
#[test]
fn floor_may_be_a_position_or_a_velocity() {
    let sphere = RollingSphere {
        ixx: 1.0,
        iyy: 1.4,
        izz: 1.2,
        g: 9.81,
        ..SPHERE
    };
    let State { q, v, .. } = rolling();
    let (by_position, by_velocity) = (BALL.solve(&q, &v).unwrap(), sphere.solve(&q, &v).unwrap());
    assert_close(
        "a",
        &by_velocity.acceleration,
        &by_position.acceleration,
        1e-12,
    );
    let [lift, slip_x, slip_y] = by_position.multipliers.into();
    let reordered = vector![slip_x, slip_y, lift];
    assert_close("lambda", &by_velocity.multipliers, &reordered, 1e-12);
}

/// Ten seconds of a lopsided ball: neither slip nor lift, the energy and p_psi are kept.
#[test]
fn lopsided_ball_rolls_without_slip() {
    let start = rolling();
    let energy = BALL.energy(&start.q, &start.v);
    let spin = BALL.momenta(&start.q, &start.v)[0];
    for state in held(&BALL, start, 1e-3, 10_000) {
        assert_held(&BALL, &state);
        assert_close("E", &BALL.energy(&state.q, &state.v), &energy, 1e-9);
        assert_close("p_psi", &BALL.momenta(&state.q, &state.v)[0], &spin, 1e-8);
    }
    assert_workless(&BALL, &start);
}

#[test]
fn ball_slips_unless_it_is_held() {
    let slip = |steps| {
        let last = drifting(&BALL, rolling(), 1e-2, steps).last().unwrap();
        violation(&BALL, &last).1
    };
    let (early, late) = (slip(100), slip(500));
    assert!(late > 1e-10, "no drift to speak of: {late:e}");
    assert!(late > 2.0 * early, "{early:e} does not grow: {late:e}");
}

lagrangian! {
    /// A thin disk on a plane: heading psi, angle theta from the floor, spin phi; moment of inertia c
    /// about the axle and a about diameters.
    struct RollingDisk {
        x, y, z, psi, theta, phi: coordinate,
        m, a, c, r, g: parameter,
    }

    let spin = der(phi) + der(psi) * cos(theta);
    T = m * der([x, y, z])^2 / 2;
    T += (a * (der(theta)^2 + (der(psi) * sin(theta))^2) + c * spin^2) / 2;
    V = m * g * z;
    nonholonomic slip_x: der(x) = r * (sin(psi) * sin(theta) * der(theta) - cos(psi) * spin);
    nonholonomic slip_y: der(y) = -r * (cos(psi) * sin(theta) * der(theta) + sin(psi) * spin);
    holonomic floor: z = r * sin(theta);
}

reference_test! {
    rolling_disk: RollingDisk { m, a, c, r, g },
    Natural (q, v),
    outputs [],
    constraints ["floor", "slip_x", "slip_y"], holonomic 1,
    coordinates ["x", "y", "z", "psi", "theta", "phi"],
    cyclic [true, true, false, true, false, true], conserved [false; 6],
    conserves_energy true, constant_mass_matrix false,
}

const DISK: RollingDisk = RollingDisk {
    m: 1.3,
    a: 0.25 * 1.3 * 0.16,
    c: 0.5 * 1.3 * 0.16,
    r: 0.4,
    g: 9.81,
};

/// The rate of theta'' at a lean, a rate of heading and a spin, by the equation of a thin disk
/// (a + m r^2) theta'' = (c + m r^2) psi' s w - a psi'^2 s cos - m g r cos, with w the whole spin.
#[test]
fn disk_leans_as_the_textbook_says() {
    let (theta, heading, spin) = (1.1_f64, 0.7, -2.3);
    let (s, c) = theta.sin_cos();
    let whole = spin + heading * c;
    let q = vector![0.0, 0.0, 0.4 * s, 0.3, theta, 0.2];
    let near = vector![0.0, 0.0, 0.0, heading, 0.0, spin];
    let v = {
        let psi = 0.3_f64;
        near + vector![
            -0.4 * psi.cos() * whole,
            -0.4 * psi.sin() * whole,
            0.0,
            0.0,
            0.0,
            0.0
        ]
    };
    let (_, slip) = violation(&DISK, &State { t: 0.0, q, v });
    assert!(slip < 1e-15, "the start slips by {slip:e}");
    let square = DISK.m * DISK.r * DISK.r;
    let tilt = DISK.a * heading * heading * s * c
        - (DISK.c + square) * heading * s * whole
        - DISK.m * DISK.g * DISK.r * c;
    let a = DISK.acceleration(&q, &v).unwrap();
    assert_close("theta''", &a[4], &(tilt / (DISK.a + square)), 1e-12);
}

/// Ten seconds of a wobbling disk, and an upright one that rolls straight.
#[test]
fn disk_rolls_without_slip() {
    let near = State::new(
        [0.0, 0.0, 0.4, 0.3, 1.3, 0.0],
        [0.0, 0.0, 0.0, 0.4, 0.1, -9.0],
    );
    let start = projected(&DISK, &near).unwrap();
    let energy = DISK.energy(&start.q, &start.v);
    for state in held(&DISK, start, 2e-3, 5000) {
        assert_held(&DISK, &state);
        assert_close("E", &DISK.energy(&state.q, &state.v), &energy, 1e-8);
    }
    assert_workless(&DISK, &start);

    let upright = [0.0, 0.0, 0.4, 0.3, std::f64::consts::FRAC_PI_2, 0.0];
    let near = State::new(upright, [0.0, 0.0, 0.0, 0.0, 0.0, -3.0]);
    let State { q, v, .. } = projected(&DISK, &near).unwrap();
    let a = DISK.acceleration(&q, &v).unwrap();
    assert!(a.amax() < 1e-13, "an upright disk is accelerated: {a}");
    let bearing: SMatrix<f64, 3, 1> = DISK.solve(&q, &v).unwrap().multipliers;
    assert_close("floor", &bearing, &vector![1.3 * 9.81, 0.0, 0.0], 1e-12);
}

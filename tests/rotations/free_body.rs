//! A free rigid body by a rotation, by Euler angles, by a rotation matrix and by a quaternion, each of the
//! latter two with its constraints; through the attitude where the angles are singular.

use std::f64::consts::FRAC_PI_2;

use lagrangian::nalgebra::{Matrix3, Rotation3, SVector, UnitQuaternion, Vector3, vector};
use lagrangian::{Error, System, lagrangian};

use crate::support::{Random, assert_close, matrix, spin, step};

lagrangian! {
    struct ByRotation { att: rotation, i: parameter[3] }
    body { frame: world.rotate(att), inertia: diag(i) }
}

lagrangian! {
    /// psi about z, then theta about x, then phi about y: singular at theta = pi / 2.
    struct ByAngles { psi, theta, phi: coordinate, i: parameter[3] }
    frame F = world.rotate(z, psi).rotate(x, theta).rotate(y, phi);
    body { frame: F, inertia: diag(i) }
    pub let body_rates = transpose(F.rotation) * angular_velocity(F);
}

lagrangian! {
    struct ByMatrix { R: coordinate[3, 3], i: parameter[3] }
    body { frame: world.orient(R), inertia: diag(i) }
    holonomic rigid: transpose(R) * R = identity(3);
}

lagrangian! {
    struct ByQuaternion { r: coordinate[3], w: coordinate, i: parameter[3] }
    let rates = 2 * (w * der(r) - der(w) * r - cross(r, der(r)));
    T = dot(rates, diag(i) * rates) / 2;
    holonomic unit: r^2 + w^2 = 1;
}

const I: [f64; 3] = [0.3, 0.5, 0.7];
const BODY: ByRotation = ByRotation { i: I };
const ANGLES: ByAngles = ByAngles { i: I };
const MATRIX: ByMatrix = ByMatrix { i: I };
const QUATERNION: ByQuaternion = ByQuaternion { i: I };

const NONE: SVector<f64, 0> = SVector::from_array_storage(lagrangian::nalgebra::ArrayStorage([[]]));

/// I w' = I w x w.
fn euler(w: &Vector3<f64>) -> Vector3<f64> {
    let i = Vector3::from(I);
    i.component_mul(w).cross(w).component_div(&i)
}

#[test]
fn accelerations_are_eulers() {
    let mut random = Random(0xE1);
    for _ in 0..20 {
        let (att, w) = (random.quaternion(), random.vector::<3>() * 3.0);
        let a = BODY.acceleration(&att, &w).unwrap();
        assert_close("by rotation", &a, &euler(&w), 1e-14);
        let r = matrix(&att);

        // R' = R [w], R'' = R ([w]^2 + [w']).
        let cross = w.cross_matrix();
        let rows = |m: Matrix3<f64>| SVector::<f64, 9>::from_row_slice(m.transpose().as_slice());
        let motion = MATRIX.acceleration(&rows(r), &rows(r * cross)).unwrap();
        let expected = rows(r * (cross * cross + a.cross_matrix()));
        assert_close("by matrix", &motion, &expected, 1e-12);

        // The second derivative of the quaternion: 1/2 (q' (w, 0) + q (w', 0)).
        let rate = BODY.coordinate_rates(&att, &w);
        let motion = QUATERNION.acceleration(&att, &rate).unwrap();
        let expected = BODY.coordinate_rates(&rate, &w) + BODY.coordinate_rates(&att, &a);
        assert_close("by quaternion", &motion, &expected, 1e-12);

        let (q, v) = (random.vector::<3>(), random.vector::<3>() * 2.0);
        let by_angles = ANGLES.acceleration(&q, &v).unwrap();
        let h = 1e-5;
        let at = |h: f64| ANGLES.body_rates(&(q + v * h), &(v + by_angles * h));
        let slope = (at(h) - at(-h)) / (2.0 * h);
        let w = ANGLES.body_rates(&q, &v);
        assert_close(
            "by angles",
            &slope,
            &BODY.acceleration(&att, &w).unwrap(),
            1e-8,
        );
    }
}

fn attitude_of(angles: &Vector3<f64>) -> UnitQuaternion<f64> {
    let turn = UnitQuaternion::from_axis_angle;
    turn(&Vector3::z_axis(), angles[0])
        * turn(&Vector3::x_axis(), angles[1])
        * turn(&Vector3::y_axis(), angles[2])
}

/// Two seconds, each with its own coordinates: the same attitudes.
#[test]
fn trajectories_agree() {
    let (mut q, mut v) = (vector![0.2, -0.3, 0.4], vector![0.5, 0.2, 0.7]);
    let (mut att, mut w) = (attitude_of(&q).coords, ANGLES.body_rates(&q, &v));
    let r = matrix(&att);
    let rows = |m: Matrix3<f64>| SVector::<f64, 9>::from_row_slice(m.transpose().as_slice());
    let (mut rotation, mut turning) = (rows(r), rows(r * w.cross_matrix()));
    let (mut four, mut rate) = (att, BODY.coordinate_rates(&att, &w));
    for _ in 0..1000 {
        (q, v) = step(&ANGLES, &[], &(q, v), &NONE, 2e-3);
        (att, w) = step(&BODY, &[0], &(att, w), &NONE, 2e-3);
        (rotation, turning) = step(&MATRIX, &[], &(rotation, turning), &NONE, 2e-3);
        (four, rate) = step(&QUATERNION, &[], &(four, rate), &NONE, 2e-3);
    }
    let here = matrix(&att);
    assert_close("by angles", &matrix(&attitude_of(&q).coords), &here, 1e-9);
    assert_close("by matrix", &rotation, &rows(here), 1e-9);
    assert_close("by quaternion", &matrix(&four), &here, 1e-9);
    assert!((here - r).norm() > 1.0, "it hardly turned");
}

/// Twenty seconds of the unsteady tumble about the middle axis.
#[test]
fn energy_and_momentum_in_the_world_are_kept() {
    let (mut q, mut v) = (vector![0.0, 0.0, 0.0, 1.0], vector![0.01, 3.0, 0.02]);
    let (energy, momentum) = (BODY.energy(&q, &v), spin(&q, &I, &v));
    let mut flipped = false;
    for _ in 0..10_000 {
        (q, v) = step(&BODY, &[0], &(q, v), &NONE, 2e-3);
        flipped |= v.y < -2.5;
        assert!((BODY.energy(&q, &v) - energy).abs() < 1e-9 * energy);
        assert_close("R I w", &spin(&q, &I, &v), &momentum, 1e-9);
    }
    assert!(flipped, "it turns over and over");
}

/// A steady turn about x through theta = pi / 2, where the angles have no acceleration.
#[test]
fn passes_where_angles_are_singular() {
    let singular = vector![0.3, FRAC_PI_2, 0.1];
    let error = ANGLES.acceleration(&singular, &vector![0.1, 0.5, -0.2]);
    assert_eq!(error, Err(Error::SingularMassMatrix));

    let (mut q, mut v) = (BODY.neutral(), vector![1.0, 0.0, 0.0]);
    let steps = 500;
    for k in 1..=2 * steps {
        (q, v) = step(&BODY, &[0], &(q, v), &NONE, FRAC_PI_2 / f64::from(steps));
        let theta = FRAC_PI_2 * f64::from(k) / f64::from(steps);
        let expected = Rotation3::from_axis_angle(&Vector3::x_axis(), theta).into_inner();
        assert_close("R", &matrix(&q), &expected, 1e-12);
    }
    // And not a steady one, at the singular attitude.
    let att = attitude_of(&singular).coords;
    let w = vector![0.4, -1.2, 0.8];
    assert_close(
        "w'",
        &BODY.acceleration(&att, &w).unwrap(),
        &euler(&w),
        1e-14,
    );
}

#[test]
fn constants_of_a_free_body() {
    // L changes with no direction, and yet no momentum in the body's axes is kept.
    assert_eq!(ByRotation::CYCLIC, [true; 3]);
    assert_eq!(ByRotation::CONSERVED_MOMENTA, [false; 3]);
    const { assert!(ByRotation::CONSERVES_ENERGY && ByRotation::CONSTANT_MASS_MATRIX) };
}

lagrangian! {
    /// A satellite with two wheels on motors.
    struct Satellite {
        p: coordinate[3],
        att: rotation,
        roll, pitch: coordinate,
        m: parameter,
        i: parameter[3],
        wheel: parameter,
        motor: input[2],
    }

    frame Hull = world.translate(p).rotate(att);
    frame First = Hull.translate([0.2, 0, 0.1]).rotate(x, roll);
    frame Second = Hull.translate([0, -0.3, 0.1]).rotate(y, pitch);
    let axial = wheel * 0.01;
    let lateral = wheel * 0.005;
    body hull { frame: Hull, mass: m, at: [0, 0.01, -0.02], inertia: diag(i) }
    body first { frame: First, mass: wheel, inertia: diag(axial, lateral, lateral) }
    body second { frame: Second, mass: wheel, inertia: diag(lateral, axial, lateral) }
    Q.roll = motor.x;
    Q.pitch = motor.y;

    let centre = Hull.point([0, 0.01, -0.02]);
    let linear = m * der(centre) + wheel * (velocity(First) + velocity(Second));
    let hull_spin = Hull.vector(diag(i) * transpose(Hull.rotation) * angular_velocity(Hull));
    let first_rates = transpose(First.rotation) * angular_velocity(First);
    let second_rates = transpose(Second.rotation) * angular_velocity(Second);
    pub let momentum = linear;
    pub let angular = hull_spin + m * cross(centre, der(centre))
        + wheel * (cross(First.origin, velocity(First)) + cross(Second.origin, velocity(Second)))
        + First.vector(diag(axial, lateral, lateral) * first_rates)
        + Second.vector(diag(lateral, axial, lateral) * second_rates);
}

/// Motors turn the hull against the wheels: momenta are kept, and the energy is the work of the motors.
#[test]
fn satellite_turns_by_its_wheels() {
    let satellite = Satellite {
        m: 12.0,
        i: [0.8, 1.1, 0.9],
        wheel: 0.9,
    };
    let mut random = Random(0x5A7);
    let att = random.quaternion();
    let mut q = vector![0.1, 0.2, -0.1, att.x, att.y, att.z, att.w, 0.0, 0.0];
    let mut v: SVector<f64, 8> = random.vector();
    let start = (satellite.momentum(&q, &v), satellite.angular(&q, &v));
    let coast = satellite.energy(&q, &v);
    for _ in 0..1000 {
        (q, v) = step(&satellite, &[3], &(q, v), &SVector::zeros(), 5e-3);
    }
    assert_close(
        "E",
        &vector![satellite.energy(&q, &v)],
        &vector![coast],
        1e-10,
    );
    let before = q;
    let u = vector![0.02, -0.03];
    for _ in 0..1000 {
        (q, v) = step(&satellite, &[3], &(q, v), &u, 5e-3);
    }
    let end = (satellite.momentum(&q, &v), satellite.angular(&q, &v));
    assert_close("momentum", &end.0, &start.0, 1e-10);
    assert_close("angular momentum", &end.1, &start.1, 1e-10);
    let moved = q - before;
    let work = u[0] * moved[7] + u[1] * moved[8];
    assert_close(
        "work",
        &vector![satellite.energy(&q, &v) - coast],
        &vector![work],
        1e-9,
    );
    assert!(work.abs() > 0.01, "the motors did nothing: {work}");
    assert_eq!(satellite.coordinate_rates(&q, &v).len(), 9);
    assert_eq!(System::<f64, 9, 8, 2, 0>::neutral(&satellite)[6], 1.0);
}

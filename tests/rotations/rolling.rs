//! A lopsided ball on a floor, by a rotation and by Euler angles.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SVector, UnitQuaternion, Vector3, vector};

use crate::support::{Random, assert_close, step};

lagrangian! {
    /// A ball with a centred, uneven mass.
    struct Ball {
        p: coordinate[3],
        att: rotation,
        m: parameter,
        i: parameter[3],
        r, g: parameter,
    }

    frame F = world.translate(p).rotate(att);
    body { frame: F, mass: m, inertia: diag(i) }
    gravity [0, 0, -g];
    let contact = velocity(F) + cross(angular_velocity(F), [0, 0, -r]);
    nonholonomic slip: [contact.x, contact.y] = [0, 0];
    holonomic floor: p.z = r;
}

lagrangian! {
    /// The same: psi about z, then theta about x, then phi about y.
    struct BallByAngles {
        x, y, z, psi, theta, phi: coordinate,
        m: parameter,
        i: parameter[3],
        r, g: parameter,
    }

    frame F = world.translate([x, y, z]).rotate(z, psi).rotate(x, theta).rotate(y, phi);
    body { frame: F, mass: m, inertia: diag(i) }
    gravity [0, 0, -g];
    let contact = velocity(F) + cross(angular_velocity(F), [0, 0, -r]);
    nonholonomic slip: [contact.x, contact.y] = [0, 0];
    holonomic floor: z = r;

    pub let body_rates = transpose(F.rotation) * angular_velocity(F);
}

const I: [f64; 3] = [1.0, 1.4, 1.2];
const BALL: Ball = Ball {
    m: 1.5,
    i: I,
    r: 0.5,
    g: 9.81,
};
const BY_ANGLES: BallByAngles = BallByAngles {
    m: 1.5,
    i: I,
    r: 0.5,
    g: 9.81,
};

/// The same state by both.
fn twins(random: &mut Random) -> ([SVector<f64, 6>; 2], SVector<f64, 7>, SVector<f64, 6>) {
    let (q, v) = BY_ANGLES
        .project(&random.vector(), &random.vector())
        .unwrap();
    let turn = |axis, angle| UnitQuaternion::from_axis_angle(&axis, angle);
    let att = turn(Vector3::z_axis(), q[3])
        * turn(Vector3::x_axis(), q[4])
        * turn(Vector3::y_axis(), q[5]);
    let att = att.coords;
    let w = BY_ANGLES.body_rates(&q, &v);
    (
        [q, v],
        vector![q[0], q[1], q[2], att.x, att.y, att.z, att.w],
        vector![v[0], v[1], v[2], w.x, w.y, w.z],
    )
}

#[test]
fn rolls_as_by_angles() {
    let mut random = Random(0x2011);
    assert_eq!(Ball::CONSTRAINTS, ["floor", "slip[0]", "slip[1]"]);
    for _ in 0..10 {
        let ([q, v], q2, v2) = twins(&mut random);
        assert!(BALL.constraint_velocity(&q2, &v2).amax() < 1e-14);
        let (old, new) = (
            BY_ANGLES.solve(&q, &v).unwrap(),
            BALL.solve(&q2, &v2).unwrap(),
        );
        assert_close("lambda", &new.multipliers, &old.multipliers, 1e-11);
        let [p, p2] = [old, new].map(|m| m.acceleration.fixed_rows::<3>(0).into_owned());
        assert_close("p''", &p2, &p, 1e-11);
        // w' by the central difference along the motion by angles.
        let h = 1e-5;
        let at = |h: f64| {
            let q = q + v * h + old.acceleration * (h * h / 2.0);
            BY_ANGLES.body_rates(&q, &(v + old.acceleration * h))
        };
        let turn = new.acceleration.fixed_rows::<3>(3).into_owned();
        assert_close("w'", &turn, &((at(h) - at(-h)) / (2.0 * h)), 1e-8);
        assert!((BALL.energy(&q2, &v2) - BY_ANGLES.energy(&q, &v)).abs() < 1e-12);
    }
}

/// Ten seconds, through every attitude: no slip, and the energy is kept.
#[test]
fn rolls_without_slip() {
    let (_, q, v) = twins(&mut Random(0x10));
    let (mut q, mut v) = BALL.project(&q, &(v * 3.0)).unwrap();
    let energy = BALL.energy(&q, &v);
    for _ in 0..5000 {
        (q, v) = step(&BALL, &[3], &(q, v), &SVector::zeros(), 2e-3);
        (q, v) = BALL.project(&q, &v).unwrap();
        assert!(BALL.constraint_velocity(&q, &v).amax() < 1e-13);
    }
    assert_close("E", &vector![BALL.energy(&q, &v)], &vector![energy], 1e-9);
}

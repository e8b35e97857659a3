//! A quadrotor that hovers, and one that flies a steady turn.

use lagrangian::nalgebra::{SVector, UnitQuaternion, Vector3, vector};
use lagrangian::{Free, lagrangian, trim};

lagrangian! {
    struct Quadrotor {
        place: coordinate[3],
        attitude: rotation,
        m: parameter = 0.8,
        inertia: parameter[3] = [0.006, 0.006, 0.011],
        rotor: parameter[4, 3] = [[0.2, 0, 0], [0, 0.2, 0], [-0.2, 0, 0], [0, -0.2, 0]],
        drag: parameter[4] = [0.015, -0.015, 0.015, -0.015],
        g: parameter = 9.81,
        thrust: input[4],
    }

    frame hull = world.translate(place).rotate(attitude);
    body { frame: hull, mass: m, inertia: diag(inertia[0], inertia[1], inertia[2]) }
    gravity [0, 0, -g];
    for i in 0..4 {
        force hull.vector([0, 0, thrust[i]]) at hull.point(rotor[i]);
        torque hull.vector([0, 0, drag[i] * thrust[i]]) on hull;
    }
}

fn tilted(roll: f64, pitch: f64, yaw: f64) -> SVector<f64, 7> {
    let attitude = UnitQuaternion::from_euler_angles(roll, pitch, yaw).coords;
    vector![
        0.3, -0.2, 1.0, attitude.x, attitude.y, attitude.z, attitude.w
    ]
}

fn attitude(q: &SVector<f64, 7>) -> UnitQuaternion<f64> {
    let coords = q.fixed_rows::<4>(3).into_owned();
    UnitQuaternion::from_quaternion(coords.into())
}

/// From a tilt without thrust: upright, a quarter of the weight on each rotor, and no turn about the upright.
#[test]
fn hover() {
    let craft = Quadrotor::<f64>::default();
    let free = Free {
        q: [false, false, false, true, true, true],
        v: [false; 6],
        u: [true; 4],
    };
    let start = (tilted(0.4, -0.3, 0.9), SVector::zeros(), SVector::zeros());
    let (q, v, u) = trim(&craft, 0.0, start, &free, SVector::zeros()).unwrap();
    assert!(
        (u - SVector::repeat(0.8 * 9.81 / 4.0)).norm() < 1e-12,
        "{u}"
    );
    assert!(craft.acceleration(&q, &v, &u).unwrap().norm() < 1e-11);
    let up = attitude(&q) * Vector3::z();
    assert!((up - Vector3::z()).norm() < 1e-12);
    assert_eq!(q.fixed_rows::<3>(0), start.0.fixed_rows::<3>(0));
    // The way to upright is the shortest: about a level axis.
    let before = attitude(&start.0);
    let shortest = (before * Vector3::z()).angle(&Vector3::z());
    let turned = craft.difference(&start.0, &q);
    assert!((turned.norm() - shortest).abs() < 1e-7, "{turned}");
}

/// A circle of 2 m at 3 m/s: banked at tan(bank) = v^2 / (r g), the nose along the path.
#[test]
fn steady_turn() {
    let craft = Quadrotor::<f64>::default();
    let (speed, radius) = (3.0, 2.0);
    let rate = speed / radius;
    let free = Free {
        q: [false, false, false, true, true, false],
        v: [false, false, false, true, true, true],
        u: [true; 4],
    };
    let mut v = SVector::<f64, 6>::zeros();
    v[0] = speed;
    v[5] = rate;
    let start = (tilted(0.1, 0.0, 0.0), v, SVector::repeat(2.0));
    // To the left, and no change of the angular velocity in the axes of the hull.
    let target = vector![0.0, speed * rate, 0.0, 0.0, 0.0, 0.0];
    let (q, v, u) = trim(&craft, 0.0, start, &free, target).unwrap();
    assert!((craft.acceleration(&q, &v, &u).unwrap() - target).norm() < 1e-10);
    let attitude = attitude(&q);
    let up = attitude * Vector3::z();
    let bank = (speed * rate / 9.81_f64).atan();
    assert!(
        (up - vector![0.0, bank.sin(), bank.cos()]).norm() < 1e-11,
        "{up}"
    );
    let thrust: f64 = u.iter().sum();
    assert!((thrust - 0.8 * 9.81 / bank.cos()).abs() < 1e-11);
}

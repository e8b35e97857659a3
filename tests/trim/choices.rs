//! Targets that leave a choice: the nearest state; coordinates that are not free stay.

use lagrangian::nalgebra::{Rotation3, SVector, UnitQuaternion, Vector3, Vector4, vector};
use lagrangian::{Free, System, lagrangian, trim};

lagrangian! {
    /// Two motors push one mass.
    struct Pushed { x: coordinate, m, first, second: parameter, u: input[2] }

    T = m * der(x)^2 / 2;
    Q.x = first * u.x + second * u.y;
}

/// The pseudo-inverse shares the push.
#[test]
fn motors_share_the_push() {
    let mass: Pushed = Pushed {
        m: 2.0,
        first: 1.0,
        second: 3.0,
    };
    let free = Free {
        q: [true],
        v: [true],
        u: [true; 2],
    };
    let start = (vector![0.4], vector![-1.0], vector![0.5, -0.2]);
    let (q, v, u) = trim(&mass, 0.0, start, &free, vector![5.0]).unwrap();
    // 10 - 0.5 + 0.6 is missing.
    let expected = start.2 + vector![1.0, 3.0] * (10.1 / 10.0);
    assert!((u - expected).norm() < 1e-14);
    assert_eq!((q, v), (start.0, start.1));
    let only = Free {
        u: [true, false],
        ..free
    };
    let (_, _, u) = trim(&mass, 0.0, start, &only, vector![5.0]).unwrap();
    assert!((u - vector![10.6, -0.2]).norm() < 1e-14);
}

lagrangian! {
    /// A mass in a ring-shaped trough: equilibria are a circle.
    struct Trough { x, y: coordinate, r: parameter }

    T = der([x, y])^2 / 2;
    V = (x^2 + 4 * y^2 - r^2)^2;
}

/// The point of the ellipse x^2 + 4 y^2 = r^2 that is nearest to the start: the line to it is normal.
#[test]
fn the_nearest_equilibrium_of_a_curve() {
    let trough: Trough = Trough { r: 2.0 };
    let free = Free {
        q: [true; 2],
        v: [false; 2],
        u: [],
    };
    for (x, y) in [(1.0, 1.3), (2.5, 0.4), (0.6, 0.5), (-1.5, -1.0)] {
        let start = vector![x, y];
        let all = (start, vector![0.0, 0.0], vector![]);
        let (q, _, _) = trim(&trough, 0.0, all, &free, vector![0.0, 0.0]).unwrap();
        assert!((q.x * q.x + 4.0 * q.y * q.y - 4.0).abs() < 1e-12);
        let way = q - start;
        let normal = vector![q.x, 4.0 * q.y].normalize();
        let along = way.x * normal.y - way.y * normal.x;
        assert!(along.abs() < 1e-7, "{along:e} of {way}");
    }
}

lagrangian! {
    /// A body under a constant torque of the world and a motor's in its own axes.
    struct Turned { att: rotation, i: parameter[3], motor: input }

    frame Body = world.rotate(att);
    body { frame: Body, inertia: diag(i) }
    torque [0, 0, 0.5] on Body;
    Q.att = [motor, 0, 0];
}

fn attitude(q: Vector4<f64>) -> Rotation3<f64> {
    UnitQuaternion::from_quaternion(q.into()).to_rotation_matrix()
}

/// Only the free directions of a rotation turn: the displacement from the start has no other component.
#[test]
fn two_axes_of_a_rotation() {
    let body: Turned = Turned { i: [1.0, 1.0, 1.0] };
    let free = Free {
        q: [true, true, false],
        v: [false; 3],
        u: [true],
    };
    let start = UnitQuaternion::from_euler_angles(0.4, -0.9, 0.3).coords;
    let still = (start, SVector::zeros(), vector![0.1]);
    let (q, _, u) = trim(&body, 0.0, still, &free, SVector::zeros()).unwrap();
    let d = body.difference(&start, &q);
    assert!(d[2].abs() < 1e-15 && d.norm() > 0.3, "{d}");
    assert!((q.norm() - 1.0).abs() < 1e-15);
    // The motor's axis is upright, one way or the other.
    let axes = attitude(q);
    assert!((axes * Vector3::x() * u[0] + Vector3::z() * 0.5).norm() < 1e-12);
    // All three axes: the shortest way there is the turn of x to z, about an axis normal to both.
    let free = Free {
        q: [true; 3],
        ..free
    };
    let (q, _, _) = trim(&body, 0.0, still, &free, SVector::zeros()).unwrap();
    let turned = body.difference(&start, &q);
    let from = attitude(start) * Vector3::x();
    let to = attitude(q) * Vector3::x();
    let shortest = Rotation3::rotation_between(&from, &to).unwrap().angle();
    assert!(
        (turned.norm() - shortest).abs() < 1e-7,
        "{} {shortest}",
        turned.norm()
    );
    assert!(System::acceleration(&body, 0.0, &q, &SVector::zeros(), &vector![0.5]).is_ok());
}

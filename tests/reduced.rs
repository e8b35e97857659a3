//! Linearizations on independent displacements: `linearize_reduced`.

use lagrangian::nalgebra::{SMatrix, SVector, matrix, vector};
use lagrangian::{Error, Lqr, lagrangian, lqr};

lagrangian! {
    /// A driven pendulum in Cartesian coordinates.
    pub struct Rod { x, y: coordinate, m, l, g: parameter, u: input }
    T = m * (der(x)^2 + der(y)^2) / 2;
    V = m * g * y;
    Q.x = u;
    holonomic rod: x^2 + y^2 = l^2;
}

lagrangian! {
    pub struct Pendulum { angle: coordinate, m, l, g: parameter, u: input }
    let bob = [l * sin(angle), -l * cos(angle)];
    T = m * der(bob)^2 / 2;
    V = m * g * bob.y;
    force [u, 0] at bob;
}

/// y = l d(angle): the independent displacement is the arc.
#[test]
fn a_pendulum_in_cartesian_coordinates_has_the_linearization_of_its_arc() {
    let (m, l, g) = (1.3, 0.7, 9.81);
    let (rod, pendulum) = (Rod { m, l, g }, Pendulum { m, l, g });
    for (angle, rate, u) in [
        (0.0, 0.0, 0.0),
        (0.4, 0.0, 1.0),
        (2.0, 1.5, -0.5),
        (-1.0, 3.0, 0.2),
    ] {
        let angle: f64 = angle;
        let (sin, cos) = angle.sin_cos();
        let (q, v) = (vector![l * sin, -l * cos], vector![l * cos, l * sin] * rate);
        let u = vector![u];
        let found = rod.linearize_reduced(&q, &v, &u).unwrap();
        let free = pendulum
            .linearize(&vector![angle], &vector![rate], &u)
            .unwrap();
        // z is the velocity along the tangent at the state, from which the tangent at the displaced state turns away.
        let turning = matrix![0.0, 0.0; rate * rate, 0.0];
        let sign = found.basis.dot(&vector![cos, sin]);
        assert!((sign.abs() - 1.0).abs() < 1e-15);
        assert!(
            (found.a + turning - free.a).norm() < 1e-12 * free.a.norm(),
            "{angle}"
        );
        assert!((found.b * sign - free.b * l).norm() < 1e-12, "{angle}");
    }
}

#[test]
fn the_basis_is_orthonormal_and_keeps_the_constraints() {
    let linkage = FourBar::<f64>::default();
    let (q, v) = linkage
        .project(&vector![1.0, 0.2, 1.3], &vector![1.0, 0.0, 0.0])
        .unwrap();
    let found = linkage.linearize_reduced(&q, &v, &vector![0.0]).unwrap();
    assert!((found.basis.norm() - 1.0).abs() < 1e-15);
    assert!((linkage.constraint_jacobian(&q) * found.basis).norm() < 1e-15);
    assert!(
        found.basis.amax() == found.basis.max(),
        "the largest entry is positive"
    );
}

lagrangian! {
    /// Crank, coupler and rocker, with absolute angles and a motor at the crank.
    pub struct FourBar {
        a, b, c: coordinate,
        l: parameter[4] = [0.5, 1.2, 1.0, 1.1],
        m: parameter[3] = [1, 2, 1.5],
        g: parameter = 9.81,
        motor: input,
    }
    let elbow = l[0] * [cos(a), sin(a)];
    let tip = elbow + l[1] * [cos(b), sin(b)];
    let rocker = l[2] * [cos(c), sin(c)];
    T = m[0] * l[0]^2 * der(a)^2 / 6
        + m[1] * (der((elbow + tip) / 2)^2 + l[1]^2 * der(b)^2 / 12) / 2
        + m[2] * l[2]^2 * der(c)^2 / 6;
    V = g * (m[0] * elbow.y / 2 + m[1] * (elbow.y + tip.y) / 2 + m[2] * rocker.y / 2);
    Q.a = motor;
    holonomic x: tip.x = l[3] + rocker.x;
    holonomic y: tip.y = rocker.y;
}

/// The displacement of the crank moves all angles: A and B by differences of states on the constraints.
#[test]
fn a_four_bar_has_the_linearization_of_its_motions() {
    let system = FourBar::<f64>::default();
    let u = vector![0.7];
    let (q, v) = system
        .project(&vector![1.0, 0.2, 1.3], &vector![1.2, 0.3, 0.4])
        .unwrap();
    let found = system.linearize_reduced(&q, &v, &u).unwrap();
    let z = found.basis;
    let jacobian = system.constraint_jacobian(&q);
    let across = jacobian.transpose() * (jacobian * jacobian.transpose()).try_inverse().unwrap();
    let rates = |y: f64, w: f64, u: f64| {
        let (q, _) = system.project(&(q + z * y), &v).unwrap();
        // The velocity on the constraints whose change has the component w along Z.
        let (j, start) = (system.constraint_jacobian(&q), v + z * w);
        let v = start - across * (j * across).try_inverse().unwrap() * j * start;
        let a = system.acceleration(&q, &v, &vector![u]).unwrap();
        vector![z.dot(&v), z.dot(&a)]
    };
    let h = 1e-5;
    let columns = [
        (rates(h, 0.0, u[0]) - rates(-h, 0.0, u[0])) / (2.0 * h),
        (rates(0.0, h, u[0]) - rates(0.0, -h, u[0])) / (2.0 * h),
        (rates(0.0, 0.0, u[0] + h) - rates(0.0, 0.0, u[0] - h)) / (2.0 * h),
    ];
    for k in 0..2 {
        let off = (found.a.column(k) - columns[k]).norm();
        assert!(
            off < 1e-6 * (1.0 + columns[k].norm()),
            "{k}: {} {}",
            found.a,
            columns[k]
        );
    }
    assert!((found.b - columns[2]).norm() < 1e-6);
}

#[test]
fn a_four_bar_is_held_by_the_feedback_of_least_cost() {
    let system = FourBar::<f64>::default();
    let rest = SVector::zeros();
    let (q, _) = system.project(&vector![1.9, 0.2, 1.5], &rest).unwrap();
    // The torque that holds it there.
    let free = system.linearize_reduced(&q, &rest, &vector![0.0]).unwrap();
    let pull = free
        .basis
        .dot(&system.acceleration(&q, &rest, &vector![0.0]).unwrap());
    let hold = vector![-pull / free.b[1]];
    assert!(system.acceleration(&q, &rest, &hold).unwrap().norm() < 1e-12);
    let found = system.linearize_reduced(&q, &rest, &hold).unwrap();
    let Lqr { gain, .. } = lqr(&found.a, &found.b, &SMatrix::identity(), &matrix![0.01]).unwrap();
    let (mut p, mut v) = system.project(&(q + found.basis * 0.05), &rest).unwrap();
    let h = 1e-3;
    for _ in 0..6_000 {
        let along = vector![found.basis.dot(&(p - q)), found.basis.dot(&v)];
        let u = hold - gain * along;
        (p, v) = lagrangian::rk4_step(&system, 0.0, &p, &v, &u, h).unwrap();
        (p, v) = system.project(&p, &v).unwrap();
    }
    assert!((p - q).norm() < 1e-4 && v.norm() < 1e-4, "{}", p - q);
}

lagrangian! {
    /// A bead on a hoop that grows and turns.
    pub struct Hoop { x, y: coordinate, m, r, rate: parameter, t: time }
    T = m * (der(x)^2 + der(y)^2) / 2;
    V = m * x^2;
    holonomic hoop: x^2 + y^2 = (r + rate * t)^2;
}

#[test]
fn constraints_may_depend_on_time() {
    let system = Hoop {
        m: 1.0,
        r: 2.0,
        rate: 0.3,
    };
    let t = 1.5;
    let (q, v) = system
        .project(t, &vector![1.0, 2.0], &vector![0.4, 0.5])
        .unwrap();
    let found = system.linearize_reduced(t, &q, &v).unwrap();
    let z = found.basis;
    let normal = q.normalize();
    let rates = |y: f64, w: f64| {
        let (q, _) = system.project(t, &(q + z * y), &v).unwrap();
        let start = v + z * w;
        // q . v = (r + rate t) rate
        let left = q.dot(&start) - q.norm() * system.rate;
        let v = start - normal * (left / q.dot(&normal));
        let a = system.acceleration(t, &q, &v).unwrap();
        vector![z.dot(&v), z.dot(&a)]
    };
    let h = 1e-5;
    let by_place = (rates(h, 0.0) - rates(-h, 0.0)) / (2.0 * h);
    let by_speed = (rates(0.0, h) - rates(0.0, -h)) / (2.0 * h);
    assert!((found.a.column(0) - by_place).norm() < 1e-8);
    assert!((found.a.column(1) - by_speed).norm() < 1e-8);
}

lagrangian! {
    /// A body that turns about its middle, whose axis stays level.
    pub struct Level { att: rotation, i: parameter[3], k: parameter }
    frame B = world.rotate(att);
    body { frame: B, inertia: diag(i[0], i[1], i[2]) }
    V = k * dot(B.vector([0, 1, 0]), [0, 0, 1]);
    holonomic level: dot(B.vector([1, 0, 0]), [0, 0, 1]) = 0;
}

#[test]
fn rotations_have_displacements_in_their_axes() {
    let system = Level {
        i: [0.3, 0.4, 0.6],
        k: 2.0,
    };
    let q = system.integrate(&system.neutral(), &vector![0.4, 0.0, 0.7]);
    let (q, v) = system.project(&q, &vector![0.3, -0.2, 0.5]).unwrap();
    let found = system.linearize_reduced(&q, &v).unwrap();
    assert!(
        (found.basis.transpose() * found.basis - SMatrix::<f64, 2, 2>::identity()).norm() < 1e-15
    );
    assert!((system.constraint_jacobian(&q) * found.basis).norm() < 1e-15);
    // Along E the full linearization stays on the constraints, so that both have the same rates.
    let full = system.linearize(&q, &v).unwrap();
    let (j, g) = (
        system.constraint_jacobian(&q),
        system.constraint_velocity_derivatives(&q, &v).q,
    );
    let across = j.transpose() / j.norm_squared();
    let z = found.basis;
    let mut extended = SMatrix::<f64, 6, 4>::zeros();
    extended.fixed_view_mut::<3, 2>(0, 0).copy_from(&z);
    extended
        .fixed_view_mut::<3, 2>(3, 0)
        .copy_from(&(-across * g * z));
    extended.fixed_view_mut::<3, 2>(3, 2).copy_from(&z);
    let image = full.a * extended;
    let mut expected = SMatrix::<f64, 4, 4>::zeros();
    expected
        .fixed_rows_mut::<2>(0)
        .copy_from(&(z.transpose() * image.fixed_rows::<3>(0)));
    expected
        .fixed_rows_mut::<2>(2)
        .copy_from(&(z.transpose() * image.fixed_rows::<3>(3)));
    assert!((found.a - expected).norm() < 1e-13 * expected.norm());
}

#[test]
fn dependent_rows_are_an_error() {
    let system = Crossed::<f64>::default();
    let found = system.linearize_reduced(&vector![1.0, 0.0, 0.0], &SVector::zeros());
    assert_eq!(found.err(), Some(Error::DependentConstraints { row: 1 }));
    let found = system.linearize_reduced(&vector![f64::NAN, 0.0, 0.0], &SVector::zeros());
    assert!(
        matches!(found, Err(Error::NotFinite { argument: "q" })),
        "{found:?}"
    );
}

lagrangian! {
    /// Two surfaces that touch at (1, 0, 0).
    pub struct Crossed { x, y, z: coordinate, m: parameter = 1 }
    T = m * (der(x)^2 + der(y)^2 + der(z)^2) / 2;
    holonomic sphere: x^2 + y^2 + z^2 = 1;
    holonomic plane: x = 1;
}

#[test]
fn single_precision_has_its_digits() {
    let rod = Rod::<f32> {
        m: 1.3,
        l: 0.7,
        g: 9.81,
    };
    let q = vector![0.7_f32 * 0.4_f32.sin(), -0.7 * 0.4_f32.cos()];
    let found = rod
        .linearize_reduced(&q, &SVector::zeros(), &vector![0.0])
        .unwrap();
    let expected = -9.81 / 0.7 * 0.4_f32.cos();
    assert!((found.a[(1, 0)] - expected).abs() < 1e-4);
}

//! Behaviour of the generated methods beyond the equations: errors, the trait, systems that only the careful solver can
//! handle.

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Error, System, lagrangian};

lagrangian! {
    /// A follower without mass on a guide that moves, and a slider with a given speed.
    #[derive(Clone)]
    pub struct Guide {
        x, y, s: coordinate,
        m: parameter,
        t: time,
        u: input,
    }
    T = m * der(x)^2 / 2 + m * der(s)^2;
    nonholonomic speed: der(s) = 2 + y * t;
    holonomic guide: y = x^2 + sin(t);
    Q.y = u;
    pub let height = y + s;
}

#[test]
fn massless_coordinates_follow_what_binds_them() {
    let guide = Guide { m: 1.5 };
    let (t, q) = (0.4_f64, vector![0.5, 0.25 + 0.4_f64.sin(), 0.0]);
    let (vx, u) = (0.3, 0.7);
    let vy = 2.0 * q.x * vx + t.cos();
    let v = vector![vx, vy, 2.0 + q.y * t];
    assert!(guide.constraint_residual(t, &q).amax() < 1e-15);
    assert!(guide.constraint_velocity(t, &q, &v).amax() < 1e-15);
    assert_eq!(Guide::CONSTRAINTS, ["guide", "speed"]);

    // The force on y acts on x through the guide: m ax = 2 x u.
    let motion = guide.solve(t, &q, &v, &vector![u]).unwrap();
    let ax = 2.0 * q.x * u / 1.5;
    let ay = 2.0 * (vx * vx + q.x * ax) - t.sin();
    let expected = vector![ax, ay, vy * t + q.y];
    assert!((motion.acceleration - expected).amax() < 1e-14);
    assert!((motion.multipliers[0] + u).abs() < 1e-14);
    let unchecked = guide.acceleration_unchecked(t, &q, &v, &vector![u]);
    assert!((unchecked - expected).amax() < 1e-14);

    let forces = guide.constraint_forces(t, &q, &v, &vector![u]).unwrap();
    let balance = guide.forcing(t, &q, &v, &vector![u]) + forces;
    assert!((guide.mass_matrix(t, &q) * expected - balance).amax() < 1e-14);
    let full = guide.mass_matrix_full(t, &q) * state(&v, &expected, &motion.multipliers);
    assert!((full - guide.forcing_full(t, &q, &v, &vector![u])).amax() < 1e-14);
}

fn state(v: &SVector<f64, 3>, a: &SVector<f64, 3>, lambda: &SVector<f64, 2>) -> SVector<f64, 8> {
    SVector::from_fn(|i, _| match i {
        0..3 => v[i],
        3..6 => a[i - 3],
        _ => lambda[i - 6],
    })
}

#[test]
fn the_trait_has_the_same_methods() {
    let guide = Guide { m: 1.5 };
    let (t, q, v, u) = (
        0.4,
        vector![0.5, 0.2, 0.1],
        vector![0.3, 0.6, 0.2],
        vector![0.7],
    );
    let residual = System::constraint_residual(&guide, t, &q, &v, &u);
    assert_eq!(residual, vector![guide.constraint_residual(t, &q)[0], 0.0]);
    let velocity = System::constraint_velocity(&guide, t, &q, &v, &u);
    assert_eq!(velocity, guide.constraint_velocity(t, &q, &v));
    let jacobian = System::constraint_jacobian(&guide, t, &q, &v, &u);
    assert_eq!(jacobian, guide.constraint_jacobian(t, &q));
    let gamma = System::constraint_gamma(&guide, t, &q, &v, &u);
    assert_eq!(gamma, guide.constraint_gamma(t, &q, &v));
    let forces = System::constraint_forces(&guide, t, &q, &v, &u);
    assert_eq!(forces, guide.constraint_forces(t, &q, &v, &u));
    let projected = System::project(&guide, t, &q, &v, &u);
    assert_eq!(projected, guide.project(t, &q, &v));
    let (q, v) = projected.unwrap();
    assert!(guide.constraint_residual(t, &q).amax() < 1e-15);
    assert!(guide.constraint_velocity(t, &q, &v).amax() < 1e-15);

    let not_finite = vector![f64::INFINITY];
    let results = [
        System::project(&guide, t, &q, &v, &not_finite).err(),
        System::project(&guide, f64::NAN, &q, &v, &u).err(),
        guide.project(f64::NAN, &q, &v).err(),
        guide.solve(t, &q, &v, &not_finite).err(),
        guide.constraint_forces(f64::NAN, &q, &v, &u).err(),
    ];
    let names = ["u", "t", "t", "u", "t"];
    assert_eq!(
        results,
        names.map(|argument| Some(Error::NotFinite { argument }))
    );
}

lagrangian! {
    /// A four-bar linkage of bars of lengths 1, b, 1 and b, which may fold flat.
    pub struct Linkage {
        p, q, r: coordinate,
        b: parameter,
    }
    T = (der(p)^2 + der(q)^2 + der(r)^2) / 2;
    V = sin(p) + sin(r);
    holonomic closure: [cos(p) + b * cos(q) - cos(r), sin(p) + b * sin(q) - sin(r)] = [b, 0];
}

#[test]
fn constraints_that_depend_on_each_other_somewhere_are_told() {
    let linkage = Linkage { b: 1.5 };
    let (flat, rest) = (vector![0.0, 0.0, 0.0], vector![0.0, 0.0, 0.0]);
    assert!(linkage.constraint_residual(&flat).amax() < 1e-15);
    let dependent = Err(Error::DependentConstraints { row: 0 });
    assert_eq!(linkage.acceleration(&flat, &rest), dependent);
    let mut dy = [7.0; 6];
    let failed = linkage.rhs(0.0, &[0.0; 6], &mut dy);
    assert_eq!(failed, Err(Error::DependentConstraints { row: 0 }));
    assert_eq!(dy, [7.0; 6]);

    let open = vector![0.8_f64, 0.0, 0.8];
    let motion = linkage.solve(&open, &rest).unwrap();
    let missing = linkage.constraint_jacobian(&open) * motion.acceleration;
    assert!((missing - linkage.constraint_gamma(&open, &rest)).amax() < 1e-14);
    // A parallelogram: both cranks turn alike.
    assert!((motion.acceleration[0] - motion.acceleration[2]).abs() < 1e-14);
}

lagrangian! {
    /// The attitude of a symmetric body as a unit quaternion, whose mass matrix is singular.
    pub struct Attitude {
        a, b, c, d: coordinate,
        i: parameter,
    }
    let w = 2 * [
        a * der(b) - b * der(a) + d * der(c) - c * der(d),
        a * der(c) - c * der(a) + b * der(d) - d * der(b),
        a * der(d) - d * der(a) + c * der(b) - b * der(c),
    ];
    pub let rate = w;
    T = i * w^2 / 2;
    holonomic unit: a^2 + b^2 + c^2 + d^2 = 1;
}

#[test]
fn a_quaternion_turns_steadily() {
    let attitude = Attitude { i: 2.0 };
    let q = vector![0.5_f64, -0.5, 0.7, 0.1].normalize();
    let v = vector![0.3_f64, 0.1, -0.2, 0.4];
    let (q, v) = attitude.project(&q, &v).unwrap();
    // Equal inertias: the angular velocity is constant, and q moves on a great circle.
    let expected = -v.norm_squared() * q;
    let a = attitude.acceleration(&q, &v).unwrap();
    assert!((a - expected).amax() < 1e-14, "{a}");
    let unchecked = attitude.acceleration_unchecked(&q, &v);
    assert!((unchecked - expected).amax() < 1e-14, "{unchecked}");
}

lagrangian! {
    /// As many constraints as coordinates: a point that is led.
    pub struct Led {
        x, y: coordinate,
        t: time,
        terms: parameter = 1,
    }
    T = terms * (der(x)^2 + der(y)^2) / 2;
    holonomic leader: [x, y] = [cos(t), sin(t)];
}

#[test]
fn a_led_point_moves_as_it_is_told() {
    let led = Led::default();
    let t = 0.7_f64;
    let (q, v) = (vector![t.cos(), t.sin()], vector![-t.sin(), t.cos()]);
    let motion = led.solve(t, &q, &v).unwrap();
    assert!((motion.acceleration + q).amax() < 1e-15);
    assert!((motion.multipliers + q).amax() < 1e-15);
    assert_eq!(Led::DEGREES_OF_FREEDOM, 0);
    const { assert!(!Led::CONSERVES_ENERGY) };
    let (q, v) = led
        .project(t, &vector![0.0, 0.0], &vector![0.0, 0.0])
        .unwrap();
    assert!((q - vector![t.cos(), t.sin()]).amax() < 1e-15);
    assert!((v - vector![-t.sin(), t.cos()]).amax() < 1e-15);
}

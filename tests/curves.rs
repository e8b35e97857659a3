//! Curves through points in generated code: values, exact derivatives, every scalar, and the order of a stepper.

use lagrangian::nalgebra::{SVector, SimdRealField, convert, vector};
use lagrangian::{System, lagrangian, rk4_step};
use num_dual::Dual64;
use simba::simd::{SimdValue, WideF64x4};

lagrangian! {
    /// A cam that lifts a follower on a spring, driven by a motor with a curve of its torque.
    #[derive(Clone, Debug)]
    struct Cam { angle: coordinate, j, m, k: parameter, c: parameter[7], u: input }
    let places = [-1, -0.25, 0.5, 1, 2.5];
    let lift = spline(angle, places, [0, 0.3, 0.5, 1, 0]) + bspline(angle, -1..2, c);
    T = j * der(angle)^2 / 2 + m * der(lift)^2 / 2;
    V = k * lift^2 / 2 + 9.81 * m * lift;
    Q.angle = u * table(der(angle), 0..2, [3, 2.5, 0]) - angle.pchip(-1..3, [0, 0.1, 0.5]);
    pub let height = lift;
    #[hessian]
    pub let cost = akima(angle, places, [0, 0.3, 0.5, 1, 0]) * u + lift * der(angle);
    regressor shape { k }
}

fn cam<S: SimdRealField + Copy>(stiffness: S) -> Cam<S> {
    let c = [0.1, -0.2, 0.3, 0.05, 0.4, 0.0, 0.2];
    Cam {
        j: convert(0.7),
        m: convert(1.5),
        k: stiffness,
        c: c.map(convert),
    }
}

/// Angle, rate and torque: inside of the points, at one of them, and outside.
const STATES: [[f64; 3]; 6] = [
    [0.3, 1.3, 0.4],
    [-0.6, 0.4, -1.0],
    [0.5, 1.0, 1.0],
    [2.4, -0.3, 0.2],
    [-7.0, 0.5, 0.3],
    [4.0, 2.5, -0.4],
];

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(1.0)
}

#[test]
fn derivatives_are_those_of_dual_numbers() {
    let (plain, dual) = (cam(30.0), cam(Dual64::from(30.0)));
    for [q, v, u] in STATES {
        let linear = plain
            .linearize(&vector![q], &vector![v], &vector![u])
            .unwrap();
        for (place, column) in [linear.a.column(0), linear.a.column(1), linear.b.column(0)]
            .into_iter()
            .enumerate()
        {
            let part = |at: usize, value: f64| match at == place {
                true => Dual64::new(value, 1.0),
                false => Dual64::from(value),
            };
            let motion = dual.acceleration(
                &vector![part(0, q)],
                &vector![part(1, v)],
                &vector![part(2, u)],
            );
            let [a] = motion.unwrap().data.0[0];
            assert!(
                close(column[1], a.eps),
                "{q} {v} {u} by {place}: {column} {a}"
            );
        }
        let rate = dual.height(&vector![Dual64::new(q, v)]).eps;
        assert!(close(plain.height_rate(&vector![q], &vector![v]), rate));
        let hessian = plain.cost_hessian(&vector![q], &vector![v], &vector![u]);
        let slopes = dual.cost_derivatives(
            &vector![Dual64::new(q, 1.0)],
            &vector![Dual64::from(v)],
            &vector![Dual64::from(u)],
        );
        let by_angle = [slopes.q[0].eps, slopes.v[0].eps, slopes.u[0].eps];
        for (i, slope) in by_angle.into_iter().enumerate() {
            assert!(close(hessian[(0, i)], slope), "{hessian} {slope}");
        }
    }
}

#[test]
fn each_lane_looks_up_by_itself() {
    let plain = cam(30.0);
    let lanes = cam(WideF64x4::splat(30.0));
    for states in STATES.windows(4) {
        let part = |at: usize| {
            let mut value = WideF64x4::splat(0.0);
            for (lane, state) in states.iter().enumerate() {
                value.replace(lane, state[at]);
            }
            value
        };
        let all =
            lanes.acceleration_unchecked(&vector![part(0)], &vector![part(1)], &vector![part(2)]);
        for (lane, [q, v, u]) in states.iter().enumerate() {
            let own = plain.acceleration_unchecked(&vector![*q], &vector![*v], &vector![*u]);
            assert!(close(all[0].extract(lane), own[0]), "{q} {v} {u}");
        }
    }
    let single = cam(30.0_f32);
    for [q, v, u] in STATES {
        let own = single.acceleration(&vector![q as f32], &vector![v as f32], &vector![u as f32]);
        let known = plain
            .acceleration(&vector![q], &vector![v], &vector![u])
            .unwrap();
        let size = known[0].abs().max(1.0);
        assert!((f64::from(own.unwrap()[0]) - known[0]).abs() < 1e-4 * size);
    }
}

#[test]
fn what_is_not_finite_is_told() {
    let cam = cam(30.0);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(
            cam.acceleration(&vector![bad], &vector![0.0], &vector![0.0])
                .is_err()
        );
        assert!(!cam.height(&vector![bad]).is_finite());
    }
    assert!(cam.height(&vector![1e300]).is_finite());
}

lagrangian! {
    /// A mass on a spring whose energy has been measured at 33 places.
    struct Spring { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V = spline(x, -2..2, [
        2.0, 1.7578125, 1.53125, 1.3203125, 1.125, 0.9453125, 0.78125, 0.6328125, 0.5, 0.3828125, 0.28125,
        0.1953125, 0.125, 0.0703125, 0.03125, 0.0078125, 0.0, 0.0078125, 0.03125, 0.0703125, 0.125, 0.1953125,
        0.28125, 0.3828125, 0.5, 0.6328125, 0.78125, 0.9453125, 1.125, 1.3203125, 1.53125, 1.7578125, 2.0
    ]);
}

lagrangian! {
    /// The same with jumps of the stiffness.
    #[allow(deprecated, reason = "the derivative of the force jumps")]
    struct Kinked { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V = pchip(x, -2..2, [
        2.0, 1.7578125, 1.53125, 1.3203125, 1.125, 0.9453125, 0.78125, 0.6328125, 0.5, 0.3828125, 0.28125,
        0.1953125, 0.125, 0.0703125, 0.03125, 0.0078125, 0.0, 0.0078125, 0.03125, 0.0703125, 0.125, 0.1953125,
        0.28125, 0.3828125, 0.5, 0.6328125, 0.78125, 0.9453125, 1.125, 1.3203125, 1.53125, 1.7578125, 2.0
    ]);
}

/// The order at which errors fall from 8 to 1024 steps.
fn order<M: System<f64, 1, 1, 0, 0>>(system: &M) -> f64 {
    let after = |steps: u32| {
        let (mut q, mut v) = (vector![1.2], vector![0.0]);
        for _ in 0..steps {
            let h = 6.0 / f64::from(steps);
            (q, v) = rk4_step(system, 0.0, &q, &v, &SVector::zeros(), h).unwrap();
        }
        vector![q[0], v[0]]
    };
    let exact = after(1 << 14);
    let [first, last] = [3, 10].map(|power| (after(1 << power) - exact).norm());
    (first / last).log2() / 7.0
}

/// The stiffness of a spline is continuous, so that a step over a point loses no order.
#[test]
fn splines_keep_the_order_of_the_stepper() {
    const { assert!(Spring::CONSERVES_ENERGY && Kinked::CONSERVES_ENERGY) };
    let smooth = order(&Spring { m: 1.0 });
    assert!((3.9..4.1).contains(&smooth), "{smooth}");
    let kinked = order(&Kinked { m: 1.0 });
    assert!(kinked < 3.0, "{kinked}");
}

lagrangian! {
    /// A point on a surface with a height by control values, which enter linearly.
    struct Track { x: coordinate, m: parameter, h: parameter[6] = 1, c: parameter[5] = csv("../tests/data/wing.csv", "lift") }
    T = m * der(x)^2 / 2;
    V = bspline(x, 0..3, h) + bspline(x, -1..1, c);
    regressor heights { h, c }
}

#[test]
fn control_values_are_identified() {
    let track = Track {
        m: 2.0,
        h: [0.3, -1.0, 2.0, 0.5, -0.25, 4.0],
        ..Track::new(2.0)
    };
    assert_eq!(track.c, [-0.9, 0.3, 0.9, 1.4, 1.2]);
    assert_eq!(Track::<f64>::new(1.0).h, [1.0; 6]);
    for x in [-3.0, -0.4, 0.2, 0.9, 2.5, 3.0, 8.0] {
        let (q, zero) = (vector![x], vector![0.0]);
        let columns = track.heights(&q, &zero, &zero);
        let values = track.h.iter().chain(&track.c).copied();
        let product: f64 = columns.iter().zip(values).map(|(a, b)| a * b).sum();
        assert!(close(product, track.potential_gradient(&q)[0]), "{x}");
    }
}

/// Generic code calls the same methods.
#[test]
fn curves_serve_the_trait() {
    fn weight<M: System<f64, 1, 1, 1, 0>>(system: &M) -> f64 {
        system.mass_matrix(0.0, &vector![0.3], &vector![0.0], &vector![0.0])[(0, 0)]
    }
    assert!(close(
        weight(&cam(30.0)),
        cam(30.0).mass_matrix(&vector![0.3])[(0, 0)]
    ));
}

lagrangian! {
    /// The columns of a file.
    struct Wing { x, h: coordinate [m], speed: parameter [m/s], rho: parameter [kg/m^3], m: parameter [kg] }
    let alpha = csv("../tests/data/wing.csv", "alpha");
    let angle = (x - h) / (x + h);
    T = m * (der(x)^2 + der(h)^2) / 2;
    Q.h = rho * speed^2 * table(angle, alpha, csv("../tests/data/wing.csv", "lift"));
    pub let drag = pchip(angle, alpha, csv("../tests/data/wing.csv", "drag"));
    Q.x = -rho * speed^2 * drag;
}

#[test]
fn columns_of_a_file_are_its_numbers() {
    let wing = Wing {
        speed: 1.0,
        rho: 1.0,
        m: 1.0,
    };
    // (x - h) / (x + h) = 0.25 between two lines of the file.
    let a = wing
        .acceleration(&vector![1.25, 0.75], &vector![0.0, 0.0])
        .unwrap();
    assert!(close(a[1], (1.4 + 1.2) / 2.0));
    assert!(close(wing.drag(&vector![1.1, 0.9]), 0.03));
    let unit = |name| Wing::UNITS.iter().find(|(of, _)| *of == name).unwrap().1;
    assert_eq!(unit("drag"), "m^2");
}

//! The first-order form, unchecked derivatives and Hamilton's equations where forces depend on multipliers.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SMatrix, SVector, vector};
use simba::simd::{SimdValue, WideF64x4};

use crate::{Mixed, TippeTop};

lagrangian! {
    /// Rows of both kinds in an order of their own, a coordinate without mass, and a bundle.
    struct Order {
        x, y, z: coordinate,
        m, k: parameter,
        u: input,
    }
    T = m * (der(x)^2 + der(y)^2 + der(x) * der(y) / 2) / 2;
    V = k * x^2 * y;
    nonholonomic slide: der(x) + x * der(y) + der(z) / 3 = 0;
    holonomic tie: z + sin(x) / 2 = y^2;
    Q.x = k * multiplier(slide) * cos(y) - u * multiplier(tie) / 4;
    Q.y = der(x) * multiplier(tie) / 5;
    Q.z = u / 2;
    bundle step { mass_matrix_full, forcing_full, acceleration_unchecked, linearize_unchecked }
}

const ORDER: Order = Order { m: 1.3, k: 0.7 };

fn order_state() -> (SVector<f64, 3>, SVector<f64, 3>, SVector<f64, 1>) {
    (
        vector![0.4, -0.3, 0.6],
        vector![0.7, 0.2, -0.9],
        vector![1.1],
    )
}

#[test]
fn the_first_order_form_has_the_solution() {
    let (q, v, u) = order_state();
    let motion = ORDER.solve(&q, &v, &u).unwrap();
    let full: SMatrix<f64, 8, 8> = ORDER.mass_matrix_full(&q, &v, &u);
    let right = ORDER.forcing_full(&q, &v, &u);
    let solution = full.lu().solve(&right).unwrap();
    assert!((solution.fixed_rows::<3>(0) - v).norm() < 1e-15);
    assert!((solution.fixed_rows::<3>(3) - motion.acceleration).norm() < 1e-13);
    assert!((solution.fixed_rows::<2>(6) - motion.multipliers).norm() < 1e-13);
    // Its blocks are those of the methods; the rows of J have the order of `CONSTRAINTS`.
    assert_eq!(Order::CONSTRAINTS, ["tie", "slide"]);
    let forces = ORDER.constraint_jacobian(&q).transpose() + ORDER.multiplier_forces(&q, &v, &u);
    assert_eq!(full.fixed_view::<3, 2>(3, 6), -forces);
    assert_eq!(full.fixed_view::<2, 3>(6, 3), ORDER.constraint_jacobian(&q));
    let step = ORDER.step(&q, &v, &u);
    assert!((step.mass_matrix_full - full).amax() < 1e-15);
    assert!((step.forcing_full - right).amax() < 1e-15);
    assert!((step.acceleration_unchecked - motion.acceleration).norm() < 1e-13);
    let a = step.linearize_unchecked.a;
    assert!((a - ORDER.linearize(&q, &v, &u).unwrap().a).amax() < 1e-12);
}

#[test]
fn the_first_order_form_of_a_rotation_with_friction() {
    let (top, q, v) = top();
    let motion = top.solve(&q, &v).unwrap();
    let full: SMatrix<f64, 14, 14> = top.mass_matrix_full(&q, &v);
    let mut solution = SVector::<f64, 14>::zeros();
    solution
        .fixed_rows_mut::<7>(0)
        .copy_from(&top.coordinate_rates(&q, &v));
    solution
        .fixed_rows_mut::<6>(7)
        .copy_from(&motion.acceleration);
    solution
        .fixed_rows_mut::<1>(13)
        .copy_from(&motion.multipliers);
    let right = top.forcing_full(&q, &v);
    assert!((full * solution - right).amax() < 1e-13 * right.amax());
}

fn top() -> (TippeTop, SVector<f64, 7>, SVector<f64, 6>) {
    let top = TippeTop {
        m: 6e-3,
        r: 0.015,
        off: 0.003,
        i: [8e-7, 7e-7],
        mu: 0.3,
        smooth: 1e-3,
        g: 9.81,
    };
    let d = vector![0.0, 0.0, 0.015, 0.7, -0.4, 0.2];
    let q = top.integrate(&top.neutral(), &d);
    (top, q, vector![0.05, -0.02, 0.0, 3.0, 1.0, 90.0])
}

/// The largest deviation, relative to the largest entry.
fn deviation<const R: usize, const C: usize>(
    found: &SMatrix<f64, R, C>,
    expected: &SMatrix<f64, R, C>,
) -> f64 {
    (found - expected).amax() / expected.amax()
}

#[test]
fn unchecked_derivatives_are_the_checked_ones() {
    let (q, v, u) = order_state();
    let expected = ORDER.linearize(&q, &v, &u).unwrap();
    let found = ORDER.linearize_unchecked(&q, &v, &u);
    assert!(deviation(&found.a, &expected.a) < 1e-13);
    assert!(deviation(&found.b, &expected.b) < 1e-13);
    let (top, q, v) = top();
    let expected = top.linearize(&q, &v).unwrap();
    let found = top.linearize_unchecked(&q, &v);
    assert!(deviation(&found.a, &expected.a) < 1e-11);
    let y = SVector::<f64, 13>::from_iterator(q.iter().chain(&v).copied());
    let rates = top.state_derivative_unchecked(&y);
    let expected = top.state_derivative(&y).unwrap();
    assert!(deviation(&rates, &expected) < 1e-11);
}

/// In one lane x has no inertia but by the rows, so that lanes have different pivots.
#[test]
fn each_lane_has_its_own_pivots() {
    let (q, v, u) = order_state();
    let masses = [1.3, 1e-9, 4.0, 0.2];
    let system = Order {
        m: WideF64x4::from(masses),
        k: WideF64x4::splat(0.7),
    };
    let [wide_q, wide_v] = [q, v].map(|x| x.map(WideF64x4::splat));
    let wide_u = u.map(WideF64x4::splat);
    let a = system.acceleration_unchecked(&wide_q, &wide_v, &wide_u);
    let linear = system.linearize_unchecked(&wide_q, &wide_v, &wide_u);
    for (lane, m) in masses.into_iter().enumerate() {
        let scalar = Order { m, k: 0.7 };
        let expected = scalar.acceleration(&q, &v, &u).unwrap();
        assert!(deviation(&a.map(|x| x.extract(lane)), &expected) < 1e-12);
        let expected = scalar.linearize(&q, &v, &u).unwrap();
        assert!(deviation(&linear.a.map(|x| x.extract(lane)), &expected.a) < 1e-12);
        assert!(deviation(&linear.b.map(|x| x.extract(lane)), &expected.b) < 1e-12);
    }
}

/// p is differentiated along the motion.
#[test]
fn momenta_change_by_forces_of_multipliers() {
    let system = Mixed {
        m: [1.3, 0.8, 2.1],
        k: 0.7,
    };
    let (t, h) = (0.4, 1e-5);
    let (q, v, u) = (
        vector![0.3, -0.2, 0.5],
        vector![0.4, 0.9, -0.6],
        vector![0.8],
    );
    let a = system.acceleration(t, &q, &v, &u).unwrap();
    let [after, before] = [h, -h].map(|h| system.momenta(t + h, &(q + v * h), &(v + a * h)));
    let expected = (after - before) / (2.0 * h);
    let p = system.momenta(t, &q, &v);
    let (rates, found) = system.hamilton_equations(t, &q, &p, &u).unwrap();
    assert!((rates - v).norm() < 1e-14);
    assert!((found - expected).norm() < 1e-9, "{found} {expected}");
}

lagrangian! {
    /// Points on a line, each tied to its neighbour, with more velocities than M and J are returned by value.
    struct Crowd {
        x: coordinate[36],
        m, mu: parameter,
        u: input,
    }
    for i in 0..36 {
        T += m * (1 + i / 10) * der(x[i])^2 / 2;
        V += x[i]^2 * (2 + cos(x[i])) / 2;
    }
    for i in 0..35 {
        T += m * (2 + sin(x[i])) * der(x[i]) * der(x[i + 1]) / 9;
    }
    holonomic tie: sum(i in 0..36, x[i] * (1 + i / 20)) = 1;
    Q.x[3] = -mu * multiplier(tie) * tanh(der(x[5]));
    Q.x[20] = u * x[1] * multiplier(tie);
}

#[test]
fn large_systems_have_the_same_equations() {
    let crowd = Crowd { m: 1.4, mu: 0.6 };
    let q = SVector::<f64, 36>::from_fn(|i, _| (0.7 * i as f64).sin());
    let v = SVector::<f64, 36>::from_fn(|i, _| (1.3 * i as f64 + 0.4).cos());
    let u = vector![0.9];
    let mass = crowd.mass_matrix(&q);
    let jacobian = crowd.constraint_jacobian(&q);
    let mut matrix = SMatrix::<f64, 37, 37>::zeros();
    matrix.fixed_view_mut::<36, 36>(0, 0).copy_from(&mass);
    let forces = jacobian.transpose() + crowd.multiplier_forces(&q, &v, &u);
    matrix.fixed_view_mut::<36, 1>(0, 36).copy_from(&-forces);
    matrix.fixed_view_mut::<1, 36>(36, 0).copy_from(&jacobian);
    let full: SMatrix<f64, 73, 73> = crowd.mass_matrix_full(&q, &v, &u);
    assert_eq!(full.fixed_view::<37, 37>(36, 36), matrix);
    let mut right = SVector::<f64, 37>::zeros();
    right
        .fixed_rows_mut::<36>(0)
        .copy_from(&crowd.forcing(&q, &v, &u));
    right
        .fixed_rows_mut::<1>(36)
        .copy_from(&crowd.constraint_gamma(&q, &v));
    let expected = matrix.lu().solve(&right).unwrap();
    let found = crowd.solve(&q, &v, &u).unwrap();
    assert!((found.acceleration - expected.fixed_rows::<36>(0)).norm() < 1e-12);
    assert!((found.multipliers - expected.fixed_rows::<1>(36)).norm() < 1e-12);
    let a = crowd.acceleration_unchecked(&q, &v, &u);
    assert!((a - found.acceleration).norm() < 1e-12);
    let linear = crowd.linearize(&q, &v, &u).unwrap();
    let unchecked = crowd.linearize_unchecked(&q, &v, &u);
    assert!((linear.a - unchecked.a).amax() < 1e-11);
    let h = 1e-6;
    for k in [0, 3, 5, 20, 35] {
        let mut d = SVector::<f64, 36>::zeros();
        d[k] = h;
        let [after, before] = [d, -d].map(|d| crowd.acceleration(&(q + d), &v, &u).unwrap());
        let column: SVector<f64, 36> = linear.a.fixed_view::<36, 1>(36, k).into();
        assert!(((after - before) / (2.0 * h) - column).norm() < 1e-6);
    }
    let w = SVector::<f64, 36>::from_fn(|i, _| (0.9 * i as f64).cos());
    let gradient = crowd.vjp(&q, &v, &u, &w).unwrap();
    let by_u = linear.b.fixed_rows::<36>(36).transpose() * w;
    assert!((gradient.u - by_u).norm() < 1e-11);
}

lagrangian! {
    /// The mass is listed, the coefficient of friction is not.
    struct Identified { x, y: coordinate, m, mu: parameter, g: parameter = 9.81 }
    T = m * (der(x)^2 + der(y)^2) / 2;
    V = m * g * (y + x / 2);
    holonomic floor: y = x^2 / 4;
    Q.x = -mu * multiplier(floor);
    regressor identify { m }
}

#[test]
fn a_regressor_leaves_multipliers_on_the_right() {
    let system: Identified = Identified::new(1.7, 0.3);
    let (q, v) = (vector![0.4, 0.04], vector![0.5, 0.1]);
    let motion = system.solve(&q, &v).unwrap();
    let left = system.identify(&q, &v, &motion.acceleration) * system.m;
    let forces = system.constraint_jacobian(&q).transpose() + system.multiplier_forces(&q, &v);
    assert!((left - forces * motion.multipliers).norm() < 1e-13);
}

lagrangian! {
    /// y has no inertia: a row determines it.
    struct Massless { x, y: coordinate, m, mu: parameter }
    T = m * der(x)^2 / 2;
    V = 3 * m * (x + y);
    holonomic tie: y = 2 * x;
    Q.x = -mu * multiplier(tie);
}

#[test]
fn coordinates_without_inertia_have_unchecked_accelerations() {
    let system = Massless { m: 2.0, mu: 0.25 };
    let (q, v) = (vector![0.1, 0.2], vector![0.3, 0.6]);
    let expected = system.acceleration(&q, &v).unwrap();
    let found = system.acceleration_unchecked(&q, &v);
    assert!((found - expected).norm() < 1e-14, "{found} {expected}");
}

//! `linearize_active` where forces depend on multipliers of constraints and on forces of contacts.

use lagrangian::nalgebra::{RealField, SMatrix, SVector, convert, vector};
use lagrangian::{Error, Linearization, lagrangian};
use num_dual::Dual64;

lagrangian! {
    /// A block that slides down a slope, pushed onto it by u. The slope becomes rougher along it.
    struct Slope {
        x, y: coordinate,
        m, mu, k, eps, slope: parameter,
        g: parameter = 9.81,
        u: input,
    }
    T = m * (der(x)^2 + der(y)^2) / 2;
    V = m * g * (cos(slope) * y - sin(slope) * x);
    contact floor: y >= 0;
    Q.x = -mu * (1 + k * x) * tanh(der(x) / eps) * multiplier(floor);
    Q.y = -u;
}

#[test]
fn a_block_on_a_slope_has_the_derivatives_of_its_closed_form() {
    let (m, mu, k, eps, slope) = (2.0, 0.3, 0.4, 0.05, 0.6_f64);
    let block = Slope::new(m, mu, k, eps, slope);
    for (x, v, u) in [(0.0, 0.5, 0.0), (1.2, 0.04, 3.0), (-0.7, -0.02, 8.0)] {
        let linear = block
            .linearize_active(&vector![x, 0.0], &vector![v, 0.0], &vector![u], &[true])
            .unwrap();
        // a = g sin - mu (1 + k x) tanh(v / eps) N / m, with N = m g cos + u
        let normal = m * 9.81 * slope.cos() + u;
        let rough = mu * (1.0 + k * x);
        let tanh = (v / eps).tanh();
        let expected = [
            -mu * k * tanh * normal / m,
            -rough * (1.0 - tanh * tanh) / eps * normal / m,
            -rough * tanh / m,
        ];
        let found = [linear.a[(2, 0)], linear.a[(2, 2)], linear.b[(2, 0)]];
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-13 * (1.0 + expected.abs()));
        }
        // The contact stays closed, and nothing depends on y.
        for zero in [(2, 1), (2, 3), (3, 0), (3, 1), (3, 2), (3, 3)] {
            assert!(linear.a[zero].abs() < 1e-14);
        }
        assert!(linear.b[(3, 0)].abs() < 1e-14);
    }
}

lagrangian! {
    /// A rod whose lower end slides to the left on the floor, with the coefficient of friction mu.
    struct Rod { x, y, theta: coordinate, m, l, mu: parameter, g: parameter = 9.81 }
    let tip = [x - l / 2 * cos(theta), y - l / 2 * sin(theta)];
    T = m * (der(x)^2 + der(y)^2 + l^2 / 12 * der(theta)^2) / 2;
    V = m * g * y;
    contact floor: tip.y >= 0;
    force [mu * multiplier(floor), 0] at tip;
}

/// With d = 1 + 3 (cos^2 - mu sin cos) the force of the floor is N = m (g - l/2 sin w^2) / d.
#[test]
fn a_rod_that_slides_has_the_derivatives_of_its_closed_form() {
    let (m, l, g) = (3.0, 0.7, 9.81);
    for (theta, w, mu) in [(0.9_f64, 1.3, 0.4), (0.4, -2.0, 1.1), (1.2, 0.0, 0.0)] {
        let rod = Rod { m, l, mu, g };
        let (sin, cos) = theta.sin_cos();
        let q = vector![0.2, l / 2.0 * sin, theta];
        let v = vector![-1.0, l / 2.0 * cos * w, w];
        let linear = rod.linearize_active(&q, &v, &[true]).unwrap();
        let d = 1.0 + 3.0 * (cos * cos - mu * sin * cos);
        let by_theta_of_d = -3.0 * (2.0 * sin * cos + mu * (cos * cos - sin * sin));
        let normal = m * (g - l / 2.0 * sin * w * w) / d;
        let by_theta = -(m * l / 2.0 * cos * w * w + normal * by_theta_of_d) / d;
        let by_w = -m * l * sin * w / d;
        let (arm, by_theta_of_arm) = (mu * sin - cos, mu * cos + sin);
        let turn = 6.0 / (m * l);
        let expected = [
            (mu * by_theta / m, mu * by_w / m),
            (by_theta / m, by_w / m),
            (
                turn * (by_theta * arm + normal * by_theta_of_arm),
                turn * by_w * arm,
            ),
        ];
        let force = rod.solve_active(&q, &v, &[true]).unwrap().contact_forces[0];
        assert!((force - normal).abs() < 1e-12 * normal);
        for (row, (by_theta, by_w)) in expected.into_iter().enumerate() {
            let (found, size) = (linear.a.row(3 + row), linear.a.amax());
            assert!((found[2] - by_theta).abs() < 1e-13 * size, "{theta} {row}");
            assert!((found[5] - by_w).abs() < 1e-13 * size, "{theta} {row}");
        }
    }
}

/// A body with a rotation on a rail, and two more rows that are contacts or constraints. Forces depend on the multiplier
/// of each, with factors of q, v and u.
macro_rules! body {
    ($name:ident, $row:ident, $sign:tt) => {
        lagrangian! {
            struct $name {
                p: coordinate[3],
                att: rotation,
                m, mu: parameter,
                i: parameter[3],
                u: input[2],
                t: time,
            }
            frame Body = world.translate(p).rotate(att);
            body { frame: Body, mass: m, inertia: diag(i), at: [0.1, -0.2, 0.05] }
            gravity [0, 0, -9.81];
            let corner = Body.origin + Body.vector([0.2, 0.1, -0.4]);
            let other = Body.origin + Body.vector([-0.3, 0.2, 0.1]);
            holonomic rail: p.x + sin(p.y) / 4 = 0.2 * sin(t);
            $row floor: corner.z + p.x^2 / 5 $sign 0.1 * t;
            $row wall: other.y $sign 0;
            let slip = der(corner);
            let speed = sqrt(dot(slip, slip) + 0.01);
            force -mu * multiplier(floor) / speed * [slip.x, slip.y, 0] at corner on Body;
            force mu * u[0] * multiplier(wall) * [sin(p.x), 0, der(p).z] at other on Body;
            torque multiplier(rail) * Body.vector([0, cos(p.z) * u[1], der(p).x / 3]) on Body;
        }

        impl<S: RealField + Copy> $name<S> {
            fn example() -> Self {
                let [m, mu] = [1.7, 0.4].map(convert);
                Self {
                    m,
                    mu,
                    i: [0.6, 0.9, 0.7].map(convert),
                }
            }
        }
    };
}

body!(Touching, contact, >=);
body!(Held, holonomic, =);

lagrangian! {
    /// The same body without its rows: only the constraint has a force, and a contact that no force names.
    struct OnRail { x, y: coordinate, m, mu: parameter, u: input }
    T = m * (der(x)^2 + der(y)^2 + der(x) * der(y) / 2) / 2;
    V = m * x^2 * y;
    holonomic rail: x + y^2 / 2 = 0.3;
    Q.x = -mu * multiplier(rail) * der(x) - u * multiplier(rail) * y;
    contact wall: x + y >= 0;
}

/// The state [d; v; u] as one vector, with q moved by d.
fn accelerations<S: RealField + Copy>(
    q: &SVector<S, 7>,
    x: &SVector<S, 14>,
    active: &[bool; 2],
) -> SVector<S, 6> {
    let body = Touching::<S>::example();
    let q = body.integrate(q, &x.fixed_rows::<6>(0).into());
    let (v, u) = (x.fixed_rows::<6>(6).into(), x.fixed_rows::<2>(12).into());
    let motion = body.solve_active(convert(0.3), &q, &v, &u, active);
    motion.unwrap().acceleration
}

/// A state that is on no row, so that the derivatives are those of the equations alone.
fn state() -> (SVector<f64, 7>, SVector<f64, 6>, SVector<f64, 2>) {
    let body = Touching::<f64>::example();
    let d = vector![0.2, -0.4, 0.3, 0.5, -0.3, 0.8];
    let q = body.integrate(&body.neutral(), &d);
    (
        q,
        vector![0.4, -0.7, 0.2, 0.9, -1.1, 0.6],
        vector![0.7, -0.5],
    )
}

/// [A B] without the rows for the displacement.
fn rows(linear: &Linearization<f64, 12, 2>) -> SMatrix<f64, 6, 14> {
    let mut rows = SMatrix::<f64, 6, 14>::zeros();
    rows.fixed_columns_mut::<12>(0)
        .copy_from(&linear.a.fixed_rows::<6>(6));
    rows.fixed_columns_mut::<2>(12)
        .copy_from(&linear.b.fixed_rows::<6>(6));
    rows
}

#[test]
fn derivatives_are_those_of_dual_numbers() {
    let (q, v, u) = state();
    let body = Touching::<f64>::example();
    for active in [[true, true], [true, false], [false, true], [false, false]] {
        let linear = body.linearize_active(0.3, &q, &v, &u, &active).unwrap();
        let found = rows(&linear);
        let zeros = SVector::<f64, 6>::zeros();
        let x = SVector::<f64, 14>::from_iterator(zeros.iter().chain(&v).chain(&u).copied());
        for column in 0..14 {
            let mut moved = x.map(Dual64::from_re);
            moved[column].eps = 1.0;
            let exact = accelerations(&q.map(Dual64::from_re), &moved, &active).map(|a| a.eps);
            let error = (found.column(column) - exact).amax();
            assert!(
                error < 1e-11 * (1.0 + found.amax()),
                "{active:?} {column}: {error}"
            );
        }
    }
}

#[test]
fn closed_contacts_have_the_derivatives_of_constraints() {
    let (q, v, u) = state();
    let (body, held) = (Touching::<f64>::example(), Held::<f64>::example());
    let linear = body.linearize_active(0.3, &q, &v, &u, &[true; 2]).unwrap();
    let expected = held.linearize(0.3, &q, &v, &u).unwrap();
    let error = (linear.a - expected.a).amax() + (linear.b - expected.b).amax();
    assert!(error < 1e-11 * expected.a.amax(), "{error}");
    // Without contacts it is the motion on the rail.
    let open = body.linearize_active(0.3, &q, &v, &u, &[false; 2]).unwrap();
    let free = body.linearize(0.3, &q, &v, &u).unwrap();
    let error = (open.a - free.a).amax() + (open.b - free.b).amax();
    assert!(error < 1e-12 * free.a.amax(), "{error}");
}

#[test]
fn forces_by_constraints_are_in_the_matrix_of_the_derivatives() {
    let system = OnRail { m: 1.3, mu: 0.4 };
    let (q, v, u) = (vector![0.2, 0.4], vector![0.9, -0.5], vector![0.8]);
    let free = system.linearize(&q, &v, &u).unwrap();
    let open = system.linearize_active(&q, &v, &u, &[false]).unwrap();
    let error = (free.a - open.a).amax() + (free.b - open.b).amax();
    assert!(error < 1e-13 * free.a.amax(), "{error}");
}

macro_rules! sledge {
    ($name:ident, [$($attribute:tt)*] $($again:tt)*) => {
        lagrangian! {
            /// A sledge in a groove along x, with friction on the floor.
            $($attribute)*
            struct $name { r: coordinate[3], m, mu: parameter, g: parameter = 9.81, u: input }
            T = m * der(r)^2 / 2;
            V = m * g * r.z + sin(r.x) * r.y;
            holonomic groove: r.y = 0;
            contact floor: r.z + r.x^2 / 2 >= 0;
            Q.r = [u - mu * multiplier(floor) * der(r.x), 0, u * der(r.z)];
            $($again)*
        }
    };
}
sledge!(Sledge, []);
sledge!(Twice, [#[lagrangian(redundant)]] #[allow(deprecated)] holonomic again: 2 * r.y = 0;);
sledge!(Undetermined, [#[lagrangian(redundant)]] contact same: 3 * r.z + r.x^2 * 1.5 >= 0;);

#[test]
fn friction_acts_beside_rows_that_depend_on_each_other() {
    let (m, mu) = (2.0, 0.3);
    let (once, twice) = (Sledge::new(m, mu), Twice::new(m, mu));
    let (q, v, u) = (
        vector![0.4, 0.0, -0.08],
        vector![0.7, 0.0, -0.28],
        vector![1.5],
    );
    for active in [[true], [false]] {
        let expected = once.solve_active(&q, &v, &u, &active).unwrap();
        let found = twice.solve_active(&q, &v, &u, &active).unwrap();
        assert!((found.acceleration - expected.acceleration).norm() < 1e-14);
        assert!((found.contact_forces - expected.contact_forces).norm() < 1e-13);
        // Of least norm, with the same force.
        let [first, second]: [f64; 2] = found.multipliers.into();
        assert!((first + 2.0 * second - expected.multipliers[0]).abs() < 1e-14);
        assert!((second - 2.0 * first).abs() < 1e-14);
        let expected = once.linearize_active(&q, &v, &u, &active).unwrap();
        let found = twice.linearize_active(&q, &v, &u, &active).unwrap();
        assert!((found.a - expected.a).norm() < 1e-12 * expected.a.norm());
        assert!((found.b - expected.b).norm() < 1e-12);
    }
    // Two equal contacts do not determine the force that has friction.
    let undetermined = Undetermined::new(m, mu);
    let solve = |active| undetermined.solve_active(&q, &v, &u, &active);
    assert!(solve([true, false]).is_ok());
    let error = solve([true, true]).unwrap_err();
    assert!(matches!(error, Error::DependentConstraints { row: 1 | 2 }));
}

//! Projection onto constraints that are written by hand, with their error bounds.

use std::{cell::Cell, f64::consts::TAU};

use lagrange_runtime::{
    Error,
    nalgebra::{RealField, SVector, Vector2, Vector3, convert, vector},
    project::project,
};
use num_dual::Dual64;

type State<const N: usize> = (SVector<f64, N>, SVector<f64, N>);

/// A pendulum of length `l` in Cartesian coordinates: x² + y² = l².
fn pendulum<S: RealField + Copy>(
    l: S,
    q: &Vector2<S>,
    v: &Vector2<S>,
) -> Result<(Vector2<S>, Vector2<S>), Error> {
    let [two, five, eight] = [2.0, 5.0, 8.0].map(convert::<f64, S>);
    let jacobian = |q: &Vector2<S>| [[two * q[0], two * q[1]]];
    project(
        q,
        v,
        |_, _| [[convert(3.0), S::zero()], [S::zero(), convert(3.0)]],
        |q| {
            let square = q.norm_squared();
            ([square - l * l], [five * square], jacobian(q))
        },
        |q, v| {
            let terms = (q[0] * v[0]).abs() + (q[1] * v[1]).abs();
            ([two * q.dot(v)], [eight * terms], jacobian(q))
        },
    )
}

#[test]
fn a_pendulum_that_has_drifted() {
    let (sin, cos) = 0.4_f64.sin_cos();
    let (q, v) =
        pendulum(2.0, &vector![2.02 * sin, -2.02 * cos], &vector![1.0, 0.7]).expect("near");
    assert!((q.norm_squared() - 4.0).abs() <= 4.0 * f64::EPSILON * 8.0);
    assert!(q.dot(&v).abs() <= 4.0 * f64::EPSILON);
    // Equal masses: the nearest point, and the tangential part of the velocity.
    assert!((q - vector![2.0 * sin, -2.0 * cos]).norm() < 1e-15);
    let along = vector![cos, sin];
    assert!((v - along * along.dot(&vector![1.0, 0.7])).norm() < 1e-15);
}

#[test]
fn what_meets_the_constraints_stays() {
    let start = (vector![0.6, -0.8], vector![4.0, 3.0]);
    assert_eq!(pendulum(1.0, &start.0, &start.1), Ok(start));
    let once = pendulum(1.0, &vector![0.3, 0.1], &vector![1.0, 2.0]).expect("near");
    assert_eq!(pendulum(1.0, &once.0, &once.1), Ok(once));
}

#[test]
fn far_starts_of_a_pendulum() {
    for distance in [1e-6_f64, 1e-3, 0.1, 10.0, 1e3, 1e8] {
        let (q, v) = pendulum(
            1.0,
            &vector![0.6 * distance, 0.8 * distance],
            &vector![1.0, 1.0],
        )
        .unwrap_or_else(|error| panic!("{distance:e}: {error}"));
        assert!((q - vector![0.6, 0.8]).norm() < 1e-15, "{distance:e}");
        assert!((v - vector![0.16, -0.12]).norm() < 1e-15, "{distance:e}");
    }
    let singular = Error::DependentConstraints { row: 0 };
    assert_eq!(
        pendulum(1.0, &vector![0.0, 0.0], &vector![1.0, 1.0]),
        Err(singular)
    );
}

#[test]
fn single_precision() {
    let (q, v) = pendulum(2.0_f32, &vector![1.25, -1.7], &vector![1.0, 0.5]).expect("near");
    assert!((q.norm_squared() - 4.0).abs() <= 32.0 * f32::EPSILON);
    assert!(q.dot(&v).abs() <= 8.0 * f32::EPSILON);
}

#[test]
fn not_finite() {
    let good = vector![0.6, 0.8];
    let failed = |argument| Err(Error::NotFinite { argument });
    for bad in [f64::NAN, f64::INFINITY] {
        assert_eq!(pendulum(1.0, &vector![bad, 0.0], &good), failed("q"));
        assert_eq!(pendulum(1.0, &good, &vector![0.0, bad]), failed("v"));
        assert_eq!(pendulum(bad, &good, &good), failed("result"));
    }
}

/// The point of the circle nearest to (x, y), in the derivatives, too.
#[test]
fn derivatives() {
    // One start away from the circle and one that meets it.
    for length in [0.9, 1.0] {
        let x = Dual64::from_re(0.6).derivative();
        let start = vector![x, Dual64::from_re(0.8)];
        let v = vector![Dual64::from_re(0.3), Dual64::from_re(-0.5)];
        let (q, v) = pendulum(Dual64::from_re(length), &start, &v).expect("near");
        // q = l n and v = v₀ - n (n·v₀) with n = (x, y)/r, where dn/dx = (y², -x y)/r³.
        let dn = vector![0.64, -0.48];
        assert!((q[0].eps - length * dn[0]).abs() < 1e-12);
        assert!((q[1].eps - length * dn[1]).abs() < 1e-12);
        let (n, v0) = (vector![0.6, 0.8], vector![0.3, -0.5]);
        let expected = -dn * n.dot(&v0) - n * dn.dot(&v0);
        assert!((v[0].eps - expected[0]).abs() < 1e-12);
        assert!((v[1].eps - expected[1]).abs() < 1e-12);
    }
}

/// A four-bar linkage with the bars 2, 5 and 4 on the base 6, in absolute angles.
const BARS: [f64; 3] = [2.0, 5.0, -4.0];
const BASE: f64 = 6.0;

fn closure(q: &Vector3<f64>) -> [f64; 2] {
    let along: f64 = (0..3).map(|i| BARS[i] * q[i].cos()).sum();
    let across: f64 = (0..3).map(|i| BARS[i] * q[i].sin()).sum();
    [along - BASE, across]
}

fn closure_jacobian(q: &Vector3<f64>) -> [[f64; 3]; 2] {
    [
        std::array::from_fn(|i| -BARS[i] * q[i].sin()),
        std::array::from_fn(|i| BARS[i] * q[i].cos()),
    ]
}

/// The mass matrix of the three bars, each of the mass 1.
fn bars_mass(q: &Vector3<f64>) -> [[f64; 3]; 3] {
    let coupling = 0.5 * BARS[0] * BARS[1] * (q[0] - q[1]).cos();
    [
        [7.0 / 3.0 * 4.0, 0.0, 0.0],
        [coupling, 25.0 / 3.0, 0.0],
        [0.0, 0.0, 16.0 / 3.0],
    ]
}

fn four_bar(q: &Vector3<f64>, v: &Vector3<f64>) -> Result<State<3>, Error> {
    let velocity = |q: &Vector3<f64>, v: &Vector3<f64>| {
        let jacobian = closure_jacobian(q);
        let bound = (0..3).map(|i| BARS[i].abs() * (8.0 + q[i].abs()) * v[i].abs());
        let rates = jacobian.map(|row| Vector3::from(row).dot(v));
        (rates, [bound.sum(); 2], jacobian)
    };
    let position = |q: &Vector3<f64>| {
        let bound = (0..3).map(|i| BARS[i].abs() * (8.0 + q[i].abs()));
        (closure(q), [bound.sum(); 2], closure_jacobian(q))
    };
    project(q, v, |q, _| bars_mass(q), position, velocity)
}

#[track_caller]
fn assert_on_four_bar(q: &Vector3<f64>, v: &Vector3<f64>) {
    let speed = 20.0 * (1.0 + v.amax());
    assert!(
        closure(q)
            .iter()
            .all(|entry| entry.abs() < 1e-12 * (1.0 + q.amax()))
    );
    for row in closure_jacobian(q) {
        assert!(Vector3::from(row).dot(v).abs() <= 8.0 * f64::EPSILON * speed);
    }
}

#[test]
fn a_four_bar_linkage() {
    let start = (vector![1.0, 0.5, 1.5], vector![1.0, -0.3, 0.2]);
    let (q, v) = four_bar(&start.0, &start.1).expect("near");
    assert_on_four_bar(&q, &v);
    // The velocity changes by an impulse Jᵀ λ, and so does not along a motion that J allows.
    let jacobian = closure_jacobian(&q).map(Vector3::from);
    let allowed = jacobian[0].cross(&jacobian[1]);
    let m = bars_mass(&q);
    let change = v - start.1;
    let impulse = Vector3::from_fn(|i, _| {
        (0..3)
            .map(|k| m[i.max(k)][i.min(k)] * change[k])
            .sum::<f64>()
    });
    assert!(allowed.dot(&impulse).abs() < 1e-13 * allowed.norm() * impulse.norm());
}

/// From all over the configuration space: the linkage closes, or the failure says so.
#[test]
fn far_starts_of_a_four_bar_linkage() {
    let mut failures = 0;
    for i in 1..=1000 {
        let angle = |turns: f64| (f64::from(i) * turns).fract() * TAU;
        let start = vector![angle(0.618_034), angle(0.414_214), angle(0.732_051)];
        match four_bar(&start, &vector![0.1, 0.2, 0.3]) {
            Ok((q, v)) => assert_on_four_bar(&q, &v),
            Err(Error::NotConverged { residual }) => {
                assert!(residual > 1e-3);
                failures += 1;
            }
            Err(error) => panic!("{start}: {error}"),
        }
    }
    assert!(failures <= 10, "{failures} of 1000");
}

/// Constraints that no point meets: a circle and a line that passes it by.
#[test]
fn inconsistent_constraints() {
    let jacobian = |q: &Vector2<f64>| [[2.0 * q[0], 2.0 * q[1]], [1.0, 0.0]];
    for start in [
        vector![1.0, 1.0],
        vector![0.0, 0.1],
        vector![-3.0, 5.0],
        vector![1.5, -1e-3],
    ] {
        let result = project(
            &start,
            &vector![0.0, 0.0],
            |_, _| [[1.0, 0.0], [0.0, 1.0]],
            |q| {
                let square = q.norm_squared();
                let bounds = [6.0 * square, 2.0 * f64::abs(q[0])];
                ([square - 1.0, q[0] - 2.0], bounds, jacobian(q))
            },
            |q, v| ([2.0 * q.dot(v), v[0]], [0.0; 2], jacobian(q)),
        );
        let Err(Error::NotConverged { residual }) = result else {
            panic!("{start}: {result:?}");
        };
        assert!(residual > 0.1, "{start}: {residual}");
    }
}

/// One equation without a solution, and the slope never vanishes: exp(x) + 1 = 0.
#[test]
fn a_constraint_without_solution() {
    let result = project(
        &vector![0.0],
        &vector![0.0],
        |_, _| [[1.0_f64]],
        |q| {
            (
                [q[0].exp() + 1.0],
                [4.0 + (8.0 + q[0].abs()) * q[0].exp()],
                [[q[0].exp()]],
            )
        },
        |q, v| ([q[0].exp() * v[0]], [v[0].abs()], [[q[0].exp()]]),
    );
    assert!(
        matches!(result, Err(Error::NotConverged { residual }) if (1.0..2.0).contains(&residual))
    );
}

/// x + 0.1 + 0.2 = 0.3 at x about 0: terms cancel that the Jacobian does not show.
#[test]
fn rounding_errors_end_the_iteration() {
    let evaluations = Cell::new(0);
    let (q, _) = project(
        &vector![1e-3],
        &vector![0.0],
        |_, _| [[1.0_f64]],
        |q| {
            evaluations.set(evaluations.get() + 1);
            ([((q[0] + 100.1) + 0.2) - 100.3], [500.0], [[1.0]])
        },
        |_, v| ([v[0]], [v[0].abs()], [[1.0]]),
    )
    .expect("converged");
    assert!(q[0].abs() < 1e-13);
    assert!(evaluations.get() < 10);
}

/// A constraint that touches zero: (x - 1)² = 0, for which Newton's method takes half of the way.
#[test]
fn a_double_root() {
    let (q, v) = project(
        &vector![3.0],
        &vector![0.0],
        |_, _| [[1.0_f64]],
        |q| {
            let x = q[0] - 1.0;
            (
                [x.powi(2)],
                [2.0 * x.abs() * (q[0].abs() + 2.0 * x.abs())],
                [[2.0 * x]],
            )
        },
        // Its velocity form is of no use there, so that another one stands here.
        |_, v| ([v[0]], [v[0].abs()], [[1.0]]),
    )
    .expect("slow, but steady");
    assert!((q[0] - 1.0).abs() < 1e-14 && v[0] == 0.0);
}

/// Only a nonholonomic constraint: a skate at the angle θ glides without slip, and a driven shaft
/// turns at a given rate.
#[test]
fn nonholonomic_constraints_alone() {
    let start = vector![0.3, 0.7, 0.5];
    let row = |q: &Vector3<f64>| [[-q[2].sin(), q[2].cos(), 0.0], [0.0, 0.0, 1.0]];
    let (q, v) = project(
        &start,
        &vector![1.0, 2.0, 3.0],
        |_, _| [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1e-6]],
        |_| ([], [], []),
        |q, v| {
            let rows = row(q).map(Vector3::from);
            let bounds = [8.0 * (v[0].abs() + v[1].abs()), 2.0 * v[2].abs()];
            ([rows[0].dot(v), v[2] - 0.25], bounds, row(q))
        },
    )
    .expect("linear");
    assert_eq!(q, start);
    let along = vector![0.5_f64.cos(), 0.5_f64.sin()];
    let glide = along * along.dot(&vector![1.0, 2.0]);
    assert!((v - vector![glide[0], glide[1], 0.25]).norm() < 1e-15);
}

/// The unit quaternion of a body: the mass matrix has rank 3 of 4.
#[test]
fn a_quaternion_of_the_wrong_length() {
    let mass = |q: &SVector<f64, 4>| {
        let [q0, q1, q2, q3] = (*q).into();
        let e = [[-q1, q0, q3, -q2], [-q2, -q3, q0, q1], [-q3, q2, -q1, q0]];
        let entry = |i: usize, k: usize| (0..3).map(|r| 4.0 * e[r][i] * e[r][k]).sum::<f64>();
        std::array::from_fn(|i| std::array::from_fn(|k| entry(i, k)))
    };
    let row = |q: &SVector<f64, 4>| [std::array::from_fn(|i| 2.0 * q[i])];
    let start = vector![1.01, 0.02, -0.03, 0.4];
    let (q, v) = project(
        &start,
        &vector![0.1, 0.2, 0.3, 0.4],
        |q, _| mass(q),
        |q| ([q.norm_squared() - 1.0], [8.0 * q.norm_squared()], row(q)),
        |q, v| ([2.0 * q.dot(v)], [12.0 * q.abs().dot(&v.abs())], row(q)),
    )
    .expect("near");
    // A change of length has no inertia, so that the rotation does not change.
    assert!((q - start.normalize()).norm() < 1e-15);
    assert!(q.dot(&v).abs() < 1e-15);
}

/// Light masses move, heavy ones do not: a rod between 1 kg and 1e6 kg.
#[test]
fn the_metric_is_that_of_the_masses() {
    let (q, _) = project(
        &vector![0.0, 1.1],
        &vector![0.0, 0.0],
        |_, _| [[1.0, 0.0], [0.0, 1e6]],
        |q| {
            (
                [q[1] - q[0] - 1.0],
                [2.0 + 2.0 * q.abs().sum()],
                [[-1.0, 1.0]],
            )
        },
        |_, v| ([v[1] - v[0]], [2.0 * v.abs().sum()], [[-1.0, 1.0]]),
    )
    .expect("linear");
    let light = 0.1 * 1e6 / (1e6 + 1.0);
    assert!((q - vector![light, 1.1 - 0.1 / (1e6 + 1.0)]).norm() < 1e-15);
}

/// As many constraints as coordinates, all at 0: nothing is left to move.
#[test]
fn all_coordinates_bound() {
    let jacobian = |q: &Vector2<f64>| [[q[0].cos(), 0.3], [-0.7, 1.1]];
    let (q, v) = project(
        &vector![0.5_f64, 0.3],
        &vector![1.0, 3.0],
        |_, _| [[2.0, 0.0], [0.1, 1.0]],
        |q| {
            (
                [q[0].sin() + 0.3 * q[1], 1.1 * q[1] - 0.7 * q[0]],
                [8.0 * q.abs().sum(); 2],
                jacobian(q),
            )
        },
        |q, v| {
            (
                jacobian(q).map(|row| row[0] * v[0] + row[1] * v[1]),
                [8.0 * v.abs().sum(); 2],
                jacobian(q),
            )
        },
    )
    .expect("near");
    assert!(q.norm() < 1e-15 && v.norm() < 1e-14, "{q} {v}");
}

/// A velocity along the rod of a pendulum: nothing of it remains.
#[test]
fn a_velocity_against_the_constraint() {
    let (_, v) = pendulum(1.0, &vector![0.6, 0.8], &vector![1.8, 2.4]).expect("linear");
    assert!(v.norm() < 4.0 * f64::EPSILON);
}

/// A massless coordinate that a nonholonomic row alone determines: z follows x. The point mass moves onto
/// the line y = 1 + x/2 as if z were not there, and z as its row allows.
#[test]
fn massless_but_for_a_nonholonomic_row() {
    let rows = [[-0.5, 1.0, 0.0], [-3.0, 0.0, 1.0]];
    let (q, v) = project(
        &vector![0.2, 0.4, 7.0],
        &vector![1.0, 2.0, 5.0],
        |_, _| [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]],
        |q: &Vector3<f64>| {
            let bound = 2.0 + q[0].abs() + 2.0 * q[1].abs();
            ([q[1] - 0.5 * q[0] - 1.0], [bound], [rows[0]])
        },
        |_, v| {
            let sizes = v.abs();
            let bounds = [2.0 * sizes[1] + sizes[0], 2.0 * sizes[2] + 9.0 * sizes[0]];
            ([v[1] - 0.5 * v[0], v[2] - 3.0 * v[0]], bounds, rows)
        },
    )
    .expect("regular with all rows");
    let nearest = vector![0.2 - 0.5 * 0.56, 0.4 + 0.56];
    assert!((q.xy() - nearest).norm() < 1e-15, "{q}");
    assert!((q[2] - (7.0 + 3.0 * (q[0] - 0.2))).abs() < 1e-14);
    assert!((v - vector![1.6, 0.8, 4.8]).norm() < 1e-14, "{v}");
}

/// The same without a holonomic row, for dual numbers, too: q stays, and v follows.
#[test]
fn massless_without_holonomic_rows() {
    let (zero, one) = (Dual64::from_re(0.0), Dual64::from_re(1.0));
    let slope = Dual64::from_re(3.0).derivative();
    let q = vector![slope, one];
    let (stays, v) = project(
        &q,
        &vector![one, zero],
        |_, _| [[one, zero], [zero, zero]],
        |_| ([], [], []),
        |q, v| {
            let bound = Dual64::from_re(v[1].re.abs() + 4.0 * (q[0] * v[0]).re.abs());
            ([v[1] - q[0] * v[0]], [bound], [[-q[0], one]])
        },
    )
    .expect("regular with the row");
    assert_eq!(stays, q);
    // No impulse acts on y, which has no mass: x keeps its rate.
    assert!((v[0].re - 1.0).abs() < 1e-15 && v[0].eps.abs() < 1e-15);
    assert!((v[1].re - 3.0).abs() < 1e-15 && (v[1].eps - 1.0).abs() < 1e-15);
}

/// Two coordinates of which neither M nor the holonomic row sees the difference.
#[test]
fn singular_but_for_both_kinds_of_rows() {
    let mass = [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]];
    let rows = [[1.0, 1.0, 1.0], [1.0, -1.0, 0.0]];
    let (q, v) = project(
        &vector![1.0, 2.0, 3.0],
        &vector![1.0, 1.0, 1.0],
        |_, _| mass,
        |q: &Vector3<f64>| ([q.sum()], [3.0 * q.abs().sum()], [rows[0]]),
        |_, v| {
            let bound = 3.0 * v.abs().sum();
            ([v.sum(), v[0] - v[1]], [bound; 2], rows)
        },
    )
    .expect("regular with all rows");
    assert!(q.sum().abs() < 1e-15 && (q[0] - q[1] + 1.0).abs() < 1e-14);
    assert!(v.sum().abs() < 1e-15 && (v[0] - v[1]).abs() < 1e-15);
    // The massless part moves, not the other one.
    assert!((q[2] + 3.0).abs() < 1e-14 && (v[2] + 2.0).abs() < 1e-14);
}

/// A direction that nothing sees stays an error.
#[test]
fn singular_with_all_rows() {
    let result = project(
        &vector![1.0, 2.0, 3.0],
        &vector![0.0, 0.0, 0.0],
        |_, _| [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
        |q: &Vector3<f64>| ([q[0]], [q[0].abs()], [[1.0, 0.0, 0.0]]),
        |_, v| ([v[0], v[1]], [0.0; 2], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
    );
    assert_eq!(result, Err(Error::SingularMassMatrix));
}

/// Dependent constraints are told even where nothing has to move.
#[test]
fn dependent_constraints() {
    let result = project(
        &vector![1.0, 0.0],
        &vector![0.0, 0.0],
        |_, _| [[1.0, 0.0], [0.0, 1.0]],
        |q| ([q[0] - 1.0], [2.0 * f64::abs(q[0])], [[1.0, 0.0]]),
        |_, v| ([v[0], 2.0 * v[0]], [0.0; 2], [[1.0, 0.0], [2.0, 0.0]]),
    );
    assert_eq!(result, Err(Error::DependentConstraints { row: 1 }));
}

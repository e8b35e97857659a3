//! The sign of the multipliers, M a = f + J^T lambda, beside the conventions of textbooks and tools.

use lagrangian::nalgebra::{DMatrix, DVector, vector};

use crate::cartesian_pendulum::CartesianPendulum;
use crate::guides::{Bowl, ParticleOnPlane, TiedPair};
use crate::harness::{dynamic, list};
use crate::rolling::{SPHERE, tumbling};
use crate::support::{State, assert_close};

/// The solution of [M s J^T; J 0] x = [f; g].
fn solve(
    mass: &DMatrix<f64>,
    (sign, jacobian): (f64, &DMatrix<f64>),
    (forcing, rows): (&DVector<f64>, &DVector<f64>),
) -> (DVector<f64>, DVector<f64>) {
    let (n, c) = (forcing.len(), rows.len());
    let mut block = DMatrix::zeros(n + c, n + c);
    block.view_mut((0, 0), (n, n)).copy_from(mass);
    block
        .view_mut((0, n), (n, c))
        .copy_from(&(jacobian.transpose() * sign));
    block.view_mut((n, 0), (c, n)).copy_from(jacobian);
    let known = DVector::from_iterator(n + c, forcing.iter().chain(rows.iter()).copied());
    let solution = block.lu().solve(&known).expect("a regular matrix");
    (
        solution.rows(0, n).into_owned(),
        solution.rows(n, c).into_owned(),
    )
}

const PENDULUM: CartesianPendulum = CartesianPendulum {
    m: 1.3,
    g: 9.81,
    l: 1.5,
};

fn swinging() -> State<2> {
    State::new([0.9, -1.2], [0.8, 0.6])
}

/// F_r = lambda a_r, a force on the right: equal to ours. On a slope and in a bowl.
#[test]
fn force_on_the_right() {
    let bowl = Bowl { m: 1.3, g: 9.81 };
    let (q, v) = (vector![0.36, 0.48, -0.8], vector![-0.304, 0.188, -0.024]);
    let motion = bowl.solve(&q, &v).unwrap();
    let push = q * (2.0 * motion.multipliers[0]);
    let weight = vector![0.0, 0.0, -1.3 * 9.81];
    assert_close("M a", &(motion.acceleration * 1.3), &(weight + push), 1e-13);

    let plane = ParticleOnPlane { m: 1.3, g: 9.81 };
    let motion = plane.solve(&q, &v, &vector![2.0]).unwrap();
    let push = vector![1.0, -1.0, 0.0] * motion.multipliers[0];
    let known = weight + vector![2.0, 0.0, 0.0] + push;
    assert_close("M a", &(motion.acceleration * 1.3), &known, 1e-13);
}

/// [M A^T; A 0] [a; x] + [g; g_hnd] = 0 with A = J: x = -lambda.
#[test]
fn force_on_the_left_of_a_block_matrix() {
    let State { q, v, .. } = tumbling();
    let jacobian = dynamic(&SPHERE.constraint_jacobian(&q));
    let bias = -list(&SPHERE.bias(&q, &v));
    let excess = list(&SPHERE.constraint_gamma(&q, &v));
    let mass = dynamic(&SPHERE.mass_matrix(&q));
    let (a, x) = solve(&mass, (1.0, &jacobian), (&bias, &excess));
    let motion = SPHERE.solve(&q, &v).unwrap();
    assert_close("a", &a, &list(&motion.acceleration), 1e-12);
    assert_close("x", &x, &-list(&motion.multipliers), 1e-12);
    let printed = list(&vector![-0.101772401837905, 0.177568644675743, 0.0]);
    assert_close("x as printed", &x, &printed, 1e-12);
}

/// [M -J^T; J 0] [a; x] = [tau - C v - G; -(d(J v)/dq) v]: x = lambda.
#[test]
fn robot_equation_with_constraints() {
    let State { q, v, .. } = swinging();
    let pull = -(PENDULUM.coriolis_matrix(&q, &v) * v + PENDULUM.potential_gradient(&q));
    let curvature = list(&vector![-2.0 * v.norm_squared()]);
    let jacobian = dynamic(&PENDULUM.constraint_jacobian(&q));
    let mass = dynamic(&PENDULUM.mass_matrix(&q));
    let (a, x) = solve(&mass, (-1.0, &jacobian), (&list(&pull), &curvature));
    let motion = PENDULUM.solve(&q, &v).unwrap();
    assert_close("a", &a, &list(&motion.acceleration), 1e-12);
    assert_close("x", &x, &list(&motion.multipliers), 1e-12);
}

/// The equations that SymPy prints, `lam1 + 2 q1'' = 0` and `-lam1 + 2 q2'' = 0`, hence
/// M a + J^T x - f = 0: x = -lambda.
#[test]
fn printed_equations_of_sympy() {
    let State { q, v, .. } = swinging();
    let jacobian = dynamic(&PENDULUM.constraint_jacobian(&q));
    let mass = dynamic(&PENDULUM.mass_matrix(&q));
    let forcing = list(&PENDULUM.forcing(&q, &v));
    let gamma = list(&PENDULUM.constraint_gamma(&q, &v));
    let (a, x) = solve(&mass, (1.0, &jacobian), (&forcing, &gamma));
    let motion = PENDULUM.solve(&q, &v).unwrap();
    assert_close("a", &a, &list(&motion.acceleration), 1e-12);
    assert_close("x", &x, &-list(&motion.multipliers), 1e-12);

    let pair = TiedPair::<f64>::default();
    let jacobian = pair.constraint_jacobian(&vector![0.4, 0.4]);
    assert_eq!(jacobian.transpose(), vector![1.0, -1.0]);
}

/// SymPy's block matrix has -J^T, so that `rhs` returns lambda itself after the accelerations.
#[test]
fn block_matrix_of_sympy() {
    let State { q, v, .. } = swinging();
    let known = PENDULUM.forcing_full(&q, &v);
    let solution = PENDULUM.mass_matrix_full(&q).lu().solve(&known).unwrap();
    let motion = PENDULUM.solve(&q, &v).unwrap();
    assert_close("v", &solution.fixed_rows::<2>(0).into_owned(), &v, 1e-13);
    let a = solution.fixed_rows::<2>(2).into_owned();
    assert_close("a", &a, &motion.acceleration, 1e-12);
    let x = solution.fixed_rows::<1>(4).into_owned();
    assert_close("x", &x, &motion.multipliers, 1e-12);
}

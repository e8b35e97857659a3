//! The sign of the multipliers, against the other signs in use: M a = f + J^T lambda here.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{Matrix2, Matrix3, RowVector2, SMatrix, SVector, matrix, vector};

lagrangian! {
    /// Two masses of 2 that keep together.
    struct Tied {
        q1, q2: coordinate,
    }
    T = der(q1)^2 + der(q2)^2;
    holonomic tie: q1 - q2 = 0;
}

#[test]
fn the_full_matrix_is_that_of_sympy() {
    let tied = Tied::default();
    let expected: SMatrix<f64, 5, 5> = matrix![
        1.0, 0.0, 0.0, 0.0,  0.0;
        0.0, 1.0, 0.0, 0.0,  0.0;
        0.0, 0.0, 2.0, 0.0, -1.0;
        0.0, 0.0, 0.0, 2.0,  1.0;
        0.0, 0.0, 1.0, -1.0, 0.0
    ];
    let (q, v) = (vector![0.3, 0.3], vector![0.7_f64, -0.4]);
    let full: SMatrix<f64, 5, 5> = tied.mass_matrix_full(&q);
    assert_eq!(full, expected);
    assert!(
        full.iter()
            .all(|entry| *entry != 0.0 || entry.is_sign_positive())
    );
    assert_eq!(tied.forcing_full(&q, &v), vector![0.7, -0.4, 0.0, 0.0, 0.0]);
}

lagrangian! {
    /// A particle held to the plane q1 = q2, under gravity and a force along q1.
    struct Particle {
        q1, q2, q3: coordinate,
        m, g: parameter,
        pull: input,
    }
    T = m * (der(q1)^2 + der(q2)^2 + der(q3)^2) / 2;
    V = m * g * q3;
    Q.q1 = pull;
    holonomic plane: q1 - q2 = 0;
}

#[test]
fn a_pulled_particle_stays_on_its_plane() {
    let particle = Particle { m: 1.5, g: 9.81 };
    let (q, v) = (vector![0.2, 0.2, 1.0], vector![0.0, 0.0, 0.0]);
    let expected: SMatrix<f64, 4, 4> = matrix![
        1.5, 0.0, 0.0, -1.0;
        0.0, 1.5, 0.0,  1.0;
        0.0, 0.0, 1.5,  0.0;
        1.0, -1.0, 0.0, 0.0
    ];
    let full = particle.mass_matrix_full(&q);
    assert_eq!(full.fixed_view::<4, 4>(3, 3), expected);
    let free = particle.solve(&q, &v, &vector![0.0]).unwrap();
    assert!((free.acceleration - vector![0.0, 0.0, -9.81]).amax() < 1e-14);
    assert_eq!(free.multipliers, vector![0.0]);
    let pulled = particle.solve(&q, &v, &vector![2.0]).unwrap();
    let third = 1.0 / 1.5;
    assert!((pulled.acceleration - vector![third, third, -9.81]).amax() < 1e-14);
    assert!((pulled.multipliers[0] + 1.0).abs() < 1e-15);
}

lagrangian! {
    struct Pendulum {
        x, y: coordinate,
    }
    T = (der(x)^2 + der(y)^2) / 2;
    V = 9.81 * y;
    holonomic rod: x^2 + y^2 = 4;
}

/// The unknowns of `[M s J^T; J 0] [a; x] = [f; gamma]`.
fn solution(s: f64, j: RowVector2<f64>, f: SVector<f64, 2>, gamma: f64) -> SVector<f64, 3> {
    let mut matrix = Matrix3::zeros();
    matrix
        .fixed_view_mut::<2, 2>(0, 0)
        .copy_from(&Matrix2::identity());
    matrix
        .fixed_view_mut::<2, 1>(0, 2)
        .copy_from(&(s * j.transpose()));
    matrix.fixed_view_mut::<1, 2>(2, 0).copy_from(&j);
    matrix.lu().solve(&vector![f.x, f.y, gamma]).unwrap()
}

#[test]
fn multipliers_are_forces_on_the_right() {
    let pendulum = Pendulum::default();
    let (sine, cosine) = 0.3_f64.sin_cos();
    let (q, v) = (2.0 * vector![sine, -cosine], vector![cosine, sine]);
    let lambda = pendulum.solve(&q, &v).unwrap().multipliers[0];
    let (f, gamma) = (vector![0.0, -9.81], -2.0 * v.norm_squared());
    let j = 2.0 * q.transpose();
    // `[M -J^T; J 0]`: CMU 16-745, and SymPy's `mass_matrix_full` with `rhs`.
    assert!((solution(-1.0, j, f, gamma)[2] - lambda).abs() < 1e-14);
    // `[M J^T; J 0]`: SymPy's printed equations with `solve_multipliers`, and the block matrix of
    // "Learn Multibody Dynamics".
    assert!((solution(1.0, j, f, gamma)[2] + lambda).abs() < 1e-14);
    // `F = lambda grad g` as a force beside the others.
    let force = pendulum.constraint_forces(&q, &v).unwrap();
    assert!((force - lambda * j.transpose()).amax() < 1e-14);
    assert!((pendulum.acceleration(&q, &v).unwrap() - (f + force)).amax() < 1e-14);
}

#[test]
fn the_equations_name_the_multipliers_after_their_constraints() {
    let text = Pendulum::EQUATIONS.text;
    let expected = "T = (x'^2 + y'^2)/2\nV = 9.81*y\n2*x*lambda.rod = x''\n";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.ends_with("0 = x^2 + y^2 - 4\n"), "{text}");
    let latex = Pendulum::EQUATIONS.latex;
    assert!(latex.contains(r"\lambda_{\mathrm{rod}}"), "{latex}");
}

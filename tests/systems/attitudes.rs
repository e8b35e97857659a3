//! Rigid bodies by a rotation matrix and by a quaternion, which constraints keep to rotations.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{Matrix3, SMatrix, SVector, Vector3, matrix, vector};

use crate::harness::reference_test;
use crate::held::{assert_held, assert_workless, held, projected};
use crate::support::{State, assert_close};

lagrangian! {
    /// The position of a centre of mass and a rotation matrix; s1, s2, s3 are the integrals of the
    /// squared body coordinates.
    struct RotationMatrixBody {
        ax, ay, az: coordinate,
        b00, b01, b02, b10, b11, b12, b20, b21, b22: coordinate,
        m, s1, s2, s3: parameter,
    }

    let attitude = [[b00, b01, b02], [b10, b11, b12], [b20, b21, b22]];
    let rate = der(attitude);
    T = m * der([ax, ay, az])^2 / 2 + trace(rate * diag(s1, s2, s3) * transpose(rate)) / 2;
    holonomic rigid: transpose(attitude) * attitude = identity(3);
}

reference_test! {
    rotation_matrix_body: RotationMatrixBody { m, s1, s2, s3 },
    Natural (q, v),
    outputs [],
    constraints [
        "rigid[0, 0]", "rigid[0, 1]", "rigid[0, 2]", "rigid[1, 1]", "rigid[1, 2]", "rigid[2, 2]",
    ], holonomic 6,
    coordinates [
        "ax", "ay", "az", "b00", "b01", "b02", "b10", "b11", "b12", "b20", "b21", "b22",
    ],
    cyclic [true; 12],
    conserved [
        true, true, true, false, false, false, false, false, false, false, false, false,
    ],
    conserves_energy true, constant_mass_matrix true,
}

/// A hammer: moments of inertia, and half their sum less each.
const INERTIA: Vector3<f64> = Vector3::new(0.4915, 0.833647, 0.9915);
const HAMMER: RotationMatrixBody = RotationMatrixBody {
    m: 2.06283,
    s1: 0.6668235,
    s2: 0.3246765,
    s3: 0.1668235,
};

/// The rotation matrix among the coordinates, or its rate among the velocities.
fn attitude(q: &SVector<f64, 12>) -> Matrix3<f64> {
    Matrix3::from_row_slice(&q.as_slice()[3..])
}

/// At the attitude 1.
fn spinning() -> State<12> {
    let rates = vector![0.3, -0.7, 1.1];
    let still = |matrix: Matrix3<f64>| {
        let mut q = SVector::<f64, 12>::zeros();
        q.as_mut_slice()[3..].copy_from_slice(matrix.transpose().as_slice());
        q
    };
    State {
        t: 0.0,
        q: still(Matrix3::identity()),
        v: still(rates.cross_matrix()),
    }
}

#[test]
fn hammer_at_a_state() {
    let State { q, v, .. } = spinning();
    let motion = HAMMER.solve(&q, &v).unwrap();
    let rates = vector![0.3, -0.7, 1.1];
    let turn = -rates
        .cross(&INERTIA.component_mul(&rates))
        .component_div(&INERTIA);
    assert_close(
        "w'",
        &turn,
        &vector![0.24729768, 0.1979255, 0.07246684],
        1e-7,
    );
    let cross = rates.cross_matrix();
    let expected = cross * cross + turn.cross_matrix();
    assert_close("B''", &attitude(&motion.acceleration), &expected, 1e-12);
    let printed = matrix![
        -1.7, -0.282466838, 0.527925501;
        -0.137533162, -1.3, -1.017297681;
        0.132074499, -0.522702319, -0.58
    ];
    assert_close("B''", &expected, &printed, 1e-8);
    let lambda = [
        -0.566799975,
        -0.091710344,
        0.08807038,
        -0.211039725,
        -0.16970916,
        -0.048378815,
    ];
    assert_close("lambda", &motion.multipliers, &SVector::from(lambda), 1e-8);
    assert_close("T", &HAMMER.kinetic_energy(&q, &v), &0.826218515, 1e-9);
    assert_eq!(RotationMatrixBody::DEGREES_OF_FREEDOM, 6);
}

/// A block for each axis of the world: the mass, and the second moments of mass.
#[test]
fn mass_matrix_of_the_hammer_is_diagonal() {
    let moments = [0.6668235, 0.3246765, 0.1668235];
    let diagonal = SVector::<f64, 12>::from_fn(|i, _| match i {
        0..3 => 2.06283,
        _ => moments[i % 3],
    });
    let mass = HAMMER.mass_matrix(&spinning().q);
    assert_close("M", &mass, &SMatrix::from_diagonal(&diagonal), 1e-15);
}

/// Ten seconds: the matrix remains a rotation, energy and angular momentum are kept.
#[test]
fn hammer_tumbles() {
    let start = spinning();
    let mut turned = 0.0_f64;
    for state in held(&HAMMER, start, 1e-2, 1000) {
        let State { t, q, v } = state;
        assert_held(&HAMMER, &state);
        let (matrix, rate) = (attitude(&q), attitude(&v));
        assert!((matrix.determinant() - 1.0).abs() < 1e-10, "det at {t}");
        let spin = matrix.transpose() * rate;
        let rates = vector![spin.m32, spin.m13, spin.m21];
        let momentum = INERTIA.component_mul(&rates).norm();
        assert_close("T", &HAMMER.kinetic_energy(&q, &v), &0.826218515, 1e-8);
        assert_close("|I w|", &momentum, &1.2457098025216027, 1e-8);
        turned = turned.max((matrix - Matrix3::identity()).norm());
    }
    assert!(turned > 2.0, "it does not turn: {turned}");
    assert_workless(&HAMMER, &start);
}

lagrangian! {
    /// A body that turns about its centre of mass, by a quaternion. M has rank 3 of 4: the fourth
    /// direction is the norm.
    struct QuaternionBody {
        w, x, y, z: coordinate,
        i1, i2, i3: parameter,
    }

    let along = [x, y, z];
    pub let body_rates = 2 * (w * der(along) - der(w) * along - cross(along, der(along)));
    T = dot(body_rates, diag(i1, i2, i3) * body_rates) / 2;
    holonomic unit: w^2 + along^2 = 1;
}

reference_test! {
    quaternion_body: QuaternionBody { i1, i2, i3 },
    Natural (q, v),
    outputs [body_rates(&q, &v)],
    constraints ["unit"], holonomic 1,
    coordinates ["w", "x", "y", "z"], cyclic [false; 4], conserved [false; 4],
    conserves_energy true, constant_mass_matrix false,
}

const SPINNER: QuaternionBody = QuaternionBody {
    i1: 0.4915,
    i2: 0.833647,
    i3: 0.9915,
};

/// I w' = -w x I w, where w' is the map of the rates applied to q''.
#[test]
fn quaternion_follows_euler_equations() {
    let near = [
        State::new([1.0, 0.0, 0.0, 0.0], [0.0, 0.15, -0.35, 0.55]),
        State::new([0.4, -0.7, 0.2, 0.6], [0.3, -0.2, 0.8, 0.5]),
        State::new([-0.1, 0.2, 0.9, -0.3], [1.3, 0.7, -0.4, 0.1]),
    ];
    for state in near {
        let State { q, v, .. } = projected(&SPINNER, &state).unwrap();
        let rates = SPINNER.body_rates(&q, &v);
        let a = SPINNER.acceleration(&q, &v).unwrap();
        let euler = -rates
            .cross(&INERTIA.component_mul(&rates))
            .component_div(&INERTIA);
        assert_close("w'", &SPINNER.body_rates(&q, &a), &euler, 1e-12);
        let idle = SPINNER.mass_matrix(&q) * q;
        assert!(idle.amax() < 1e-15, "M q = {idle}");
    }
}

/// Ten seconds: the norm and the invariants of a free body are constant.
#[test]
fn quaternion_tumbles() {
    let start = projected(
        &SPINNER,
        &State::new([0.4, -0.7, 0.2, 0.6], [0.3, -0.2, 0.8, 0.5]),
    );
    let start = start.unwrap();
    let energy = SPINNER.kinetic_energy(&start.q, &start.v);
    let momentum = |s: &State<4>| {
        INERTIA
            .component_mul(&SPINNER.body_rates(&s.q, &s.v))
            .norm()
    };
    for state in held(&SPINNER, start, 1e-2, 1000) {
        assert_held(&SPINNER, &state);
        let kinetic = SPINNER.kinetic_energy(&state.q, &state.v);
        assert_close("T", &kinetic, &energy, 1e-7);
        assert_close("|I w|", &momentum(&state), &momentum(&start), 1e-7);
    }
}

/// Along q, which M does not see, the equations read lambda = -2 T.
#[test]
fn norm_of_a_quaternion_is_held_by_its_multiplier() {
    let near = State::new([0.4, -0.7, 0.2, 0.6], [0.3, -0.2, 0.8, 0.5]);
    let State { q, v, .. } = projected(&SPINNER, &near).unwrap();
    let lambda = SPINNER.solve(&q, &v).unwrap().multipliers[0];
    let kinetic = SPINNER.kinetic_energy(&q, &v);
    assert_close("lambda", &lambda, &(-2.0 * kinetic), 1e-12);
}

//! Bodies whose coordinates are a position and a rotation matrix, and constraints between them.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{Matrix3, SMatrix, SVector, Vector3, matrix, vector};

use crate::harness::reference_test;
use crate::held::{assert_held, held};
use crate::support::{State, assert_close, assert_within};

lagrangian! {
    /// s1, s2, s3 are the integrals of the squared body coordinates.
    struct RotationMatrixBody {
        a: coordinate[3],
        B: coordinate[3, 3],
        m, s1, s2, s3: parameter,
    }

    T = m * der(a)^2 / 2 + trace(der(B) * diag(s1, s2, s3) * transpose(der(B))) / 2;
    holonomic orthonormal: transpose(B) * B = identity(3);
}

reference_test! {
    rotation_matrix_body: RotationMatrixBody { m, s1, s2, s3 },
    Natural (q, v),
    outputs [],
    constraints [
        "orthonormal[0, 0]", "orthonormal[0, 1]", "orthonormal[0, 2]",
        "orthonormal[1, 1]", "orthonormal[1, 2]", "orthonormal[2, 2]",
    ], holonomic 6,
    coordinates [
        "a[0]", "a[1]", "a[2]", "B[0, 0]", "B[0, 1]", "B[0, 2]", "B[1, 0]", "B[1, 1]", "B[1, 2]",
        "B[2, 0]", "B[2, 1]", "B[2, 2]",
    ],
    cyclic [true; 12],
    conserved [
        true, true, true, false, false, false, false, false, false, false, false, false,
    ],
    conserves_energy true, constant_mass_matrix true,
}

lagrangian! {
    /// The same by a frame: its M has rank 6 of 12, the constraint makes the equations regular.
    struct OrientedBody {
        a: coordinate[3],
        B: coordinate[3, 3],
        m: parameter,
        i: parameter[3],
    }

    frame Body = world.translate(a).orient(B);
    body { frame: Body, mass: m, inertia: diag(i[0], i[1], i[2]) }
    holonomic orthonormal: transpose(B) * B = identity(3);
    pub let momentum = diag(i[0], i[1], i[2]) * transpose(B) * angular_velocity(Body);
}

/// A hammer: moments of inertia, and half their sum less each.
const INERTIA: Vector3<f64> = Vector3::new(0.4915, 0.833647, 0.9915);
const ORIENTED: OrientedBody = OrientedBody {
    m: 2.06283,
    i: [0.4915, 0.833647, 0.9915],
};
const HAMMER: RotationMatrixBody = RotationMatrixBody {
    m: 2.06283,
    s1: 0.6668235,
    s2: 0.3246765,
    s3: 0.1668235,
};

/// Position and rotation matrix, or the rates of both, as coordinates.
fn flat(position: &Vector3<f64>, matrix: &Matrix3<f64>) -> SVector<f64, 12> {
    let rows = matrix.transpose();
    SVector::from_iterator(position.iter().chain(rows.iter()).copied())
}

fn rotation_of(q: &SVector<f64, 12>) -> Matrix3<f64> {
    Matrix3::from_row_slice(&q.as_slice()[3..])
}

/// At the attitude 1, with these rates about the axes of the body.
fn spinning() -> State<12> {
    let rates = vector![0.3, -0.7, 1.1];
    let still = Vector3::zeros();
    State {
        t: 0.0,
        q: flat(&still, &Matrix3::identity()),
        v: flat(&still, &rates.cross_matrix()),
    }
}

/// B'' = B ([w]^2 + [w']) with I w' = -w x I w.
#[test]
fn both_forms_turn_as_euler_says() {
    let State { q, v, .. } = spinning();
    let expected = matrix![
        -1.7, -0.282466838, 0.527925501;
        -0.137533162, -1.3, -1.017297681;
        0.132074499, -0.522702319, -0.58
    ];
    let hammer = HAMMER.solve(&q, &v).unwrap();
    let oriented = ORIENTED.solve(&q, &v).unwrap();
    let (hammer_turn, turn) = (hammer.acceleration, oriented.acceleration);
    assert_close("B''", &rotation_of(&hammer_turn), &expected, 1e-8);
    assert_close("B''", &turn, &hammer_turn, 1e-12);
    let energies = [&q].map(|q| (HAMMER.energy(q, &v), ORIENTED.energy(q, &v)));
    assert_close("T", &energies[0].0, &0.826218515, 1e-9);
    assert_close("T", &energies[0].1, &energies[0].0, 1e-14);
    let lambda = [
        -0.566799975,
        -0.091710344,
        0.08807038,
        -0.211039725,
        -0.16970916,
        -0.048378815,
    ];
    assert_close("lambda", &hammer.multipliers, &lambda.into(), 1e-8);
    assert_eq!(OrientedBody::DEGREES_OF_FREEDOM, 6);
}

#[test]
fn mass_matrix_has_a_block_for_each_axis() {
    let moments = [0.6668235, 0.3246765, 0.1668235];
    let diagonal = SVector::<f64, 12>::from_fn(|i, _| match i {
        0..3 => 2.06283,
        _ => moments[i % 3],
    });
    let mass = HAMMER.mass_matrix(&spinning().q);
    assert_close("M", &mass, &SMatrix::from_diagonal(&diagonal), 1e-15);
    let singular = ORIENTED.mass_matrix(&spinning().q).symmetric_eigenvalues();
    let rank = singular.iter().filter(|x| x.abs() > 1e-12).count();
    assert_eq!(rank, 6, "eigenvalues {singular}");
}

/// Two seconds: the matrix remains a rotation, energy and angular momentum are kept.
#[test]
fn oriented_body_tumbles() {
    let start = spinning();
    for state in held(&ORIENTED, start, 1e-2, 200) {
        let State { t, q, v } = state;
        assert_held(&ORIENTED, &state);
        let matrix = rotation_of(&q);
        assert!((matrix.determinant() - 1.0).abs() < 1e-10, "det at {t}");
        let momentum = ORIENTED.momentum(&q, &v).norm();
        assert_close("T", &ORIENTED.energy(&q, &v), &0.826218515, 1e-8);
        assert_close("|I w|", &momentum, &1.2457098025216027, 1e-8);
    }
    let expected = INERTIA.component_mul(&vector![0.3, -0.7, 1.1]).norm();
    assert_close("|I w|", &expected, &1.2457098025216027, 1e-14);
}

lagrangian! {
    /// Four particles fixed in a frame.
    struct Cloud {
        r, turn: coordinate[3],
        m: parameter[4],
        x: parameter[4, 3],
    }

    frame F = world.translate(r).rotate(z, turn.x).rotate(x, turn.y).rotate(y, turn.z);
    for i in 0..4 {
        body { frame: F, mass: m[i], at: x[i] }
    }
}

lagrangian! {
    /// The body they make up: the inertia of a cloud about its centre is the sum of
    /// m (|x|^2 1 - x x^T).
    struct CloudAsBody {
        r, turn: coordinate[3],
        m: parameter[4],
        x: parameter[4, 3],
    }

    let mass = sum(i in 0..4, m[i]);
    let centre = sum(i in 0..4, m[i] * x[i]) / mass;
    let mut inertia = 0 * identity(3);
    for i in 0..4 {
        let d = x[i] - centre;
        inertia += m[i] * (d^2 * identity(3) - outer(d, d));
    }
    frame F = world.translate(r).rotate(z, turn.x).rotate(x, turn.y).rotate(y, turn.z);
    body { frame: F, mass, at: centre, inertia }
}

#[test]
fn cloud_of_particles_is_a_rigid_body() {
    let m = [0.3, 1.2, 0.7, 0.5];
    let x = [
        [0.1, 0.4, -0.2],
        [-0.3, 0.2, 0.5],
        [0.6, -0.1, 0.3],
        [0.0, 0.8, -0.7],
    ];
    let (cloud, body) = (Cloud { m, x }, CloudAsBody { m, x });
    let q = SVector::from([0.3, -0.2, 0.9, 1.1, -0.6, 0.4]);
    let v = SVector::from([0.5, 0.1, -0.7, 0.8, 1.3, -0.9]);
    assert_close("M", &cloud.mass_matrix(&q), &body.mass_matrix(&q), 1e-13);
    assert_close("h", &cloud.bias(&q, &v), &body.bias(&q, &v), 1e-13);
    let energies = (cloud.energy(&q, &v), body.energy(&q, &v));
    assert_close("T", &energies.0, &energies.1, 1e-13);
}

lagrangian! {
    /// Two bodies by position and rotation matrix, with a spring between a point of each.
    struct SprungPair {
        a1: coordinate[3],
        B1: coordinate[3, 3],
        a2: coordinate[3],
        B2: coordinate[3, 3],
        m, s, k, rest, g: parameter,
        x1, x2: parameter[3],
    }

    T = m * (der(a1)^2 + der(a2)^2) / 2;
    T += s * trace(der(B1) * transpose(der(B1)) + der(B2) * transpose(der(B2))) / 2;
    V = m * g * (a1.y + a2.y);
    let hook = a1 + B1 * x1;
    let eye = a2 + B2 * x2;
    spring { k, rest, from: hook, to: eye }
    holonomic first: transpose(B1) * B1 = identity(3);
    holonomic second: transpose(B2) * B2 = identity(3);
    pub let way = eye - hook;
}

/// -dV/da1 = k e n = dV/da2 beside the weight, dV/dB1 = -k e n x1^T: the resultant force and moment
/// of the spring vanish.
#[test]
fn spring_between_bodies_pulls_both_alike() {
    let (k, rest, x1) = (30.0, 0.2, vector![0.1, -0.4, 0.3]);
    let x2 = vector![0.5, 0.2, -0.1];
    let mut pair = SprungPair {
        m: 1.5,
        s: 0.2,
        k,
        rest,
        g: 0.0,
        x1: x1.into(),
        x2: x2.into(),
    };
    let turns = [[0.3, -0.8, 1.1], [1.4, 0.2, -0.5]];
    let [b1, b2] = turns
        .map(|[x, y, z]| lagrangian::nalgebra::Rotation3::from_euler_angles(x, y, z).into_inner());
    let (a1, a2) = (vector![0.1, 0.2, 0.3], vector![1.4, -0.7, 0.9]);
    let q = SVector::<f64, 24>::from_iterator(
        flat(&a1, &b1).iter().chain(flat(&a2, &b2).iter()).copied(),
    );
    let way = pair.way(&q);
    let pull = way.normalize() * (k * (way.norm() - rest));
    let gradient = pair.potential_gradient(&q);
    let expected = [
        flat(&-pull, &(-pull * x1.transpose())),
        flat(&pull, &(pull * x2.transpose())),
    ];
    assert_within(
        "dV/dq",
        gradient.as_slice(),
        &[expected[0].as_slice(), expected[1].as_slice()].concat(),
        1e-13,
    );
    let moment = (a1 + b1 * x1).cross(&pull) - (a2 + b2 * x2).cross(&pull);
    assert!(
        moment.norm() < 1e-13,
        "the moments do not balance: {moment}"
    );
    let motion = pair.solve(&q, &SVector::zeros()).unwrap().acceleration;
    let momentum = motion.fixed_rows::<3>(0) + motion.fixed_rows::<3>(12);
    assert!(momentum.norm() < 1e-12, "the pair moves off: {momentum}");

    pair.g = 9.81;
    pair.k = 0.0;
    let falling = pair.solve(&q, &SVector::zeros()).unwrap().acceleration;
    let fall = flat(&vector![0.0, -9.81, 0.0], &Matrix3::zeros());
    assert_within("fall", &falling.as_slice()[..12], fall.as_slice(), 1e-12);
    assert_within("fall", &falling.as_slice()[12..], fall.as_slice(), 1e-12);
}

lagrangian! {
    /// A particle on a spring without rest length: no root is taken.
    struct SlackSpring {
        r: coordinate[3],
        m, k: parameter,
    }

    body { mass: m, at: r }
    spring { k, from: [0, 0, 0], to: r }
}

#[test]
fn spring_without_length_has_a_gradient_everywhere() {
    let spring = SlackSpring { m: 2.0, k: 3.0 };
    let (still, place) = (SVector::zeros(), vector![0.5, -1.0, 2.0]);
    assert_eq!(spring.acceleration(&still, &still), Ok(still));
    let a = spring.acceleration(&place, &still).unwrap();
    assert_close("a", &a, &(place * -1.5), 1e-15);
}

lagrangian! {
    /// A body on a massless beam from a fixed point to a point of it.
    struct BodyOnBeam {
        a: coordinate[3],
        B: coordinate[3, 3],
        m, length, g: parameter,
        i, x: parameter[3],
    }

    frame Body = world.translate(a).orient(B);
    body { frame: Body, mass: m, inertia: diag(i[0], i[1], i[2]) }
    gravity [0, -g, 0];
    holonomic orthonormal: transpose(B) * B = identity(3);
    holonomic beam: Body.point(x)^2 = length^2;
}

/// The beam keeps its length, and does no work.
#[test]
fn body_swings_on_a_beam() {
    let beam = BodyOnBeam {
        m: 2.0,
        length: 1.0,
        g: 9.81,
        i: [0.1, 0.2, 0.25],
        x: [0.0, 0.3, 0.0],
    };
    let start = State {
        t: 0.0,
        q: flat(&vector![1.0, -0.3, 0.0], &Matrix3::identity()),
        v: flat(&vector![0.0, 0.0, 0.5], &Matrix3::zeros()),
    };
    let energy = beam.energy(&start.q, &start.v);
    for state in held(&beam, start, 2e-3, 200) {
        assert_held(&beam, &state);
        assert_close("E", &beam.energy(&state.q, &state.v), &energy, 1e-7);
    }
}

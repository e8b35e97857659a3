//! Coordinates, parameters and inputs that are vectors and matrices, and loops over them.

use lagrangian::{System, lagrangian};
use nalgebra::{Matrix3, Rotation3, SVector, Vector3, vector};

#[path = "shared/chain.rs"]
mod chain;

lagrangian! {
    /// Five links, by a loop.
    #[derive(Clone, Copy, Debug)]
    pub struct Chain {
        /// Angles from straight down [rad].
        q: coordinate[5],
        /// Masses at the ends of the links [kg].
        m: parameter[5] = 1,
        /// Lengths [m].
        l: parameter[5] = [1, 1/2, 0.25, 1, 2 - 1],
        g: parameter = 9.81,
    }

    let mut x = 0;
    let mut y = 0;
    for i in 0..5 {
        x += l[i] * sin(q[i]);
        y -= l[i] * cos(q[i]);
        T += m[i] * der([x, y])^2 / 2;
        V += m[i] * g * y;
    }
    pub let tip = [x, y];
    pub let total = sum(i in 0..5, m[i]);
}

chain::pendulum_chain! {
    struct Written {
        q0 m0 l0, q1 m1 l1, q2 m2 l2, q3 m3 l3, q4 m4 l4,
    }
}

fn written(chain: &Chain) -> Written {
    let ([m0, m1, m2, m3, m4], [l0, l1, l2, l3, l4]) = (chain.m, chain.l);
    Written {
        m0,
        m1,
        m2,
        m3,
        m4,
        l0,
        l1,
        l2,
        l3,
        l4,
        g: chain.g,
    }
}

#[test]
fn a_loop_is_what_it_unrolls_to() {
    let chain = Chain {
        m: [1.0, 0.5, 2.0, 0.25, 3.0],
        ..Chain::default()
    };
    let written = written(&chain);
    let q = vector![0.3, -0.2, 0.9, 1.4, -2.0];
    let v = vector![1.0, 0.5, -0.25, 0.0, 2.0];
    assert_eq!(chain.mass_matrix(&q), written.mass_matrix(&q));
    assert_eq!(chain.forcing(&q, &v), written.forcing(&q, &v));
    assert_eq!(chain.energy(&q, &v), written.energy(&q, &v));
    assert_eq!(chain.acceleration(&q, &v), written.acceleration(&q, &v));
    assert_eq!(chain.total(&q), 6.75);
    let ends = (0..5).map(|i| (chain.l[i] * q[i].sin(), -chain.l[i] * q[i].cos()));
    let tip = ends.fold((0.0, 0.0), |sum, end| (sum.0 + end.0, sum.1 + end.1));
    assert!((chain.tip(&q) - vector![tip.0, tip.1]).norm() < 1e-14);
}

#[test]
fn defaults_and_names_are_by_element() {
    let chain = Chain::<f64>::default();
    assert_eq!(chain.m, [1.0; 5]);
    assert_eq!(chain.l, [1.0, 0.5, 0.25, 1.0, 1.0]);
    assert_eq!(Chain::COORDINATES, ["q[0]", "q[1]", "q[2]", "q[3]", "q[4]"]);
    assert_eq!(Chain::PARAMETERS[5..7], ["l[0]", "l[1]"]);
    assert_eq!(Chain::PARAMETERS[10], "g");
}

lagrangian! {
    /// A body that turns freely: the columns of a matrix are its axes.
    #[derive(Clone, Copy, Debug)]
    pub struct Attitude {
        B: coordinate[3, 3],
        /// Second moments of mass along the axes of the body [kg m^2].
        w: parameter[3] = [1, 2, 3],
        /// Force on each entry of B.
        F: input[3],
    }

    for i in 0..3 {
        T += w[i] * sum(k in 0..3, der(B[k, i])^2) / 2;
    }
    Q.B[0] = F;
    holonomic orthonormal: transpose(B) * B = identity(3);
}

/// A rotation and its rate, row by row.
fn turning(rotation: &Matrix3<f64>, w: &Vector3<f64>) -> (SVector<f64, 9>, SVector<f64, 9>) {
    let rate = rotation * w.cross_matrix();
    let rows = |m: &Matrix3<f64>| SVector::<f64, 9>::from_fn(|i, _| m[(i / 3, i % 3)]);
    (rows(rotation), rows(&rate))
}

#[test]
fn a_matrix_of_coordinates_turns_as_euler_says() {
    let body = Attitude::<f64>::default();
    assert_eq!(Attitude::COORDINATES[5], "B[1, 2]");
    assert_eq!(
        Attitude::CONSTRAINTS,
        [
            "orthonormal[0, 0]",
            "orthonormal[0, 1]",
            "orthonormal[0, 2]",
            "orthonormal[1, 1]",
            "orthonormal[1, 2]",
            "orthonormal[2, 2]"
        ]
    );
    assert_eq!(Attitude::DEGREES_OF_FREEDOM, 3);
    let rotation = Rotation3::from_euler_angles(0.3, -0.8, 1.1).into_inner();
    let w = vector![0.7, -0.4, 1.3];
    let (q, v) = turning(&rotation, &w);
    assert!(body.constraint_residual(&q).norm() < 1e-15);
    assert!(body.constraint_velocity(&q, &v).norm() < 1e-15);
    let a = body.acceleration(&q, &v, &Vector3::zeros()).unwrap();
    // R'' = R ([w]^2 + [w']) with I w' = -w x I w, and I_i the sum of the other second moments.
    let inertia = vector![5.0, 4.0, 3.0];
    let rate = -w.cross(&inertia.component_mul(&w)).component_div(&inertia);
    let second = w.cross_matrix() * w.cross_matrix() + rate.cross_matrix();
    let expected = rotation * second;
    for i in 0..9 {
        assert!((a[i] - expected[(i / 3, i % 3)]).abs() < 1e-13, "{a}");
    }
}

#[test]
fn inputs_act_on_the_row_they_are_given_for() {
    let body = Attitude::<f64>::default();
    let (q, v) = turning(&Matrix3::identity(), &Vector3::zeros());
    let force = body.generalized_forces(&q, &v, &vector![1.0, 2.0, 3.0]);
    assert_eq!(
        force,
        SVector::<f64, 9>::from_row_slice(&[1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    );
    assert_eq!(Attitude::INPUTS, ["F[0]", "F[1]", "F[2]"]);
}

lagrangian! {
    /// Beads on parallel rails, tied to their neighbours by rods of fixed length along the rail.
    #[derive(Clone, Copy, Debug)]
    pub struct Train {
        s: coordinate[4],
        K: parameter[2, 2] = [[2, 0], [0, 1]],
        rate: parameter,
        u: input[2],
        t: time,
    }

    T = der(s)^2 / 2;
    V = dot([s[0], s[1]], K * [s[0], s[1]]) / 2;
    Q.s[3] = u.x;
    Q.s[0] += u[1];
    for i in 1..3 {
        holonomic rod: s[i] - s[i - 1] = i * rate * t;
    }
}

#[test]
fn constraints_of_a_loop_have_an_index() {
    assert_eq!(Train::CONSTRAINTS, ["rod[1]", "rod[2]"]);
    let train = Train {
        K: [[2.0, 0.5], [0.5, 1.0]],
        rate: 0.5,
    };
    let q = vector![0.0, 1.0, 3.0, 0.0];
    assert_eq!(train.constraint_residual(2.0, &q), vector![0.0, 0.0]);
    let velocity = train.constraint_velocity(2.0, &q, &vector![0.0, 0.0, 0.0, 0.0]);
    assert_eq!(velocity, vector![-0.5, -1.0]);
    let motion = train
        .solve(0.0, &q, &SVector::zeros(), &vector![3.0, 6.0])
        .unwrap();
    // The first three move as one, of mass 3, under u[1] less the sum of the spring forces.
    let springs: f64 = 0.5 + 1.0;
    let a = (6.0 - springs) / 3.0;
    assert!((motion.acceleration - vector![a, a, a, 3.0]).norm() < 1e-13);
}

#[test]
fn generic_code_sees_arrays_as_elements() {
    fn names<S, const N: usize, const K: usize, const C: usize, M: System<S, N, N, K, C>>(
        _: &M,
    ) -> (Vec<&'static str>, Vec<&'static str>)
    where
        S: nalgebra::RealField + Copy,
    {
        (M::COORDINATES.to_vec(), M::PARAMETERS.to_vec())
    }
    let train = Train {
        K: [[0.0_f64; 2]; 2],
        rate: 0.0,
    };
    let (coordinates, parameters) = names(&train);
    assert_eq!(coordinates, ["s[0]", "s[1]", "s[2]", "s[3]"]);
    assert_eq!(
        parameters,
        ["K[0, 0]", "K[0, 1]", "K[1, 0]", "K[1, 1]", "rate"]
    );
}

lagrangian! {
    /// Parameters whose entries would have one name, were it made of theirs and the indices alone.
    struct Alike {
        x: coordinate,
        a: parameter[2, 2],
        a_1: parameter[2],
        a_1_0: parameter,
    }

    T = der(x)^2 / 2;
    V = (a[1, 0] + 10 * a_1[0] + 100 * a_1_0) * x;
}

#[test]
fn entries_of_parameters_with_names_alike_are_told_apart() {
    let system = Alike {
        a: [[5.0, 6.0], [1.0, 7.0]],
        a_1: [2.0, 8.0],
        a_1_0: 3.0,
    };
    assert_eq!(system.potential_energy(&SVector::from([1.0])), 321.0);
}

lagrangian! {
    /// Beads whose forces, constraints and energies are given by parts of vectors and matrices.
    struct ByParts {
        p: coordinate[3],
        s: coordinate[4],
        R: coordinate[2, 3],
        k: parameter[4] = [1, 2, 3, 4],
        u: input[3],
    }

    T = (der(p.xy)^2 + 2 * der(p.z)^2 + der(s)^2 + trace(der(R) * transpose(der(R)))) / 2;
    V = dot(k[1..3], s[1..3]) + dot(R[0..2, 1], p.yx) + norm(R[1, 0..2]) + trace(R[0..2, 1..3]);
    Q.p.zx = u[0..2];
    Q.p.y += u.z;
    Q.s[1..4] = [1, u.x, 3];
    Q.R[0..2, 2] = u.yz;
    Q.R[0..1] += [[4, 5, 6]];
    holonomic plane: p.xy = s[0..2];
    holonomic corner: R[0..2, 0..1] = [[1], [2]];
    pub let rows = R[1..2];
    pub let turned = p.zxy;
}

lagrangian! {
    struct ByEntries {
        p: coordinate[3],
        s: coordinate[4],
        R: coordinate[2, 3],
        k: parameter[4] = [1, 2, 3, 4],
        u: input[3],
    }

    T = (der([p.x, p.y])^2 + 2 * der(p.z)^2 + der(s)^2 + trace(der(R) * transpose(der(R)))) / 2;
    V = k[1] * s[1] + k[2] * s[2] + R[0, 1] * p.y + R[1, 1] * p.x + norm([R[1, 0], R[1, 1]]) + R[0, 1]
        + R[1, 2];
    Q.p.z = u[0];
    Q.p.x = u[1];
    Q.p.y = u[2];
    Q.s[1] = 1;
    Q.s[2] = u[0];
    Q.s[3] = 3;
    Q.R[0, 2] = u[1];
    Q.R[1, 2] = u[2];
    Q.R[0] += [4, 5, 6];
    holonomic plane: [p.x - s[0], p.y - s[1]] = [0, 0];
    holonomic corner: [R[0, 0], R[1, 0]] = [1, 2];
}

#[test]
fn parts_are_what_their_entries_are() {
    let (parts, entries) = (ByParts::<f64>::default(), ByEntries::<f64>::default());
    let q = SVector::<f64, 13>::from_fn(|i, _| (i as f64 * 0.7).sin());
    let v = SVector::<f64, 13>::from_fn(|i, _| (i as f64 * 1.3).cos());
    let u = vector![0.3, -1.2, 2.5];
    assert_eq!(parts.energy(&q, &v), entries.energy(&q, &v));
    assert_eq!(
        parts.generalized_forces(&q, &v, &u),
        entries.generalized_forces(&q, &v, &u)
    );
    assert_eq!(parts.forcing(&q, &v, &u), entries.forcing(&q, &v, &u));
    assert_eq!(
        parts.constraint_residual(&q),
        entries.constraint_residual(&q)
    );
    assert_eq!(
        parts.constraint_jacobian(&q),
        entries.constraint_jacobian(&q)
    );
    assert_eq!(
        parts.acceleration(&q, &v, &u),
        entries.acceleration(&q, &v, &u)
    );
    assert_eq!(parts.rows(&q), nalgebra::matrix![q[10], q[11], q[12]]);
    assert_eq!(parts.turned(&q), vector![q[2], q[0], q[1]]);
    assert_eq!(
        ByParts::CONSTRAINTS,
        ["plane[0]", "plane[1]", "corner[0, 0]", "corner[1, 0]"]
    );
}

//! Constraints between bodies that turn freely: ball joints, hinges and welds.

use lagrangian::nalgebra::{SMatrix, SVector, Vector4, vector};
use lagrangian::{Baumgarte, System, lagrangian};
use num_dual::Dual64;

use crate::support::{Random, assert_close, matrix, spin, step};

lagrangian! {
    /// Two bodies in space, a point of each in one place.
    #[derive(Clone, Debug)]
    struct BallJoint {
        p1: coordinate[3],
        att1: rotation,
        p2: coordinate[3],
        att2: rotation,
        m: parameter[2],
        i1, i2: parameter[3],
        a, b: parameter[3],
    }

    frame A = world.translate(p1).rotate(att1);
    frame B = world.translate(p2).rotate(att2);
    body { frame: A, mass: m[0], inertia: diag(i1) }
    body { frame: B, mass: m[1], inertia: diag(i2) }
    holonomic joint: A.point(a) = B.point(b);
}

const PAIR: BallJoint = BallJoint {
    m: [1.2, 0.7],
    i1: [0.1, 0.2, 0.15],
    i2: [0.05, 0.12, 0.1],
    a: [0.3, -0.1, 0.2],
    b: [-0.2, 0.1, 0.4],
};

type Q = SVector<f64, 14>;
type V = SVector<f64, 12>;

/// Some state on the constraints.
fn pair(random: &mut Random) -> (Q, V) {
    let mut q: Q = random.vector();
    for first in [3, 10] {
        q.fixed_rows_mut::<4>(first).copy_from(&random.quaternion());
    }
    PAIR.project(&q, &random.vector())
        .expect("a joint that can be met")
}

fn attitude<const N: usize>(q: &SVector<f64, N>, first: usize) -> Vector4<f64> {
    q.fixed_rows::<4>(first).into_owned()
}

/// J and gamma are the derivatives of the residual along displacements and along the motion.
#[test]
fn rows_are_along_displacements() {
    let mut random = Random(0xBA11);
    let h = 1e-5;
    for _ in 0..5 {
        let (q, v) = pair(&mut random);
        let along = |d: &V, h: f64| PAIR.constraint_residual(&PAIR.integrate(&q, &(d * h)));
        let jacobian = PAIR.constraint_jacobian(&q);
        for j in 0..12 {
            let mut d = V::zeros();
            d[j] = 1.0;
            let slope = (along(&d, h) - along(&d, -h)) / (2.0 * h);
            assert_close("J", &jacobian.column(j).into_owned(), &slope, 1e-9);
        }
        assert_close(
            "dr/dt",
            &PAIR.constraint_velocity(&q, &v),
            &(jacobian * v),
            1e-14,
        );
        let at = |h: f64| {
            let q = PAIR.integrate(&q, &(v * h));
            PAIR.constraint_velocity(&q, &v)
        };
        let rate = (at(h) - at(-h)) / (2.0 * h);
        assert_close("gamma", &PAIR.constraint_gamma(&q, &v), &-rate, 1e-8);
    }
}

/// a and lambda solve the equations; the reaction acts on both bodies with opposite signs.
#[test]
fn reactions_are_those_of_the_free_bodies() {
    let mut random = Random(0xF0CE);
    for _ in 0..10 {
        let (q, v) = pair(&mut random);
        let motion = PAIR.solve(&q, &v).unwrap();
        let (a, force) = (motion.acceleration, motion.multipliers);
        let rows = |first: usize| a.fixed_rows::<3>(first).into_owned();
        assert_close("m a", &(rows(0) * PAIR.m[0]), &force, 1e-12);
        assert_close("m a", &(rows(6) * PAIR.m[1]), &-force, 1e-12);
        // The moment about each centre of mass, in the body's axes: I w' + w x I w = arm x R^T F.
        let bodies = [(3, 3, PAIR.i1, PAIR.a, 1.0), (10, 9, PAIR.i2, PAIR.b, -1.0)];
        for (coordinate, velocity, inertia, arm, sign) in bodies {
            let w = v.fixed_rows::<3>(velocity).into_owned();
            let inertia = SVector::from(inertia);
            let moment =
                inertia.component_mul(&rows(velocity)) + w.cross(&inertia.component_mul(&w));
            let local = matrix(&attitude(&q, coordinate)).transpose() * force * sign;
            assert_close("moment", &moment, &SVector::from(arm).cross(&local), 1e-12);
        }
        let forces = PAIR.constraint_forces(&q, &v).unwrap();
        let expected = PAIR.constraint_jacobian(&q).tr_mul(&force);
        assert_close("J^T lambda", &forces, &expected, 1e-14);
        assert!(forces.dot(&v).abs() < 1e-12, "the joint does work");
        let matrix: SMatrix<f64, 29, 29> = PAIR.mass_matrix_full(&q);
        let solved = matrix.lu().solve(&PAIR.forcing_full(&q, &v)).unwrap();
        assert_close(
            "lambda",
            &solved.fixed_rows::<3>(26).into_owned(),
            &force,
            1e-11,
        );
    }
}

/// From anywhere the joint is met to rounding, with unit quaternions; and a state that is there stays.
#[test]
fn projection_lands() {
    let mut random = Random(0x1A4D);
    for _ in 0..50 {
        let far: Q = random.vector() * 3.0;
        let (q, v) = PAIR.project(&far, &random.vector()).unwrap();
        assert!(PAIR.constraint_residual(&q).amax() < 1e-14);
        assert!(PAIR.constraint_velocity(&q, &v).amax() < 1e-14);
        for first in [3, 10] {
            assert!((attitude(&q, first).norm() - 1.0).abs() < 1e-15);
        }
        assert_eq!(PAIR.project(&q, &v), Ok((q, v)));
    }
    let mut zero = Q::zeros();
    zero[3] = 1.0;
    let error = PAIR.project(&zero, &V::zeros());
    assert_eq!(
        error,
        Err(lagrangian::Error::NotFinite { argument: "result" }),
        "no quaternion"
    );
}

/// The smallest displacement in the metric of M: no component is along the free directions of the joint.
#[test]
fn projection_is_the_nearest_state() {
    let mut random = Random(0x4EA2);
    let (q, v) = pair(&mut random);
    let near = PAIR.integrate(&q, &(random.vector() * 1e-4));
    let (back, _) = PAIR.project(&near, &v).unwrap();
    let push = PAIR.mass_matrix(&near) * PAIR.difference(&near, &back);
    let rows = PAIR.constraint_jacobian(&near).transpose();
    let lambda = (rows.transpose() * rows)
        .lu()
        .solve(&(rows.transpose() * push))
        .unwrap();
    let rest = (push - rows * lambda).norm() / push.norm();
    assert!(rest < 1e-3, "{rest:e} of the push is along free directions");
}

/// Derivatives by dual numbers stay on the joint as the values do.
#[test]
fn projection_of_dual_numbers() {
    let mut random = Random(0xD0A);
    let (q, v) = pair(&mut random);
    let near = PAIR.integrate(&q, &(random.vector() * 0.1));
    let along: V = random.vector();
    let dual = BallJoint {
        m: PAIR.m.map(Dual64::from),
        i1: PAIR.i1.map(Dual64::from),
        i2: PAIR.i2.map(Dual64::from),
        a: PAIR.a.map(Dual64::from),
        b: PAIR.b.map(Dual64::from),
    };
    let start = dual.integrate(&near.map(Dual64::from), &along.map(|d| Dual64::new(0.0, d)));
    let (landed, _) = dual.project(&start, &v.map(Dual64::from)).unwrap();
    let rows = dual.constraint_residual(&landed).map(|x| x.eps);
    assert!(
        rows.amax() < 1e-13,
        "the derivatives leave the joint: {rows}"
    );
}

/// Energy, momentum and angular momentum of a pair in free flight, over ten seconds.
#[test]
fn free_flight() {
    let (mut q, mut v) = pair(&mut Random(0xF1EE));
    let momenta = |q: &Q, v: &V| {
        let part = |first: usize| v.fixed_rows::<3>(first).into_owned();
        let place = |first: usize| q.fixed_rows::<3>(first).into_owned();
        let [m1, m2] = PAIR.m;
        let linear = part(0) * m1 + part(6) * m2;
        let angular = place(0).cross(&part(0)) * m1
            + place(7).cross(&part(6)) * m2
            + spin(&attitude(q, 3), &PAIR.i1, &part(3))
            + spin(&attitude(q, 10), &PAIR.i2, &part(9));
        (linear, angular, vector![PAIR.energy(q, v)])
    };
    let start = momenta(&q, &v);
    for _ in 0..5000 {
        (q, v) = step(&PAIR, &[3, 9], &(q, v), &SVector::zeros(), 2e-3);
        (q, v) = PAIR.project(&q, &v).unwrap();
    }
    let end = momenta(&q, &v);
    assert_close("momentum", &end.0, &start.0, 1e-9);
    assert_close("angular momentum", &end.1, &start.1, 1e-9);
    assert_close("energy", &end.2, &start.2, 1e-9);
}

/// The stabilised rows pull a violation back.
#[test]
fn stabilised() {
    let mut random = Random(0xBA);
    let (q, v) = pair(&mut random);
    let off = PAIR.integrate(&q, &(random.vector() * 1e-2));
    let held = Baumgarte {
        system: &PAIR,
        alpha: 0.1,
        beta: 0.2,
        step: 0.01,
    };
    let u = SVector::<f64, 0>::zeros();
    let a = held.acceleration(0.0, &off, &v, &u).unwrap();
    let expected = PAIR.constraint_gamma(&off, &v)
        - PAIR.constraint_velocity(&off, &v) * 20.0
        - PAIR.constraint_residual(&off) * 400.0;
    assert_close(
        "J a",
        &(PAIR.constraint_jacobian(&off) * a),
        &expected,
        1e-11,
    );
}

lagrangian! {
    /// A body on a base, on a hinge by dot products of axes: B's z axis is at right angles to A's x and y.
    struct Hinged {
        att: rotation,
        p: coordinate[3],
        att2: rotation,
        i: parameter[3],
        m, g: parameter,
    }

    frame A = world.rotate(att);
    frame B = world.translate(p).rotate(att2);
    body { frame: A, mass: 1, inertia: diag(i) }
    body { frame: B, mass: m, inertia: diag(i) }
    gravity [0, 0, -g];
    holonomic place: A.point([0.5, 0, 0]) = B.point([0, 0.4, 0]);
    holonomic axis: [dot(A.vector([1, 0, 0]), B.vector([0, 0, 1])),
                     dot(A.vector([0, 1, 0]), B.vector([0, 0, 1]))] = [0, 0];
}

lagrangian! {
    /// The same by the angle of the hinge.
    struct HingeAngle {
        att: rotation,
        turn: coordinate,
        i: parameter[3],
        m, g: parameter,
    }

    frame A = world.rotate(att);
    frame B = A.translate([0.5, 0, 0]).rotate(z, turn).translate([0, -0.4, 0]);
    body { frame: A, mass: 1, inertia: diag(i) }
    body { frame: B, mass: m, inertia: diag(i) }
    gravity [0, 0, -g];

    pub let centre = B.origin;
    pub let speed = velocity(B);
}

lagrangian! {
    /// The same pair as one body, by one more dot product: B's x axis is at right angles to A's y.
    struct Welded {
        att: rotation,
        p: coordinate[3],
        att2: rotation,
        i: parameter[3],
        m, g: parameter,
    }

    frame A = world.rotate(att);
    frame B = world.translate(p).rotate(att2);
    body { frame: A, mass: 1, inertia: diag(i) }
    body { frame: B, mass: m, inertia: diag(i) }
    gravity [0, 0, -g];
    holonomic place: A.point([0.5, 0, 0]) = B.point([0, 0.4, 0]);
    holonomic axes: [dot(A.vector([1, 0, 0]), B.vector([0, 0, 1])),
                     dot(A.vector([0, 1, 0]), B.vector([0, 0, 1])),
                     dot(A.vector([0, 1, 0]), B.vector([1, 0, 0]))] = [0, 0, 0];
}

#[test]
fn hinge_of_dot_products_is_the_hinge_of_an_angle() {
    let mut random = Random(0x41A6E);
    let (i, m, g) = ([0.1, 0.2, 0.25], 0.8, 9.81);
    let (loops, tree) = (Hinged { i, m, g }, HingeAngle { i, m, g });
    assert_eq!(
        Hinged::<f64>::DEGREES_OF_FREEDOM,
        HingeAngle::<f64>::DEGREES_OF_FREEDOM
    );
    for _ in 0..5 {
        let att = random.quaternion();
        let turn = 3.0 * random.number();
        let (s, c) = (turn / 2.0).sin_cos();
        // The product of quaternions (att)(0, 0, s, c).
        let att2 = vector![
            att.x * c + att.y * s,
            att.y * c - att.x * s,
            att.z * c + att.w * s,
            att.w * c - att.z * s
        ];
        let by_angle = vector![att.x, att.y, att.z, att.w, turn];
        let v: SVector<f64, 4> = random.vector();
        let p = tree.centre(&by_angle);
        let dp = tree.speed(&by_angle, &v);
        let w = v.xyz();
        // The hinged body: Rz(turn)^T w + e_z turn'.
        let w2 = matrix(&vector![0.0, 0.0, s, c]).transpose() * w + vector![0.0, 0.0, v[3]];
        let q = SVector::<f64, 11>::from_iterator(att.iter().chain(&p).chain(&att2).copied());
        let rates = SVector::<f64, 9>::from_iterator(w.iter().chain(&dp).chain(&w2).copied());
        assert!(loops.constraint_residual(&q).amax() < 1e-14);
        assert!(loops.constraint_velocity(&q, &rates).amax() < 1e-14);
        let a = tree.acceleration(&by_angle, &v).unwrap();
        let motion = loops.acceleration(&q, &rates).unwrap();
        assert_close(
            "w'",
            &motion.fixed_rows::<3>(0).into_owned(),
            &a.xyz(),
            1e-12,
        );
        let h = 1e-5;
        let at = |h: f64| tree.speed(&tree.integrate(&by_angle, &(v * h)), &(v + a * h));
        let centre = (at(h) - at(-h)) / (2.0 * h);
        assert_close(
            "p''",
            &motion.fixed_rows::<3>(3).into_owned(),
            &centre,
            1e-8,
        );
    }
}

#[test]
fn weld_leaves_three_ways_to_move() {
    let weld = Welded {
        i: [0.1, 0.2, 0.25],
        m: 0.8,
        g: 9.81,
    };
    assert_eq!(Welded::<f64>::DEGREES_OF_FREEDOM, 3);
    let q = vector![0.0, 0.0, 0.0, 1.0, 0.5, -0.4, 0.0, 0.0, 0.0, 0.0, 1.0];
    let w = vector![0.3, -0.2, 0.5];
    let dp = w.cross(&vector![0.5, -0.4, 0.0]);
    let v = vector![w.x, w.y, w.z, dp.x, dp.y, dp.z, w.x, w.y, w.z];
    assert!(weld.constraint_velocity(&q, &v).amax() < 1e-15);
    let a = weld.acceleration(&q, &v).unwrap();
    let both = [0, 6].map(|first| a.fixed_rows::<3>(first).into_owned());
    assert_close("w'", &both[1], &both[0], 1e-13);
}

//! Rows of constraints that depend on each other, `#[lagrangian(redundant)]`.

#![allow(
    deprecated,
    reason = "the macro warns of rows that depend on each other at every state"
)]

#[path = "shared/redundant.rs"]
mod declared;

use declared::*;
use lagrangian::nalgebra::{SVector, matrix, vector};
use lagrangian::{Contacts, Error, System, lagrangian, rk4_step};

#[test]
fn bricards_mechanism_has_rank_four_at_every_state() {
    let system = Bricard {
        axial: 1.0 / 300.0,
        g: 9.81,
    };
    let none = SVector::<f64, 0>::zeros();
    let (mut q, mut v) = (SVector::zeros(), SVector::zeros());
    assert_eq!(Bricard::DEGREES_OF_FREEDOM, 1);
    let first = system.solve(&q, &v).unwrap();
    let expected = vector![1.0, -1.0, 1.0, -1.0, 1.0] * 1.958083832335329;
    assert!((first.acceleration - expected).norm() < 1e-14);
    let energy = system.energy(&q, &v);
    for _ in 0..2_000 {
        (q, v) = rk4_step(&system, 0.0, &q, &v, &none, 1e-3).unwrap();
        assert_eq!(system.solve(&q, &v).unwrap().rank, 4);
    }
    (q, v) = system.project(&q, &v).unwrap();
    assert!(system.constraint_residual(&q).norm() < 1e-15);
    assert!(system.constraint_velocity(&q, &v).norm() < 1e-14);
    assert!((system.energy(&q, &v) - energy).abs() < 1e-8);
}

lagrangian! {
    /// Bennett's linkage, closed by all six rows of a hinge.
    #[lagrangian(redundant)]
    pub struct Bennett { q: coordinate[4], a, b, alpha, beta: parameter, inertia: parameter = 0.1 }
    frame A = world.rotate(z, q[0]).translate([a, 0, 0]).rotate(x, alpha);
    frame B = A.rotate(z, q[1]).translate([b, 0, 0]).rotate(x, beta);
    frame C = B.rotate(z, q[2]).translate([a, 0, 0]).rotate(x, alpha);
    frame E = C.rotate(z, q[3]).translate([b, 0, 0]).rotate(x, beta);
    body { frame: A, inertia: inertia * identity(3), mass: 1 }
    body { frame: B, inertia: inertia * identity(3), mass: 1 }
    body { frame: C, inertia: inertia * identity(3), mass: 1 }
    holonomic place: E.origin = [0, 0, 0];
    holonomic lean_x: dot(E.vector([0, 0, 1]), [1, 0, 0]) = 0;
    holonomic lean_y: dot(E.vector([0, 0, 1]), [0, 1, 0]) = 0;
    holonomic turn: dot(E.vector([0, 1, 0]), [1, 0, 0]) = 0;
}

/// tan(q0/2) tan(q1/2) = sin((beta + alpha)/2) / sin((beta - alpha)/2), and opposite angles add up to a turn.
#[test]
fn bennetts_linkage_has_its_ratio_of_speeds() {
    let (alpha, beta): (f64, f64) = (0.5, 1.1);
    let (a, b) = (1.0, beta.sin() / alpha.sin());
    let system = Bennett {
        a,
        b,
        alpha,
        beta,
        inertia: 0.1,
    };
    let ratio = ((beta + alpha) / 2.0).sin() / ((beta - alpha) / 2.0).sin();
    let turn = core::f64::consts::TAU;
    for first in [1.0_f64, 2.0, 2.8] {
        let half = (first / 2.0).tan();
        let second = 2.0 * (ratio / half).atan();
        let slope = -ratio * (1.0 + half * half) / (half * half + ratio * ratio);
        let q = vector![first, second, turn - first, turn - second];
        let start = vector![1.0, 1.01 * slope, -1.0, -slope];
        let (q, v) = system.project(&q, &start).unwrap();
        assert!((v[1] / v[0] - slope).abs() < 1e-12);
        assert!((v[2] / v[0] + 1.0).abs() < 1e-12 && (v[3] / v[0] + slope).abs() < 1e-12);
        let motion = system.solve(&q, &v).unwrap();
        assert_eq!(motion.rank, 3);
        // The ratio holds for displaced angles too: the second derivative of the coupling.
        let h = 1e-5;
        let moved = |x: f64| {
            let half = (x / 2.0).tan();
            -ratio * (1.0 + half * half) / (half * half + ratio * ratio)
        };
        let bend = (moved(first + h) - moved(first - h)) / (2.0 * h);
        let second = slope * motion.acceleration[0] + bend * v[0] * v[0];
        assert!((motion.acceleration[1] - second).abs() < 1e-8);
    }
}

lagrangian! {
    pub struct InPlane { q: coordinate[3], l: parameter[4], m: parameter[3] }
    frame A = world.rotate(z, q[0]);
    frame B = A.translate([l[0], 0, 0]).rotate(z, q[1]);
    frame C = B.translate([l[1], 0, 0]).rotate(z, q[2]);
    body { frame: A, mass: m[0], at: [l[0] / 2, 0, 0], inertia: diag(0, 0, m[0] * l[0]^2 / 12) }
    body { frame: B, mass: m[1], at: [l[1] / 2, 0, 0], inertia: diag(0, 0, m[1] * l[1]^2 / 12) }
    body { frame: C, mass: m[2], at: [l[2] / 2, 0, 0], inertia: diag(0, 0, m[2] * l[2]^2 / 12) }
    gravity [0, -9.81, 0];
    holonomic place: (C.point([l[2], 0, 0])).xy = [l[3], 0];
}

#[test]
fn a_four_bar_in_space_moves_as_in_its_plane() {
    let (l, m) = ([1.0, 2.0, 1.5, 2.2], [1.0, 2.0, 1.5]);
    let (space, plane) = (InSpace { l, m }, InPlane { l, m });
    assert_eq!(InSpace::DEGREES_OF_FREEDOM, InPlane::DEGREES_OF_FREEDOM);
    let start = (vector![1.0, -0.8, -1.6], vector![1.0, 0.0, 0.0]);
    let (q, v) = space.project(&start.0, &start.1).unwrap();
    let (p, w) = plane.project(&start.0, &start.1).unwrap();
    assert!((q - p).norm() < 1e-14 && (v - w).norm() < 1e-14);
    let (found, expected) = (space.solve(&q, &v).unwrap(), plane.solve(&q, &v).unwrap());
    assert_eq!(found.rank, 2);
    assert_eq!(found.acceleration, expected.acceleration);
    let [x, y] = expected.multipliers.into();
    assert_eq!(found.multipliers, vector![x, y, 0.0, 0.0, 0.0]);
    let forces = space.constraint_forces(&q, &v).unwrap();
    assert!((forces - plane.constraint_forces(&q, &v).unwrap()).norm() < 1e-13);
    let (a, b) = (
        space.linearize(&q, &v).unwrap(),
        plane.linearize(&q, &v).unwrap(),
    );
    assert!((a.a - b.a).norm() < 1e-11 * b.a.norm());
    let (a, b) = (
        space.linearize_reduced(&q, &v).unwrap(),
        plane.linearize_reduced(&q, &v).unwrap(),
    );
    assert!((a.a - b.a).norm() < 1e-11 * b.a.norm() && (a.basis - b.basis).norm() < 1e-14);
    let w = vector![0.3, -0.2, 0.7];
    let (a, b) = (
        space.vjp(&q, &v, &w).unwrap(),
        plane.vjp(&q, &v, &w).unwrap(),
    );
    assert!((a.q - b.q).norm() < 1e-11 * b.q.norm() && (a.v - b.v).norm() < 1e-11 * b.v.norm());
}

/// Small numbers of a file count as 0: the motion is that of the planar linkage, up to the offset. Lengths are in units from
/// 1e-5 to 1e5. The rows of the tilt are none beside those of lengths, so they are small in the unit of lengths.
#[test]
fn numbers_of_files_agree_to_the_root_of_rounding() {
    for unit in [1e-5, 1.0, 1e5] {
        let l = [1.0, 2.0, 1.5, 1.8].map(|length| length * unit);
        let m = [1.0, 2.0, 1.5];
        let start = (vector![1.2, -1.0, -1.5], vector![1.0, 0.0, 0.0]);
        let system = |offset: f64, tilt| FileDigits {
            l,
            m,
            offset: offset * unit,
            tilt,
            g: 9.81 * unit,
        };
        let exact = system(0.0, 0.0);
        let (p, w) = exact.project(&start.0, &start.1).unwrap();
        let expected = exact.acceleration(&p, &w).unwrap();
        let small = [1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9];
        let offsets = small.iter().map(|offset| system(*offset, 0.0));
        for digits in offsets.chain(small.iter().map(|tilt| system(0.0, tilt * unit.min(1.0)))) {
            let (q, v) = digits.project(&start.0, &start.1).unwrap();
            assert!((q - p).norm() + (v - w).norm() < 1e-8);
            let motion = digits.solve(&q, &v).unwrap();
            assert_eq!(motion.rank, 2);
            assert!((motion.acceleration - expected).norm() < 1e-7 * expected.norm());
            let none = SVector::<f64, 0>::zeros();
            let (mut q, mut v) = (q, v);
            for _ in 0..20 {
                (q, v) = rk4_step(&digits, 0.0, &q, &v, &none, 1e-2).unwrap();
                (q, v) = digits.project(&q, &v).unwrap();
            }
            let rest = digits.solve(&q, &SVector::zeros()).unwrap();
            assert_eq!(rest.rank, 2);
        }
        let apart = system(1e-5, 0.0).project(&start.0, &start.1);
        assert!(
            matches!(apart, Err(Error::NotConverged { .. })),
            "{apart:?}"
        );
    }
}

/// Rows that depend on each other on the constraints alone, and agree to few digits.
#[test]
fn cranks_of_almost_the_same_length_turn_a_coupler() {
    for unit in [1e-12, 1.0, 1e12] {
        let system = |excess: f64| Cranks {
            l: unit,
            excess: excess * unit,
            m: 1.0,
            g: 9.81 * unit,
        };
        let at = |angle: f64| {
            let (x, y) = (unit * angle.cos(), unit * angle.sin());
            vector![angle, angle, angle, x, y, 0.0]
        };
        for excess in [0.0, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9] {
            let cranks = system(excess);
            for angle in [0.3_f64, 0.9, 1.5, 2.2] {
                let rates = vector![1.0, 1.0, 1.0, -unit * angle.sin(), unit * angle.cos(), 0.0];
                let rough = vector![0.05, -0.1, 0.08, 0.1 * unit, -0.05 * unit, 0.02];
                let (q, v) = cranks.project(&(at(angle) + rough), &rates).unwrap();
                let residual = cranks.constraint_residual(&q).norm() / unit;
                assert!(
                    residual < 1e-14 + 2.0 * excess,
                    "{unit} {excess} {angle} {residual}"
                );
                assert!((q - at(q[0])).norm() < 1e-7 * (1.0 + unit), "{q}");
                let motion = cranks.solve(&q, &v).unwrap();
                let exact = system(0.0).solve(&at(q[0]), &v).unwrap();
                assert_eq!((motion.rank, exact.rank), (5, 5), "{unit} {excess} {angle}");
                let [found, expected] = [motion, exact].map(|motion| motion.acceleration[0]);
                assert!((found - expected).abs() < 1e-6 * expected.abs());
            }
        }
    }
}

#[test]
fn parallelograms_swing_through_their_flat_posts() {
    let system = Parallelograms { m: 1.0, g: 9.81 };
    let none = SVector::<f64, 0>::zeros();
    let place = |angle: f64| {
        let (mut q, mut v) = (SVector::<f64, 8>::zeros(), SVector::<f64, 8>::zeros());
        for k in 0..4 {
            (q[k], q[4 + k]) = (k as f64 + angle.cos(), angle.sin());
            (v[k], v[4 + k]) = (-angle.sin(), angle.cos());
        }
        (q, v)
    };
    assert_eq!(Parallelograms::DEGREES_OF_FREEDOM, 1);
    // Flat, the posts and bars are in one line.
    let (q, v) = place(0.0);
    let flat = system.solve(&q, &(v * 0.0)).unwrap();
    assert_eq!(flat.rank, 4);
    let (mut q, direction) = place(-0.3);
    let mut v = direction * 4.0;
    let energy = system.energy(&q, &v);
    for _ in 0..1_000 {
        (q, v) = rk4_step(&system, 0.0, &q, &v, &none, 1e-3).unwrap();
        (q, v) = system.project(&q, &v).unwrap();
    }
    assert!((system.energy(&q, &v) - energy).abs() < 1e-5 * energy.abs());
    for k in 1..4 {
        assert!((q[k] - q[0] - k as f64).abs() < 1e-6 && (q[4 + k] - q[4]).abs() < 1e-6);
    }
}

#[test]
fn equal_branches_share_a_load() {
    let system = Branches { m: 2.0, g: 9.81 };
    let rest = SVector::zeros();
    let motion = system.solve(&rest, &rest).unwrap();
    assert_eq!((motion.rank, motion.acceleration), (2, rest));
    let weight = 2.0 * 9.81;
    // The branches carry the weight of z: left - 2 right = -weight with the least sum of squares.
    let expected = vector![-weight / 5.0, 2.0 * weight / 5.0, 2.0 * weight];
    assert!((motion.multipliers - expected).norm() < 1e-13);
    assert_eq!(Branches::DEGREES_OF_FREEDOM, 0);
    // The trait has the same solution without the rank.
    fn generic<M: System<f64, 2, 2, 0, 3>>(system: &M) -> SVector<f64, 3> {
        let (rest, none) = (SVector::zeros(), SVector::zeros());
        system.solve(0.0, &rest, &rest, &none).unwrap().multipliers
    }
    assert_eq!(generic(&system), motion.multipliers);
    const { assert!(<Branches as System<f64, 2, 2, 0, 3>>::REDUNDANT) };
}

#[test]
fn a_table_on_four_legs() {
    let system = Table {
        m: 10.0,
        i: 2.0,
        g: 9.81,
        load: 30.0,
        at: 0.5,
    };
    let rest = SVector::zeros();
    let all = [true; 4];
    let motion = system.solve_active(&rest, &rest, &all).unwrap();
    assert!(motion.acceleration.norm() < 1e-14);
    let jacobian = system.constraint_jacobian(&rest);
    let contacts = system.contact_jacobian(&rest);
    let forces =
        jacobian.transpose() * motion.multipliers + contacts.transpose() * motion.contact_forces;
    assert!((forces + system.forcing(&rest, &rest)).norm() < 1e-12);
    // Of least norm: orthogonal to the forces of legs and rows that are in balance among themselves.
    let idle: [SVector<f64, 6>; 3] = [
        vector![2.0, -1.0, 0.0, 0.0, 0.0, 0.0],
        vector![0.0, 0.0, 1.0, -1.0, -1.0, 1.0],
        vector![-2.0, 0.0, 1.0, 0.0, 1.0, 0.0],
    ];
    let [first, second] = motion.multipliers.into();
    let [a, b, c, d] = motion.contact_forces.into();
    let multipliers = vector![first, second, a, b, c, d];
    for idle in idle {
        assert!(idle.dot(&multipliers).abs() < 1e-12, "{multipliers}");
    }
    let v = vector![-1.0, 0.0, 1.0];
    let hit = system.impact(&rest, &v, &all, &[0.0; 4]).unwrap();
    assert!((system.contact_jacobian(&rest) * hit.velocity).norm() < 1e-14);
    let w = system.delassus(&rest).unwrap();
    assert_eq!(w, w.transpose());
    let names = <Table as Contacts<f64, 3, 3, 0, 2, 4>>::CONTACTS;
    assert_eq!(names, ["a", "b", "c", "d"]);
}

#[test]
fn rows_that_contradict_each_other_are_an_error() {
    let system = Contradiction::default();
    let rest = SVector::zeros();
    let motion = system.solve(0.0, &rest, &rest).unwrap();
    assert_eq!(motion.rank, 1);
    let found = system.solve(1.0, &rest, &rest);
    assert!(
        matches!(found, Err(Error::DependentConstraints { .. })),
        "{found:?}"
    );
    assert!(system.project(1.0, &rest, &rest).is_err());
}

#[test]
fn linearizations_follow_the_constraints() {
    let system = Bricard {
        axial: 1.0 / 300.0,
        g: 9.81,
    };
    let none = SVector::<f64, 0>::zeros();
    let (mut q, mut v) = (SVector::zeros(), SVector::zeros());
    for _ in 0..500 {
        (q, v) = rk4_step(&system, 0.0, &q, &v, &none, 1e-3).unwrap();
    }
    (q, v) = system.project(&q, &v).unwrap();
    // Along the motion dy/dt = A y' is the derivative of the rates by time.
    let a = system.linearize(&q, &v).unwrap().a;
    let acceleration = system.acceleration(&q, &v).unwrap();
    let mut rate = SVector::<f64, 10>::zeros();
    rate.fixed_rows_mut::<5>(0).copy_from(&v);
    rate.fixed_rows_mut::<5>(5).copy_from(&acceleration);
    let h = 1e-4;
    let at = |h: f64| {
        let (q, v) = rk4_step(&system, 0.0, &q, &v, &none, h).unwrap();
        system.acceleration(&q, &v).unwrap()
    };
    let expected = (at(h) - at(-h)) / (2.0 * h);
    let found = (a * rate).fixed_rows::<5>(5).into_owned();
    assert!(
        (found - expected).norm() < 1e-5 * expected.norm(),
        "{found} {expected}"
    );
    // The same on the one independent displacement.
    let reduced = system.linearize_reduced(&q, &v).unwrap();
    let onto = reduced.basis.transpose();
    let found = reduced.a * vector![(onto * v)[0], (onto * acceleration)[0]];
    let expected = vector![(onto * acceleration)[0], (onto * expected)[0]];
    assert!((found - expected).norm() < 1e-5 * expected.norm());
    // In a flat parallelogram more displacements are free.
    let flat = Parallelograms { m: 1.0, g: 9.81 };
    let q = SVector::from_fn(|i, _| [1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.0, 0.0][i]);
    let error = flat.linearize_reduced(&q, &SVector::zeros()).unwrap_err();
    assert!(matches!(error, Error::DependentConstraints { .. }));
}

/// Three supports of a plank share its weight and its load by the least sum of squares, without any constraint.
#[test]
fn contacts_alone_share_a_load() {
    let plank = Plank {
        m: 2.0,
        i: 0.5,
        g: 9.81,
    };
    let (q, still, load) = (vector![0.0, 0.0], vector![0.0, 0.0], vector![3.0]);
    let all = [true; 3];
    let motion = plank.solve_active(&q, &still, &load, &all).unwrap();
    assert!(motion.acceleration.norm() < 1e-15);
    let third = 2.0 * 9.81 / 3.0;
    let expected = vector![third + 1.5, third, third - 1.5];
    assert!((motion.contact_forces - expected).norm() < 1e-14);
    // Two of them are independent.
    let outer = [true, false, true];
    let motion = plank.solve_active(&q, &still, &load, &outer).unwrap();
    let expected = vector![9.81 + 1.5, 0.0, 9.81 - 1.5];
    assert!((motion.contact_forces - expected).norm() < 1e-14);

    let falling = vector![-1.0, 0.0];
    let hit = plank.impact(&q, &falling, &all, &[0.5; 3]).unwrap();
    assert!((hit.velocity - vector![0.5, 0.0]).norm() < 1e-15);
    assert!((hit.impulses - vector![1.0, 1.0, 1.0]).norm() < 1e-15);
    let bounces = [0.5, 0.5, 0.0];
    let hit = plank.impact(&q, &falling, &all, &bounces);
    assert_eq!(hit.err(), Some(Error::DependentConstraints { row: 2 }));

    let held = plank.linearize_active(&q, &still, &load, &all).unwrap();
    let rest = held.a.fixed_view::<2, 4>(2, 0).norm() + held.b.norm();
    assert!(rest < 1e-14, "{}", held.a);
    let (by_q, by_v) = plank
        .impact_derivatives(&q, &falling, &all, &[0.5; 3])
        .unwrap();
    let bounced = matrix![-0.5, 0.0; 0.0, -0.5];
    assert!(by_q.norm() < 1e-14 && (by_v - bounced).norm() < 1e-14);
}

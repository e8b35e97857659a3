//! `linearize_fixed_axes`: neighbouring motions in axes that do not turn, and the stability of a coin that rolls.

use lagrangian::nalgebra::{Complex, Matrix3, SMatrix, SVector, vector};
use lagrangian::{Linearization, System, lagrangian, rk4_step};

use crate::support::{Random, assert_close, matrix};

lagrangian! {
    /// A body with a thrust along its own z axis, and drag.
    struct Drone {
        p: coordinate[3],
        att: rotation,
        m: parameter = 1.4,
        i: parameter[3] = [0.3, 0.5, 0.7],
        thrust: input,
        torque: input[3],
    }
    frame Body = world.translate(p).rotate(att);
    body { frame: Body, mass: m, at: [0.1, 0, 0.2], inertia: diag(i) }
    gravity [0, 0, -9.81];
    Q.att = torque - der(att) / 5;
    force Body.vector([0, 0, thrust]) - velocity(Body) at Body.point([0, 0.1, 0]);
}

lagrangian! {
    /// A body on a spring that turns, in a gimbal that carries a second one.
    struct Gimbal {
        att: rotation,
        q: coordinate,
        second: rotation,
        t: time,
        i: parameter[3] = [0.3, 0.5, 0.7],
    }
    frame A = world.rotate(att);
    frame B = A.translate([0.2, q, 0]).rotate(x, q + t).rotate(second);
    body { frame: A, mass: 1, at: [0.1, 0, 0.2], inertia: diag(i) }
    body { frame: B, mass: 2, at: [0, 0.3, 0.2], inertia: diag(i) }
    gravity [0, 0, -9.81];
    spring { k: 5, rest: 0.1, from: [1, 1, 1], to: B.point([0, 0, 1]) }
}

lagrangian! {
    /// A disk of a radius that rolls without slip, of moments `across` and `along` its axis.
    struct Disk { p: coordinate[3], att: rotation, m, r, across, along: parameter, g: parameter = 9.81 }
    frame B = world.translate(p).rotate(att);
    body { frame: B, mass: m, inertia: diag(across, across, along) }
    gravity [0, 0, -g];
    let up = transpose(B.rotation) * [0, 0, 1];
    let arm = -r * [up.x, up.y, 0] / hypot(up.x, up.y);
    let slip = velocity(B) + cross(angular_velocity(B), B.vector(arm));
    holonomic floor: B.point(arm).z = 0;
    nonholonomic roll: [slip.x, slip.y] = [0, 0];
}

/// The block diagonal matrix of the rotation matrices, each from the number of its first coordinate and of its first
/// velocity on.
fn turns<const NQ: usize, const N: usize>(
    q: &SVector<f64, NQ>,
    rotations: &[(usize, usize)],
) -> SMatrix<f64, N, N> {
    let mut all = SMatrix::<f64, N, N>::identity();
    for (coordinate, velocity) in rotations {
        let turn: Matrix3<f64> = matrix(&q.fixed_rows::<4>(*coordinate).into_owned());
        all.fixed_view_mut::<3, 3>(*velocity, *velocity)
            .copy_from(&turn);
    }
    all
}

/// Compares A and B with the rates of the differences D and E between motions, both by central differences.
fn check<M, const NQ: usize, const N: usize, const N2: usize, const K: usize, const C: usize>(
    system: &M,
    rotations: &[(usize, usize)],
    (t, q, v, u): (f64, SVector<f64, NQ>, SVector<f64, N>, SVector<f64, K>),
    found: &Linearization<f64, N2, K>,
) where
    M: System<f64, NQ, N, K, C>,
{
    let size = 1e-4;
    // The motion that begins beside the state, seen from the one that begins at it.
    let seen = |change: &SVector<f64, N2>, push: &SVector<f64, K>, h: f64| {
        let back = turns::<NQ, N>(&q, rotations).transpose();
        let d: SVector<f64, N> = back * change.fixed_rows::<N>(0);
        let w: SVector<f64, N> = back * change.fixed_rows::<N>(N);
        let (q1, v1) = (system.integrate(&q, &d), v + w);
        let (q1, v1) = rk4_step(system, t, &q1, &v1, &(u + push), h).unwrap();
        let (q0, v0) = rk4_step(system, t, &q, &v, &u, h).unwrap();
        let turn = turns::<NQ, N>(&q0, rotations);
        let mut seen = SVector::<f64, N2>::zeros();
        seen.fixed_rows_mut::<N>(0)
            .copy_from(&(turn * system.difference(&q0, &q1)));
        seen.fixed_rows_mut::<N>(N).copy_from(&(turn * (v1 - v0)));
        seen
    };
    let rate = |change: SVector<f64, N2>, push: SVector<f64, K>| {
        let h = 1e-3;
        let at = |h: f64| {
            let ahead = seen(&(change * size), &(push * size), h);
            (ahead - seen(&(change * -size), &(push * -size), h)) / (2.0 * size)
        };
        ((at(h) - at(-h)) * 8.0 - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h)
    };
    let unit = |i: usize, j: usize| if i == j { 1.0 } else { 0.0 };
    for i in 0..N2 {
        let expected = rate(SVector::from_fn(|j, _| unit(i, j)), SVector::zeros());
        assert_close("A", &found.a.column(i).into_owned(), &expected, 1e-6);
    }
    for i in 0..K {
        let expected = rate(SVector::zeros(), SVector::from_fn(|j, _| unit(i, j)));
        assert_close("B", &found.b.column(i).into_owned(), &expected, 1e-6);
    }
}

#[test]
fn neighbouring_motions_in_fixed_axes() {
    let mut random = Random(0xf1);
    let (drone, gimbal) = (Drone::<f64>::default(), Gimbal::<f64>::default());
    for _ in 0..3 {
        let (v, u) = (random.vector::<6>() * 2.0, random.vector::<4>());
        let q = drone.integrate(&drone.neutral(), &random.vector());
        let found = drone.linearize_fixed_axes(&q, &v, &u).unwrap();
        check(&drone, &[(3, 3)], (0.0, q, v, u), &found);

        let (t, v) = (random.number(), random.vector::<7>());
        let q = gimbal.integrate(&gimbal.neutral(), &random.vector());
        let found = gimbal.linearize_fixed_axes(t, &q, &v).unwrap();
        check(&gimbal, &[(0, 0), (5, 4)], (t, q, v, vector![]), &found);
    }
}

#[test]
fn neighbouring_motions_of_a_rolling_disk_in_fixed_axes() {
    let mut random = Random(0xf2);
    let disk: Disk = Disk::new(0.4, 0.5, 0.025, 0.05);
    for _ in 0..3 {
        let q = disk.integrate(
            &disk.neutral(),
            &(vector![0.0, 0.0, 0.3, 1.1, 0.2, 0.0] + random.vector() * 0.1),
        );
        let (q, v) = disk.project(&q, &random.vector()).unwrap();
        let found = disk.linearize_fixed_axes(&q, &v).unwrap();
        check(&disk, &[(3, 3)], (0.0, q, v, vector![]), &found);
    }
}

/// The state of a disk of radius r that has rolled along x, upright, by an angle.
fn upright(r: f64, spin: f64, angle: f64) -> (SVector<f64, 7>, SVector<f64, 6>) {
    let half = 0.5_f64.sqrt();
    let (sin, cos) = (angle / 2.0).sin_cos();
    // A quarter of a turn about x, then the angle about the disk's own z.
    let att = [half * cos, -half * sin, half * sin, half * cos];
    (
        vector![-r * angle, 0.0, r, att[0], att[1], att[2], att[3]],
        vector![-r * spin, 0.0, 0.0, 0.0, 0.0, spin],
    )
}

/// A disk that rolls straight: with the moments a across and c along its axis, the lean x and the rate y of the
/// heading obey (a + m r^2) x'' = m g r x + (c + m r^2) w y and a y' = -c w x', so that lambda^2 of the lean is
/// (m g r - (c + m r^2) c w^2 / a) / (a + m r^2). It is 4/5 (g / r - 3 w^2) of a coin and 2/3 (g / r - 4 w^2) of a hoop:
/// Neimark and Fufaev, *Dynamics of Nonholonomic Systems*, 1972; O'Reilly, "The dynamics of rolling disks and sliding
/// disks", *Nonlinear Dynamics* 10, 1996.
#[test]
fn a_coin_that_rolls_straight_has_the_published_eigenvalues() {
    let (m, r) = (0.4, 0.0375);
    let unit = m * r * r;
    for (across, along) in [(0.25, 0.5), (0.5, 1.0), (0.3, 0.55)] {
        let disk: Disk = Disk::new(m, r, across * unit, along * unit);
        for spin in [2.0, 5.0, 30.0] {
            let at = |angle| {
                let (q, v) = upright(r, spin, angle);
                assert!(disk.constraint_velocity(&q, &v).amax() < 1e-14);
                disk.linearize_fixed_axes(&q, &v).unwrap().a
            };
            let start = at(0.0);
            // A is constant along the motion.
            for angle in [0.7, 2.0, 4.0] {
                assert_close("A", &at(angle), &start, 1e-12);
            }
            let expected =
                (9.81 / r - (along + 1.0) * along * spin * spin / across) / (across + 1.0);
            let squares = start.complex_eigenvalues().map(|lambda| lambda * lambda);
            let is_lean =
                |square: &Complex<f64>| (square - expected).norm() < 1e-9 * expected.abs();
            assert_eq!(
                squares.iter().filter(|square| is_lean(square)).count(),
                2,
                "{squares}"
            );
            // The others are zero: to the root of the rounding, as A has no full set of eigenvectors.
            let rest = squares.iter().filter(|square| !is_lean(square));
            assert!(
                rest.clone()
                    .all(|square| square.norm() < 1e-4 * expected.abs()),
                "{squares}"
            );
        }
    }
}

#[test]
fn an_orientation_of_no_length_has_no_axes() {
    let drone = Drone::<f64>::default();
    let q = SVector::zeros();
    let found = drone.linearize_fixed_axes(&q, &SVector::zeros(), &SVector::zeros());
    assert!(found.is_err());
}

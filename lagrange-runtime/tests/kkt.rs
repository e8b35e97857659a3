//! Constrained solves: residuals, ranks, errors, scalars.

use lagrange_runtime::{
    Error,
    linalg::{Kkt, independent_in_place, kkt, kkt_unchecked_in_place},
};
use num_dual::Dual64;
use simba::simd::WideF64x4;

/// Uniform numbers in [-1, 1), by the splitmix64 generator.
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.number())
    }

    fn rows<const N: usize, const C: usize>(&mut self) -> [[f64; N]; C] {
        std::array::from_fn(|_| self.vector())
    }

    /// B Bᵀ for a random B with `rank` columns, the diagonal raised by `shift`.
    fn gram<const N: usize>(&mut self, rank: usize, shift: f64) -> [[f64; N]; N] {
        let square: [[f64; N]; N] = self.rows();
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let sum: f64 = (0..rank).map(|k| square[i][k] * square[j][k]).sum();
                if i == j { sum + shift } else { sum }
            })
        })
    }
}

/// Asserts `M a = f + Jᵀ λ` and `J a = γ` to some eps of the terms.
#[track_caller]
fn assert_solves<const N: usize, const C: usize>(
    (m, j): (&[[f64; N]; N], &[[f64; N]; C]),
    (f, gamma): (&[f64; N], &[f64; C]),
    (a, lambda): &([f64; N], [f64; C]),
    eps: f64,
) {
    let check = |terms: &[f64], row: usize| {
        let sum: f64 = terms.iter().sum();
        let size: f64 = terms.iter().map(|term| term.abs()).sum();
        // Smaller terms count as 1e-292.
        let limit = 8.0 * (N + C) as f64 * eps * size.max(1e-292);
        assert!(
            sum.abs() <= limit,
            "row {row}: residual {sum:e} of {size:e}"
        );
    };
    for i in 0..N {
        let mut terms: Vec<f64> = (0..N).map(|k| m[i][k] * a[k]).collect();
        terms.extend((0..C).map(|k| -j[k][i] * lambda[k]));
        terms.push(-f[i]);
        check(&terms, i);
    }
    for k in 0..C {
        let mut terms: Vec<f64> = (0..N).map(|i| j[k][i] * a[i]).collect();
        terms.push(-gamma[k]);
        check(&terms, N + k);
    }
}

/// Runs `$check::<N, C>($random)` for many sizes.
macro_rules! for_sizes {
    ($check:ident, $random:expr) => {
        for_sizes!(@ $check, $random; 1 0, 1 1, 2 1, 2 2, 3 1, 4 3, 5 2, 7 7, 12 6, 20 9)
    };
    (@ $check:ident, $random:expr; $($n:literal $c:literal),*) => {
        $($check::<$n, $c>($random);)*
    };
}

fn check_definite<const N: usize, const C: usize>(random: &mut Random) {
    let (mut m, j) = (random.gram::<N>(N, 0.1), random.rows::<N, C>());
    let (f, gamma): ([f64; N], [f64; C]) = (random.vector(), random.vector());
    let right = (&f, &gamma);
    let full = m;
    for (i, row) in m.iter_mut().enumerate() {
        row[i + 1..].fill(1e9);
    }
    let solution = kkt(&m, &j, right.0, right.1).expect("regular");
    assert_solves((&full, &j), right, &solution, 1e-14);
    let unchecked = kkt_unchecked_in_place(&mut { m }, &j, right.0, right.1);
    assert_solves((&full, &j), right, &unchecked, 1e-14);
}

#[test]
fn definite_mass_matrices() {
    let random = &mut Random(1);
    for _ in 0..20 {
        for_sizes!(check_definite, random);
    }
}

/// M of the least rank with which `[M -Jᵀ; J 0]` is regular.
fn check_singular_mass<const N: usize, const C: usize>(random: &mut Random) {
    let (m, j) = (random.gram::<N>(N - C, 0.0), random.rows::<N, C>());
    let (f, gamma): ([f64; N], [f64; C]) = (random.vector(), random.vector());
    let right = (&f, &gamma);
    let solution = kkt(&m, &j, right.0, right.1).expect("regular");
    assert_solves((&m, &j), right, &solution, f64::EPSILON);
    if N > C {
        let m = random.gram::<N>(N - C - 1, 0.0);
        let result = kkt(&m, &j, right.0, right.1);
        assert_eq!(result, Err(Error::SingularMassMatrix), "{N} {C}");
    }
}

#[test]
fn singular_mass_matrices() {
    let random = &mut Random(2);
    for _ in 0..20 {
        for_sizes!(check_singular_mass, random);
    }
}

/// The mass matrix 4 Eᵀ I E of a body that is turned by the quaternion q, where ω = 2 E dq/dt.
fn quaternion_mass(q: [f64; 4], inertia: [f64; 3]) -> ([[f64; 4]; 4], [[f64; 4]; 3]) {
    let [q0, q1, q2, q3] = q;
    let e = [[-q1, q0, q3, -q2], [-q2, -q3, q0, q1], [-q3, q2, -q1, q0]];
    let entry = |i: usize, k: usize| (0..3).map(|r| 4.0 * inertia[r] * e[r][i] * e[r][k]).sum();
    (
        std::array::from_fn(|i| std::array::from_fn(|k| entry(i, k))),
        e,
    )
}

/// Euler's equations `I dω/dt = τ` at rest, by way of the quaternion.
#[test]
fn a_body_with_a_quaternion() {
    let inertia = [1.0, 2.0, 3.5];
    let torque = [0.3, -0.2, 0.7];
    for q in [
        [1.0, 0.0, 0.0, 0.0],
        [0.5, -0.5, 0.5, 0.5],
        [0.0, 0.6, 0.0, -0.8],
        [0.48, 0.6, 0.64, 0.0],
    ] {
        let (m, e) = quaternion_mass(q, inertia);
        let f = std::array::from_fn(|i| (0..3).map(|r| 2.0 * e[r][i] * torque[r]).sum());
        let j = [q.map(|entry| 2.0 * entry)];
        for (a, lambda) in [
            kkt(&m, &j, &f, &[0.0]).expect("regular"),
            kkt_unchecked_in_place(&mut { m }, &j, &f, &[0.0]),
        ] {
            for r in 0..3 {
                let rate: f64 = (0..4).map(|i| 2.0 * e[r][i] * a[i]).sum();
                assert!((rate - torque[r] / inertia[r]).abs() < 1e-14, "{q:?}");
            }
            assert!(lambda[0].abs() < 1e-14);
        }
    }
    // Without the constraint one direction has no inertia.
    let (m, _) = quaternion_mass([0.5, 0.5, 0.5, 0.5], inertia);
    let free = kkt(&m, &[], &[0.0; 4], &[]);
    assert_eq!(free, Err(Error::SingularMassMatrix));
}

#[test]
fn massless_coordinates() {
    let m = [[2.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]];
    // y = 3 x and z = y - x: the force on them acts on x three- and twofold.
    let j = [[-3.0, 1.0, 0.0], [1.0, -1.0, 1.0]];
    let right = (&[1.0, 1.0, 1.0], &[0.0, 0.0]);
    let solution = kkt(&m, &j, right.0, right.1).expect("regular");
    assert_solves((&m, &j), right, &solution, f64::EPSILON);
    assert!((solution.0[0] - 3.0).abs() < 1e-14);
    assert_eq!(
        kkt(&m, &[j[0]], right.0, &[0.0]),
        Err(Error::SingularMassMatrix)
    );
    // Nothing but constraints.
    let all = kkt(
        &[[0.0; 2]; 2],
        &[[1.0, 1.0], [1.0, -1.0]],
        &[1.0, 0.0],
        &[2.0, 0.0],
    );
    assert_eq!(all, Ok(([1.0, 1.0], [-0.5, -0.5])));
}

/// C coordinates without mass that the others determine, and right-hand sides of one entry, with one factorisation: most
/// values of a solution are exactly zero, and the equations for them have no terms.
fn check_zeros<const N: usize, const C: usize>(random: &mut Random) {
    let massive = N - C;
    let mut m = [[0.0; N]; N];
    let mut j = random.rows::<N, C>();
    for i in 0..massive {
        m[i][i] = random.number().abs() + 0.1;
    }
    for k in 0..C {
        j[k][massive..].fill(0.0);
        j[k][massive + k] = 1.0;
    }
    let (mut factored, mut work) = (m, [[0.0; N]; C]);
    let mut factors = Kkt::factor(&mut factored, &j, &mut work).expect("regular");
    for at in 0..N + C {
        let (mut f, mut gamma) = ([0.0; N], [0.0; C]);
        match at < N {
            true => f[at] = random.number(),
            false => gamma[at - N] = random.number(),
        }
        let solution = factors.solve(&f, &gamma);
        let solution = solution.unwrap_or_else(|error| panic!("{error}: {m:?} {j:?} {at}"));
        assert_solves((&m, &j), (&f, &gamma), &solution, f64::EPSILON);
    }
}

#[test]
fn solutions_with_exact_zeros() {
    let random = &mut Random(77);
    for _ in 0..200 {
        for_sizes!(@ check_zeros, random; 2 1, 3 1, 3 2, 4 2, 5 3, 7 3, 12 6);
    }
}

/// The coordinates without mass follow the constraints, and the masses stay at rest without a force, exactly.
fn check_idle_masses<const N: usize, const C: usize>(random: &mut Random) {
    let mut m = random.gram::<N>(N, 0.1);
    for i in 0..N {
        for k in 0..C {
            (m[i][k], m[k][i]) = (0.0, 0.0);
        }
    }
    let (mut j, gamma): ([[f64; N]; C], _) = (random.rows(), random.vector());
    for (k, row) in j.iter_mut().enumerate() {
        row[k] += 2.0;
    }
    let right = (&[0.0; N], &gamma);
    let (a, lambda) = kkt(&m, &j, right.0, right.1).expect("regular");
    let independent = independent_in_place(&mut m.clone(), &j, right.0, right.1);
    let (b, mu) = independent.expect("regular");
    for (a, lambda) in [(a, lambda), (b, mu)] {
        let is_still = |entry: &f64| entry.abs() < 1e-100;
        assert!(
            a[C..].iter().all(is_still) && lambda.iter().all(is_still),
            "{a:?} {lambda:?}"
        );
        for (row, rate) in j.iter().zip(&gamma) {
            let sum: f64 = row.iter().zip(&a).map(|(x, y)| x * y).sum();
            assert!((sum - rate).abs() < 1e-14, "{a:?}");
        }
    }
}

#[test]
fn masses_without_a_force_stay_at_rest() {
    let mut random = Random(17);
    for _ in 0..2000 {
        check_idle_masses::<2, 1>(&mut random);
        check_idle_masses::<3, 1>(&mut random);
        check_idle_masses::<3, 2>(&mut random);
        check_idle_masses::<5, 3>(&mut random);
    }
}

#[track_caller]
fn assert_dependent<const N: usize, const C: usize>(j: [[f64; N]; C], row: usize) {
    let dependent = Err(Error::DependentConstraints { row });
    let identity: [[f64; N]; N] =
        std::array::from_fn(|i| std::array::from_fn(|k| f64::from(u8::from(i == k))));
    assert_eq!(kkt(&identity, &j, &[1.0; N], &[0.0; C]), dependent);
    // Also where there is no inertia at all.
    assert_eq!(kkt(&[[0.0; N]; N], &j, &[1.0; N], &[0.0; C]), dependent);
    // Also in other units.
    let scale: [f64; N] = std::array::from_fn(|i| 1e3_f64.powi(i as i32 - 1));
    let m = std::array::from_fn(|i| identity[i].map(|entry| entry / scale[i] / scale[i]));
    let scaled = j.map(|row| std::array::from_fn(|i| row[i] / scale[i]));
    assert_eq!(kkt(&m, &scaled, &[1.0; N], &[0.0; C]), dependent);
}

#[test]
fn dependent_rows_are_found_in_order() {
    let (x, y, z) = ([1.0, 0.3, -0.7], [0.2, 1.1, 0.4], [-0.5, 0.6, 0.9]);
    let sum = std::array::from_fn(|i| x[i] + y[i]);
    let zero = [0.0; 3];
    assert_dependent([x, x], 1);
    assert_dependent([x, y, x], 2);
    assert_dependent([x, y, y], 2);
    assert_dependent([x, x, y], 1);
    assert_dependent([x, y, sum], 2);
    assert_dependent([x, sum, y], 2);
    assert_dependent([x, x.map(|entry| -3.0 * entry), x], 1);
    assert_dependent([zero], 0);
    assert_dependent([x, zero, y], 1);
    assert_dependent([zero, zero], 0);
    assert_dependent([x, y, z, sum], 3);
    assert_dependent([x, sum, y, z], 2);
    assert_dependent([[2.0], [1.0]], 1);
}

/// Random rows, one of which is a combination of those above it.
fn check_dependent<const N: usize, const C: usize>(random: &mut Random) {
    let mut j = random.rows::<N, C>();
    for row in 1..C {
        let rest = j[row];
        let factors: [f64; C] = random.vector();
        j[row] = std::array::from_fn(|i| (0..row).map(|k| factors[k] * j[k][i]).sum());
        let (m, f) = (random.gram::<N>(N, 0.1), random.vector());
        let result = kkt(&m, &j, &f, &random.vector());
        assert_eq!(result, Err(Error::DependentConstraints { row }), "{N} {C}");
        j[row] = rest;
    }
}

#[test]
fn random_combinations_of_rows() {
    let random = &mut Random(3);
    for _ in 0..100 {
        for_sizes!(check_dependent, random);
    }
}

/// A row that ought to be zero: the Jacobian of a chain of three links that lie on one line.
#[test]
fn rounding_errors_are_no_constraint() {
    use std::f64::consts::PI;
    let angles: [f64; 3] = [0.0, 0.0, PI];
    let lengths = [1.0, 2.0, 3.0];
    let row = |f: fn(f64) -> f64| std::array::from_fn(|i| lengths[i] * f(angles[i]));
    let m = [[5.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 3.0]];
    let jacobian = [row(f64::sin), row(f64::cos)];
    assert!(jacobian[0][2] != 0.0);
    let result = kkt(&m, &jacobian, &[1.0; 3], &[0.0, 1.0]);
    assert_eq!(result, Err(Error::DependentConstraints { row: 0 }));
}

/// Nearly dependent is not dependent: the second row differs from the first one in `difference`.
#[test]
fn nearly_dependent_rows_solve() {
    for digits in [3, 6, 9, 12] {
        let difference = 0.1_f64.powi(digits);
        let (m, j) = (
            [[2.0, 0.5], [0.5, 1.0]],
            [[1.0, 1.0], [1.0, 1.0 + difference]],
        );
        let (a, _) = kkt(&m, &j, &[1.0, 2.0], &[3.0, 3.0]).expect("regular");
        assert!((a[0] - 3.0).abs() < 1e-15 / difference && a[1].abs() < 1e-15 / difference);
    }
}

fn check_units<const N: usize, const C: usize>(random: &mut Random) {
    let (m, j) = (random.gram::<N>(N, 0.1), random.rows::<N, C>());
    let scale: [f64; N] = std::array::from_fn(|_| 10.0_f64.powf(3.0 * random.number()));
    let rows: [f64; C] = std::array::from_fn(|_| 10.0_f64.powf(3.0 * random.number()));
    let m: [[f64; N]; N] =
        std::array::from_fn(|i| std::array::from_fn(|k| m[i][k] * scale[i] * scale[k]));
    let j: [[f64; N]; C] =
        std::array::from_fn(|r| std::array::from_fn(|i| j[r][i] * rows[r] * scale[i]));
    let (f, gamma): ([f64; N], [f64; C]) = (random.vector(), random.vector());
    let right = (&f, &gamma);
    let solution = kkt(&m, &j, right.0, right.1).expect("regular");
    assert_solves((&m, &j), right, &solution, 1e-14);
}

#[test]
fn masses_and_constraints_in_any_units() {
    let random = &mut Random(4);
    for _ in 0..50 {
        for_sizes!(check_units, random);
    }
    for size in [1e-150_f64, 1e150] {
        let (a, lambda) = kkt(&[[size]], &[[1.0 / size]], &[size], &[1.0 / size]).expect("regular");
        assert!((a[0] - 1.0).abs() < 1e-15 && lambda[0].abs() < 1e-15 * size * size);
    }
}

#[test]
fn not_finite() {
    let (m, j) = ([[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0]]);
    let failed = Err(Error::NotFinite { argument: "result" });
    for bad in [f64::NAN, f64::INFINITY] {
        assert_eq!(
            kkt(&[[bad, 0.0], [0.0, 1.0]], &j, &[0.0; 2], &[0.0]),
            failed
        );
        assert_eq!(kkt(&m, &[[0.0, bad]], &[0.0; 2], &[0.0]), failed);
        assert_eq!(kkt(&m, &j, &[0.0, bad], &[0.0]), failed);
        assert_eq!(kkt(&m, &j, &[0.0; 2], &[bad]), failed);
        // Before any other judgement.
        let of_forces = kkt(&[[0.0; 2]; 2], &[[0.0; 2]; 1], &[0.0, bad], &[0.0]);
        let of_rates = kkt(&[[0.0; 2]; 2], &[[0.0; 2]; 1], &[0.0; 2], &[bad]);
        assert_eq!((of_forces, of_rates), (failed, failed));
        let singular = kkt(&[[0.0; 2]; 2], &[[0.0; 2]; 1], &[0.0; 2], &[0.0]);
        assert_eq!(singular, Err(Error::DependentConstraints { row: 0 }));
        assert_eq!(
            kkt(&[[0.0; 2]; 2], &[[bad, 0.0]], &[0.0; 2], &[0.0]),
            failed
        );
    }
    assert_eq!(
        kkt(&[[1e200]], &[[1.0]], &[0.0], &[1e200]),
        Err(Error::NotFinite { argument: "result" })
    );
}

#[test]
fn single_precision() {
    let random = &mut Random(5);
    for round in 0..200 {
        let rank = if round % 2 == 0 { 5 } else { 4 };
        let single = |x: f64| x as f32;
        let m = random.gram::<5>(rank, 0.0).map(|row| row.map(single));
        let j = random.rows::<5, 2>().map(|row| row.map(single));
        let (f, gamma) = (
            random.vector::<5>().map(single),
            random.vector::<2>().map(single),
        );
        let (a, lambda) = kkt(&m, &j, &f, &gamma).expect("regular");
        let right = (&f.map(f64::from), &gamma.map(f64::from));
        let matrix = (
            &m.map(|row| row.map(f64::from)),
            &j.map(|row| row.map(f64::from)),
        );
        let solution = (a.map(f64::from), lambda.map(f64::from));
        assert_solves(matrix, right, &solution, f64::from(f32::EPSILON) * 16.0);
        let dependent = [j[0], j[0].map(|entry| 0.3 * entry)];
        let error = Error::DependentConstraints { row: 1 };
        assert_eq!(kkt(&m, &dependent, &f, &gamma), Err(error));
    }
}

#[test]
fn lanes() {
    let random = &mut Random(6);
    // One lane definite, one of the least rank, one without inertia in y, one singular.
    let mut masses = [
        random.gram::<4>(4, 0.1),
        random.gram(3, 0.0),
        random.gram(4, 0.1),
        [[0.0; 4]; 4],
    ];
    (0..4).for_each(|i| (masses[2][i][1], masses[2][1][i]) = (0.0, 0.0));
    let jacobians: [[[f64; 4]; 2]; 4] = std::array::from_fn(|_| random.rows());
    let (forces, rates): ([[f64; 4]; 4], [[f64; 2]; 4]) = (random.rows(), random.rows());
    let lane = |i: usize, k: usize| WideF64x4::from(masses.map(|m| m[i][k]));
    let m = std::array::from_fn(|i| std::array::from_fn(|k| lane(i, k)));
    let lane = |i: usize, k: usize| WideF64x4::from(jacobians.map(|j| j[i][k]));
    let j = std::array::from_fn(|i| std::array::from_fn(|k| lane(i, k)));
    let f = std::array::from_fn(|i| WideF64x4::from(forces.map(|f| f[i])));
    let gamma = std::array::from_fn(|i| WideF64x4::from(rates.map(|rate| rate[i])));
    let (a, lambda) = kkt_unchecked_in_place::<_, 4, 2>(&mut { m }, &j, &f, &gamma);
    let (a, lambda) = (a.map(WideF64x4::into_arr), lambda.map(WideF64x4::into_arr));
    for lane in 0..3 {
        let solution = (a.map(|entry| entry[lane]), lambda.map(|entry| entry[lane]));
        let matrix = (&masses[lane], &jacobians[lane]);
        assert_solves(matrix, (&forces[lane], &rates[lane]), &solution, 1e-13);
    }
    let entries = a.map(|entry| entry[3]);
    let is_small = |entry: &f64| entry.abs() <= 1e10;
    assert!(!entries.iter().all(is_small), "{entries:?}");
}

/// The derivative of the solution x of `K x = b` along (dK, db) is K⁻¹ (db - dK x).
fn check_derivative<const N: usize, const C: usize>(random: &mut Random) {
    for rank in [N, N - C] {
        let shift = if rank == N { 0.5 } else { 0.0 };
        let (m, j) = (random.gram::<N>(rank, shift), random.rows::<N, C>());
        let (dm, dj) = (random.gram::<N>(N, 0.0), random.rows::<N, C>());
        let (f, df) = (random.vector::<N>(), random.vector::<N>());
        let (gamma, dgamma) = (random.vector::<C>(), random.vector::<C>());
        let (mut place, mut work) = (m, [[0.0; N]; C]);
        let mut factors = Kkt::factor(&mut place, &j, &mut work).expect("regular");
        let (a, lambda) = factors.solve(&f, &gamma).expect("finite");
        let moved = std::array::from_fn(|i| {
            let inertia: f64 = (0..N).map(|k| dm[i][k] * a[k]).sum();
            let reaction: f64 = (0..C).map(|k| dj[k][i] * lambda[k]).sum();
            df[i] - inertia + reaction
        });
        let rates =
            std::array::from_fn(|k| dgamma[k] - (0..N).map(|i| dj[k][i] * a[i]).sum::<f64>());
        let (da, dlambda) = factors.solve(&moved, &rates).expect("finite");
        let dual = |x: f64, dx: f64| Dual64::new(x, dx);
        let matrix: [[Dual64; N]; N] =
            std::array::from_fn(|i| std::array::from_fn(|k| dual(m[i][k], dm[i][k])));
        let jacobian: [[Dual64; N]; C] =
            std::array::from_fn(|i| std::array::from_fn(|k| dual(j[i][k], dj[i][k])));
        let forces = std::array::from_fn(|i| dual(f[i], df[i]));
        let right = std::array::from_fn(|k| dual(gamma[k], dgamma[k]));
        let (x, y) = kkt(&matrix, &jacobian, &forces, &right).expect("regular");
        let exact = da.iter().chain(&dlambda);
        let size = exact
            .clone()
            .fold(1.0_f64, |size, entry| size.max(entry.abs()));
        for (entry, exact) in x.iter().chain(&y).zip(exact) {
            assert!(
                (entry.eps - exact).abs() <= 1e-9 * size,
                "{N} {C}: {entry} {exact}"
            );
        }
    }
}

#[test]
fn derivatives_of_the_solution() {
    let random = &mut Random(7);
    for _ in 0..10 {
        for_sizes!(check_derivative, random);
    }
}

/// Solves an indefinite system without a check, in other units of lengths and of rows, and compares each entry with
/// the checked solution.
fn check_units_of_lanes<const N: usize, const C: usize>(random: &mut Random) {
    let square: [[f64; N]; N] = random.rows();
    let mut unit = || 2.0_f64.powi((66.0 * random.number()) as i32);
    // Lengths, and angles between them.
    let length = unit();
    let of_coordinates: [f64; N] = std::array::from_fn(|i| if i % 2 == 0 { length } else { 1.0 });
    let of_rows = [unit(); C];
    let m: [[f64; N]; N] = std::array::from_fn(|i| {
        std::array::from_fn(|k| {
            // Some pairs of coordinates are not coupled.
            let entry = square[i.max(k)][i.min(k)];
            let is_coupled = (i + k) % 3 != 1;
            f64::from(u8::from(is_coupled)) * entry * of_coordinates[i] * of_coordinates[k]
        })
    });
    let rows: [[f64; N]; C] = random.rows();
    let j: [[f64; N]; C] = std::array::from_fn(|k| {
        std::array::from_fn(|i| rows[k][i] * of_rows[k] * of_coordinates[i])
    });
    let (forces, rates) = (random.vector::<N>(), random.vector::<C>());
    let f: [f64; N] = std::array::from_fn(|i| forces[i] * of_coordinates[i]);
    let gamma: [f64; C] = std::array::from_fn(|k| rates[k] * of_rows[k]);
    let (a, lambda) = kkt(&m, &j, &f, &gamma).expect("regular");
    let (unchecked, multipliers) = kkt_unchecked_in_place(&mut { m }, &j, &f, &gamma);
    let differ = |(found, exact): (&[f64], &[f64]), units: &[f64]| {
        let sizes = exact.iter().zip(units).map(|(x, unit)| (x * unit).abs());
        let largest = sizes.fold(0.0, f64::max);
        let differences = found.iter().zip(exact).zip(units);
        differences
            .map(|((found, exact), unit)| ((found - exact) * unit).abs() / largest)
            .fold(0.0, f64::max)
    };
    assert!(differ((&unchecked, &a), &of_coordinates) < 1e-8);
    assert!(C == 0 || differ((&multipliers, &lambda), &of_rows) < 1e-8);
}

#[test]
fn units_do_not_matter_to_lanes() {
    let random = &mut Random(12);
    for _ in 0..200 {
        check_units_of_lanes::<3, 0>(random);
        check_units_of_lanes::<4, 1>(random);
        check_units_of_lanes::<5, 2>(random);
        check_units_of_lanes::<8, 3>(random);
    }
}

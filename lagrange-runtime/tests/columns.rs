//! Derivatives by factors of the whole matrix, and many columns by one factorization, beside careful solutions.

use lagrange_runtime::Derivatives;
use lagrange_runtime::linalg::{
    Factors, Kkt, differentiate, differentiate_unchecked, differentiate_with_constraints,
    differentiate_with_constraints_unchecked,
};
use lagrange_runtime::nalgebra::SMatrix;

/// A generator of numbers in -1..1 (xorshift).
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn matrix<const R: usize, const C: usize>(&mut self) -> [[f64; C]; R] {
        [(); R].map(|()| [(); C].map(|()| self.number()))
    }
}

/// A positive definite M, whose coordinates have masses over so many decades to either side.
fn mass<const N: usize>(random: &mut Random, decades: f64) -> [[f64; N]; N] {
    let units = [(); N].map(|()| 10_f64.powf(decades * random.number() / 2.0));
    let mixed: [[f64; N]; N] = random.matrix();
    let mut mass = [[0.0; N]; N];
    for i in 0..N {
        for j in 0..N {
            let product: f64 = (0..N).map(|k| mixed[i][k] * mixed[j][k]).sum();
            let entry = product / N as f64 + if i == j { 1.0 } else { 0.0 };
            mass[i][j] = entry * units[i] * units[j];
        }
    }
    mass
}

/// L and D of [M Jᵀ; J 0], with the signs of the pivots of the constraints changed.
fn factor(mass: &[[f64; 5]; 5], jacobian: &[[f64; 5]; 3]) -> ([[f64; 8]; 8], [f64; 8]) {
    let mut rest = [[0.0; 8]; 8];
    for i in 0..5 {
        rest[i][..5].copy_from_slice(&mass[i]);
        for k in 0..3 {
            rest[i][5 + k] = jacobian[k][i];
            rest[5 + k][i] = jacobian[k][i];
        }
    }
    let (mut lower, mut pivots) = ([[0.0; 8]; 8], [0.0; 8]);
    for k in 0..8 {
        pivots[k] = rest[k][k];
        for i in k + 1..8 {
            lower[i][k] = rest[i][k] / rest[k][k];
            for j in k + 1..8 {
                rest[i][j] -= lower[i][k] * rest[k][j];
            }
        }
    }
    (
        lower,
        [0, 1, 2, 3, 4, 5, 6, 7].map(|i| if i < 5 { pivots[i] } else { -pivots[i] }),
    )
}

fn block<const R: usize, const C: usize>(
    matrix: &[[f64; 8]; 8],
    (row, column): (usize, usize),
) -> [[f64; C]; R] {
    let (mut block, rows) = ([[0.0; C]; R], matrix[row..].iter());
    for (to, from) in block.iter_mut().zip(rows) {
        to.copy_from_slice(&from[column..column + C]);
    }
    block
}

/// Asserts that entries agree, relative to the largest one.
#[track_caller]
fn assert_near(actual: &[f64], expected: &[f64], tolerance: f64) {
    let largest = expected
        .iter()
        .fold(0.0, |largest: f64, x| largest.max(x.abs()));
    for (found, wanted) in actual.iter().zip(expected) {
        let error = (found - wanted).abs() / largest;
        assert!(error <= tolerance, "{error:e}: {actual:?} for {expected:?}");
    }
}

/// As accurate as careful solutions wherever they are trusted, which is nearly everywhere.
#[test]
fn light_coordinates_that_carry_forces() {
    let mut random = Random(0xC01);
    let mut trusted = [0; 3];
    for round in 0..300 {
        let decades = [0.0, 3.0, 6.0][round % 3];
        let mut mass = mass::<5>(&mut random, decades);
        let jacobian: [[f64; 5]; 3] = random.matrix();
        let (lower, pivots) = factor(&mass, &jacobian);
        let (of_mass, of_complement) = pivots.split_at(5);
        let of_mass: [f64; 5] = of_mass.try_into().unwrap();
        let of_complement: [f64; 3] = of_complement.try_into().unwrap();
        let forces: [[f64; 10]; 10] = random.matrix();
        let rates: [[f64; 3]; 10] = random.matrix();
        let (mut by_state, mut rates_by_state) = (forces, rates);
        let (mut by_input, mut rates_by_input) = ([forces[0]; 1], [[0.0; 3]; 1]);
        let factors = Factors {
            mass: &block(&lower, (0, 0)),
            coupling: &block(&lower, (5, 0)),
            complement: &block(&lower, (5, 5)),
            jacobian: &jacobian,
        };
        let pivots = (&of_mass, &of_complement);
        let (mut unchecked, mut unchecked_rates) = (by_state, rates_by_state);
        differentiate_with_constraints_unchecked(
            &factors,
            pivots,
            (&mut unchecked, &mut unchecked_rates),
            (&mut [], &mut []),
        );
        let is_trusted = differentiate_with_constraints(
            &factors,
            pivots,
            (&mut by_state, &mut rates_by_state),
            (&mut by_input, &mut rates_by_input),
        );
        if !is_trusted {
            continue;
        }
        trusted[round % 3] += 1;
        // But for a step of refinement.
        for j in 0..10 {
            assert_near(&unchecked[j], &by_state[j], 1e-6);
            assert_near(&unchecked_rates[j], &rates_by_state[j], 1e-6);
        }
        let mut work = [[0.0; 5]; 3];
        let mut factors = Kkt::factor(&mut mass, &jacobian, &mut work).unwrap();
        let mut assert_solved =
            |column: &[f64; 10], rates: &[f64; 3], side: ([f64; 5], [f64; 3])| {
                let (a, multipliers) = factors.solve(&side.0, &side.1).unwrap();
                assert_near(&column[5..], &a, 1e-10);
                assert_near(rates, &multipliers, 1e-10);
            };
        for j in 0..10 {
            let side = core::array::from_fn(|i| -forces[j][5 + i]);
            let side = (side, rates[j].map(|rate| -rate));
            assert_solved(&by_state[j], &rates_by_state[j], side);
        }
        let side = core::array::from_fn(|i| forces[0][5 + i]);
        assert_solved(&by_input[0], &rates_by_input[0], (side, [0.0; 3]));
        assert_eq!(by_state[3][..5], forces[3][..5]);
    }
    assert!(trusted.iter().all(|trusted| *trusted >= 95), "{trusted:?}");
}

/// Each equation of the forces holds to rounding of its own terms, also that of a coordinate that no constraint binds beside
/// one with a force that a constraint balances.
#[test]
fn forces_that_constraints_balance() {
    let mut random = Random(0xBA1);
    let mut trusted = 0;
    for _ in 0..1000 {
        let mass = mass::<5>(&mut random, 4.0);
        let mut jacobian: [[f64; 5]; 3] = random.matrix();
        jacobian.iter_mut().for_each(|row| row[4] = 0.0);
        let (lower, pivots) = factor(&mass, &jacobian);
        let (of_mass, of_complement) = pivots.split_at(5);
        let factors = Factors {
            mass: &block(&lower, (0, 0)),
            coupling: &block(&lower, (5, 0)),
            complement: &block(&lower, (5, 5)),
            jacobian: &jacobian,
        };
        let mut forces: [[f64; 10]; 10] = random.matrix();
        for force in forces.as_flattened_mut() {
            *force *= 10_f64.powf(8.0 * random.number());
        }
        let (mut columns, mut rates) = (forces, random.matrix());
        let is_trusted = differentiate_with_constraints(
            &factors,
            (
                of_mass.try_into().unwrap(),
                of_complement.try_into().unwrap(),
            ),
            (&mut columns, &mut rates),
            (&mut [], &mut []),
        );
        if !is_trusted {
            continue;
        }
        trusted += 1;
        for ((column, lambda), force) in columns.iter().zip(&rates).zip(&forces) {
            for i in 0..5 {
                let inertial = (0..5).map(|k| mass[i][k] * column[5 + k]);
                let of_constraints = (0..3).map(|k| -jacobian[k][i] * lambda[k]);
                let terms = inertial.chain(of_constraints).chain([force[5 + i]]);
                let (left, size) = terms.fold((0.0, 0.0), |(left, size), term: f64| {
                    (left + term, size + term.abs())
                });
                assert!(
                    left.abs() <= 32.0 * f64::EPSILON * size,
                    "{left:e} of {size:e}"
                );
            }
        }
    }
    assert!(trusted > 500, "{trusted}");
}

/// Groups of columns, and the rest of them, without constraints.
#[test]
fn many_columns_by_one_factorization() {
    let mut random = Random(0xC02);
    let mass = mass::<7>(&mut random, 3.0);
    let [q, v] = [(); 2].map(|()| SMatrix::<f64, 7, 7>::from(random.matrix::<7, 7>()));
    let u = SMatrix::<f64, 7, 2>::from(random.matrix::<2, 7>());
    let none = SMatrix::<f64, 0, 7>::zeros();
    let mut forces = Derivatives {
        q,
        v,
        z: SMatrix::<f64, 7, 0>::zeros(),
        u,
    };
    let mut rates = Derivatives {
        q: none,
        v: none,
        z: SMatrix::<f64, 0, 0>::zeros(),
        u: SMatrix::<f64, 0, 2>::zeros(),
    };
    differentiate(&mut { mass }, &[], &mut forces, &mut rates).unwrap();
    let mass = SMatrix::<f64, 7, 7>::from(mass);
    for (solutions, sides) in [(forces.q, q), (forces.v, v)] {
        assert_near((mass * solutions).as_slice(), sides.as_slice(), 1e-9);
    }
    assert_near((mass * forces.u).as_slice(), u.as_slice(), 1e-9);
}

/// All columns against single pivoted solutions: groups of either width, and a remainder for a last one.
fn assert_as_single<const N: usize, const C: usize, const K: usize>(
    seed: u64,
    decades: f64,
    without_mass: usize,
) {
    let mut random = Random(seed);
    for _ in 0..20 {
        let mut mass = mass::<N>(&mut random, decades);
        for i in 0..without_mass {
            mass[i] = [0.0; N];
            mass.iter_mut().for_each(|row| row[i] = 0.0);
        }
        let jacobian: [[f64; N]; C] = random.matrix();
        let forces = Derivatives {
            q: SMatrix::<f64, N, N>::from(random.matrix::<N, N>()),
            v: SMatrix::<f64, N, N>::from(random.matrix::<N, N>()),
            z: SMatrix::<f64, N, 0>::zeros(),
            u: SMatrix::<f64, N, K>::from(random.matrix::<K, N>()),
        };
        let rates = Derivatives {
            q: SMatrix::<f64, C, N>::from(random.matrix::<N, C>()),
            v: SMatrix::<f64, C, N>::from(random.matrix::<N, C>()),
            z: SMatrix::<f64, C, 0>::zeros(),
            u: SMatrix::<f64, C, K>::from(random.matrix::<K, C>()),
        };
        let (mut checked, mut checked_rates) = (forces, rates);
        differentiate(&mut { mass }, &jacobian, &mut checked, &mut checked_rates).unwrap();
        let (mut unchecked, mut unchecked_rates) = (forces, rates);
        differentiate_unchecked(&mass, &jacobian, &mut unchecked, &mut unchecked_rates);
        let (mut place, mut work) = (mass, [[0.0; N]; C]);
        let mut factors = Kkt::factor(&mut place, &jacobian, &mut work).unwrap();
        let mut assert_columns = |sides: (&[f64], &[f64]), found: [(&[f64], &[f64]); 2]| {
            for k in 0..sides.0.len() / N {
                let (of_a, of_lambda) = (N * k..N * (k + 1), C * k..C * (k + 1));
                let force: [f64; N] = sides.0[of_a.clone()].try_into().unwrap();
                let rate: [f64; C] = sides.1[of_lambda.clone()].try_into().unwrap();
                let (a, lambda) = factors.solve(&force, &rate).unwrap();
                for (found, tolerance) in found.iter().zip([1e-9, 1e-6]) {
                    assert_near(&found.0[of_a.clone()], &a, tolerance);
                    assert_near(&found.1[of_lambda.clone()], &lambda, tolerance);
                }
            }
        };
        assert_columns(
            (forces.q.as_slice(), rates.q.as_slice()),
            [
                (checked.q.as_slice(), checked_rates.q.as_slice()),
                (unchecked.q.as_slice(), unchecked_rates.q.as_slice()),
            ],
        );
        assert_columns(
            (forces.u.as_slice(), rates.u.as_slice()),
            [
                (checked.u.as_slice(), checked_rates.u.as_slice()),
                (unchecked.u.as_slice(), unchecked_rates.u.as_slice()),
            ],
        );
    }
}

#[test]
fn groups_of_columns_are_as_single_ones() {
    for decades in [0.0, 3.0] {
        assert_as_single::<3, 0, 2>(0xC03, decades, 0);
        assert_as_single::<5, 2, 9>(0xC04, decades, 0);
        assert_as_single::<8, 3, 17>(0xC05, decades, 0);
        assert_as_single::<9, 0, 1>(0xC06, decades, 0);
        assert_as_single::<12, 5, 4>(0xC07, decades, 0);
        assert_as_single::<20, 8, 33>(0xC08, decades, 0);
    }
    assert_as_single::<5, 2, 3>(0xC09, 0.0, 1);
    assert_as_single::<12, 5, 4>(0xC0A, 0.0, 3);
}

/// A column that overflows, or is no number, is an error as a single solution is; one next to it is not to blame.
#[test]
fn a_column_that_is_not_finite() {
    let mut forces = Derivatives {
        q: SMatrix::<f64, 1, 1>::new(1.0),
        v: SMatrix::<f64, 1, 1>::new(f64::NAN),
        z: SMatrix::<f64, 1, 0>::zeros(),
        u: SMatrix::<f64, 1, 0>::zeros(),
    };
    let none = SMatrix::<f64, 0, 1>::zeros();
    let mut rates = Derivatives {
        q: none,
        v: none,
        z: SMatrix::<f64, 0, 0>::zeros(),
        u: SMatrix::<f64, 0, 0>::zeros(),
    };
    let solved = differentiate(&mut [[2.0]], &[], &mut forces, &mut rates);
    assert_eq!(
        solved,
        Err(lagrange_runtime::Error::NotFinite { argument: "result" })
    );
    assert_eq!(forces.q[0], 0.5);
}

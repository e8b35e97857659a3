//! An accepted solution is regular, met, ordinary and finite.

use lagrange_runtime::linalg::{AcceptanceTest, Pivots, all_finite, are_regular, met};

/// Numbers of all sizes, and some that are none, by the splitmix64 generator.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Most are near 1.
    fn number(&mut self) -> f64 {
        let odd = [
            0.0,
            -0.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            1e-110,
            1e110,
            1e308,
            -1.0,
            1e-20,
            5e-324,
        ];
        match self.bits() % 40 {
            at @ 0..11 => odd[at as usize],
            11..15 => 10_f64.powf(40.0 * self.uniform() - 20.0),
            _ => 0.5 + self.uniform(),
        }
    }

    fn array<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.number())
    }
}

/// A pivot below its diagonal entry, at times by far.
fn reduced<const N: usize>(random: &mut Random, diagonal: [f64; N]) -> [f64; N] {
    diagonal.map(|entry| match random.bits() % 8 {
        0 => random.number(),
        1 => entry * 1e-9,
        _ => entry * random.uniform(),
    })
}

#[test]
fn accepted_solutions_without_constraints_are_regular_and_finite() {
    let mut random = Random(1);
    let mut trusted = 0;
    for _ in 0..400_000 {
        let (entries, diagonal) = (random.array::<2>(), random.array::<3>());
        let (reduced, values) = (reduced(&mut random, diagonal), random.array::<4>());
        let pivots = Pivots {
            entries,
            reduced,
            diagonal,
        };
        if AcceptanceTest::of_mass(pivots, values).accepts() {
            trusted += 1;
            let all = [&entries[..], &reduced].concat();
            let of_all = [&entries[..], &diagonal].concat();
            assert!(are_regular(&all, &of_all), "{pivots:?}");
            assert!(
                all_finite(&values) && all_finite(&entries),
                "{pivots:?} {values:?}"
            );
        }
    }
    assert!(trusted > 10_000, "{trusted}");
}

/// The pivots of M are regular and at most 1e100. Those of J M^-1 J^T are regular by more than rounding errors of the sum of
/// their diagonal entries, which is at most 1e100.
fn all_regular(pivots: &[f64], diagonal: &[f64], n: usize) -> bool {
    let (mass, constraints) = pivots.split_at(n);
    let (of_mass, of_constraints) = diagonal.split_at(n);
    let sum: f64 = of_constraints.iter().sum();
    let floor = f64::EPSILON * sum + 1e-100;
    let above: Vec<f64> = constraints.iter().map(|pivot| pivot - floor).collect();
    are_regular(mass, of_mass)
        && mass.iter().all(|pivot| *pivot <= 1e100)
        && are_regular(&above, of_constraints)
        && sum <= 1e100
}

/// Products of the sum of all terms neither overflow nor underflow.
fn is_ordinary(terms: &[f64], free: &[f64]) -> bool {
    let sum: f64 = terms.iter().sum();
    let free: f64 = free.iter().map(|value| value.abs()).sum();
    sum + free <= 1e100 && (sum >= 1e-100 || sum == 0.0)
}

#[test]
fn accepted_solutions_with_constraints_are_regular_met_and_ordinary() {
    let mut random = Random(2);
    let mut trusted = 0;
    for _ in 0..1_000_000 {
        let (own, of_mass) = (random.array::<1>(), random.array::<2>());
        let (of_first, of_complement) = (random.array::<1>(), random.array::<1>());
        let mass = reduced(&mut random, of_mass);
        let complement = reduced(&mut random, of_complement);
        let (terms, free) = (random.array::<2>(), random.array::<1>());
        let hidden = random.array::<2>();
        let residual = terms.map(|size| match random.bits() % 6 {
            0 => random.number(),
            1 => size * 1e-13,
            _ => size * 1e-16,
        });
        let of_velocities = Pivots {
            entries: own,
            reduced: mass,
            diagonal: of_mass,
        };
        let of_constraints = Pivots {
            entries: of_first,
            reduced: complement,
            diagonal: of_complement,
        };
        let test = AcceptanceTest {
            mass: of_velocities,
            complement: of_constraints,
            residual: &residual,
            terms: &terms,
            free,
            hidden,
        };
        if test.accepts() {
            trusted += 1;
            let pivots = [&own[..], &mass, &of_first, &complement].concat();
            let diagonal = [&own[..], &of_mass, &of_first, &of_complement].concat();
            assert!(
                all_regular(&pivots, &diagonal, 3),
                "{pivots:?} {diagonal:?}"
            );
            assert!(met(&residual, &terms), "{residual:?} {terms:?}");
            assert!(is_ordinary(&terms, &free), "{terms:?} {free:?}");
            assert!(all_finite(&hidden), "{hidden:?}");
        }
    }
    assert!(trusted > 10_000, "{trusted}");
}

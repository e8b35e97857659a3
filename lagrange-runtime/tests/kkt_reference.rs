//! Constrained solves against solutions of 50 digits, made by `reference/generate.py`.

use lagrange_runtime::linalg::{kkt, kkt_unchecked_in_place};

struct Case<const N: usize, const C: usize> {
    mass: [[f64; N]; N],
    jacobian: [[f64; N]; C],
    forces: [f64; N],
    gamma: [f64; C],
    acceleration: [f64; N],
    multipliers: [f64; C],
}

/// The relative errors of a and of λ, each by its largest entry as the masses measure it.
#[derive(Clone, Copy, Debug)]
struct Errors {
    acceleration: f64,
    multipliers: f64,
}

impl<const N: usize, const C: usize> Case<N, C> {
    fn parse<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Self {
        let mut mass = [[0.0; N]; N];
        for (i, row) in mass.iter_mut().enumerate() {
            row[..=i].copy_from_slice(&numbers(lines));
        }
        Case {
            mass,
            jacobian: std::array::from_fn(|_| array(lines)),
            forces: array(lines),
            gamma: array(lines),
            acceleration: array(lines),
            multipliers: array(lines),
        }
    }

    /// Units in which the accelerations are alike: those in which all masses are 1.
    fn weights(&self) -> [f64; N] {
        std::array::from_fn(|i| match self.mass[i][i] {
            0.0 => 1.0,
            mass => mass.abs().sqrt(),
        })
    }

    /// Units in which the multipliers are alike: those in which the rows of J are.
    fn row_weights(&self) -> [f64; C] {
        let weights = self.weights();
        self.jacobian.map(|row| {
            let entries = row.iter().zip(weights);
            entries
                .map(|(entry, weight)| (entry / weight).powi(2))
                .sum::<f64>()
                .sqrt()
        })
    }

    fn errors(&self, (a, lambda): &([f64; N], [f64; C])) -> Errors {
        Errors {
            acceleration: distance(a, &self.acceleration, &self.weights()),
            multipliers: distance(lambda, &self.multipliers, &self.row_weights()),
        }
    }

    fn check(&self, name: &str) -> [Errors; 2] {
        let careful = kkt(&self.mass, &self.jacobian, &self.forces, &self.gamma)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut mass = self.mass;
        let unchecked =
            kkt_unchecked_in_place(&mut mass, &self.jacobian, &self.forces, &self.gamma);
        [self.errors(&careful), self.errors(&unchecked)]
    }
}

fn numbers<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Vec<f64> {
    let line = lines.next().expect("a line of numbers");
    line.split(' ')
        .map(|word| word.parse().expect("a number"))
        .collect()
}

fn array<'a, const L: usize>(lines: &mut impl Iterator<Item = &'a str>) -> [f64; L] {
    numbers(lines)
        .try_into()
        .expect("as many numbers as the size tells")
}

fn distance<const L: usize>(x: &[f64; L], exact: &[f64; L], weights: &[f64; L]) -> f64 {
    let largest = |entry: fn(f64, f64) -> f64| {
        (0..L)
            .map(|i| entry(x[i], exact[i]).abs() * weights[i])
            .fold(0.0, f64::max)
    };
    largest(|x, exact| x - exact) / largest(|_, exact| exact)
}

/// The errors of both solves for all cases, by name.
fn all_errors() -> Vec<(String, [Errors; 2])> {
    let mut lines = include_str!("reference/kkt.txt").lines();
    let mut results = Vec::new();
    while let Some(line) = lines.next() {
        let words: Vec<&str> = line.split(' ').collect();
        let name = words[1].to_owned();
        macro_rules! check {
            ($($n:literal $c:literal),*) => {
                match (words[2], words[3]) {
                    $((stringify!($n), stringify!($c)) => {
                        Case::<$n, $c>::parse(&mut lines).check(line)
                    })*
                    sizes => panic!("no case for the sizes {sizes:?}"),
                }
            };
        }
        let errors = check!(2 1, 3 1, 3 2, 4 1, 4 2, 6 1, 6 3, 6 6, 8 4, 8 8);
        results.push((name, errors));
    }
    results
}

/// Bounds of the errors of a and λ, several times the measured errors. The errors of the last four groups are the
/// condition of the case times eps, as expected.
const BOUNDS: [(&str, f64, f64); 10] = [
    ("definite", 1e-15, 1e-15),
    ("graded", 3e-15, 3e-15),
    ("chain", 1e-15, 1e-15),
    ("massless", 5e-15, 5e-15),
    ("deficient", 5e-15, 5e-15),
    ("indefinite", 1e-15, 1e-15),
    ("four_bar", 5e-15, 3e-11),
    ("quaternion", 2e-7, 2e-8),
    ("nearly_dependent", 3e-7, 3e-7),
    ("nearly_dependent_graded", 5e-9, 1e-11),
];

#[test]
fn as_accurate_as_the_data_allow() {
    let results = all_errors();
    assert_eq!(results.len(), 35);
    for (name, [careful, _]) in results {
        let bounds = BOUNDS.iter().find(|bounds| bounds.0 == name);
        let &(_, acceleration, multipliers) = bounds.expect("bounds for every name");
        assert!(careful.acceleration <= acceleration, "{name}: {careful:?}");
        assert!(careful.multipliers <= multipliers, "{name}: {careful:?}");
    }
}

/// Without a verdict there is one method for all; far from singular places it is as good.
#[test]
fn unchecked_away_from_singular_places() {
    for (name, [_, unchecked]) in all_errors() {
        if ["definite", "graded", "chain", "deficient", "indefinite"].contains(&name.as_str()) {
            assert!(unchecked.acceleration <= 3e-15, "{name}: {unchecked:?}");
            assert!(unchecked.multipliers <= 3e-15, "{name}: {unchecked:?}");
        }
    }
}

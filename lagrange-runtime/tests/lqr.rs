//! Regulators: SciPy's solutions, the collections of hard Riccati equations, units, and problems without a solution.

use lagrange_runtime::nalgebra::{DMatrix, RealField, SMatrix, convert, matrix};
use lagrange_runtime::{Error, Lqr, dlqr, lqr};
use num_dual::Dual64;

/// A generator of numbers in -1..1 (xorshift).
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn matrix<const R: usize, const C: usize>(&mut self) -> SMatrix<f64, R, C> {
        SMatrix::from_fn(|_, _| self.number())
    }

    /// A diagonal matrix of units from 1e-6 to 1e6.
    fn units<const N: usize>(&mut self) -> SMatrix<f64, N, N> {
        SMatrix::from_diagonal(&SMatrix::from_fn(|_, _| 10_f64.powf(6.0 * self.number())))
    }
}

#[derive(Clone, Copy, Debug)]
enum Time {
    Continuous,
    Discrete,
}

#[derive(Clone, Copy, Debug)]
struct Regulator<S, const N: usize, const K: usize> {
    time: Time,
    a: SMatrix<S, N, N>,
    b: SMatrix<S, N, K>,
    q: SMatrix<S, N, N>,
    r: SMatrix<S, K, K>,
}

impl<S: RealField + Copy, const N: usize, const K: usize> Regulator<S, N, K> {
    fn solve(&self) -> Result<Lqr<S, N, K>, Error> {
        let Self { time, a, b, q, r } = self;
        match time {
            Time::Continuous => lqr(a, b, q, r),
            Time::Discrete => dlqr(a, b, q, r),
        }
    }
}

impl<const N: usize, const K: usize> Regulator<f64, N, K> {
    /// The same with the states in units `d`, the inputs in units `e`, the time in units `t`, and another unit of cost.
    fn in_units(&self, d: &SMatrix<f64, N, N>, e: &SMatrix<f64, K, K>, t: f64, cost: f64) -> Self {
        let back = d.map(|unit| if unit == 0.0 { 0.0 } else { 1.0 / unit });
        let t = match self.time {
            Time::Continuous => t,
            Time::Discrete => 1.0,
        };
        Self {
            time: self.time,
            a: back * self.a * d * t,
            b: back * self.b * e * t,
            q: d * self.q * d * t * cost,
            r: e * self.r * e * t * cost,
        }
    }

    /// Asserts that the Riccati equation holds to `tolerance` of the norms of its terms, and that the gain is that of its
    /// solution and stabilises.
    #[track_caller]
    fn assert_solved(&self, name: &str, solution: &Lqr<f64, N, K>, tolerance: f64) {
        let Self { time, a, b, q, r } = self;
        let Lqr { gain, cost: x } = solution;
        assert_eq!(*x, x.transpose(), "{name}");
        let closed = a - b * gain;
        let (terms, weight, reached) = match time {
            Time::Continuous => ([a.transpose() * x, x * a, *q], *r, b.transpose() * x),
            Time::Discrete => (
                [a.transpose() * x * a, -x, *q],
                r + b.transpose() * x * b,
                b.transpose() * x * a,
            ),
        };
        let root = weight.cholesky().expect(name).l();
        let half = root.solve_lower_triangular(&reached).expect(name);
        let quadratic = half.transpose() * half;
        let residual = terms[0] + terms[1] + terms[2] - quadratic;
        let size: f64 = terms.iter().map(|term| term.norm()).sum::<f64>() + quadratic.norm();
        let residual = residual.norm() / size.max(f64::MIN_POSITIVE);
        assert!(residual <= tolerance, "{name}: {residual:e}");

        let expected = root.transpose().solve_upper_triangular(&half).expect(name);
        let off = weight * (gain - expected);
        let scale = (weight.norm() * expected.norm()).max(f64::MIN_POSITIVE);
        assert!(off.norm() <= 1e-10 * scale, "{name}: gain {}", off.norm());

        // Lyapunov: it decays where there is a positive definite cost of the states alone.
        let alone = Regulator::<f64, N, 0> {
            time: *time,
            a: closed,
            b: SMatrix::zeros(),
            q: SMatrix::identity(),
            r: SMatrix::zeros(),
        };
        let cost = alone.solve().expect(name).cost;
        assert!(cost.cholesky().is_some(), "{name}: {cost}");
    }
}

fn eigenvalues<const N: usize>(matrix: &SMatrix<f64, N, N>) -> Vec<(f64, f64)> {
    let values = DMatrix::from_fn(N, N, |i, j| matrix[(i, j)]).complex_eigenvalues();
    values.iter().map(|value| (value.re, value.im)).collect()
}

/// The largest difference of entries, as a part of the largest entry.
fn deviation<const R: usize, const C: usize>(
    actual: &SMatrix<f64, R, C>,
    expected: &SMatrix<f64, R, C>,
) -> f64 {
    (actual - expected).amax() / expected.amax().max(f64::MIN_POSITIVE)
}

/// Reads a matrix row by row.
fn read<const R: usize, const C: usize>(
    numbers: &mut impl Iterator<Item = f64>,
) -> SMatrix<f64, R, C> {
    SMatrix::<f64, C, R>::from_fn(|_, _| numbers.next().expect("a number")).transpose()
}

/// Reads a symmetric matrix by its lower triangle.
fn read_symmetric<const N: usize>(numbers: &mut impl Iterator<Item = f64>) -> SMatrix<f64, N, N> {
    let mut matrix = SMatrix::zeros();
    for i in 0..N {
        for j in 0..=i {
            matrix[(i, j)] = numbers.next().expect("a number");
            matrix[(j, i)] = matrix[(i, j)];
        }
    }
    matrix
}

/// Calls a function of the sizes, of those listed.
macro_rules! by_size {
    ($function:ident $arguments:tt, $sizes:expr, [$(($n:literal, $k:literal)),* $(,)?]) => {
        match $sizes {
            $(($n, $k) => $function::<$n, $k> $arguments,)*
            sizes => panic!("no test of {sizes:?} states and inputs"),
        }
    };
}

fn compare<const N: usize, const K: usize>(time: Time, numbers: &mut impl Iterator<Item = f64>) {
    let (a, b) = (read(numbers), read(numbers));
    let (q, r) = (read_symmetric(numbers), read_symmetric(numbers));
    let expected = read_symmetric(numbers);
    let regulator = Regulator::<f64, N, K> { time, a, b, q, r };
    let solution = regulator.solve().unwrap();
    let off = deviation(&solution.cost, &expected);
    assert!(off < 1e-10, "{regulator:?}: {off:e}");
    regulator.assert_solved("a random system", &solution, 1e-13);
}

#[test]
fn random_systems_have_the_solutions_of_scipy() {
    let mut count = 0;
    for line in include_str!("reference/lqr.txt").lines() {
        let mut words = line.split(' ');
        let time = match words.next() {
            Some("continuous") => Time::Continuous,
            _ => Time::Discrete,
        };
        let mut numbers = words.map(|word| word.parse::<f64>().unwrap());
        let mut size = || numbers.next().unwrap() as usize;
        let sizes = (size(), size());
        by_size!(
            compare(time, &mut numbers),
            sizes,
            [
                (1, 1),
                (2, 1),
                (2, 2),
                (3, 2),
                (3, 3),
                (4, 2),
                (4, 3),
                (5, 3),
                (6, 3)
            ]
        );
        assert_eq!(numbers.next(), None);
        count += 1;
    }
    assert_eq!(count, 400);
}

/// Reads a matrix by its entries that are not 0.
fn read_sparse<const R: usize, const C: usize>(line: &str) -> SMatrix<f64, R, C> {
    let mut matrix = SMatrix::zeros();
    let words: Vec<&str> = line.split_whitespace().collect();
    for entry in words.chunks_exact(3) {
        let at = (entry[0].parse().unwrap(), entry[1].parse().unwrap());
        let at: (usize, usize) = at;
        matrix[at] = entry[2].parse().unwrap();
    }
    matrix
}

fn judge<const N: usize, const K: usize>(
    name: &str,
    lines: &mut impl Iterator<Item = &'static str>,
) {
    let mut line = || lines.next().expect("a line");
    let (a, b) = (read_sparse(line()), read_sparse(line()));
    let (q, r) = (read_sparse(line()), read_sparse(line()));
    let time = if name.starts_with("carex") {
        Time::Continuous
    } else {
        Time::Discrete
    };
    let regulator = Regulator::<f64, N, K> { time, a, b, q, r };
    let outcome = regulator.solve();
    match (name, outcome) {
        // With the one solution the closed loop oscillates for ever.
        ("carex_11", outcome) => assert_unsolvable(outcome),
        // R is singular.
        ("darex_3" | "darex_4", outcome) => {
            assert_eq!(
                outcome.err(),
                Some(Error::NotConverged {
                    residual: f64::INFINITY
                })
            );
        }
        (_, outcome) => {
            let solution = outcome.expect(name);
            regulator.assert_solved(name, &solution, 1e3 * f64::EPSILON);
        }
    }
}

#[test]
fn collections_are_solved_to_rounding() {
    let check = || {
        let mut lines = include_str!("reference/riccati.txt").lines();
        let mut count = 0;
        while let Some(head) = lines.next() {
            let words: Vec<&str> = head.split(' ').collect();

            let size = |word: &str| word.parse::<usize>().unwrap();
            by_size!(
                judge(words[1], &mut lines),
                (size(words[2]), size(words[3])),
                [
                    (2, 1),
                    (2, 2),
                    (3, 3),
                    (4, 1),
                    (4, 2),
                    (4, 4),
                    (5, 2),
                    (6, 2),
                    (8, 2),
                    (9, 3),
                    (21, 1),
                    (30, 3),
                    (39, 20),
                    (60, 2),
                    (64, 64),
                ]
            );
            count += 1;
        }
        assert_eq!(count, 32);
    };
    // Matrices of 64 states.
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    thread.spawn(check).unwrap().join().unwrap();
}

/// Whatever the units of states, inputs, time and cost: the same feedback in these units.
#[test]
fn units_do_not_matter() {
    let mut random = Random(0x5eed);
    for number in 0..200 {
        let time = [Time::Continuous, Time::Discrete][number % 2];
        let weights: SMatrix<f64, 2, 4> = random.matrix();
        let forces: SMatrix<f64, 2, 2> = random.matrix();
        let regulator = Regulator {
            time,
            a: random.matrix::<4, 4>() * 1.5,
            b: random.matrix::<4, 2>(),
            q: weights.transpose() * weights,
            r: forces.transpose() * forces + SMatrix::identity() * 0.1,
        };
        let expected = regulator.solve().unwrap();
        let (d, e) = (random.units::<4>(), random.units::<2>());
        let powers = [random.number(), random.number()].map(|power| 10_f64.powf(8.0 * power));
        let scaled = regulator.in_units(&d, &e, powers[0], powers[1]);
        let Lqr { gain, cost } = scaled.solve().unwrap();
        let back = d.map(|unit| if unit == 0.0 { 0.0 } else { 1.0 / unit });
        let off = deviation(&(e * gain * back), &expected.gain);
        assert!(off < 1e-9, "gain of {regulator:?}: {off:e}");
        let off = deviation(&(back * cost * back / powers[1]), &expected.cost);
        assert!(off < 1e-9, "cost of {regulator:?}: {off:e}");
    }
}

/// States without a weight: those that decay are left alone, the others are mirrored at the limit of stability, which is the
/// feedback of least effort.
#[test]
fn unstable_states_without_a_weight_are_stabilised() {
    let mut random = Random(0x5eed);
    for number in 0..200 {
        let time = [Time::Continuous, Time::Discrete][number % 2];
        let regulator = Regulator {
            time,
            a: random.matrix::<4, 4>() * 2.0,
            b: random.matrix::<4, 2>(),
            q: SMatrix::zeros(),
            r: SMatrix::identity(),
        };
        let solution = regulator.solve().unwrap();
        let closed = regulator.a - regulator.b * solution.gain;
        for value in eigenvalues(&regulator.a) {
            let mirrored = match time {
                Time::Continuous => (-value.0.abs(), value.1),
                Time::Discrete => {
                    let length = value.0.hypot(value.1);
                    let factor = length.max(1.0).powi(2);
                    (value.0 / factor, value.1 / factor)
                }
            };
            let distance = |found: &(f64, f64)| (found.0 - mirrored.0).hypot(found.1 - mirrored.1);
            let nearest = eigenvalues(&closed)
                .iter()
                .map(distance)
                .fold(f64::INFINITY, f64::min);
            assert!(
                nearest < 1e-6,
                "{regulator:?}: {value:?} is off by {nearest:e}"
            );
        }
    }
    // Nothing is to be done, to the bit.
    let calm = lqr(
        &matrix![-1.0, 4.0; 0.0, -2.0],
        &matrix![1.0; 1.0],
        &SMatrix::zeros(),
        &matrix![1.0],
    );
    assert_eq!(calm.unwrap().cost, SMatrix::<f64, 2, 2>::zeros());
}

#[test]
fn symmetric_parts_are_read() {
    let (a, b) = (matrix![0.0, 1.0; 2.0, 0.0], matrix![0.0, 1.0; 1.0, 0.5]);
    let (q, r) = (matrix![2.0, 1.0; 1.0, 3.0], matrix![1.0, 0.25; 0.25, 2.0]);
    let twist = matrix![0.0, 0.5; -0.5, 0.0];
    assert_eq!(lqr(&a, &b, &(q + twist), &(r - twist)), lqr(&a, &b, &q, &r));
    assert_eq!(
        dlqr(&a, &b, &(q - twist), &(r + twist)),
        dlqr(&a, &b, &q, &r)
    );
}

#[track_caller]
fn assert_unsolvable<const N: usize, const K: usize>(outcome: Result<Lqr<f64, N, K>, Error>) {
    match outcome {
        Err(Error::NotConverged { residual }) => assert!(residual >= 0.0, "{residual}"),
        outcome => panic!("{outcome:?}"),
    }
}

#[test]
fn without_a_stabilising_solution() {
    let one = matrix![1.0];
    // In whatever units.
    for unit in [2_f64.powi(-30), 1.0, 2_f64.powi(30)] {
        let d = matrix![unit, 0.0; 0.0, 1.0];
        let back = matrix![1.0 / unit, 0.0; 0.0, 1.0];
        let q = d * d;
        let b = back * matrix![0.0; 1.0];
        // No input moves the first state, which grows, stays or oscillates.
        assert_unsolvable(lqr(
            &(back * matrix![1.0, 0.0; 1.0, -1.0] * d),
            &b,
            &q,
            &one,
        ));
        assert_unsolvable(lqr(
            &(back * matrix![0.0, 0.0; 1.0, -1.0] * d),
            &b,
            &q,
            &one,
        ));
        assert_unsolvable(dlqr(
            &(back * matrix![2.0, 0.0; 1.0, 0.5] * d),
            &b,
            &q,
            &one,
        ));
        assert_unsolvable(dlqr(
            &(back * matrix![1.0, 0.0; 1.0, 0.5] * d),
            &b,
            &q,
            &one,
        ));
        assert_unsolvable(dlqr(
            &(back * matrix![-1.0, 0.0; 1.0, 0.5] * d),
            &b,
            &q,
            &one,
        ));
        let still = matrix![0.0; 0.0];
        assert_unsolvable(lqr(
            &(back * matrix![0.0, 1.0; -1.0, 0.0] * d),
            &still,
            &q,
            &one,
        ));
        // Nothing tells how fast the states shall decay.
        let none = SMatrix::zeros();
        assert_unsolvable(lqr(
            &(back * matrix![0.0, 1.0; 0.0, 0.0] * d),
            &b,
            &none,
            &one,
        ));
        assert_unsolvable(lqr(
            &(back * matrix![0.0, 1.0; -1.0, 0.0] * d),
            &b,
            &none,
            &one,
        ));
    }
    // SciPy's infeasible case (arXiv:1505.04861), and other R that are not positive definite.
    let a = matrix![1.0, -1.0, 1.0; 0.0, 1.0, 1.0; 0.0, 0.0, 1.0];
    let b = matrix![1.0, 0.0; 1.0, 0.0; 0.0, 1.0];
    let q = matrix![6.0, -2.0, -2.0; -2.0, -3.0, -2.0; -2.0, -2.0, -3.9];
    for r in [
        matrix![-10.0, 0.0; 0.0, 0.1],
        matrix![0.0, 0.0; 0.0, 0.0],
        matrix![1.0, 1.0; 1.0, 1.0],
        matrix![1.0, 0.0; 0.0, -1e-300],
    ] {
        let refused = Err(Error::NotConverged {
            residual: f64::INFINITY,
        });
        assert_eq!(lqr(&a, &b, &q, &r), refused);
        assert_eq!(dlqr(&a, &b, &q, &r), refused);
    }
}

/// A motion that neither decays nor costs anything, or does not decay and is moved by no input, beside three states
/// that move, cost and are moved at random: in other coordinates, units of states, time and cost.
#[test]
fn no_scale_hides_a_motion_without_decay() {
    let mut random = Random(0x5eed);
    for number in 0..320 {
        let time = [Time::Continuous, Time::Discrete][number % 2];
        let is_unmoved = number / 2 % 2 == 1;
        let s = eighths(&mut random).abs() + 0.25;
        let motion = match (time, number / 4 % 4) {
            (Time::Continuous, 0) => matrix![0.0, s; 0.0, -s],
            (Time::Continuous, 1) => matrix![0.0, s; 0.0, 0.0],
            (Time::Continuous, 2) => matrix![0.0, s; -1.0, 0.0],
            (Time::Continuous, _) if is_unmoved => matrix![s, 1.0; -1.0, s],
            (Time::Continuous, _) => matrix![0.0, s; -s, 0.0],
            (Time::Discrete, 0) => matrix![1.0, s; 0.0, 0.5],
            (Time::Discrete, 1) => matrix![1.0, s; 0.0, 1.0],
            (Time::Discrete, 2) => matrix![-1.0, s; 0.0, 0.5],
            (Time::Discrete, _) => matrix![0.0, 1.0; -1.0, 0.0],
        };
        let mut a = SMatrix::<f64, 5, 5>::from_fn(|_, _| eighths(&mut random));
        a.fixed_view_mut::<2, 2>(0, 0).copy_from(&motion);
        let mut b = SMatrix::<f64, 5, 2>::from_fn(|_, _| eighths(&mut random));
        let mut weights = SMatrix::<f64, 5, 5>::from_fn(|_, _| eighths(&mut random));
        if is_unmoved {
            a.fixed_view_mut::<2, 3>(0, 2).fill(0.0);
            b.fixed_view_mut::<2, 2>(0, 0).fill(0.0);
        } else {
            a.fixed_view_mut::<3, 2>(2, 0).fill(0.0);
            weights.fixed_view_mut::<5, 2>(0, 0).fill(0.0);
        }
        // Exact changes of coordinates.
        let mut q = weights.transpose() * weights;
        for _ in 0..4 {
            let pick = |random: &mut Random| (2.5 * (random.number() + 1.0)) as usize;
            let (i, j) = (pick(&mut random), pick(&mut random));
            if i != j {
                let (mut add, mut subtract) = (SMatrix::identity(), SMatrix::identity());
                add[(i, j)] = if random.number() < 0.0 { -1.0 } else { 1.0 };
                subtract[(i, j)] = -add[(i, j)];
                a = subtract * a * add;
                b = subtract * b;
                q = add.transpose() * q * add;
            }
        }
        let forces = random.matrix::<2, 2>();
        let r = forces.transpose() * forces + SMatrix::identity();
        let regulator = Regulator { time, a, b, q, r };
        assert_unsolvable(regulator.solve());
        let (d, e) = (random.units::<5>(), random.units::<2>());
        let powers = [random.number(), random.number()].map(|power| 10_f64.powf(20.0 * power));
        assert_unsolvable(regulator.in_units(&d, &e, powers[0], powers[1]).solve());
    }
}

/// A multiple of 1/8 between -2 and 2.
fn eighths(random: &mut Random) -> f64 {
    (16.0 * random.number()).round() / 8.0
}

/// Two masses on a spring, where only the stretch or speeds cost: both together drift, or move at a constant speed.
#[test]
fn masses_that_drift() {
    for stiffness in [1e-6, 0.3, 1.0, 1e6] {
        let mut a = SMatrix::<f64, 4, 4>::zeros();
        (a[(0, 2)], a[(1, 3)]) = (1.0, 1.0);
        let pull = matrix![-stiffness, stiffness; stiffness, -stiffness];
        a.fixed_view_mut::<2, 2>(2, 0).copy_from(&pull);
        let b = matrix![0.0; 0.0; 1.0; 0.0];
        for weight in [1e-20, 0.7, 1.0, 1e20] {
            let mut q = SMatrix::<f64, 4, 4>::zeros();
            let stretch = matrix![weight, -weight; -weight, weight];
            q.fixed_view_mut::<2, 2>(0, 0).copy_from(&stretch);
            assert_unsolvable(lqr(&a, &b, &q, &matrix![1.0]));
            let step = SMatrix::identity() + a * 1e-3;
            assert_unsolvable(dlqr(&step, &b, &q, &matrix![1.0]));
            (q[(2, 2)], q[(3, 3)]) = (weight, weight);
            assert_unsolvable(lqr(&a, &b, &q, &matrix![1.0]));
            assert_unsolvable(dlqr(&step, &b, &q, &matrix![1.0]));
            // With a cost of one place nothing drifts, unless rounding hides the cost.
            q[(0, 0)] += weight;
            if weight > 0.5 {
                assert!(lqr(&a, &b, &q, &matrix![1.0]).is_ok());
            }
        }
    }
}

/// `x" = -k x - d x' + u` has a solution in closed form: hardly damped, hardly weighted, slow beside fast, in any
/// units.
#[test]
fn slow_motions_are_regulated() {
    let mut random = Random(0x5eed);
    let mut power = |most: f64| 10_f64.powf(most * random.number());
    for number in 0..2000 {
        let (k, d, places, speeds) = match number % 6 {
            0 => (0.0, 0.0, power(20.0), 0.0),
            1 => (0.0, 0.0, power(20.0), power(20.0)),
            2 => (1.0, power(5.0) * 1e-5, 0.0, 0.0),
            3 => (1.0, 0.0, power(10.0) * 1e-10, power(10.0) * 1e-10),
            4 => (-power(3.0), 0.0, power(10.0) * 1e-10, 0.0),
            _ => (power(6.0), power(6.0), power(15.0), power(15.0)),
        };
        let root = (k * k + places).sqrt();
        let of_place = if k > 0.0 {
            places / (k + root)
        } else {
            root - k
        };
        let drive = 2.0 * of_place + speeds;
        let of_speed = drive / (d + (d * d + drive).sqrt());
        let of_speed = if drive > 0.0 { of_speed } else { 0.0 };
        let regulator = Regulator {
            time: Time::Continuous,
            a: matrix![0.0, 1.0; -k, -d],
            b: matrix![0.0; 1.0],
            q: matrix![places, 0.0; 0.0, speeds],
            r: matrix![1.0],
        };
        let units = [power(15.0), power(15.0)];
        let d = matrix![units[0], 0.0; 0.0, units[1]];
        let scaled = regulator.in_units(&d, &matrix![1.0], power(10.0), power(20.0));
        let gain = scaled.solve().expect("a solution").gain;
        let gain = matrix![gain[0] / units[0], gain[1] / units[1]];
        let off = deviation(&gain, &matrix![of_place, of_speed]);
        assert!(off < 1e-8, "{regulator:?}: {gain} is off by {off:e}");
    }
    for slowness in 0..12 {
        let f = 0.01_f64.powi(slowness);
        let mut a = SMatrix::<f64, 4, 4>::zeros();
        (a[(0, 1)], a[(2, 3)]) = (1.0, 1.0);
        let b = matrix![0.0, 0.0; 1.0, 0.0; 0.0, 0.0; 0.0, 1.0];
        let q = SMatrix::from_diagonal(&matrix![1.0; 0.0; f.powi(4); 0.0]);
        let gain = lqr(&a, &b, &q, &SMatrix::identity()).unwrap().gain;
        let root = 2.0_f64.sqrt();
        let slow = matrix![gain[(1, 2)] / (f * f), gain[(1, 3)] / f];
        for found in [matrix![gain[(0, 0)], gain[(0, 1)]], slow] {
            let off = deviation(&found, &matrix![1.0, root]);
            assert!(off < 1e-12, "{slowness}: {gain}");
        }
    }
}

#[test]
fn what_is_not_finite() {
    let one = matrix![1.0];
    let not_finite = |argument| Err(Error::NotFinite { argument });
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let wrong = matrix![wrong];
        for solve in [lqr::<f64, 1, 1>, dlqr] {
            assert_eq!(solve(&wrong, &one, &one, &one), not_finite("a"));
            assert_eq!(solve(&one, &wrong, &one, &one), not_finite("b"));
            assert_eq!(solve(&one, &one, &wrong, &one), not_finite("q"));
            assert_eq!(solve(&one, &one, &one, &wrong), not_finite("r"));
        }
    }
}

/// Without inputs it is the equation of Lyapunov, or of Stein.
#[test]
fn no_inputs() {
    let (b, r) = (SMatrix::<f64, 2, 0>::zeros(), SMatrix::zeros());
    let (a, q) = (matrix![-1.0, 1.0; 0.0, -2.0], SMatrix::identity());
    let cost = lqr(&a, &b, &q, &r).unwrap().cost;
    assert!((a.transpose() * cost + cost * a + q).amax() < 1e-15);
    let a = a * 0.25;
    let cost = dlqr(&a, &b, &q, &r).unwrap().cost;
    assert!((a.transpose() * cost * a - cost + q).amax() < 1e-15);
}

/// A pendulum on a cart, upright, whose length is 1 / `g`.
fn cart<S: RealField + Copy>(g: S, time: Time) -> Regulator<S, 4, 1> {
    let (zero, one): (S, S) = (convert(0.0), convert(1.0));
    let mut a = SMatrix::zeros();
    (a[(0, 2)], a[(1, 3)], a[(2, 1)], a[(3, 1)]) = (one, one, -g, convert::<f64, S>(3.0) * g);
    if matches!(time, Time::Discrete) {
        a = SMatrix::identity() + a * convert::<f64, S>(0.1);
    }
    let q = SMatrix::from_diagonal(&SMatrix::from([[convert(2.0), one, zero, convert(0.5)]]));
    let b = SMatrix::from([[zero, zero, one, -one]]);
    Regulator {
        time,
        a,
        b,
        q,
        r: SMatrix::from([[one]]),
    }
}

#[test]
fn other_scalars() {
    for time in [Time::Continuous, Time::Discrete] {
        let exact = |g: f64| cart(g, time).solve().unwrap();
        let rough = cart(9.81_f32, time).solve().unwrap();
        assert!(deviation(&rough.cost.cast(), &exact(9.81).cost) < 1e-3);
        assert!(deviation(&rough.gain.cast(), &exact(9.81).gain) < 1e-3);

        let dual = cart(Dual64::from(9.81).derivative(), time).solve().unwrap();
        assert!(deviation(&dual.gain.map(|entry| entry.re), &exact(9.81).gain) < 1e-13);
        let h = 1e-3;
        let slope = (exact(9.81 + h).gain - exact(9.81 - h).gain) / (2.0 * h);
        assert!(deviation(&dual.gain.map(|entry| entry.eps), &slope) < 1e-6);
    }
}

//! Solves against the residual of random systems, and the judgement of rank.

use lagrange_runtime::{
    Error,
    linalg::{Kkt, all_finite, kkt, kkt_unchecked_in_place, regular, solve_in_place},
    nalgebra::RealField,
};
use num_dual::Dual64;
use simba::simd::WideF64x4;

type Matrix<S, const N: usize> = [[S; N]; N];

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

    fn symmetric<const N: usize>(&mut self) -> Matrix<f64, N> {
        let square: Matrix<f64, N> = std::array::from_fn(|_| self.vector());
        std::array::from_fn(|i| std::array::from_fn(|j| square[i.max(j)][i.min(j)]))
    }

    /// B Bᵀ for a random B with `rank` columns, the diagonal raised by `shift`.
    fn gram<const N: usize>(&mut self, rank: usize, shift: f64) -> Matrix<f64, N> {
        let square: Matrix<f64, N> = std::array::from_fn(|_| self.vector());
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let sum: f64 = (0..rank).map(|k| square[i][k] * square[j][k]).sum();
                if i == j { sum + shift } else { sum }
            })
        })
    }
}

fn apply<const N: usize>(m: &Matrix<f64, N>, x: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| (0..N).map(|j| m[i][j] * x[j]).sum())
}

/// The refined solution.
fn solve_symmetric<S: RealField + Copy, const N: usize>(
    m: &Matrix<S, N>,
    b: &[S; N],
) -> Result<[S; N], Error> {
    let (x, []) = kkt(m, &[], b, &[])?;
    Ok(x)
}

fn is_solved_carefully<const N: usize>(m: &Matrix<f64, N>) -> bool {
    let mut m = *m;
    Kkt::factor(&mut m, &[], &mut []).is_ok_and(|factors| factors.is_careful())
}

/// M with the entries above its diagonal spoilt by a number that would show.
fn lower<S: Copy, const N: usize>(m: &Matrix<S, N>, filler: S) -> Matrix<S, N> {
    std::array::from_fn(|i| std::array::from_fn(|j| if j > i { filler } else { m[i][j] }))
}

/// The backward error of x: its residual in units of rounding.
#[track_caller]
fn assert_solves<const N: usize>(m: &Matrix<f64, N>, x: &[f64; N], b: &[f64; N], eps: f64) {
    for i in 0..N {
        let product: f64 = (0..N).map(|j| m[i][j] * x[j]).sum();
        let size: f64 = (0..N).map(|j| (m[i][j] * x[j]).abs()).sum::<f64>() + b[i].abs();
        assert!(
            (product - b[i]).abs() <= 8.0 * N as f64 * eps * size,
            "row {i} of {N}: residual {:e} of {size:e}",
            product - b[i]
        );
    }
}

/// Runs `$check::<N>($random)` for every size from 1 to 20.
macro_rules! for_sizes {
    ($check:ident, $random:expr) => {
        for_sizes!(@ $check, $random; 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)
    };
    (@ $check:ident, $random:expr; $($n:literal)*) => { $($check::<$n>($random);)* };
}

fn single<const N: usize>(m: &Matrix<f64, N>) -> Matrix<f32, N> {
    m.map(|row| row.map(|entry| entry as f32))
}

fn check_definite<const N: usize>(random: &mut Random) {
    let m = random.gram::<N>(N, 0.1);
    let b = random.vector();
    let x = solve_in_place(&mut lower(&m, 1e9), &b).expect("positive definite");
    assert_solves(&m, &x, &b, f64::EPSILON * N as f64);
    let (unchecked, []) = kkt_unchecked_in_place(&mut lower(&m, 1e9), &[], &b, &[]);
    assert_eq!(unchecked, x);
    let careful = solve_symmetric(&lower(&m, 1e9), &b).expect("regular");
    assert_solves(&m, &careful, &b, f64::EPSILON);

    let (m32, b32) = (single(&m), b.map(|entry| entry as f32));
    let x32 = solve_in_place(&mut { m32 }, &b32).expect("positive definite");
    let (m64, b64) = (m32.map(|row| row.map(f64::from)), b32.map(f64::from));
    assert_solves(
        &m64,
        &x32.map(f64::from),
        &b64,
        f64::from(f32::EPSILON) * N as f64,
    );
    let careful32 = solve_symmetric(&m32, &b32).expect("regular");
    assert_solves(
        &m64,
        &careful32.map(f64::from),
        &b64,
        f64::from(f32::EPSILON),
    );
}

#[test]
fn positive_definite() {
    let random = &mut Random(1);
    for _ in 0..20 {
        for_sizes!(check_definite, random);
    }
}

fn check_indefinite<const N: usize>(random: &mut Random) {
    let mut m = random.symmetric::<N>();
    if N > 1 {
        (0..N / 2).for_each(|i| m[i][i] = 0.0);
        m[N - 1][N - 1] = -1.0;
        assert!(is_solved_carefully(&m));
    }
    let b = random.vector();
    let x = solve_symmetric(&lower(&m, 1e9), &b).expect("regular");
    assert_solves(&m, &x, &b, f64::EPSILON * N as f64);
}

#[test]
fn indefinite() {
    let random = &mut Random(2);
    for _ in 0..20 {
        for_sizes!(check_indefinite, random);
    }
}

fn check_deficient<const N: usize>(random: &mut Random) {
    let m = random.gram::<N>(N - 1, 0.0);
    let singular = Err(Error::SingularMassMatrix);
    assert_eq!(solve_symmetric(&m, &[1.0; N]), singular, "size {N}");
    assert_eq!(solve_in_place(&mut { m }, &[1.0; N]), singular, "size {N}");
    let scale: [f64; N] = std::array::from_fn(|_| 10.0_f64.powf(4.0 * random.number()));
    let scaled = std::array::from_fn(|i| std::array::from_fn(|j| m[i][j] * scale[i] * scale[j]));
    assert_eq!(
        solve_symmetric(&scaled, &[1.0; N]),
        singular,
        "size {N}, scaled"
    );
}

#[test]
fn rank_deficient() {
    let random = &mut Random(3);
    for _ in 0..20 {
        for_sizes!(check_deficient, random);
    }
}

#[track_caller]
fn assert_singular<const N: usize>(m: Matrix<f64, N>) {
    let result = solve_symmetric(&m, &[0.0; N]);
    assert_eq!(result, Err(Error::SingularMassMatrix));
    let result = solve_in_place(&mut { m }, &[0.0; N]);
    assert_eq!(result, Err(Error::SingularMassMatrix));
}

#[test]
fn exactly_singular() {
    assert_singular([[0.0]]);
    assert_singular([[1.0, 1.0], [1.0, 1.0]]);
    assert_singular([[0.0, 0.0], [0.0, 1.0]]);
    assert_singular([[1.0, 0.0], [0.0, 0.0]]);
    assert_singular([[1.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]]);
}

#[test]
fn zero_diagonals() {
    assert_eq!(
        solve_symmetric(&[[0.0, 1.0], [1.0, 0.0]], &[2.0, 3.0]),
        Ok([3.0, 2.0])
    );
    assert_eq!(
        solve_symmetric(&[[0.0, 0.125], [0.125, 0.0]], &[2.0, 3.0]),
        Ok([24.0, 16.0])
    );
    assert_eq!(
        solve_symmetric(&[[0.0, 1.0], [1.0, 1e12]], &[1.0, 0.0]),
        Ok([-1e12, 1.0])
    );
    let three = [[0.0, 0.0, 2.0], [0.0, -4.0, 0.0], [2.0, 0.0, 0.0]];
    assert_eq!(
        solve_symmetric(&three, &[2.0, 8.0, 6.0]),
        Ok([3.0, -2.0, 1.0])
    );
}

fn check_scales<const N: usize>(random: &mut Random) {
    let unit = random.gram::<N>(N, 0.1);
    let scale: [f64; N] = std::array::from_fn(|_| 10.0_f64.powf(3.0 * random.number()));
    let m = std::array::from_fn(|i| std::array::from_fn(|j| unit[i][j] * scale[i] * scale[j]));
    let exact: [f64; N] = random.vector();
    let b = apply(&m, &exact);
    let careful = solve_symmetric(&m, &b).expect("regular");
    assert_solves(&m, &careful, &b, f64::EPSILON);
    let fast = solve_in_place(&mut { m }, &b).expect("positive definite");
    assert_solves(&m, &fast, &b, f64::EPSILON * N as f64);
}

#[test]
fn masses_from_micrograms_to_tonnes() {
    let random = &mut Random(4);
    for _ in 0..20 {
        for_sizes!(check_scales, random);
    }
    let masses = [[1e-6, 0.0], [0.0, 1e6]];
    assert_eq!(solve_symmetric(&masses, &[1e-6, 1e6]), Ok([1.0, 1.0]));
    let masses: Matrix<f32, 2> = [[1e-12, 0.0], [0.0, 1e12]];
    let x = solve_symmetric(&masses, &[1e-12, 1e12]).expect("regular");
    assert!(x.iter().all(|entry| (entry - 1.0).abs() < 1e-6));
}

#[test]
fn extreme_magnitudes() {
    for size in [1e-300, f64::MIN_POSITIVE, 1e300] {
        assert_eq!(solve_symmetric(&[[2.0 * size]], &[4.0 * size]), Ok([2.0]));
        let swapped = [[0.0, size], [size, 0.0]];
        assert_eq!(solve_symmetric(&swapped, &[size, -size]), Ok([-1.0, 1.0]));
    }
    assert_eq!(
        solve_symmetric(&[[1e-200]], &[1e200]),
        Err(Error::NotFinite { argument: "result" })
    );
}

/// A matrix with eigenvalues between 1 and `1 / condition`: a reflection of a diagonal one.
fn conditioned<const N: usize>(random: &mut Random, condition: f64, signs: bool) -> Matrix<f64, N> {
    let normal: [f64; N] = random.vector();
    let square: f64 = normal.iter().map(|x| x * x).sum();
    let eigenvalue = |k: usize| {
        let size = condition.powf(-(k as f64) / (N - 1) as f64);
        if signs && k % 2 == 1 { -size } else { size }
    };
    let reflection = |i: usize, k: usize| f64::from(i == k) - 2.0 * normal[i] * normal[k] / square;
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            (0..N)
                .map(|k| reflection(i, k) * eigenvalue(k) * reflection(j, k))
                .sum()
        })
    })
}

fn check_condition<const N: usize>(random: &mut Random) {
    for signs in [false, true] {
        let m = conditioned::<N>(random, 1e8, signs);
        let exact: [f64; N] = random.vector();
        let x = solve_symmetric(&m, &apply(&m, &exact)).expect("regular");
        for i in 0..N {
            assert!((x[i] - exact[i]).abs() < 1e-6, "size {N}");
        }
    }
}

#[test]
fn condition_of_1e8_still_solves() {
    let random = &mut Random(5);
    for _ in 0..20 {
        check_condition::<2>(random);
        check_condition::<7>(random);
        check_condition::<20>(random);
    }
}

#[test]
fn not_finite() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(
            solve_symmetric(&[[bad]], &[1.0]),
            Err(Error::NotFinite { argument: "result" })
        );
        assert_eq!(
            solve_symmetric(&[[1.0]], &[bad]),
            Err(Error::NotFinite { argument: "result" })
        );
        assert_eq!(
            solve_symmetric(&[[1.0, 0.0], [bad, 1.0]], &[1.0, 1.0]),
            Err(Error::NotFinite { argument: "result" })
        );
        for mut m in [[[1.0, 0.0], [bad, 1.0]], [[bad, 0.0], [0.0, 1.0]]] {
            let result = solve_in_place(&mut m, &[1.0, 1.0]);
            assert_eq!(result, Err(Error::NotFinite { argument: "result" }));
        }
        assert!(!all_finite(&[0.0, bad]));
    }
    let no_values: [f64; 0] = [];
    assert!(all_finite(&no_values));
}

#[test]
fn pivots() {
    assert!(regular(1e-7, 1.0, 2) && !regular(1e-9, 1.0, 2));
    assert!(regular(1e-3_f32, 1.0, 2) && !regular(1e-4_f32, 1.0, 2));
    assert!(!regular(0.0, 0.0, 1) && !regular(-1.0, -1.0, 1));
    assert!(!regular(f64::INFINITY, f64::INFINITY, 1));
    assert!(regular(1e-300, 1e-300, 1));
}

#[test]
fn lanes() {
    let random = &mut Random(6);
    let matrices: [Matrix<f64, 5>; 4] = std::array::from_fn(|_| random.gram(5, 0.1));
    let right: [[f64; 5]; 4] = std::array::from_fn(|_| random.vector());
    let m = std::array::from_fn(|i| {
        std::array::from_fn(|j| WideF64x4::from(matrices.map(|lane| lane[i][j])))
    });
    let b = std::array::from_fn(|i| WideF64x4::from(right.map(|lane| lane[i])));
    let (x, []) = kkt_unchecked_in_place(&mut { m }, &[], &b, &[]);
    let x = x.map(WideF64x4::into_arr);
    for lane in 0..4 {
        assert_solves(
            &matrices[lane],
            &x.map(|entry| entry[lane]),
            &right[lane],
            f64::EPSILON * 5.0,
        );
    }
    let mut singular = [[WideF64x4::from([1.0, 0.0, 1.0, 1.0])]];
    let right = [WideF64x4::from([2.0; 4])];
    let (quotients, []) = kkt_unchecked_in_place(&mut singular, &[], &right, &[]);
    let quotients = quotients[0].into_arr();
    assert_eq!([quotients[0], quotients[2], quotients[3]], [2.0; 3]);
    assert!(!quotients[1].is_finite());
}

/// The derivative of x = M⁻¹ b along (dM, db) is M⁻¹ (db - dM x).
fn check_derivative<const N: usize>(random: &mut Random) {
    let (m, b) = (random.gram::<N>(N, 0.5), random.vector::<N>());
    let (dm, db) = (random.symmetric::<N>(), random.vector::<N>());
    let x = solve_symmetric(&m, &b).expect("regular");
    let moved = apply(&dm, &x);
    let expected =
        solve_symmetric(&m, &std::array::from_fn(|i| db[i] - moved[i])).expect("regular");
    let matrix: Matrix<Dual64, N> =
        std::array::from_fn(|i| std::array::from_fn(|j| Dual64::new(m[i][j], dm[i][j])));
    let right: [Dual64; N] = std::array::from_fn(|i| Dual64::new(b[i], db[i]));
    let careful = solve_symmetric(&matrix, &right).expect("regular");
    let fast = solve_in_place(&mut { matrix }, &right).expect("positive definite");
    let size = expected
        .iter()
        .fold(1.0_f64, |size, entry| size.max(entry.abs()));
    for i in 0..N {
        assert!((careful[i].re - x[i]).abs() <= 1e-11 * size);
        assert!((careful[i].eps - expected[i]).abs() <= 1e-11 * size);
        assert!((fast[i].eps - expected[i]).abs() <= 1e-11 * size);
    }
}

#[test]
fn derivatives_of_the_solution() {
    let random = &mut Random(7);
    for _ in 0..10 {
        for_sizes!(check_derivative, random);
    }
}

#[test]
fn one_factorisation_serves_several_right_hand_sides() {
    let m = [[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]];
    let (mut mass, mut none) = (m, []);
    let mut general = Kkt::factor(&mut mass, &[], &mut none).expect("regular");
    for b in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [5.0, 5.0, 3.0]] {
        assert_solves(
            &m,
            &general.solve(&b, &[]).expect("finite").0,
            &b,
            f64::EPSILON,
        );
    }
}

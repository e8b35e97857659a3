//! The derivatives of a system with states beside dual numbers.

use lagrangian::Stateful;
use lagrangian::nalgebra::{DMatrix, DVector, RealField, SVector, convert};
use num_dual::Dual64;

/// Rounding of the compared derivatives, relative to the largest entry.
const ROUNDING: f64 = 1e-11;

/// A generator of numbers in -1..1 (xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector<const N: usize>(&mut self) -> SVector<f64, N> {
        SVector::from_fn(|_, _| self.number())
    }
}

pub(crate) struct At<const NQ: usize, const N: usize, const Z: usize, const K: usize> {
    pub(crate) t: f64,
    pub(crate) q: SVector<f64, NQ>,
    pub(crate) v: SVector<f64, N>,
    pub(crate) z: SVector<f64, Z>,
    pub(crate) u: SVector<f64, K>,
}

pub(crate) fn assert_close(found: &DMatrix<f64>, expected: &DMatrix<f64>, what: &str) {
    let size = expected.amax().max(found.amax()).max(1e-3);
    let error = (found - expected).amax();
    assert!(
        error <= ROUNDING * size,
        "{what}: {error:e}\n{found}{expected}"
    );
}

/// The derivatives of the acceleration, the multipliers and the rates of the states, one column for each entry of the
/// displacement of q, of v, z and u.
pub(crate) fn differentiate<
    D,
    const NQ: usize,
    const N: usize,
    const Z: usize,
    const K: usize,
    const C: usize,
>(
    dual: &D,
    at: &At<NQ, N, Z, K>,
) -> DMatrix<f64>
where
    D: Stateful<Dual64, NQ, N, Z, K, C>,
{
    let columns = (0..2 * N + Z + K).map(|direction| {
        let mut change = vec![Dual64::from_re(0.0); 2 * N + Z + K];
        change[direction].eps = 1.0;
        let part = |first: usize, count: usize| &change[first..first + count];
        let lift = |x: &[f64]| x.iter().map(|x| convert(*x)).collect::<Vec<Dual64>>();
        let moved = |x: &[f64], change: &[Dual64]| -> Vec<Dual64> {
            lift(x)
                .into_iter()
                .zip(change)
                .map(|(x, d)| x + *d)
                .collect()
        };
        let q = dual.integrate(
            &SVector::from_vec(lift(at.q.as_slice())),
            &SVector::from_vec(part(0, N).to_vec()),
        );
        let v = SVector::from_vec(moved(at.v.as_slice(), part(N, N)));
        let z = SVector::from_vec(moved(at.z.as_slice(), part(2 * N, Z)));
        let u = SVector::from_vec(moved(at.u.as_slice(), part(2 * N + Z, K)));
        let t = convert(at.t);
        let motion = dual.solve(t, &q, &v, &z, &u).expect("a regular system");
        let rates = dual.state_rates(t, &q, &v, &z, &u);
        let all = motion.acceleration.iter().chain(&motion.multipliers);
        DVector::from_iterator(N + C + Z, all.chain(&rates).map(|entry| entry.eps))
    });
    DMatrix::from_columns(&columns.collect::<Vec<DVector<f64>>>())
}

/// Compares all derivatives with dual numbers, and A and B with them.
pub(crate) fn check<
    M,
    D,
    const NQ: usize,
    const N: usize,
    const Z: usize,
    const K: usize,
    const C: usize,
>(
    system: &M,
    dual: &D,
    at: &At<NQ, N, Z, K>,
    [a, b]: [DMatrix<f64>; 2],
    seed: u64,
) where
    M: Stateful<f64, NQ, N, Z, K, C>,
    D: Stateful<Dual64, NQ, N, Z, K, C>,
{
    let expected = differentiate::<D, NQ, N, Z, K, C>(dual, at);
    let At { t, q, v, z, u } = at;
    let found = system
        .acceleration_derivatives(*t, q, v, z, u)
        .expect("a regular system");
    let multipliers = system
        .multiplier_derivatives(*t, q, v, z, u)
        .expect("a regular system");
    let dynamic =
        |rows: usize, x: &[f64]| DMatrix::from_column_slice(rows, x.len() / rows.max(1), x);
    let parts = [
        (0, N, found.q.as_slice(), multipliers.q.as_slice()),
        (N, N, found.v.as_slice(), multipliers.v.as_slice()),
        (2 * N, Z, found.z.as_slice(), multipliers.z.as_slice()),
        (2 * N + Z, K, found.u.as_slice(), multipliers.u.as_slice()),
    ];
    for (first, count, of_motion, of_multipliers) in parts {
        let part = |row, rows| expected.view((row, first), (rows, count)).into_owned();
        assert_close(&dynamic(N, of_motion), &part(0, N), "a");
        if C > 0 {
            assert_close(&dynamic(C, of_multipliers), &part(N, C), "lambda");
        }
    }
    let w = Random(seed).vector::<N>();
    let gradient = system.vjp(*t, q, v, z, u, &w).expect("a regular system");
    let row = DVector::from_column_slice(w.as_slice()).transpose() * expected.rows(0, N);
    let all = gradient.q.iter().chain(&gradient.v).chain(&gradient.z);
    let all = DMatrix::from_iterator(1, 2 * N + Z + K, all.chain(&gradient.u).copied());
    assert_close(
        &all,
        &DMatrix::from_row_slice(1, row.len(), row.as_slice()),
        "vjp",
    );
    // The rows of d are known, except for rotations.
    let states = 2 * N + Z;
    let of_motion = expected.rows(0, N);
    let of_states = expected.rows(N + C, Z);
    let rows = [(N, N, of_motion), (2 * N, Z, of_states)];
    for (first, count, expected) in rows {
        let by_state = expected.columns(0, states).into_owned();
        let by_input = expected.columns(states, K).into_owned();
        assert_close(&a.rows(first, count).into_owned(), &by_state, "A");
        assert_close(&b.rows(first, count).into_owned(), &by_input, "B");
    }
    if NQ == N {
        let mut rates = DMatrix::zeros(N, states);
        rates.view_mut((0, N), (N, N)).fill_with_identity();
        assert_close(&a.rows(0, N).into_owned(), &rates, "the rows of d");
    }
}

/// A vector as a matrix without static sizes.
pub(crate) fn dynamic<S: RealField + Copy, const R: usize, const C: usize>(
    x: &lagrangian::nalgebra::SMatrix<S, R, C>,
) -> DMatrix<S> {
    DMatrix::from_column_slice(R, C, x.as_slice())
}

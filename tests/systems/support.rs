//! Comparison, numerical derivatives and a fixed-step integrator.

use std::ops::{Mul, Sub};

use lagrangian::nalgebra::{DVector, Dim, IsContiguous, Matrix, RawStorage, SVector};

/// A number or matrix as a list, row by row.
pub(crate) trait Entries {
    fn entries(&self) -> Vec<f64>;
}

impl Entries for f64 {
    fn entries(&self) -> Vec<f64> {
        vec![*self]
    }
}

impl<R: Dim, C: Dim, M: RawStorage<f64, R, C> + IsContiguous> Entries for Matrix<f64, R, C, M> {
    fn entries(&self) -> Vec<f64> {
        by_rows(self.as_slice(), self.shape())
    }
}

/// A matrix that is stored by columns, row by row.
fn by_rows(entries: &[f64], (rows, columns): (usize, usize)) -> Vec<f64> {
    let row = |row: usize| (0..columns).map(move |column| entries[column * rows + row]);
    (0..rows).flat_map(row).collect()
}

fn largest(entries: &[f64]) -> f64 {
    entries
        .iter()
        .fold(0.0, |largest, entry| entry.abs().max(largest))
}

/// Fails unless the two lists agree to `tolerance`, relative to the largest entry of `expected`;
/// below 1e-3 it counts as 1e-3, so that a value that ought to vanish may be left with rounding
/// errors.
#[track_caller]
pub(crate) fn assert_within(what: &str, actual: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(actual.len(), expected.len(), "{what}: number of entries");
    let allowed = tolerance * largest(expected).max(1e-3);
    for (index, (x, y)) in actual.iter().zip(expected).enumerate() {
        assert!(
            (x - y).abs() <= allowed,
            "{what}: entry {index} is {x:e} and should be {y:e}, allowed {allowed:e}\n   got {actual:?}\nwanted {expected:?}"
        );
    }
}

/// Fails unless the two agree to `tolerance`, relative to the largest entry of `expected`.
#[track_caller]
pub(crate) fn assert_close<A: Entries>(what: &str, actual: &A, expected: &A, tolerance: f64) {
    assert_within(what, &actual.entries(), &expected.entries(), tolerance);
}

/// Fails unless the two agree to `tolerance` where values of order one, or larger, cancel.
#[track_caller]
pub(crate) fn assert_balance<A: Entries>(what: &str, actual: &A, expected: &A, tolerance: f64) {
    let (actual, expected) = (actual.entries(), expected.entries());
    let scale = largest(&actual).max(1.0) / largest(&expected).max(1e-3);
    assert_within(what, &actual, &expected, tolerance * scale.max(1.0));
}

/// Derivative of `f` at zero by the five-point rule, whose error is of fourth order in the step.
pub(crate) fn slope<A: Sub<Output = A> + Mul<f64, Output = A>>(f: &dyn Fn(f64) -> A) -> A {
    const H: f64 = 1.0 / 1024.0;
    let near = (f(H) - f(-H)) * (2.0 / (3.0 * H));
    near - (f(2.0 * H) - f(-2.0 * H)) * (1.0 / (12.0 * H))
}

/// Gradient of `f` at `x`, numerically.
pub(crate) fn gradient(f: &dyn Fn(&DVector<f64>) -> f64, x: &DVector<f64>) -> DVector<f64> {
    let along = |index: usize| {
        slope(&|h| {
            let mut moved = x.clone();
            moved[index] += h;
            f(&moved)
        })
    };
    DVector::from_vec((0..x.len()).map(along).collect())
}

/// The entries as a vector of known length.
pub(crate) fn fixed<const N: usize>(entries: &[f64]) -> SVector<f64, N> {
    let array: [f64; N] = entries.try_into().expect("as many entries");
    array.into()
}

/// A point of a trajectory.
#[derive(Clone, Copy)]
pub(crate) struct State<const N: usize> {
    pub(crate) t: f64,
    pub(crate) q: SVector<f64, N>,
    pub(crate) v: SVector<f64, N>,
}

/// The same, its size forgotten.
#[derive(Clone, Debug)]
pub(crate) struct DState {
    pub(crate) t: f64,
    pub(crate) q: DVector<f64>,
    pub(crate) v: DVector<f64>,
}

impl DState {
    /// The same, of known size.
    pub(crate) fn fixed<const N: usize>(&self) -> State<N> {
        State {
            t: self.t,
            q: fixed(self.q.as_slice()),
            v: fixed(self.v.as_slice()),
        }
    }

    /// At another time, the rest as it is.
    pub(crate) fn with_t(&self, t: f64) -> Self {
        Self { t, ..self.clone() }
    }

    /// At other coordinates.
    pub(crate) fn with_q(&self, q: DVector<f64>) -> Self {
        Self { q, ..self.clone() }
    }

    /// At other velocities.
    pub(crate) fn with_v(&self, v: DVector<f64>) -> Self {
        Self { v, ..self.clone() }
    }

    /// The state after a time `h` at constant rates of q and v.
    pub(crate) fn moved(&self, h: f64, (q, v): (&DVector<f64>, &DVector<f64>)) -> Self {
        Self {
            t: self.t + h,
            q: &self.q + q * h,
            v: &self.v + v * h,
        }
    }
}

impl<const N: usize> State<N> {
    pub(crate) fn new(q: [f64; N], v: [f64; N]) -> Self {
        Self {
            t: 0.0,
            q: q.into(),
            v: v.into(),
        }
    }

    /// The same, its size forgotten.
    pub(crate) fn listed(&self) -> DState {
        DState {
            t: self.t,
            q: DVector::from_column_slice(self.q.as_slice()),
            v: DVector::from_column_slice(self.v.as_slice()),
        }
    }

    /// The state after a time `h` at constant rates of q and v.
    pub(crate) fn moved(&self, h: f64, rate: &(SVector<f64, N>, SVector<f64, N>)) -> Self {
        Self {
            t: self.t + h,
            q: self.q + rate.0 * h,
            v: self.v + rate.1 * h,
        }
    }

    /// One step of the classical Runge-Kutta method.
    pub(crate) fn step(&self, h: f64, acceleration: &impl Fn(&Self) -> SVector<f64, N>) -> Self {
        let rate = |state: &Self| (state.v, acceleration(state));
        let k1 = rate(self);
        let k2 = rate(&self.moved(h / 2.0, &k1));
        let k3 = rate(&self.moved(h / 2.0, &k2));
        let k4 = rate(&self.moved(h, &k3));
        let mean = |a, b, c, d| (a + (b + c) * 2.0 + d) / 6.0;
        let mean: (SVector<f64, N>, SVector<f64, N>) =
            (mean(k1.0, k2.0, k3.0, k4.0), mean(k1.1, k2.1, k3.1, k4.1));
        self.moved(h, &mean)
    }

    /// The states after 0, 1, .. `steps` steps of length `h`.
    pub(crate) fn trajectory(
        self,
        h: f64,
        steps: usize,
        acceleration: impl Fn(&Self) -> SVector<f64, N>,
    ) -> impl Iterator<Item = Self> {
        let mut next = self;
        (0..=steps).map(move |_| {
            let now = next;
            next = now.step(h, &acceleration);
            now
        })
    }
}

//! Every derivative of a system against dual numbers and differences, through the generated code.

use lagrangian::nalgebra::{SMatrix, SVector};
use lagrangian::{Derivatives, Error, Motion, System};
use num_dual::Dual64;

/// Time, coordinates, velocities and inputs.
pub(crate) type State<const NQ: usize, const N: usize, const K: usize> =
    (f64, SVector<f64, NQ>, SVector<f64, N>, SVector<f64, K>);

/// The same with one first-order part.
type Moved<const NQ: usize, const N: usize, const K: usize> = (
    Dual64,
    SVector<Dual64, NQ>,
    SVector<Dual64, N>,
    SVector<Dual64, K>,
);

/// A generator of numbers in -1..1 (xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector<const N: usize>(&mut self) -> SVector<f64, N> {
        SVector::from_fn(|_, _| self.number())
    }
}

/// Asserts that two matrices agree, relative to the largest entry of the second or 1.
#[track_caller]
pub(crate) fn assert_close<const R: usize, const C: usize>(
    what: &str,
    actual: &SMatrix<f64, R, C>,
    expected: &SMatrix<f64, R, C>,
    tolerance: f64,
) {
    let error = if R * C == 0 {
        0.0
    } else {
        (actual - expected).amax() / expected.amax().max(1.0)
    };
    assert!(
        error <= tolerance,
        "{what} is off by {error:e}:\n{actual}for\n{expected}"
    );
}

fn lifted<const R: usize>(x: &SVector<f64, R>) -> SVector<Dual64, R> {
    x.map(Dual64::from_re)
}

/// The first-order part.
fn part<const R: usize>(x: &SVector<Dual64, R>) -> SVector<f64, R> {
    x.map(|entry| entry.eps)
}

fn along<const R: usize>(x: &SVector<f64, R>, j: usize) -> SVector<Dual64, R> {
    SVector::from_fn(|i, _| Dual64::new(x[i], if i == j { 1.0 } else { 0.0 }))
}

/// The derivatives of what `value` gives, column by column.
fn dual<D, const NQ: usize, const N: usize, const K: usize, const C: usize, const R: usize>(
    system: &D,
    (t, q, v, u): &State<NQ, N, K>,
    value: impl Fn(&Moved<NQ, N, K>) -> SVector<Dual64, R>,
) -> Derivatives<f64, R, N, K>
where
    D: System<Dual64, NQ, N, K, C>,
{
    let (t, q0, v0, u0) = (Dual64::from_re(*t), lifted(q), lifted(v), lifted(u));
    let column = |state: &Moved<NQ, N, K>| part(&value(state));
    Derivatives {
        q: columns(|j| {
            let d = along(&SVector::zeros(), j);
            column(&(t, system.integrate(&q0, &d), v0, u0))
        }),
        v: columns(|j| column(&(t, q0, along(v, j), u0))),
        u: columns(|j| column(&(t, q0, v0, along(u, j)))),
    }
}

fn columns<const R: usize, const C: usize>(
    column: impl FnMut(usize) -> SVector<f64, R>,
) -> SMatrix<f64, R, C> {
    let columns: Vec<SVector<f64, R>> = (0..C).map(column).collect();
    SMatrix::from_fn(|row, column| columns[column][row])
}

/// The derivatives of what `value` gives, by differences of fourth order.
fn differences<M, const NQ: usize, const N: usize, const K: usize, const C: usize, const R: usize>(
    system: &M,
    (t, q, v, u): &State<NQ, N, K>,
    value: impl Fn(&State<NQ, N, K>) -> SVector<f64, R>,
) -> Derivatives<f64, R, N, K>
where
    M: System<f64, NQ, N, K, C>,
{
    let slope = |at: &dyn Fn(f64) -> State<NQ, N, K>| {
        let h = 1.0 / 1024.0;
        let near = (value(&at(h)) - value(&at(-h))) * (2.0 / (3.0 * h));
        near - (value(&at(2.0 * h)) - value(&at(-2.0 * h))) / (12.0 * h)
    };
    fn unit<const R: usize>(j: usize, h: f64) -> SVector<f64, R> {
        SVector::from_fn(|i, _| if i == j { h } else { 0.0 })
    }
    Derivatives {
        q: columns(|j| slope(&|h| (*t, system.integrate(q, &unit(j, h)), *v, *u))),
        v: columns(|j| slope(&|h| (*t, *q, v + unit(j, h), *u))),
        u: columns(|j| slope(&|h| (*t, *q, *v, u + unit(j, h)))),
    }
}

#[track_caller]
pub(crate) fn assert_derivatives<const R: usize, const N: usize, const K: usize>(
    what: &str,
    actual: &Derivatives<f64, R, N, K>,
    expected: &Derivatives<f64, R, N, K>,
    tolerance: f64,
) {
    assert_close(&format!("{what} by q"), &actual.q, &expected.q, tolerance);
    assert_close(&format!("{what} by v"), &actual.v, &expected.v, tolerance);
    assert_close(&format!("{what} by u"), &actual.u, &expected.u, tolerance);
}

fn regular<T>(value: Result<T, Error>) -> T {
    value.expect("a regular system")
}

/// Compares all derivatives that the trait has, of one system in two scalars, at a state.
#[track_caller]
pub(crate) fn check<M, D, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    (system, dual_system): (&M, &D),
    state: &State<NQ, N, K>,
) where
    M: System<f64, NQ, N, K, C>,
    D: System<Dual64, NQ, N, K, C>,
{
    let (t, q, v, u) = state;
    let motion = regular(system.solve(*t, q, v, u));
    of_solution((system, dual_system), state);
    of_equations((system, dual_system), state, &motion);
    let a = &motion.acceleration;
    let (by_q, by_v) = system.inverse_dynamics_derivatives(*t, q, v, u, a);
    let expected = dual(dual_system, state, |(t, q, v, u)| {
        dual_system.inverse_dynamics(*t, q, v, u, &lifted(a))
    });
    assert_close("d(M a + h)/dq", &by_q, &expected.q, 1e-11);
    assert_close("d(M a + h)/dv", &by_v, &expected.v, 1e-11);
    let expected = dual(dual_system, state, |(t, q, v, u)| {
        dual_system.constraint_velocity(*t, q, v, u)
    });
    let actual = system.constraint_velocity_derivatives(*t, q, v, u);
    assert_derivatives("velocity level", &actual, &expected, 1e-11);
}

/// The derivatives of a and lambda.
#[track_caller]
fn of_solution<M, D, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    (system, dual_system): (&M, &D),
    state: &State<NQ, N, K>,
) where
    M: System<f64, NQ, N, K, C>,
    D: System<Dual64, NQ, N, K, C>,
{
    let (t, q, v, u) = state;
    let actual = regular(system.acceleration_derivatives(*t, q, v, u));
    let expected = dual(dual_system, state, |(t, q, v, u)| {
        regular(dual_system.acceleration(*t, q, v, u))
    });
    assert_derivatives("da", &actual, &expected, 1e-11);
    let rough = differences(system, state, |(t, q, v, u)| {
        regular(system.acceleration(*t, q, v, u))
    });
    assert_derivatives("da, by differences", &actual, &rough, 1e-7);
    let w = SVector::from_fn(|i, _| (1.0 + i as f64).sin());
    let weighted = regular(system.vjp(*t, q, v, u, &w));
    assert_close("w^T da by q", &weighted.q, &actual.q.tr_mul(&w), 1e-11);
    assert_close("w^T da by v", &weighted.v, &actual.v.tr_mul(&w), 1e-11);
    assert_close("w^T da by u", &weighted.u, &actual.u.tr_mul(&w), 1e-11);

    let actual = regular(system.multiplier_derivatives(*t, q, v, u));
    let expected = dual(dual_system, state, |(t, q, v, u)| {
        regular(dual_system.solve(*t, q, v, u)).multipliers
    });
    assert_derivatives("dlambda", &actual, &expected, 1e-11);
    let rough = differences(system, state, |(t, q, v, u)| {
        regular(system.solve(*t, q, v, u)).multipliers
    });
    assert_derivatives("dlambda, by differences", &actual, &rough, 1e-7);
}

/// The derivatives of f - M a + J^T lambda and of gamma - J a.
#[track_caller]
fn of_equations<M, D, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    (system, dual_system): (&M, &D),
    state: &State<NQ, N, K>,
    motion: &Motion<f64, N, C>,
) where
    M: System<f64, NQ, N, K, C>,
    D: System<Dual64, NQ, N, K, C>,
{
    let (t, q, v, u) = state;
    let (forces, rates) = system.equation_derivatives(*t, q, v, u, motion);
    let (a, lambda) = (lifted(&motion.acceleration), lifted(&motion.multipliers));
    let expected = dual(dual_system, state, |(t, q, v, u)| {
        dual_system.forcing(*t, q, v, u) - dual_system.mass_matrix(*t, q, v, u) * a
            + dual_system.constraint_jacobian(*t, q, v, u).transpose() * lambda
    });
    assert_derivatives("forces", &forces, &expected, 1e-11);
    let expected = dual(dual_system, state, |(t, q, v, u)| {
        dual_system.constraint_gamma(*t, q, v, u) - dual_system.constraint_jacobian(*t, q, v, u) * a
    });
    assert_derivatives("rates", &rates, &expected, 1e-11);
}

//! Every derivative of a system against dual numbers and differences, through the generated code.

use lagrangian::nalgebra::{DMatrix, DVector, RealField, SMatrix, SVector, Scalar};
use lagrangian::{Derivatives, Error, Motion, System};
use num_dual::Dual64;

/// Time, coordinates, velocities and inputs.
pub(crate) type State<const NQ: usize, const N: usize, const K: usize> =
    (f64, SVector<f64, NQ>, SVector<f64, N>, SVector<f64, K>);

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

/// A point at which systems are compared, its sizes forgotten.
struct At<S> {
    t: S,
    q: DVector<S>,
    v: DVector<S>,
    u: DVector<S>,
}

/// A system behind uniform arguments without static sizes, so that the checks are compiled once, not for each system. A
/// value that does not exist at a point fails.
trait Adapter<S> {
    fn integrate(&self, q: &DVector<S>, d: &DVector<S>) -> DVector<S>;
    fn mass_matrix(&self, at: &At<S>) -> DMatrix<S>;
    fn forcing(&self, at: &At<S>) -> DVector<S>;
    fn inverse_dynamics(&self, at: &At<S>, a: &DVector<S>) -> DVector<S>;
    fn acceleration(&self, at: &At<S>) -> DVector<S>;
    /// a and lambda.
    fn solve(&self, at: &At<S>) -> (DVector<S>, DVector<S>);
    fn constraint_velocity(&self, at: &At<S>) -> DVector<S>;
    fn constraint_jacobian(&self, at: &At<S>) -> DMatrix<S>;
    fn constraint_gamma(&self, at: &At<S>) -> DVector<S>;
}

/// The derivatives of such a system.
trait Differentiated: Adapter<f64> {
    fn acceleration_derivatives(&self, at: &At<f64>) -> By;
    fn multiplier_derivatives(&self, at: &At<f64>) -> By;
    fn constraint_velocity_derivatives(&self, at: &At<f64>) -> By;
    /// The derivatives of the forces and of the rates, at a and lambda.
    fn equation_derivatives(
        &self,
        at: &At<f64>,
        a: &DVector<f64>,
        lambda: &DVector<f64>,
    ) -> (By, By);
    /// By q and v.
    fn inverse_dynamics_derivatives(
        &self,
        at: &At<f64>,
        a: &DVector<f64>,
    ) -> (DMatrix<f64>, DMatrix<f64>);
    /// The weighted rows of those of a, as columns.
    fn vjp(&self, at: &At<f64>, w: &DVector<f64>) -> By;
}

/// Derivatives by q, v and u.
struct By {
    q: DMatrix<f64>,
    v: DMatrix<f64>,
    u: DMatrix<f64>,
}

/// A system of these sizes, to be forgotten.
struct Erased<'a, M, const NQ: usize, const N: usize, const K: usize, const C: usize>(&'a M);

fn fixed<S: Scalar + Copy, const R: usize>(x: &DVector<S>) -> SVector<S, R> {
    let array: [S; R] = x.as_slice().try_into().expect("as many entries");
    array.into()
}

fn list<S: Scalar, const R: usize>(x: &SVector<S, R>) -> DVector<S> {
    DVector::from_column_slice(x.as_slice())
}

fn dynamic<S: Scalar, const R: usize, const C: usize>(x: &SMatrix<S, R, C>) -> DMatrix<S> {
    DMatrix::from_column_slice(R, C, x.as_slice())
}

fn by<const R: usize, const N: usize, const K: usize>(x: &Derivatives<f64, R, N, K>) -> By {
    By {
        q: dynamic(&x.q),
        v: dynamic(&x.v),
        u: dynamic(&x.u),
    }
}

fn regular<T>(value: Result<T, Error>) -> T {
    value.expect("a regular system")
}

impl<S, M, const NQ: usize, const N: usize, const K: usize, const C: usize> Adapter<S>
    for Erased<'_, M, NQ, N, K, C>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    fn integrate(&self, q: &DVector<S>, d: &DVector<S>) -> DVector<S> {
        list(&self.0.integrate(&fixed(q), &fixed(d)))
    }
    fn mass_matrix(&self, at: &At<S>) -> DMatrix<S> {
        dynamic(
            &self
                .0
                .mass_matrix(at.t, &fixed(&at.q), &fixed(&at.v), &fixed(&at.u)),
        )
    }
    fn forcing(&self, at: &At<S>) -> DVector<S> {
        list(
            &self
                .0
                .forcing(at.t, &fixed(&at.q), &fixed(&at.v), &fixed(&at.u)),
        )
    }
    fn inverse_dynamics(&self, at: &At<S>, a: &DVector<S>) -> DVector<S> {
        let (q, v, u) = (fixed(&at.q), fixed(&at.v), fixed(&at.u));
        list(&self.0.inverse_dynamics(at.t, &q, &v, &u, &fixed(a)))
    }
    fn acceleration(&self, at: &At<S>) -> DVector<S> {
        let (q, v, u) = (fixed(&at.q), fixed(&at.v), fixed(&at.u));
        list(&regular(self.0.acceleration(at.t, &q, &v, &u)))
    }
    fn solve(&self, at: &At<S>) -> (DVector<S>, DVector<S>) {
        let (q, v, u) = (fixed(&at.q), fixed(&at.v), fixed(&at.u));
        let motion = regular(self.0.solve(at.t, &q, &v, &u));
        (list(&motion.acceleration), list(&motion.multipliers))
    }
    fn constraint_velocity(&self, at: &At<S>) -> DVector<S> {
        let (q, v, u) = (fixed(&at.q), fixed(&at.v), fixed(&at.u));
        list(&self.0.constraint_velocity(at.t, &q, &v, &u))
    }
    fn constraint_jacobian(&self, at: &At<S>) -> DMatrix<S> {
        let (q, v, u) = (fixed(&at.q), fixed(&at.v), fixed(&at.u));
        dynamic(&self.0.constraint_jacobian(at.t, &q, &v, &u))
    }
    fn constraint_gamma(&self, at: &At<S>) -> DVector<S> {
        let (q, v, u) = (fixed(&at.q), fixed(&at.v), fixed(&at.u));
        list(&self.0.constraint_gamma(at.t, &q, &v, &u))
    }
}

impl<M, const NQ: usize, const N: usize, const K: usize, const C: usize> Differentiated
    for Erased<'_, M, NQ, N, K, C>
where
    M: System<f64, NQ, N, K, C>,
{
    fn acceleration_derivatives(&self, at: &At<f64>) -> By {
        let (q, v, u) = (fixed(&at.q), fixed(&at.v), fixed(&at.u));
        by(&regular(self.0.acceleration_derivatives(at.t, &q, &v, &u)))
    }
    fn multiplier_derivatives(&self, at: &At<f64>) -> By {
        let (q, v, u) = (fixed(&at.q), fixed(&at.v), fixed(&at.u));
        by(&regular(self.0.multiplier_derivatives(at.t, &q, &v, &u)))
    }
    fn constraint_velocity_derivatives(&self, at: &At<f64>) -> By {
        let (q, v, u) = (fixed(&at.q), fixed(&at.v), fixed(&at.u));
        by(&self.0.constraint_velocity_derivatives(at.t, &q, &v, &u))
    }
    fn equation_derivatives(
        &self,
        at: &At<f64>,
        a: &DVector<f64>,
        lambda: &DVector<f64>,
    ) -> (By, By) {
        let (q, v, u) = (fixed(&at.q), fixed(&at.v), fixed(&at.u));
        let motion = Motion {
            acceleration: fixed(a),
            multipliers: fixed(lambda),
        };
        let (forces, rates) = self.0.equation_derivatives(at.t, &q, &v, &u, &motion);
        (by(&forces), by(&rates))
    }
    fn inverse_dynamics_derivatives(
        &self,
        at: &At<f64>,
        a: &DVector<f64>,
    ) -> (DMatrix<f64>, DMatrix<f64>) {
        let (q, v, u) = (fixed(&at.q), fixed(&at.v), fixed(&at.u));
        let (by_q, by_v) = self
            .0
            .inverse_dynamics_derivatives(at.t, &q, &v, &u, &fixed(a));
        (dynamic(&by_q), dynamic(&by_v))
    }
    fn vjp(&self, at: &At<f64>, w: &DVector<f64>) -> By {
        let (q, v, u) = (fixed(&at.q), fixed(&at.v), fixed(&at.u));
        let weighted = regular(self.0.vjp(at.t, &q, &v, &u, &fixed(w)));
        By {
            q: dynamic(&weighted.q),
            v: dynamic(&weighted.v),
            u: dynamic(&weighted.u),
        }
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
    assert_agree(what, &dynamic(actual), &dynamic(expected), tolerance);
}

#[track_caller]
fn assert_agree(what: &str, actual: &DMatrix<f64>, expected: &DMatrix<f64>, tolerance: f64) {
    assert_eq!(actual.shape(), expected.shape(), "{what}: shape");
    let error = if actual.is_empty() {
        0.0
    } else {
        (actual - expected).amax() / expected.amax().max(1.0)
    };
    assert!(
        error <= tolerance,
        "{what} is off by {error:e}:\n{actual}for\n{expected}"
    );
}

#[track_caller]
fn assert_derivatives(what: &str, actual: &By, expected: &By, tolerance: f64) {
    assert_agree(&format!("{what} by q"), &actual.q, &expected.q, tolerance);
    assert_agree(&format!("{what} by v"), &actual.v, &expected.v, tolerance);
    assert_agree(&format!("{what} by u"), &actual.u, &expected.u, tolerance);
}

fn lifted(x: &DVector<f64>) -> DVector<Dual64> {
    x.map(Dual64::from_re)
}

/// `x` with the first-order part of its entry `j`.
fn along(x: &DVector<f64>, j: usize) -> DVector<Dual64> {
    let mut along = lifted(x);
    along[j].eps = 1.0;
    along
}

/// The derivatives of `value`, a list of `rows`, column by column.
fn dual(
    system: &dyn Adapter<Dual64>,
    at: &At<f64>,
    rows: usize,
    value: &dyn Fn(&At<Dual64>) -> DVector<Dual64>,
) -> By {
    let here = |q, v, u| {
        let t = Dual64::from_re(at.t);
        value(&At { t, q, v, u }).map(|entry| entry.eps)
    };
    let (q, v, u) = (lifted(&at.q), lifted(&at.v), lifted(&at.u));
    let still = DVector::zeros(v.len());
    By {
        q: columns(rows, v.len(), &|j| {
            here(
                system.integrate(&q, &along(&still, j)),
                v.clone(),
                u.clone(),
            )
        }),
        v: columns(rows, v.len(), &|j| {
            here(q.clone(), along(&at.v, j), u.clone())
        }),
        u: columns(rows, u.len(), &|j| {
            here(q.clone(), v.clone(), along(&at.u, j))
        }),
    }
}

fn columns(rows: usize, columns: usize, column: &dyn Fn(usize) -> DVector<f64>) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(rows, columns);
    for j in 0..columns {
        matrix.set_column(j, &column(j));
    }
    matrix
}

/// The derivatives of `value`, a list of `rows`, by differences of fourth order.
fn differences(
    system: &dyn Adapter<f64>,
    at: &At<f64>,
    rows: usize,
    value: &dyn Fn(&At<f64>) -> DVector<f64>,
) -> By {
    let slope = |at: &dyn Fn(f64) -> At<f64>| {
        let h = 1.0 / 1024.0;
        let near = (value(&at(h)) - value(&at(-h))) * (2.0 / (3.0 * h));
        near - (value(&at(2.0 * h)) - value(&at(-2.0 * h))) / (12.0 * h)
    };
    let (t, q, v, u) = (at.t, &at.q, &at.v, &at.u);
    let point = |q, v, u| At { t, q, v, u };
    let moved = |x: &DVector<f64>, j: usize, h: f64| {
        let mut moved = x.clone();
        moved[j] += h;
        moved
    };
    let still = DVector::zeros(v.len());
    By {
        q: columns(rows, v.len(), &|j| {
            slope(&|h| {
                point(
                    system.integrate(q, &moved(&still, j, h)),
                    v.clone(),
                    u.clone(),
                )
            })
        }),
        v: columns(rows, v.len(), &|j| {
            slope(&|h| point(q.clone(), moved(v, j, h), u.clone()))
        }),
        u: columns(rows, u.len(), &|j| {
            slope(&|h| point(q.clone(), v.clone(), moved(u, j, h)))
        }),
    }
}

/// Compares all derivatives that the trait has, of one system in two scalars, at a state.
#[track_caller]
pub(crate) fn check<M, D, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    (system, dual_system): (&M, &D),
    (t, q, v, u): &State<NQ, N, K>,
) where
    M: System<f64, NQ, N, K, C>,
    D: System<Dual64, NQ, N, K, C>,
{
    let (q, v, u) = (list(q), list(v), list(u));
    let at = At { t: *t, q, v, u };
    check_at((&Erased(system), &Erased(dual_system)), &at);
}

#[track_caller]
fn check_at(systems: (&dyn Differentiated, &dyn Adapter<Dual64>), at: &At<f64>) {
    let (system, dual_system) = systems;
    let (a, lambda) = system.solve(at);
    of_solution(systems, at);
    of_equations(systems, at, (&a, &lambda));
    let (by_q, by_v) = system.inverse_dynamics_derivatives(at, &a);
    let expected = dual(dual_system, at, a.len(), &|at| {
        dual_system.inverse_dynamics(at, &lifted(&a))
    });
    assert_agree("d(M a + h)/dq", &by_q, &expected.q, 1e-11);
    assert_agree("d(M a + h)/dv", &by_v, &expected.v, 1e-11);
    let expected = dual(dual_system, at, lambda.len(), &|at| {
        dual_system.constraint_velocity(at)
    });
    let actual = system.constraint_velocity_derivatives(at);
    assert_derivatives("velocity level", &actual, &expected, 1e-11);
}

/// The derivatives of a and lambda.
#[track_caller]
fn of_solution((system, dual_system): (&dyn Differentiated, &dyn Adapter<Dual64>), at: &At<f64>) {
    let (n, c) = (at.v.len(), system.solve(at).1.len());
    let actual = system.acceleration_derivatives(at);
    let expected = dual(dual_system, at, n, &|at| dual_system.acceleration(at));
    assert_derivatives("da", &actual, &expected, 1e-11);
    let rough = differences(system, at, n, &|at| system.acceleration(at));
    assert_derivatives("da, by differences", &actual, &rough, 1e-7);
    let w = DVector::from_fn(n, |i, _| (1.0 + i as f64).sin());
    let weighted = system.vjp(at, &w);
    let row = |x: &DMatrix<f64>| DMatrix::from_column_slice(x.ncols(), 1, x.tr_mul(&w).as_slice());
    assert_agree("w^T da by q", &weighted.q, &row(&actual.q), 1e-11);
    assert_agree("w^T da by v", &weighted.v, &row(&actual.v), 1e-11);
    assert_agree("w^T da by u", &weighted.u, &row(&actual.u), 1e-11);

    let actual = system.multiplier_derivatives(at);
    let expected = dual(dual_system, at, c, &|at| dual_system.solve(at).1);
    assert_derivatives("dlambda", &actual, &expected, 1e-11);
    let rough = differences(system, at, c, &|at| system.solve(at).1);
    assert_derivatives("dlambda, by differences", &actual, &rough, 1e-7);
}

/// The derivatives of f - M a + J^T lambda and of gamma - J a.
#[track_caller]
fn of_equations(
    (system, dual_system): (&dyn Differentiated, &dyn Adapter<Dual64>),
    at: &At<f64>,
    (a, lambda): (&DVector<f64>, &DVector<f64>),
) {
    let (forces, rates) = system.equation_derivatives(at, a, lambda);
    let (n, c) = (a.len(), lambda.len());
    let (a, lambda) = (lifted(a), lifted(lambda));
    let expected = dual(dual_system, at, n, &|at| {
        dual_system.forcing(at) - dual_system.mass_matrix(at) * &a
            + dual_system.constraint_jacobian(at).transpose() * &lambda
    });
    assert_derivatives("forces", &forces, &expected, 1e-11);
    let expected = dual(dual_system, at, c, &|at| {
        dual_system.constraint_gamma(at) - dual_system.constraint_jacobian(at) * &a
    });
    assert_derivatives("rates", &rates, &expected, 1e-11);
}

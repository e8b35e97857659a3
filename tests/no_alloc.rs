//! Generated methods never allocate: neither on success nor on failure, neither where the solution is
//! unrolled nor where it is a loop.

#[path = "shared/chain.rs"]
mod chain;
#[path = "shared/long_chain.rs"]
mod long_chain;
#[path = "shared/methods.rs"]
mod methods;

use std::alloc::{GlobalAlloc, Layout, System as Heap};
use std::cell::Cell;
use std::hint::black_box;

use lagrangian::nalgebra::{RealField, SVector, vector};
use lagrangian::{Error, System, lagrangian};
use long_chain::LongChain;
use methods::{checked_methods, plain_methods};

/// The system's allocator, with a count of the calls by each thread.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

fn count_one() {
    COUNT.set(COUNT.get() + 1);
}

// SAFETY: every call goes to the system's allocator unchanged. The count is a thread-local without
// destructor and with a constant start, so that reading it does not allocate.
#[expect(unsafe_code, reason = "a global allocator cannot be written without")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_one();
        // SAFETY: the caller's promises are those asked for here.
        unsafe { Heap.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count_one();
        // SAFETY: as above.
        unsafe { Heap.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count_one();
        // SAFETY: as above.
        unsafe { Heap.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Evaluates `$call` and fails if it used the heap.
macro_rules! without_heap {
    ($name:expr, $call:expr) => {{
        let before = COUNT.get();
        let value = black_box($call);
        assert_eq!(COUNT.get(), before, "{} uses the heap", $name);
        value
    }};
}

macro_rules! succeed_without_heap {
    ($name:expr, $call:expr) => {
        assert!(without_heap!($name, $call).is_ok(), "{}", $name)
    };
}

macro_rules! fail_without_heap {
    ($name:expr, $call:expr) => {
        assert!(without_heap!($name, $call).is_err(), "{}", $name)
    };
}

/// The methods of the trait, with its arguments.
fn use_trait<M, S, const N: usize, const K: usize>(
    system: &M,
    t: S,
    (q, v, u): (&SVector<S, N>, &SVector<S, N>, &SVector<S, K>),
) where
    S: RealField + Copy,
    M: System<S, N, K, 0>,
{
    without_heap!("mass_matrix", system.mass_matrix(t, q, v, u));
    without_heap!("forcing", system.forcing(t, q, v, u));
    without_heap!("momenta", system.momenta(t, q, v, u));
    without_heap!("bias", system.bias(t, q, v, u));
    without_heap!("generalized_forces", system.generalized_forces(t, q, v, u));
    without_heap!("lagrangian", system.lagrangian(t, q, v, u));
    without_heap!("energy", system.energy(t, q, v, u));
    without_heap!("jacobi_integral", system.jacobi_integral(t, q, v, u));
    without_heap!("inverse_dynamics", system.inverse_dynamics(t, q, v, u, v));
    succeed_without_heap!("acceleration", system.acceleration(t, q, v, u));
    succeed_without_heap!("solve", system.solve(t, q, v, u));
    succeed_without_heap!("state_derivative", system.state_derivative(t, q, v, u));
}

#[test]
fn the_count_sees_an_allocation() {
    let before = COUNT.get();
    drop(black_box(Box::new(1)));
    assert_eq!(COUNT.get(), before + 2);
}

lagrangian! {
    struct CartPole {
        x, theta: coordinate,
        m_c, m_p, l: parameter = 1,
        g: parameter = 9.81,
        u: input,
    }

    pub let bob = [x + l * sin(theta), l * cos(theta)];
    pub let power = u * der(x);

    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
}

#[test]
fn cart_pole() {
    let system = CartPole::default();
    let (q, v, u) = (&vector![0.1, 0.2], &vector![0.3, 0.4], &vector![0.5]);
    plain_methods!(natural &system, [], q, v, [u], v => without_heap);
    checked_methods!(&system, [], q, v, [u] => succeed_without_heap);
    without_heap!("bob", system.bob(q));
    without_heap!("bob_jacobian", system.bob_jacobian(q));
    without_heap!("power", system.power(q, v, u));
    use_trait(&system, 0.0, (q, v, u));
}

#[test]
fn cart_pole_that_fails() {
    let massless = CartPole {
        m_p: 0.0,
        ..CartPole::default()
    };
    let (q, v, u) = (&vector![0.1, 0.2], &vector![0.3, 0.4], &vector![0.5]);
    checked_methods!(&massless, [], q, v, [u] => fail_without_heap);
    let outcome = massless.acceleration(q, v, u);
    assert_eq!(outcome, Err(Error::SingularMassMatrix));
    let q = &vector![f64::NAN, 0.0];
    plain_methods!(natural &massless, [], q, v, [u], v => without_heap);
    checked_methods!(&massless, [], q, v, [u] => fail_without_heap);
}

#[test]
fn chain() {
    let system = LongChain::default();
    let q = &SVector::from_fn(|row, _| 0.1 * row as f64);
    let v = &SVector::from_element(0.2);
    plain_methods!(natural &system, [], q, v, [], v => without_heap);
    checked_methods!(&system, [], q, v, [] => succeed_without_heap);
    use_trait(&system, 0.0, (q, v, &vector![]));
}

#[test]
fn chain_that_fails() {
    let massless = LongChain {
        m24: 0.0,
        ..LongChain::default()
    };
    let (q, v) = (&SVector::zeros(), &SVector::zeros());
    checked_methods!(&massless, [], q, v, [] => fail_without_heap);
    assert_eq!(massless.acceleration(q, v), Err(Error::SingularMassMatrix));
    let q = &SVector::from_element(f64::INFINITY);
    checked_methods!(&massless, [], q, v, [] => fail_without_heap);
}

lagrangian! {
    struct Relativistic {
        t: time,
        x, y: coordinate,
        m, c, omega: parameter = 1,
        e: input,
    }

    L = -m * c^2 * sqrt(1 - (der(x)^2 + der(y)^2) / c^2) - x * cos(omega * t);
    Q.y = e;
}

#[test]
fn system_with_a_lagrangian_and_time() {
    let system = Relativistic::default();
    let (q, v, u) = (&vector![0.1, 0.2], &vector![0.3, 0.4], &vector![0.5]);
    plain_methods!(lagrangian &system, [0.6], q, v, [u], v => without_heap);
    checked_methods!(&system, [0.6], q, v, [u] => succeed_without_heap);
    use_trait(&system, 0.6, (q, v, u));
    checked_methods!(&system, [f64::NAN], q, v, [u] => fail_without_heap);
    // Faster than light.
    let v = &vector![0.8, 0.9];
    checked_methods!(&system, [0.6], q, v, [u] => fail_without_heap);
}

lagrangian! {
    /// A sledge on a rod, whose blade does not slip sideways.
    struct Sledge { x, y, phi: coordinate, m, l: parameter, u: input }

    T = m * (der(x)^2 + der(y)^2) / 2 + m * l^2 * der(phi)^2 / 6;
    V = m * 9.81 * y;
    Q.phi = u;
    holonomic rod: x^2 + y^2 = l^2;
    nonholonomic blade: cos(phi) * der(y) = sin(phi) * der(x) + l * der(phi) / 3;
}

#[test]
fn constrained_systems_do_not_allocate() {
    let system = Sledge { m: 1.5, l: 2.0 };
    let (q, v, u) = (
        &vector![1.2, -1.6, 0.4],
        &vector![0.3, 0.2, -0.5],
        &vector![0.7],
    );
    plain_methods!(natural &system, [], q, v, [u], v => without_heap);
    checked_methods!(&system, [], q, v, [u] => succeed_without_heap);
    without_heap!("constraint_residual", system.constraint_residual(q));
    without_heap!("constraint_velocity", system.constraint_velocity(q, v));
    without_heap!("constraint_jacobian", system.constraint_jacobian(q));
    without_heap!("constraint_gamma", system.constraint_gamma(q, v));
    succeed_without_heap!("constraint_forces", system.constraint_forces(q, v, u));
    succeed_without_heap!("project", system.project(q, v));
    // At the rod's pivot its constraint has no direction.
    let pivot = &vector![0.0, 0.0, 0.4];
    checked_methods!(&system, [], pivot, v, [u] => fail_without_heap);
    fail_without_heap!("constraint_forces", system.constraint_forces(pivot, v, u));
    fail_without_heap!("project", system.project(pivot, v));
}

//! The allocator that counts, and the calls that it observes.

use std::alloc::{GlobalAlloc, Layout, System as Heap};
use std::cell::Cell;
use std::hint::black_box;

use lagrangian::nalgebra::{RealField, SVector, convert};
use lagrangian::{Free, Run, System, rk4_step, trim};

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

/// How often this thread has called the allocator.
pub(crate) fn calls() -> usize {
    COUNT.get()
}

/// Evaluates `$call` and fails if it used the heap.
macro_rules! without_heap {
    ($name:expr, $call:expr) => {{
        let before = crate::counting::calls();
        let value = std::hint::black_box($call);
        assert_eq!(crate::counting::calls(), before, "{} uses the heap", $name);
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
pub(crate) use {fail_without_heap, succeed_without_heap, without_heap};

/// The methods of the trait, with its arguments.
pub(crate) fn use_trait<M, S, const N: usize, const K: usize, const C: usize>(
    system: &M,
    t: S,
    (q, v, u): (&SVector<S, N>, &SVector<S, N>, &SVector<S, K>),
) where
    S: RealField + Copy,
    M: System<S, N, N, K, C>,
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
    without_heap!(
        "inverse_dynamics_derivatives",
        system.inverse_dynamics_derivatives(t, q, v, u, v)
    );
    succeed_without_heap!("acceleration", system.acceleration(t, q, v, u));
    succeed_without_heap!("solve", system.solve(t, q, v, u));
    if let Ok(motion) = system.solve(t, q, v, u) {
        without_heap!(
            "equation_derivatives",
            system.equation_derivatives(t, q, v, u, &motion)
        );
    }
    succeed_without_heap!(
        "acceleration_derivatives",
        system.acceleration_derivatives(t, q, v, u)
    );
    succeed_without_heap!(
        "multiplier_derivatives",
        system.multiplier_derivatives(t, q, v, u)
    );
    succeed_without_heap!("vjp", system.vjp(t, q, v, u, v));
    without_heap!(
        "constraint_velocity_derivatives",
        system.constraint_velocity_derivatives(t, q, v, u)
    );
    succeed_without_heap!("state_derivative", system.state_derivative(t, q, v, u));
    without_heap!(
        "constraint_residual",
        system.constraint_residual(t, q, v, u)
    );
    without_heap!(
        "constraint_velocity",
        system.constraint_velocity(t, q, v, u)
    );
    without_heap!(
        "constraint_jacobian",
        system.constraint_jacobian(t, q, v, u)
    );
    without_heap!("constraint_gamma", system.constraint_gamma(t, q, v, u));
    succeed_without_heap!("constraint_forces", system.constraint_forces(t, q, v, u));
    succeed_without_heap!("project", system.project(t, q, v, u));
    let h = convert(0.001);
    succeed_without_heap!("rk4_step", rk4_step(system, t, q, v, u, h));
    let free = Free {
        q: [true; N],
        v: [true; N],
        u: [true; K],
    };
    let start = (*q, *v, *u);
    // Debug builds take seconds for large ones.
    if N < 10 {
        let run = Run::new(system, t, start.0, start.1).event(|_, q, _| q[0]);
        let _ = without_heap!("Run", run.project_every_step().take(3).last());
        let _ = without_heap!("trim", trim(system, t, start, &free, SVector::zeros()));
    }
}

#[test]
fn the_count_sees_an_allocation() {
    let before = calls();
    drop(black_box(Box::new(1)));
    assert_eq!(calls(), before + 2);
}

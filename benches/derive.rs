//! Time and memory of the derivation, by the number of links of a pendulum.
//!
//! ```text
//! cargo bench -p lagrangian-benches --bench derive
//! ```
//!
//! The line `max alloc` is the peak memory of one run beyond its input.

#[path = "../lagrange-engine/tests/common/mod.rs"]
mod common;

use divan::{AllocProfiler, Bencher};
use lagrange_engine::{Dynamics, Quantity, System};

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

const LINKS: [usize; 6] = [2, 5, 10, 20, 30, 40];

fn main() {
    divan::main();
}

/// Every quantity of a system without constraints, separately.
const QUANTITIES: [Quantity; 12] = [
    Quantity::MassMatrix,
    Quantity::Forcing,
    Quantity::Momenta,
    Quantity::Bias,
    Quantity::GeneralizedForces,
    Quantity::KineticEnergy,
    Quantity::PotentialEnergy,
    Quantity::CoriolisMatrix,
    Quantity::PotentialGradient,
    Quantity::Lagrangian,
    Quantity::Energy,
    Quantity::InverseDynamics,
];

/// The programs of all methods that evaluate quantities.
#[divan::bench(args = LINKS)]
fn equations(bencher: Bencher<'_, '_>, links: usize) {
    bencher
        .with_inputs(|| common::pendulum(links))
        .bench_values(|system: System| {
            let dynamics = Dynamics::new(system);
            QUANTITIES.map(|quantity| dynamics.program(&[quantity]))
        });
}

/// The code of `acceleration` alone.
#[divan::bench(args = LINKS)]
fn acceleration(bencher: Bencher<'_, '_>, links: usize) {
    bencher
        .with_inputs(|| common::pendulum(links))
        .bench_values(|system: System| Dynamics::new(system).solve_program());
}

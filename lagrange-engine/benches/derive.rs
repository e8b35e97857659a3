//! Time and memory of the derivation, by the number of links of a pendulum.
//!
//! ```text
//! cargo bench -p lagrange-engine --bench derive
//! ```
//!
//! The line `max alloc` is the peak memory of one run beyond its input.

#[path = "../tests/common/mod.rs"]
mod common;

use divan::{AllocProfiler, Bencher};
use lagrange_engine::{System, derive};

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

const LINKS: [usize; 6] = [2, 5, 10, 20, 30, 40];

fn main() {
    divan::main();
}

/// All terms of the equations of motion.
#[divan::bench(args = LINKS)]
fn equations(bencher: Bencher<'_, '_>, links: usize) {
    bencher
        .with_inputs(|| common::pendulum(links))
        .bench_values(|system: System| derive(system));
}

/// The code of `acceleration` alone.
#[divan::bench(args = LINKS)]
fn acceleration(bencher: Bencher<'_, '_>, links: usize) {
    let dynamics = derive(common::pendulum(links));
    bencher.bench(|| dynamics.schedule_solve());
}

//! Time of one `acceleration`, in turn at 64 random states.
//!
//! ```text
//! cargo bench -p lagrangian-benches --bench acceleration
//! ```

mod systems;

use std::hint::black_box;

use divan::Bencher;
use lagrangian::System;
use systems::{CartPole, Chain2, Chain5, Chain10, Chain20, acceleration, states};

fn main() {
    divan::main();
}

fn measure<M, const N: usize, const K: usize>(bencher: Bencher<'_, '_>, system: &M)
where
    M: System<f64, N, N, K, 0>,
{
    let states = states::<N, K>();
    let mut next = states.iter().cycle();
    bencher.bench_local(|| {
        next.next()
            .map(|state| acceleration(system, black_box(state)))
    });
}

#[divan::bench(sample_count = 200, sample_size = 256)]
fn cart_pole(bencher: Bencher<'_, '_>) {
    measure(bencher, &CartPole::<f64>::default());
}

#[divan::bench(sample_count = 200, sample_size = 256)]
fn chain_02_links(bencher: Bencher<'_, '_>) {
    measure(bencher, &Chain2::<f64>::default());
}

#[divan::bench(sample_count = 200, sample_size = 256)]
fn chain_05_links(bencher: Bencher<'_, '_>) {
    measure(bencher, &Chain5::<f64>::default());
}

#[divan::bench(sample_count = 200, sample_size = 256)]
fn chain_10_links(bencher: Bencher<'_, '_>) {
    measure(bencher, &Chain10::<f64>::default());
}

#[divan::bench(sample_count = 200, sample_size = 256)]
fn chain_20_links(bencher: Bencher<'_, '_>) {
    measure(bencher, &Chain20::<f64>::default());
}

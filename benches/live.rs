//! Declarations at run time: from text to the first value, and batches of states beside the methods in Rust.
//!
//! ```text
//! cargo bench -p lagrangian-benches --bench live
//! ```

#[path = "../tests/arms/panda.rs"]
mod panda;
#[allow(dead_code, reason = "other benches measure the rest")]
mod systems;

use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

use lagrangian::System;
use lagrangian::nalgebra::SVector;
use lagrangian_live::{Model, declarations};
use panda::Panda;
use systems::{CartPole, Chain20};

/// The number of states of a batch.
const BATCH: usize = 4096;

const CART_POLE: &str = "
    struct CartPole { x, theta: coordinate, m_c, m_p, l: parameter = 1, g: parameter = 9.81, u: input }
    let bob = [x + l * sin(theta), l * cos(theta)];
    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
";

/// A pendulum of this number of links, each with names of its own.
fn chain(links: usize) -> String {
    let mut fields = String::new();
    let mut statements = "let mut x = 0; let mut y = 0;\n".to_owned();
    for i in 1..=links {
        let _ = write!(fields, "q{i}: coordinate, ");
        let _ = writeln!(
            statements,
            "x += l{i} * sin(q{i}); y -= l{i} * cos(q{i}); T += m{i} * der([x, y])^2 / 2; V += m{i} * g * y;"
        );
    }
    for name in ["m", "l"] {
        for i in 1..=links {
            let _ = write!(fields, "{name}{i}: parameter = 1, ");
        }
    }
    format!("struct Chain {{ {fields} g: parameter = 9.81 }}\n{statements}")
}

fn main() {
    let program = include_str!("../tests/arms/panda.rs");
    let panda = &declarations(program).expect("a program")[0];
    println!(
        "{:<12} {:>14} {:>14} {:>14} {:>14} {:>7}",
        "", "first value", "one call", "of a batch", "Rust", "ratio"
    );
    report::<_, 2, 1>("cart-pole", CART_POLE, &CartPole::<f64>::default());
    report::<_, 20, 0>("chain of 20", &chain(20), &Chain20::<f64>::default());
    report::<_, 7, 7>("Panda", panda, &Panda::default());
}

/// The shortest of some runs, after which longer ones are interrupted by others.
fn shortest(times: usize, mut run: impl FnMut()) -> Duration {
    let runs = (0..times).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    runs.min().unwrap_or_default()
}

fn report<M: System<f64, N, N, K, 0>, const N: usize, const K: usize>(
    name: &str,
    text: &str,
    system: &M,
) {
    let numbers = |scale: f64| move |i: usize| scale * ((i * 7919 + 13) % 1009) as f64 / 1009.0;
    let list = |length: usize, scale| (0..length).map(numbers(scale)).collect::<Vec<f64>>();
    let (q, v, u) = (
        list(N * BATCH, 3.0),
        list(N * BATCH, 2.0),
        list(K * BATCH, 1.0),
    );
    let read = || Model::read(text).expect("a declaration");
    let model = read();
    let parameters = model.parameters().iter();
    let parameters: Vec<f64> = parameters
        .flat_map(|p| p.default.clone().unwrap_or_default())
        .collect();
    let call = |model: &Model, count: usize, a: &mut [f64]| {
        let states = [&q[..N * count], &v[..N * count], &u[..K * count]];
        let states = if K > 0 { &states[..] } else { &states[..2] };
        let done = model.call_batch("acceleration", &parameters, states, &mut [a], count);
        done.expect("regular states");
    };
    let first = shortest(5, || call(&read(), 1, &mut [0.0; N]));
    let single = shortest(200, || call(&model, 1, black_box(&mut [0.0; N])));
    let mut a = vec![0.0; N * BATCH];
    let batch = shortest(20, || call(&model, BATCH, black_box(&mut a)));
    let states: Vec<_> = (0..BATCH)
        .map(|i| {
            (
                SVector::<f64, N>::from_column_slice(&q[N * i..][..N]),
                SVector::<f64, N>::from_column_slice(&v[N * i..][..N]),
                SVector::<f64, K>::from_column_slice(&u[K * i..][..K]),
            )
        })
        .collect();
    let native = shortest(20, || {
        for (q, v, u) in &states {
            let _ = black_box(system.acceleration(0.0, black_box(q), v, u));
        }
    });
    let [batch, native] = [batch, native].map(|time| time.as_secs_f64() * 1e9 / BATCH as f64);
    println!(
        "{name:<12} {:>11.2} ms {:>11.2} us {batch:>11.0} ns {native:>11.0} ns {:>7.1}",
        first.as_secs_f64() * 1e3,
        single.as_secs_f64() * 1e6,
        batch / native
    );
}

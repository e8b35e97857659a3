//! Calls `acceleration` a given number of times, for `benches/instructions` to count what a call costs.
//!
//! Arguments: the name of a system and the number of calls. Without them, the names.

mod systems;

use std::hint::black_box;

use lagrangian::System;
use systems::{CartPole, Chain2, Chain5, Chain10, Chain20, acceleration, states};

/// A name, and what calls the acceleration of that system so many times.
type Named = (&'static str, fn(usize));

const SYSTEMS: [Named; 5] = [
    ("cart_pole", |calls| run(&CartPole::<f64>::default(), calls)),
    ("chain_02_links", |calls| {
        run(&Chain2::<f64>::default(), calls)
    }),
    ("chain_05_links", |calls| {
        run(&Chain5::<f64>::default(), calls)
    }),
    ("chain_10_links", |calls| {
        run(&Chain10::<f64>::default(), calls)
    }),
    ("chain_20_links", |calls| {
        run(&Chain20::<f64>::default(), calls)
    }),
];

fn run<M, const N: usize, const K: usize>(system: &M, calls: usize)
where
    M: System<f64, N, N, K, 0>,
{
    for state in states::<N, K>().iter().cycle().take(calls) {
        let _ = black_box(acceleration(system, black_box(state)));
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|word| word != "--bench");
    let wanted = arguments.next();
    let calls = arguments.next().and_then(|number| number.parse().ok());
    for (name, run) in SYSTEMS {
        match (&wanted, calls) {
            (Some(wanted), Some(calls)) if wanted == name => run(calls),
            (None, _) => println!("{name}"),
            _ => {}
        }
    }
}

//! `midpoint_step`: its order beside references, its invariants, constraints of both kinds, its derivatives, and the
//! states that it refuses.

#[path = "midpoint/bodies.rs"]
mod bodies;
#[path = "midpoint/constrained.rs"]
mod constrained;
#[path = "midpoint/derivatives.rs"]
mod derivatives;
#[path = "midpoint/free.rs"]
mod free;

use lagrangian::nalgebra::SVector;
use lagrangian::{Step, System, midpoint_step};

const NONE: SVector<f64, 0> = SVector::from_array_storage(lagrangian::nalgebra::ArrayStorage([[]]));

/// Steps of length h from a time on, with a look at each state.
fn walk<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: &M,
    (mut q, mut p): (SVector<f64, NQ>, SVector<f64, N>),
    u: &SVector<f64, K>,
    (h, steps): (f64, u32),
    mut look: impl FnMut(f64, &Step<f64, NQ, N, C>),
) -> (SVector<f64, NQ>, SVector<f64, N>)
where
    M: System<f64, NQ, N, K, C>,
{
    for step in 0..steps {
        let t = f64::from(step) * h;
        let next = midpoint_step(system, t, &q, &p, u, h);
        let next = next.unwrap_or_else(|error| panic!("step {step}: {error}"));
        look(t + h, &next);
        (q, p) = (next.q, next.p);
    }
    (q, p)
}

/// Halving the step divides the error by four.
#[track_caller]
fn assert_second_order(errors: [f64; 3]) {
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((3.6..4.4).contains(&ratio), "{ratio} of {errors:?}");
    }
}

/// The largest deviation, and the difference of the means of the last and of the first tenth: the drift.
struct Energies {
    start: f64,
    all: Vec<f64>,
}

impl Energies {
    fn from(start: f64) -> Self {
        Self {
            start,
            all: Vec::new(),
        }
    }

    fn add(&mut self, energy: f64) {
        self.all.push(energy - self.start);
    }

    fn most(&self) -> f64 {
        self.all.iter().fold(0.0, |most, x| x.abs().max(most))
    }

    fn drift(&self) -> f64 {
        let tenth = self.all.len() / 10;
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        mean(&self.all[self.all.len() - tenth..]) - mean(&self.all[..tenth])
    }
}

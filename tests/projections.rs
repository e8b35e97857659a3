//! `project` accepts every state that is on the constraints to rounding: mechanisms moved on and projected step by step,
//! and states near singular positions that are off by little.
//!
//! 4,000 projections each; as many as `PROJECTIONS` says where that is set.

#[path = "projections/chains.rs"]
mod chains;
#[path = "projections/near_singular.rs"]
mod near_singular;
#[path = "projections/refused.rs"]
mod refused;
#[path = "projections/spinning.rs"]
mod spinning;
#[path = "projections/walks.rs"]
mod walks;

use lagrangian::System;
use lagrangian::nalgebra::{ArrayStorage, SVector};

const NO_INPUT: SVector<f64, 0> = SVector::from_array_storage(ArrayStorage([[]]));

/// How many projections each test does.
fn projections() -> usize {
    let given = std::env::var("PROJECTIONS");
    given.map_or(4_000, |count| count.parse().expect("a number"))
}

/// Uniform bits, by a linear congruence (Knuth, *Seminumerical Algorithms*, section 3.3.4).
struct Random(u64);

impl Random {
    /// Between -1 and 1.
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 ^ (self.0 >> 29)) >> 11) as f64 * 2.0_f64.powi(-52) - 1.0
    }

    fn vector<const N: usize>(&mut self) -> SVector<f64, N> {
        SVector::from_fn(|_, _| self.next())
    }
}

/// The residual of the constraints: the largest row, relative to its terms.
#[track_caller]
fn assert_small<M, const NQ: usize, const N: usize, const C: usize>(
    system: &M,
    (q, v): &(SVector<f64, NQ>, SVector<f64, N>),
    [length, speed]: [f64; 2],
) where
    M: System<f64, NQ, N, 0, C>,
{
    let eps = 64.0 * f64::EPSILON;
    let residual = system.constraint_residual(0.0, q, v, &NO_INPUT).amax();
    assert!(residual <= eps * length, "{residual:e} at {q}");
    let excess = system.constraint_velocity(0.0, q, v, &NO_INPUT).amax();
    assert!(excess <= eps * speed, "{excess:e} at {q}{v}");
}

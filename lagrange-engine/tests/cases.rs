//! The cases of property tests.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngSeed, TestRunner};

/// `.ci/explore` sets this to a seed.
const EXPLORE: &str = "LAGRANGIAN_EXPLORE";

/// The configuration of a property test: the same `count` cases at every run and on every machine. `.ci/explore` draws
/// others.
pub(crate) fn cases(count: u32) -> ProptestConfig {
    let seed = std::env::var(EXPLORE).map(|seed| seed.parse().expect("a seed is a number"));
    ProptestConfig {
        cases: count,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed.unwrap_or(0)),
        ..ProptestConfig::default()
    }
}

/// A fixed sample, for a property that holds for most cases but not for all.
pub(crate) fn sample<S: Strategy>(strategy: &S, count: usize) -> Vec<S::Value> {
    let mut runner = TestRunner::deterministic();
    let mut draw = || strategy.new_tree(&mut runner).expect("no filter").current();
    (0..count).map(|_| draw()).collect()
}

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

#[test]
fn every_property_test_draws_the_same_cases() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let mut blocks = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for block in text.split("\nproptest! {").skip(1) {
            let first = block.trim_start();
            assert!(first.starts_with("#![proptest_config(cases("), "{path:?}");
            blocks += 1;
        }
    }
    assert!(blocks > 10, "{blocks} blocks");
}

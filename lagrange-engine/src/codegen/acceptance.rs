//! The acceptance test of an unrolled solution, as conditions that every language can test.
//!
//! In Rust the runtime makes the same test: `linalg/acceptance_test.rs` of `lagrange-runtime` says why it is sufficient.

use super::ldlt::threshold;
use super::routine::{Condition, Constant, Floor, Pivots, Sum, View};

/// The largest backward error, in eps, of an accepted solution.
pub(crate) const ACCEPTED: f64 = 32.0;

const EPSILON: Constant = Constant {
    double: f64::EPSILON,
    single: f32::EPSILON as f64,
};

/// The smallest size whose products do not underflow.
const LEAST: Constant = Constant {
    double: 1e-100,
    single: 1e-12,
};

/// The largest size whose products do not overflow.
const MOST: Constant = Constant {
    double: 1e100,
    single: 1e12,
};

/// The values of a solution with constraints that the test reads.
#[derive(Clone, Copy)]
pub(super) struct Motion {
    /// The pivots of M.
    pub(super) mass: Pivots,
    /// The pivots of J M^-1 J^T.
    pub(super) complement: Pivots,
    /// The residuals of the equations that rounding may violate.
    pub(super) residual: View,
    /// The sums of the absolute values of the terms of these equations.
    pub(super) terms: View,
    /// The accelerations that occur in none of these equations.
    pub(super) free: View,
}

/// The test where only M was factored: some arrays are finite, all pivots of M are regular, and the sum with the values of
/// the solution is finite.
pub(super) fn of_mass(mass: Pivots, finite: &[View], values: View) -> Condition {
    Condition::Library {
        function: "AcceptanceTest::of_mass",
        arguments: [&arguments(mass)[..], finite, &[values]].concat(),
        parts: after_finite(
            finite,
            vec![
                regular(mass, None),
                Condition::FiniteSum(Sum::of(vec![mass.entries, values])),
            ],
        ),
    }
}

/// The test with constraints: some arrays are finite, all pivots are regular, those of J M^-1 J^T even beside the largest
/// one, the equations are met, and products of the numbers neither overflow nor underflow.
pub(super) fn of_motion(motion: &Motion, finite: &[View]) -> Condition {
    let Motion {
        mass,
        complement,
        residual,
        terms,
        free,
    } = *motion;
    let scale = Sum::of(vec![complement.entries, complement.diagonal]);
    let floor = Floor {
        sum: scale.clone(),
        factor: EPSILON,
        least: LEAST,
    };
    let terms_and_accelerations = Sum {
        entries: vec![terms],
        sizes: vec![free],
    };
    Condition::Library {
        function: "AcceptanceTest",
        arguments: [
            &arguments(mass)[..],
            &arguments(complement),
            finite,
            &[residual, terms, free],
        ]
        .concat(),
        parts: after_finite(
            finite,
            vec![
                regular(mass, None),
                Condition::AtMost(Sum::of(vec![mass.entries, mass.reduced]), MOST),
                Condition::AtMost(scale, MOST),
                regular(complement, Some(floor)),
                are_met(residual, terms),
                Condition::AtMost(terms_and_accelerations, MOST),
                Condition::ZeroOrAtLeast(Sum::of(vec![terms]), LEAST),
            ],
        ),
    }
}

/// These conditions after the test whether some arrays are finite.
fn after_finite(finite: &[View], mut conditions: Vec<Condition>) -> Vec<Condition> {
    if !finite.is_empty() {
        conditions.insert(0, Condition::Finite(finite.to_vec()));
    }
    conditions
}

/// The test of further equations: each residual is at most 32 eps of the sum of the absolute values of its terms.
pub(super) fn met(residual: View, terms: View) -> Condition {
    Condition::Library {
        function: "all_met",
        arguments: vec![residual, terms],
        parts: vec![are_met(residual, terms)],
    }
}

fn are_met(residual: View, terms: View) -> Condition {
    // Powers of two: the products are exact.
    let times = Constant {
        double: 1.0 / (ACCEPTED * EPSILON.double),
        single: 1.0 / (ACCEPTED * EPSILON.single),
    };
    Condition::Within {
        values: residual,
        limits: terms,
        times,
    }
}

fn regular(pivots: Pivots, floor: Option<Floor>) -> Condition {
    let size = pivots.entries.len() + pivots.reduced.len();
    Condition::Pivots {
        pivots,
        share: Constant {
            double: threshold(size, EPSILON.double),
            single: threshold(size, EPSILON.single),
        },
        floor,
    }
}

fn arguments(pivots: Pivots) -> [View; 3] {
    [pivots.entries, pivots.reduced, pivots.diagonal]
}

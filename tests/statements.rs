//! Statements that ask for something about the whole system: bundles, regressors, sensitivities, symmetries.

#[path = "systems/support.rs"]
#[allow(dead_code)]
mod support;

#[path = "statements/bundles.rs"]
mod bundles;
#[path = "statements/regressors.rs"]
mod regressors;
#[path = "statements/sensitivities.rs"]
mod sensitivities;
#[path = "statements/symmetries.rs"]
mod symmetries;

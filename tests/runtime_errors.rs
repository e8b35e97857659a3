//! Generated methods at numbers without an answer: the right error, no result written, and never a panic.

#[path = "../lagrange-runtime/tests/accuracy/big.rs"]
mod big;
#[path = "runtime_errors/constrained_extremes.rs"]
mod constrained_extremes;
#[path = "runtime_errors/extremes.rs"]
mod extremes;
#[path = "../lagrange-runtime/tests/accuracy/judge.rs"]
mod judge;
#[path = "runtime_errors/light_masses.rs"]
mod light_masses;
#[path = "runtime_errors/mechanisms.rs"]
mod mechanisms;
#[path = "shared/methods.rs"]
mod methods;
#[path = "runtime_errors/not_finite.rs"]
mod not_finite;
#[path = "shared/rods.rs"]
mod rods;
#[path = "shared/scissor.rs"]
mod scissor;
#[path = "runtime_errors/singular.rs"]
mod singular;

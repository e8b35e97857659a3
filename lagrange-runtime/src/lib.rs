//! Runtime of the `lagrangian` crate: the functions that generated code calls, and the types that its users see.
//!
//! Users depend on `lagrangian`, which re-exports the public half of this crate; the rest is written
//! for generated code and may change with the macro.
//!
//! | module | for | content |
//! | --- | --- | --- |
//! | [`error`] | users | [`Error`], the one error type of all generated methods |
//! | [`types`] | users | [`Motion`], [`Linearization`], [`Derivatives`], [`Gradient`], [`Pose`], [`Equations`]: results of generated methods; [`Joint`]: data of a joint |
//! | [`system`] | users | [`System`], the trait for code that works with any system |
//! | [`stateful`] | users | [`Stateful`], the trait of systems with states of first order |
//! | [`contacts`] | users | [`Contacts`], the trait of systems with contacts; [`ActiveMotion`], [`Impact`]: its results |
//! | [`stabilise`] | users | [`Baumgarte`], which pulls a motion back to its constraints |
//! | [`project`] | users | [`project()`](project::project), which moves a state onto its constraints |
//! | [`step`] | users | [`rk4_step`], a step in time for any system; [`rk4_step_derivatives`]; [`rk4_step_with_states`], for one with states; [`rk4_step_unchecked`], for SIMD lanes |
//! | [`run`] | users | [`Run`], a motion by steps of controlled error, with events |
//! | [`midpoint`] | users | [`midpoint_step`], a step of the variational midpoint rule; [`midpoint_step_derivatives`] |
//! | [`trim`](mod@trim) | users | [`trim()`](trim::trim), the state that has a given acceleration |
//! | [`lqr`](mod@lqr) | users | [`lqr()`](lqr::lqr), [`dlqr`], the state feedback of least cost |
//! | [`quaternion`], [`quaternion_entries`] | users | orientations as nalgebra's quaternions |
//! | [`vector!`], [`matrix!`] | users | vectors and matrices from their entries |
//! | [`math`] | generated code | elementary functions that are right for floats, SIMD lanes and dual numbers |
//! | [`linalg`] | generated code | solves of fixed size |
//! | [`rotation`] | generated code | orientations as unit quaternions |
//!
//! Nothing in this crate allocates, locks, prints or panics, whatever numbers it gets. It is `no_std`; the elementary
//! functions come from the standard library (feature `std`, the default) or from the `libm` crate (feature `libm`).
//! With the feature `inline-trig`, also a default, this crate computes sine and cosine on targets with fused
//! multiply-add.
//!
//! # Scalars
//!
//! Generated code is generic over its scalar `S: SimdRealField + Copy`: `f32`, `f64`, lanes such as simba's
//! `WideF64x4`, and dual numbers such as those of `num-dual`. Functions that can fail require `S: RealField + Copy`,
//! because they branch on one value.

#![no_std]
// The exception is `math/packed.rs`, vectors of four doubles.
#![deny(unsafe_code)]
#![deny(missing_docs)]

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!("enable the feature `std`, or `libm` where there is no standard library");

pub mod cast;
pub mod contacts;
pub mod error;
mod exponential;
pub mod linalg;
mod literals;
pub mod lqr;
pub mod math;
pub mod midpoint;
mod names;
mod pose;
pub mod project;
pub mod rotation;
pub mod run;
pub mod stabilise;
pub mod stateful;
pub mod step;
pub mod system;
pub mod trim;
pub mod types;

pub use cast::Cast;
pub use contacts::{
    ContactStep, Contacts, FrictionTerms, Frictional, Mode, Resolved, contact_step,
};
pub use error::Error;
#[doc(hidden)]
pub use literals::{__column, __rows};
pub use lqr::{Lqr, dlqr, lqr};
pub use midpoint::{midpoint_step, midpoint_step_derivatives};
pub use nalgebra;
pub use names::index_of;
pub use pose::{quaternion, quaternion_entries};
pub use run::{Advance, Event, Run};
pub use stabilise::Baumgarte;
pub use stateful::Stateful;
pub use step::{rk4_step, rk4_step_derivatives, rk4_step_unchecked, rk4_step_with_states};
pub use system::{System, Unchecked};
pub use trim::{Free, trim};
pub use types::{
    ActiveMotion, Derivatives, Equations, Gradient, Impact, Joint, Linearization, MidpointTerms,
    MomentumDerivatives, Motion, Pose, ReducedLinearization, RedundantMotion, Step,
    StepDerivatives, StepSensitivities,
};

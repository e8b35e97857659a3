//! Methods as data, for backends and for the interpreter.
//!
//! [`Routines`] builds a [`Routine`] for each method of a system, [`Routines::evaluate`] interprets it, and a backend
//! prints it. None of them knows anything of the language that is printed.

mod interpreter;
mod kernels;
mod routine;
mod routines;

pub use interpreter::RoutineError;
pub(crate) use kernels::threshold;
pub use routine::{
    AcceptanceTest, Argument, Array, Compute, Condition, Input, Kernel, Pivots, Routine,
    RoutineResult, Step, View, Write,
};
pub use routines::{BundlePart, Routines};

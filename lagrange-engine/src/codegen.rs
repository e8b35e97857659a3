//! Code generation: from derived quantities to code, and to methods as data for backends and tapes.
//!
//! [`ir`] holds straight-line code, [`cse`] makes it from expressions, and [`solve`] solves the equations of motion in it.
//! [`programs`] chooses the cheapest code for a set of quantities.
//!
//! [`Routines`] builds a [`Routine`] for each method of a system, [`Tape`] runs it, and a backend
//! prints it. None of them knows anything of the language that is printed.

mod acceptance;
mod contact_laws;
pub(crate) mod cost_model;
pub(crate) mod cse;
mod ir;
mod kernels;
mod ldlt;
mod programs;
mod redundant;
mod routine;
mod routines;
mod rows;
mod solve;
mod structure;
mod tape;

pub(crate) use acceptance::ACCEPTED;
pub use contact_laws::{
    ContactCorrections, ContactForces, ContactLaw, ContactProblem, ContactSearch,
};
pub use cse::schedule;
pub use ir::{Instruction, Operand, Operations, Schedule};
pub(crate) use programs::Start;
pub use programs::{Program, SensitivityProgram, SolveProgram};
pub use routine::{
    Argument, Array, Compute, Condition, Constant, Equations, Floor, Input, Kernel, Pivots,
    Routine, RoutineError, RoutineResult, Step, Sum, View, Write,
};
pub(crate) use routines::By;
pub use routines::{BundlePart, Requirement, Routines};
pub use solve::{
    Beyond, Correction, Equation, Factorization, LowerEntry, SolveSchedule, SolvedColumns,
    SolvedInputs, TestedEquations, schedule_sensitivity, schedule_solve,
};
pub(crate) use structure::Entry;
pub use tape::{Failure, Tape};

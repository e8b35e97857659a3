//! Derivatives of the equations of motion and of their solution.

#[path = "derivatives/check.rs"]
mod check;
#[path = "derivatives/constrained.rs"]
mod constrained;
#[path = "derivatives/free.rs"]
mod free;
#[path = "derivatives/hessian.rs"]
mod hessian;
#[path = "derivatives/lanes.rs"]
mod lanes;
#[path = "derivatives/large.rs"]
mod large;
#[path = "derivatives/linearize.rs"]
mod linearize;
#[path = "derivatives/rotations.rs"]
mod rotations;

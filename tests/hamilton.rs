//! Hamilton's equations: the same motion as Lagrange's, exact derivatives, cyclic coordinates eliminated, and systems
//! whose momenta do not determine the velocities.

#[path = "hamilton/errors.rs"]
mod errors;
#[path = "hamilton/motions.rs"]
mod motions;
#[path = "hamilton/principles.rs"]
mod principles;
#[path = "hamilton/routhian.rs"]
mod routhian;
#[path = "hamilton/scalars.rs"]
mod scalars;
#[path = "hamilton/systems.rs"]
mod systems;

//! Industrial arms of seven joints against the recursive Newton-Euler algorithm, their regressors, hands and
//! derivatives against Pinocchio.
//!
//! The values in `tests/arms/data` are written by the scripts of `tests/arms` from
//! `arms.json`, which holds the numbers that the declarations here repeat.

#[path = "systems/reference.rs"]
#[allow(dead_code)]
mod reference;
#[path = "systems/support.rs"]
#[allow(dead_code)]
mod support;

#[path = "arms/check.rs"]
mod check;
#[path = "arms/identified.rs"]
mod identified;
#[path = "arms/iiwa.rs"]
mod iiwa;
#[path = "arms/panda.rs"]
mod panda;

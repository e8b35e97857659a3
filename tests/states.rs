//! States of first order: known values, all derivatives beside dual numbers, steps, signatures and units.

#[path = "states/check.rs"]
mod check;
#[path = "states/derivatives.rs"]
mod derivatives;
#[path = "states/interface.rs"]
mod interface;
#[path = "states/values.rs"]
mod values;

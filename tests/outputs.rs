//! The methods beside outputs and frames that are outputs: Jacobians, rates, derivatives, Hessians.

#[path = "outputs/craft.rs"]
mod craft;
#[path = "outputs/derivatives.rs"]
mod derivatives;
#[path = "outputs/frames.rs"]
mod frames;
#[path = "outputs/signatures.rs"]
mod signatures;
#[path = "rotations/support.rs"]
#[allow(dead_code)]
mod support;

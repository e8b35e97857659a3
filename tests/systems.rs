//! Generated systems against reference values, closed forms and conservation laws.
//!
//! The reference values in `tests/reference/data` come from an independent derivation with SymPy;
//! see `tests/reference/generate.py`. Each `reference_test!` compares every output of a system with
//! them and checks the identities that hold for all systems.

#![allow(
    mixed_script_confusables,
    reason = "one system has Greek coordinates, to show that it may"
)]

#[path = "systems/checks.rs"]
mod checks;
#[path = "systems/harness.rs"]
mod harness;
#[path = "systems/reference.rs"]
mod reference;
#[path = "systems/support.rs"]
mod support;

#[path = "systems/forces.rs"]
mod forces;
#[path = "systems/language.rs"]
mod language;
#[path = "systems/particles.rs"]
mod particles;
#[path = "systems/pendulums.rs"]
mod pendulums;
#[path = "systems/rigid_bodies.rs"]
mod rigid_bodies;
#[path = "systems/rods.rs"]
mod rods;
#[path = "systems/statics.rs"]
mod statics;
#[path = "systems/variational.rs"]
mod variational;

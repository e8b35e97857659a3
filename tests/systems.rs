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
#[path = "systems/held.rs"]
mod held;
#[path = "systems/reference.rs"]
mod reference;
#[path = "systems/support.rs"]
mod support;

#[path = "systems/attitudes.rs"]
mod attitudes;
#[path = "systems/cartesian_pendulum.rs"]
mod cartesian_pendulum;
#[path = "systems/constraint_kinds.rs"]
mod constraint_kinds;
#[path = "systems/coordinate_arrays.rs"]
mod coordinate_arrays;
#[path = "systems/forces.rs"]
mod forces;
#[path = "systems/guides.rs"]
mod guides;
#[path = "systems/language.rs"]
mod language;
#[path = "systems/linked_bodies.rs"]
mod linked_bodies;
#[path = "systems/mechanisms.rs"]
mod mechanisms;
#[path = "systems/multipliers.rs"]
mod multipliers;
#[path = "systems/particles.rs"]
mod particles;
#[path = "systems/pendulums.rs"]
mod pendulums;
#[path = "systems/planar_frames.rs"]
mod planar_frames;
#[path = "systems/published.rs"]
mod published;
#[path = "systems/rigid_bodies.rs"]
mod rigid_bodies;
#[path = "systems/rods.rs"]
mod rods;
#[path = "systems/rolling.rs"]
mod rolling;
#[path = "systems/rolling_frames.rs"]
mod rolling_frames;
#[path = "systems/rotation_matrices.rs"]
mod rotation_matrices;
#[path = "systems/spatial.rs"]
mod spatial;
#[path = "systems/statics.rs"]
mod statics;
#[path = "systems/variational.rs"]
mod variational;

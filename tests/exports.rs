//! Exported text beside the methods in Rust: every function that the system exports, compiled by the C compiler of this
//! computer, at the same states. Without a compiler the tests say so and pass.

#![allow(mixed_script_confusables)]

#[path = "exports/accepted.rs"]
mod accepted;
#[path = "exports/batches.rs"]
mod batches;
#[path = "exports/calls.rs"]
mod calls;
#[path = "exports/compiled.rs"]
mod compiled;
#[path = "exports/declared.rs"]
mod declared;
#[path = "exports/identified.rs"]
mod identified;
#[path = "exports/idle.rs"]
mod idle;
#[path = "exports/lengths.rs"]
mod lengths;
#[path = "exports/modes.rs"]
mod modes;
#[path = "exports/names.rs"]
mod names;
#[path = "exports/optimisers.rs"]
mod optimisers;
#[path = "exports/projected.rs"]
mod projected;
#[path = "exports/reacting.rs"]
mod reacting;
#[path = "exports/redundant.rs"]
mod redundant;
#[path = "exports/systems.rs"]
mod systems;
#[path = "exports/touching.rs"]
mod touching;
#[path = "exports/units.rs"]
mod units;

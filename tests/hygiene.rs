//! The macro works wherever it is called and whatever its user's things are called.

#![deny(warnings)]
// Clippy checks the tests in CI.
#![deny(clippy::same_name_method)]

#[path = "hygiene/defaults.rs"]
mod defaults;
#[path = "hygiene/exports.rs"]
mod exports;
#[path = "hygiene/fragments.rs"]
mod fragments;
#[path = "hygiene/generic.rs"]
mod generic;
#[path = "hygiene/names.rs"]
mod names;
#[path = "hygiene/scopes.rs"]
mod scopes;
#[path = "hygiene/structs.rs"]
mod structs;

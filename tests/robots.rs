//! Robots from URDF files: small ones for each rule, beside values by hand.

#![allow(missing_docs)]

#[path = "robots/bases.rs"]
mod bases;
#[path = "robots/inertia.rs"]
mod inertia;
#[path = "robots/joints.rs"]
mod joints;
#[path = "robots/names.rs"]
mod names;
#[path = "robots/options.rs"]
mod options;
#[path = "robots/support.rs"]
mod support;

//! The compiler of the macro `lagrangian!` in the [`lagrangian`](https://docs.rs/lagrangian) crate, as a library over
//! [`proc_macro2`]. It turns the tokens of a declaration into the tokens of a struct with its methods.
//!
//! The macro is one caller. Tests, fuzzers and other front ends call [`expand`] on tokens that they read from text.
//! Generated code uses items of `lagrangian`, so it compiles only with that crate. The interface of this crate serves
//! the macro and changes with it.

#![forbid(unsafe_code)]

// Inside rustc, the compiler's own parser reads text faster than that of `proc_macro2`, and its spans distinguish
// systems. `proc_macro2` links this crate too, so it exists on every platform on which `proc_macro2` builds. Outside of
// rustc it reports that it is not available.
extern crate proc_macro;

mod attributes;
mod backend;
mod bundles;
mod check;
mod declaration;
mod editor;
mod errors;
mod expand;
mod files;
mod generated;
mod host;
mod lints;
mod lower;
mod methods;
mod model;
mod robots;
mod sketch;
mod spans;
mod suggest;
mod syntax;
mod tables;
#[cfg(test)]
mod tests;
mod units;

pub use declaration::{Declaration, Equations, Method, Variable, unknown};
pub use errors::{Message, Severity};
pub use expand::{expand, generate, write_robots};
pub use files::Folder;
pub use host::Purpose;
pub use model::Language;
pub use sketch::Sketch;

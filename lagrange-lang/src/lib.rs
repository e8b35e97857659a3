//! The compiler behind `lagrangian!` of the [`lagrangian`](https://docs.rs/lagrangian) crate, as a library over
//! [`proc_macro2`]: the tokens of a declaration become the tokens of a struct with its methods.
//!
//! The macro is one caller. Tests, fuzzers and other front ends call [`expand`] on tokens that they read from text.
//! Generated code names items of `lagrangian`, so that it compiles only beside that crate. The interface of this one
//! serves the macro and changes with it.

#![forbid(unsafe_code)]

// Inside the compiler its own parser reads text faster than that of `proc_macro2`, and its spans tell systems apart.
// `proc_macro2` links this crate too, so it exists wherever that one builds; elsewhere it says that it is not available.
extern crate proc_macro;

mod attributes;
mod backend;
mod bundles;
mod check;
mod editor;
mod errors;
mod expand;
mod generated;
mod host;
mod lower;
mod methods;
mod model;
mod robots;
mod spans;
mod suggest;
mod syntax;
mod tables;
#[cfg(test)]
mod tests;

pub use expand::expand;
pub use host::Purpose;

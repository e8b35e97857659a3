//! The last stage, which prints the methods. The Rust printer writes tokens with the spans of the declaration. The
//! engine writes text in other languages.

mod exports;
mod routines;
pub(crate) mod rust;

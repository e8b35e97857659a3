//! The last stage: printers of methods. The one for Rust writes tokens with the spans of the declaration; text in other
//! languages is written by the engine.

mod routines;
pub(crate) mod rust;

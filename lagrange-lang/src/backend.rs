//! The last stage: printers of methods. The one for Rust writes tokens with the spans of the declaration.

pub(crate) mod rust;

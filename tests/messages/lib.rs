//! The messages of the macro; see `messages.rs`.

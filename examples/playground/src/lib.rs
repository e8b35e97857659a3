//! The playground of the gallery as WebAssembly: reads declarations, moves the systems, and writes them in other
//! languages, for a page that calls these functions.
//!
//! Texts and numbers pass through memory that both share: the page asks for space, writes into it, and calls a function.
//! A function that returns a text has its length in the upper half of its result and its address in the lower half. Of a
//! text that cannot be read the model before stays. `unsafe` occurs only in the attributes that keep the exported names.

#![deny(missing_docs, unsafe_code)]

mod answers;
#[path = "../../../lagrangian-page/src/json.rs"]
#[allow(dead_code, reason = "the page needs more of it")]
mod json;
mod languages;
mod memory;
#[cfg(test)]
mod programs;
mod session;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU8, AtomicU64};

use memory::{NUMBERS, TEXT, answer};

/// Space for a text of so many bytes, for [`read_declaration`].
#[allow(unsafe_code, reason = "the page finds it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn text(length: usize) -> *const AtomicU8 {
    TEXT.space(length)
}

/// Space for so many numbers.
#[allow(unsafe_code, reason = "the page finds it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn numbers(length: usize) -> *const AtomicU64 {
    NUMBERS.space(length)
}

/// Reads the declaration in the space for texts: its messages, and the model if it has no mistake. `read`
/// is a name of the C library.
#[allow(unsafe_code, reason = "the page finds it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn read_declaration() -> u64 {
    answer(session::read(&TEXT.text()))
}

/// Puts the model at a start. The numbers are its parameters, inputs, q, v and z. The answer has the shapes to draw, or
/// the reason why there is no such start.
#[allow(unsafe_code, reason = "the page finds it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn start() -> u64 {
    answer(session::start(&NUMBERS.numbers()))
}

/// Continues with other parameters and inputs, which are the numbers. The answer is that of [`start`].
#[allow(unsafe_code, reason = "the page finds it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn adapt() -> u64 {
    answer(session::adapt(&NUMBERS.numbers()))
}

/// Continues for `time` seconds, in steps of at most `step`. The answer is empty, or the reason why nothing has changed.
#[allow(unsafe_code, reason = "the page finds it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn advance(time: f64, step: f64) -> u64 {
    answer(session::advance(time, step))
}

/// Writes the state into the space for numbers, and returns their count: t, T, V, energy, its error, the gap of the
/// constraints, then q, v, z and the coordinates of the points that are drawn.
#[allow(unsafe_code, reason = "the page finds it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn report() -> usize {
    NUMBERS.set(&session::report())
}

/// The equations as MathML (0), or the system as a program in Rust (1), C (2) or Python (3).
#[allow(unsafe_code, reason = "the page finds it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn words(kind: u32) -> u64 {
    answer(session::words(kind))
}

//! Arguments of generated methods at fixed states, and a file of their results. `.ci/net` writes programs that call these
//! functions for every system of this repository (`lagrange-lang/src/tests/net.rs`).

#[allow(dead_code)]
#[path = "../../exports/compiled.rs"]
mod compiled;
mod draw;
mod exports;
mod modes;
mod results;
mod traits;

pub use draw::{
    Draw, Joined, draw, is_normalised, is_projected, joined, nudge_by, parameter, states,
};
pub use exports::{Beside, NUDGE, OF_PARAMETERS, STATES, finish};
pub use modes::{flat_motion, flat_step, flat_terms};
pub use results::Results;
pub use traits::by_trait;

/// Runs a function that may need a gigabyte of stack.
pub fn on_large_stack(run: fn()) {
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(run);
    thread
        .expect("there is room for a stack")
        .join()
        .expect("no method panics");
}

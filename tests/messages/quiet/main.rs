//! Declarations that compile without a warning of rustc or of the macro; each module says which. As modules that are
//! public in a program without a test harness: in one, rustc does not ask for documentation.

/// Bundles, regressors and symmetries.
pub mod asked_for;
/// Items that editors see for the names.
pub mod editor;
/// Forces that look like those of the potential energy.
pub mod forces_not_twice;
/// Frames and bodies.
pub mod frames;
/// Statements in any order.
pub mod order;
/// Parts that are not used, on purpose.
pub mod quiet;
/// Each warning of the macro's own, silenced wherever that is possible.
pub mod quiet_everywhere;
/// Statements without effect, on purpose.
pub mod quiet_parts;
/// Names, on a struct.
pub mod quiet_struct;
/// A `let` of the name of another.
pub mod shadowing;

fn main() {
    asked_for::main();
    editor::main();
    frames::main();
    quiet_everywhere::main();
    quiet_parts::main();
}

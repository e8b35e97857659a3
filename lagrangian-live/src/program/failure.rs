//! The end of the program with an error.

use std::fmt::Display;

/// A text for the standard error, and the code of the exit.
pub(crate) struct Failure {
    pub(crate) code: u8,
    pub(crate) text: String,
}

impl Failure {
    /// A wrong declaration, or a run that fails.
    pub(crate) fn run(text: impl Display) -> Self {
        let text = text.to_string();
        // Messages about declarations begin in this way already.
        let is_message = text.starts_with("error") || text.starts_with("warning");
        let start = if is_message { "" } else { "error: " };
        Self {
            code: 1,
            text: format!("{start}{text}"),
        }
    }

    /// A wrong command, or a name that is unknown or missing.
    pub(crate) fn usage(text: impl Display) -> Self {
        Self {
            code: 2,
            text: format!("error: {text}"),
        }
    }
}

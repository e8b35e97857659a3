//! Messages as data, for programs that show them themselves.

use proc_macro2::Span;

/// Returns whether a message refuses the declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The declaration is refused.
    Error,
    /// The declaration is accepted.
    Warning,
}

/// A message about a declaration, at its tokens.
#[derive(Clone, Debug)]
pub struct Message {
    /// True if it refuses the declaration.
    pub severity: Severity,
    /// The number of its kind, such as `L104`, or the name of the compiler's own lint.
    pub code: String,
    /// The message in one sentence.
    pub message: String,
    /// Advice, if the message does not tell it.
    pub help: Option<String>,
    /// The first token that it concerns.
    pub first: Span,
    /// The last token that it concerns.
    pub last: Span,
}

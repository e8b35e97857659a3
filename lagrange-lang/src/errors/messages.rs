//! Messages as data, for programs that show them themselves.

use proc_macro2::Span;
use quote::ToTokens;
use syn::Attribute;

use crate::attributes::sets_level;
use crate::model::{Unused, Warning};

/// Whether a message refuses the declaration.
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
    /// Whether it refuses the declaration.
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

/// The lints of names that nothing reads, and those of all other warnings.
pub(crate) const UNUSED: [&str; 3] = ["unused_variables", "unused", "warnings"];
pub(crate) const DEPRECATED: [&str; 2] = ["deprecated", "warnings"];

/// The severity that attributes give to the lints of a kind; `None` for none at all. The last of the innermost list that
/// names them decides, as in rustc.
fn level(lists: [&[Attribute]; 2], lints: &[&str]) -> Option<Severity> {
    let of_list = |list: &[Attribute]| {
        let mut attributes = list.iter().rev();
        let attribute = attributes.find(|attribute| sets_level(attribute, lints))?;
        Some(attribute.path().to_token_stream().to_string())
    };
    let [inner, outer] = lists;
    match of_list(inner).or_else(|| of_list(outer)).as_deref() {
        Some("allow" | "expect") => None,
        Some("deny" | "forbid") => Some(Severity::Error),
        _ => Some(Severity::Warning),
    }
}

/// A warning of the compiler as rustc shows it, unless attributes of its statement or of the struct silence it.
pub(crate) fn of_warning(warning: &Warning, of_struct: &[Attribute]) -> Option<Message> {
    Some(Message {
        severity: level([&warning.attributes, of_struct], &DEPRECATED)?,
        code: warning.code.to_string(),
        message: warning.message.clone(),
        help: None,
        first: warning.span,
        last: warning.span,
    })
}

/// The message of rustc's own lint for a name that nothing reads.
pub(crate) fn of_unused(unused: &Unused, of_struct: &[Attribute]) -> Option<Message> {
    let name = unused.name.to_string();
    if name.starts_with('_') {
        return None;
    }
    let plain = name.trim_start_matches("r#");
    Some(Message {
        severity: level([&unused.attributes, of_struct], &UNUSED)?,
        code: UNUSED[0].to_owned(),
        message: format!("unused variable: `{plain}`"),
        help: Some(format!(
            "if this is intentional, prefix it with an underscore: `_{plain}`"
        )),
        first: unused.name.span(),
        last: unused.name.span(),
    })
}

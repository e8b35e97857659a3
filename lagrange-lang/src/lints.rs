//! Warnings as messages, with the levels that attributes give to lints.

use quote::ToTokens;
use syn::Attribute;

use crate::attributes::sets_level;
use crate::errors::{Message, Severity};
use crate::model::{Unused, Warning};

/// The lints of names that nothing reads, and those of all other warnings.
pub(crate) const UNUSED: [&str; 3] = ["unused_variables", "unused", "warnings"];
pub(crate) const DEPRECATED: [&str; 2] = ["deprecated", "warnings"];

/// The severity that attributes give to the lints of a kind; `None` for none at all. The last of the innermost list that
/// names them decides, as in rustc.
fn level(lists: [&[Attribute]; 2], lints: &[&str]) -> Option<Severity> {
    let of_list = |list: &[Attribute]| {
        let attribute = list
            .iter()
            .rev()
            .find(|attribute| sets_level(attribute, lints))?;
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

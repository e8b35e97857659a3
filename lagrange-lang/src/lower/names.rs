//! Rules for the names of declarations.

use proc_macro2::Ident;

use super::scope::{BindingKind, Scope};
use crate::errors::{Code, Errors};
use crate::syntax::ast::text;

/// The names that the language reserves, and their uses. Functions are not reserved: `name(` is always the function
/// and a bare name always the value. A function that is added later therefore breaks no declaration.
const RESERVED: [(&str, &str); 8] = [
    ("T", "the kinetic energy"),
    ("V", "the potential energy"),
    ("L", "the Lagrangian"),
    ("D", "the dissipation function"),
    ("Q", "the generalized forces"),
    ("der", "the derivative by time"),
    ("pi", "the circle constant"),
    ("world", "the frame at rest"),
];

/// The reason why a name cannot be declared at all.
pub(crate) fn reserved(name: &str) -> Option<String> {
    let (_, meaning) = RESERVED.iter().find(|(reserved, _)| *reserved == name)?;
    Some(format!(
        "`{name}` is reserved for {meaning}\n\nhelp: choose another name"
    ))
}

/// Returns whether `name` may be declared as this `kind`. Reports an error if not. A name whose declaration has a
/// mistake may be declared again.
pub(crate) fn check(name: &Ident, kind: BindingKind, scope: &Scope, errors: &mut Errors) -> bool {
    let written = text(name);
    if let Some(message) = reserved(&written) {
        errors.error(name, Code::ReservedName, message);
        return false;
    }
    if let BindingKind::Function(_) = kind {
        let is_sum = written == "sum";
        if is_sum {
            let message =
                "`sum(..)` is reserved for sums over a range\n\nhelp: choose another name";
            errors.error(name, Code::ReservedName, message);
        }
        return !is_sum;
    }
    let Some(earlier) = scope.find(name) else {
        return true;
    };
    let is_shadowing =
        matches!(kind, BindingKind::Let { .. }) && matches!(earlier.kind, BindingKind::Let { .. });
    if is_shadowing || earlier.kind.is_mistaken() {
        return true;
    }
    let is = earlier.kind.in_words();
    let message =
        format!("duplicate name: `{written}` is already {is}\n\nhelp: choose another name");
    errors.error(name, Code::DuplicateName, message);
    false
}

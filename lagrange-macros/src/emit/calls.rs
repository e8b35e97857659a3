//! Pieces of text that bodies of more than arithmetic are made of.

use super::signature::{Argument, Layout};

/// The arguments of everything that depends on the whole state.
pub(super) fn arguments(layout: &Layout) -> Vec<Argument> {
    layout.arguments(&[Argument::Q, Argument::V, Argument::U])
}

/// `self.method(t, q, v, u)`
pub(super) fn call(method: &str, layout: &Layout) -> String {
    call_by_name(method, &arguments(layout))
}

/// The call of a method by the arguments that it takes, each by its own name.
pub(super) fn call_by_name(method: &str, arguments: &[Argument]) -> String {
    call_with(method, arguments, |argument| argument.name().to_owned())
}

/// The call of a method with a text of its own for each argument.
pub(super) fn call_with(
    method: &str,
    arguments: &[Argument],
    value: impl Fn(&Argument) -> String,
) -> String {
    let arguments: Vec<String> = arguments.iter().map(value).collect();
    format!("self.{method}({})", arguments.join(", "))
}

/// The call of a method with places for its results after its arguments.
pub(super) fn call_with_places(method: &str, arguments: &[Argument], places: &[&str]) -> String {
    let arguments = arguments.iter().map(|argument| argument.name());
    let all: Vec<&str> = arguments.chain(places.iter().copied()).collect();
    format!("self.{method}({})", all.join(", "))
}

/// Leaves the method if one of the arguments is not finite.
pub(super) fn finite(arguments: &[Argument]) -> String {
    let tests = arguments.iter().map(|argument| match argument {
        Argument::T => "__rt::linalg::all_finite(&[t])".to_owned(),
        other => format!("__rt::linalg::all_finite(&{}.data.0[0])", other.name()),
    });
    let tests: Vec<String> = tests.collect();
    unless(&tests.join(" && "))
}

/// `Ok(value)`
pub(super) fn ok(value: &str) -> String {
    format!("__rt::core::result::Result::Ok({value})")
}

/// Leaves the method with `NotFinite` unless the condition holds.
pub(super) fn unless(condition: &str) -> String {
    format!(
        "if !({condition}) {{\n\
         return __rt::core::result::Result::Err(__rt::Error::NotFinite);\n}}\n"
    )
}

/// The vector of an array.
pub(super) fn vector(array: &str) -> String {
    format!("__rt::SVector::from_array_storage(__rt::ArrayStorage([{array}]))")
}

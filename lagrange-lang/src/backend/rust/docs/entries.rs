//! Arguments in words, with the names of their entries: `q = [x, theta]`.

use crate::backend::rust::skeleton::Skeleton;
use crate::methods::{Argument, Size, Value};
use crate::model::Declared;

/// Maximum number of entries that are named. More entries are only counted.
const MOST_NAMED: usize = 16;

/// Maximum number of elements that are all named. For longer vectors and matrices, only the first and last element
/// are.
const MOST_ELEMENTS: usize = 4;

/// The arguments, in order.
pub(super) fn arguments(arguments: &[Argument], skeleton: &Skeleton) -> String {
    let words = arguments.iter();
    let words: Vec<String> = words.map(|one| argument(*one, skeleton)).collect();
    if words.is_empty() {
        "none".to_owned()
    } else {
        words.join(", ")
    }
}

fn argument(argument: Argument, skeleton: &Skeleton) -> String {
    let head = skeleton.head;
    let elements = Declared::element_names;
    let names = match argument {
        Argument::Q | Argument::Q0 | Argument::Q1 => named(&head.coordinates, elements),
        Argument::V | Argument::MassV => named(&head.coordinates, Declared::velocity_names),
        Argument::States => named(&head.states, elements),
        Argument::U | Argument::InputArray => named(&head.inputs, elements),
        _ => None,
    };
    match names {
        Some(names) => format!("`{} = [{names}]`", argument.name()),
        None => argument.in_words(&skeleton.layout),
    }
}

/// `r[0], .., r[8], theta`; nothing if that is too long to read, or if there is no name.
fn named(declared: &[Declared], elements: impl Fn(&Declared) -> Vec<String>) -> Option<String> {
    let mut names = Vec::new();
    for item in declared {
        let all = elements(item);
        match &all[..] {
            [first, .., last] if all.len() > MOST_ELEMENTS => {
                names.extend([first.clone(), "..".to_owned(), last.clone()]);
            }
            _ => names.extend(all),
        }
    }
    let readable = (1..=MOST_NAMED).contains(&names.len());
    readable.then(|| names.join(", "))
}

/// For a value with one entry per constraint, the order of the entries.
pub(super) fn rows(value: Value) -> &'static str {
    match value {
        Value::Motion
        | Value::ActiveMotion
        | Value::Impact
        | Value::Vector(Size::Constraints | Size::Holonomic)
        | Value::Matrix(Size::Constraints, _)
        | Value::DerivativePair(_, Size::Constraints)
        | Value::Derivatives(Size::Constraints) => " Constraints in the order of `CONSTRAINTS`.",
        _ => "",
    }
}

//! Arguments in words, with the names of their entries: `q = [x, theta]`.

use crate::backend::rust::skeleton::Skeleton;
use crate::methods::{Argument, Size, Value};
use crate::model::Declared;

/// More entries than this are counted rather than named.
const MOST_NAMED: usize = 16;

/// Longer vectors and matrices are named by their first and last element.
const MOST_ELEMENTS: usize = 4;

/// The arguments, one after the other.
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
        Argument::U | Argument::InputArray => named(&head.inputs, elements),
        _ => None,
    };
    match names {
        Some(names) => format!("`{} = [{names}]`", argument.name()),
        None => argument.in_words(&skeleton.layout),
    }
}

/// `r[0], .., r[8], theta`; nothing where that is too long to be read, or there is nothing to name.
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

/// Where a value has an entry for each constraint, in which order.
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

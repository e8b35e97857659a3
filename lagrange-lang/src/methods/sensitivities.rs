//! The methods of `sensitivity`s: arguments, value and wording.

use super::signature::{Argument, Size, Value};
use crate::model::SensitivityItem;

/// All arguments that the method may take.
pub(crate) const ARGUMENTS: [Argument; 4] =
    [Argument::Q, Argument::V, Argument::States, Argument::U];

/// An n x r matrix with one column for each parameter element.
pub(crate) fn value(item: &SensitivityItem) -> Value {
    Value::Matrix(Size::N, Size::Known(item.columns()))
}

/// The first sentence of the documentation.
pub(crate) fn summary(item: &SensitivityItem) -> String {
    match item.columns() {
        1 => "The derivative of the accelerations by a parameter, at fixed state and inputs."
            .to_owned(),
        count => format!(
            "The derivatives of the accelerations by {count} parameters, a column for each, at fixed state and inputs."
        ),
    }
}

//! The methods of `regressor`s: arguments, value and wording.

use super::signature::{Argument, Size, Value};
use crate::model::RegressorItem;

/// All arguments that the method may take.
pub(crate) const ARGUMENTS: [Argument; 4] =
    [Argument::Q, Argument::V, Argument::States, Argument::A];

/// An n x r matrix with one column for each parameter element.
pub(crate) fn value(item: &RegressorItem) -> Value {
    Value::Matrix(Size::N, Size::Known(item.columns()))
}

/// The first sentence of the documentation.
pub(crate) fn summary(item: &RegressorItem) -> String {
    let count = item.columns();
    let parameters = if count == 1 {
        "parameter"
    } else {
        "parameters"
    };
    format!(
        "The coefficients Y of {count} {parameters} theta in the equations: \
         Y theta + rest = M a + h - Q at u = 0, where the rest does not depend on them."
    )
}

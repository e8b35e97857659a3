//! The methods beside outputs, whose names outputs may have too.

use std::collections::HashMap;

use crate::errors::Errors;
use crate::generated::is_taken;
use crate::syntax::ast::text;
use crate::tables::Tables;

/// Where an output `X` has a Jacobian, `X_jacobian` is the name of another method; reports the later
/// of two outputs that clash so, or the output that clashes with a generated method.
pub(crate) fn jacobian_names(tables: &Tables, errors: &mut Errors) {
    let outputs = &tables.outputs;
    let numbered = outputs.iter().enumerate();
    let numbers: HashMap<String, usize> = numbered
        .map(|(number, output)| (text(&output.item.name), number))
        .collect();
    for (at, output) in outputs.iter().enumerate() {
        let has_jacobian = |shape| output.item.has_jacobian(shape);
        if !output.shape.is_some_and(has_jacobian) {
            continue;
        }
        let name = text(&output.item.name);
        let jacobian = format!("{name}_jacobian");
        let later = match numbers.get(&jacobian) {
            Some(other) => &outputs[at.max(*other)].item.name,
            None if is_taken(&jacobian) => &output.item.name,
            None => continue,
        };
        let message = format!(
            "the output `{name}` has a method `{jacobian}` beside it, a name that is taken\n\n\
             help: choose another name"
        );
        errors.error(later, message);
    }
}

//! The methods beside outputs, whose names outputs may have too.

use std::collections::HashMap;

use crate::errors::Errors;
use crate::generated::is_taken;
use crate::syntax::ast::text;
use crate::tables::Tables;

/// An output `X` may have methods `X_jacobian`, `X_rate` and so on beside it; reports the later of two
/// outputs that clash so, or the output that clashes with a generated method.
pub(crate) fn names_beside(tables: &Tables, errors: &mut Errors) {
    let outputs = &tables.outputs;
    let numbered = outputs.iter().enumerate();
    let numbers: HashMap<String, usize> = numbered
        .map(|(number, output)| (text(&output.item.name), number))
        .collect();
    for (at, output) in outputs.iter().enumerate() {
        let name = text(&output.item.name);
        for method in output.item.beside(output.shape) {
            let method = method.of(&name);
            let later = match numbers.get(&method) {
                Some(other) => at.max(*other),
                None if is_taken(&method) => at,
                None => continue,
            };
            let message = format!(
                "the output `{name}` has a method `{method}` beside it, a name that is taken\n\n\
                 help: choose another name"
            );
            errors.error(&outputs[later].item.name, message);
            // Another name is one for all methods.
            if later == at {
                break;
            }
        }
    }
}

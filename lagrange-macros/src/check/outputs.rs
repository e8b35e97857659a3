//! The methods beside outputs, whose names outputs may have too.

use std::collections::HashMap;

use proc_macro2::Ident;

use crate::errors::Errors;
use crate::generated::is_taken;
use crate::syntax::ast::text;
use crate::tables::Tables;

/// Where an output `X` has a Jacobian, `X_jacobian` is the name of another method; reports the later
/// of two outputs that clash so, or the output that clashes with a generated method.
pub(crate) fn jacobian_names(tables: &Tables, errors: &mut Errors) {
    let others = names(tables);
    for output in &tables.outputs {
        let has_jacobian = |shape| output.item.has_jacobian(shape);
        if !output.shape.is_some_and(has_jacobian) {
            continue;
        }
        let name = text(&output.item.name);
        let jacobian = format!("{name}_jacobian");
        let order = |name: &str| tables.named.get(name).map(|named| named.order);
        let later = match others.get(&jacobian) {
            Some(other) if order(&jacobian) > order(&name) => other,
            Some(_) => &output.item.name,
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

/// The names of everything that becomes a method.
fn names(tables: &Tables) -> HashMap<String, &Ident> {
    let outputs = tables.outputs.iter().map(|entry| &entry.item.name);
    let bundles = tables.bundles.iter().map(|item| &item.name);
    let regressors = tables.regressors.iter().map(|entry| &entry.item.name);
    let symmetries = tables.symmetries.iter().map(|entry| &entry.item.name);
    let all = outputs.chain(bundles).chain(regressors).chain(symmetries);
    all.map(|name| (text(name), name)).collect()
}

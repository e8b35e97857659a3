//! The methods beside outputs. Their names may clash with those of other outputs.

use std::collections::HashMap;

use proc_macro2::Ident;

use crate::errors::{Code, Errors};
use crate::generated::{Parts, is_taken};
use crate::syntax::ast::text;
use crate::tables::Tables;

/// Reports clashing names. An output `X` may have methods such as `X_jacobian` and `X_rate` beside it. If two user
/// names clash, the later one is reported. If a generated method clashes, the output is reported.
pub(crate) fn check_names_beside(tables: &Tables, errors: &mut Errors) {
    let declared = collect_names(tables);
    let parts = Parts {
        contacts: !tables.contacts.is_empty(),
        friction: !(tables.contacts.is_empty() && tables.dry_joints.is_empty()),
        states: !tables.has_rate.is_empty(),
    };
    let order = |name: &str| tables.named.get(name).map(|named| named.order);
    for output in &tables.outputs {
        let name = text(&output.item.name);
        for method in output.item.beside(output.shape) {
            let method = method.of(&name);
            let later = match declared.get(&method) {
                Some(other) if order(&method) > order(&name) => other,
                Some(_) => &output.item.name,
                None if is_taken(&method, parts) => &output.item.name,
                None => continue,
            };
            let message = format!(
                "the output `{name}` has a method `{method}` beside it, a name that is taken\n\n\
                 help: choose another name"
            );
            errors.error(later, Code::OutputName, message);
            // A new name for the output resolves all clashes of its methods.
            if *later == output.item.name {
                break;
            }
        }
    }
}

/// The names of all declarations that become methods.
fn collect_names(tables: &Tables) -> HashMap<String, &Ident> {
    tables
        .outputs
        .iter()
        .map(|entry| &entry.item.name)
        .chain(tables.bundles.iter().map(|item| &item.name))
        .chain(tables.regressors.iter().map(|entry| &entry.item.name))
        .chain(tables.sensitivities.iter().map(|entry| &entry.item.name))
        .chain(tables.symmetries.iter().map(|entry| &entry.item.name))
        .map(|name| (text(name), name))
        .collect()
}

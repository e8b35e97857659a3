//! Resolution of the names in bundles and exports to quantities, for the generated code and for the stub.
//!
//! An item is a generated method that takes a state and cannot fail, an output or a method beside one, a regressor, or
//! a symmetry.

mod candidates;
mod exports;
mod items;
mod part;
mod refusals;

use std::collections::{HashMap, HashSet};

use lagrange_engine::Shape;
use proc_macro2::Ident;
use quote::format_ident;
use syn::ext::IdentExt;

use crate::errors::{Code, Errors};
use crate::methods::Layout;
use crate::model::{BundleItem, Head};
use crate::syntax::ast::text;
use crate::tables::{OutputEntry, Tables};
use candidates::{Candidates, Resolved};
pub(crate) use exports::{
    Export, Exported, has_search, refused_by_casadi, refused_search, resolve as resolve_exports,
};
pub(crate) use items::Item;
pub(crate) use part::{Bundle, Content, Part};

/// The bundles of a declaration. Mistakes are reported at the token of the item. `shape` gives the shape of an output,
/// if it is known.
pub(crate) fn resolve(
    tables: &Tables,
    shape: &dyn Fn(&OutputEntry) -> Option<Shape>,
    (head, layout): (&Head, &Layout),
    errors: &mut Errors,
) -> Vec<Bundle> {
    if tables.bundles.is_empty() {
        return Vec::new();
    }
    let candidates = Candidates::new(tables, shape, layout);
    let mut structures = HashMap::new();
    let mut bundles = Vec::new();
    for item in &tables.bundles {
        let parts = parts(item, &candidates, errors);
        if let Some(structure) = structure(&head.name, &item.name, &mut structures, errors) {
            bundles.push(Bundle {
                name: item.name.clone(),
                attributes: item.attributes.clone(),
                structure,
                parts,
            });
        }
    }
    bundles
}

/// The items. An item with a mistake is replaced by the one that was probably meant, if there is one.
fn parts(bundle: &BundleItem, candidates: &Candidates, errors: &mut Errors) -> Vec<Part> {
    let mut listed = HashSet::new();
    let mut parts = Vec::new();
    for (name, is) in &bundle.items {
        if !listed.insert(text(name)) {
            let message =
                format!("duplicate item: `{name}` is in the bundle already\n\nhelp: remove it");
            errors.error(name, Code::Listed, message);
            continue;
        }
        let is_shown = !errors.is_full();
        let Resolved { part, refusal } = candidates.find(&bundle.name, (name, *is), is_shown);
        parts.extend(part);
        if let Some((code, message)) = refusal {
            errors.error(name, code, message);
        }
    }
    // The replacement may already be in the list.
    let mut names = HashSet::new();
    parts.retain(|part| names.insert(text(&part.name)));
    parts
}

/// `CartPoleFullStep` for the bundle `full_step`. It is unique among the bundles.
fn structure(
    system: &Ident,
    bundle: &Ident,
    structures: &mut HashMap<String, String>,
    errors: &mut Errors,
) -> Option<Ident> {
    let name = text(bundle);
    let camel: String = name.split('_').map(capitalized).collect();
    if camel.is_empty() {
        let message = format!(
            "the bundle `{name}` gives its struct no name\n\nhelp: choose a name with letters"
        );
        errors.error(bundle, Code::Listed, message);
        return None;
    }
    let structure = format_ident!("{}{camel}", system.unraw(), span = bundle.span());
    if let Some(other) = structures.insert(structure.to_string(), name.clone()) {
        let message = format!(
            "the bundles `{other}` and `{name}` would both return a struct `{structure}`\n\n\
             help: choose another name"
        );
        errors.error(bundle, Code::Listed, message);
        return None;
    }
    Some(structure)
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    first + letters.as_str()
}

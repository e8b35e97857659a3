//! The stub after errors. It has the struct and all signatures, so that code that uses them reports nothing.

use std::collections::HashSet;

use lagrange_engine::Facts;
use proc_macro2::TokenStream;

use super::constants::Constants;
use super::equations::Written;
use super::items::items;
use super::signatures::{Lists, StubOutput, signatures};
use super::skeleton::Skeleton;
use super::{bundles, docs, editor, types};
use crate::bundles::Bundle;
use crate::editor::Names;
use crate::tables::Tables;

/// The struct with its fields, and every method with an unreachable body.
pub(crate) fn fallback(
    skeleton: &Skeleton,
    outputs: &[StubOutput],
    (tables, names): (&Tables, &Names),
    bundles: &[Bundle],
) -> TokenStream {
    let n = skeleton.layout.velocities;
    let facts = Facts {
        cyclic: vec![false; n],
        conserved_momenta: vec![false; n],
        ..Facts::default()
    };
    // Only the number of the names matters here.
    let layout = &skeleton.layout;
    let rows = [layout.constraints, layout.contacts].map(|count| vec![String::new(); count]);
    let exports = tables.exports.iter();
    let exports = exports.map(|item| (item.language, String::new())).collect();
    let lists = Lists {
        regressors: tables.regressors.iter().map(|entry| &entry.item).collect(),
        sensitivities: tables
            .sensitivities
            .iter()
            .map(|entry| &entry.item)
            .collect(),
        symmetries: tables.symmetries.iter().map(|entry| &entry.item).collect(),
    };
    let written = Written::default();
    let of_regressors = lists.regressors.iter().copied();
    let constants = Constants::new(skeleton.head, rows, &facts, written, exports, of_regressors);
    let mut functions = signatures(skeleton, outputs, &lists, bundles);
    // An additional method of an output may have the name of another method. This is then the reported mistake.
    let mut taken = HashSet::new();
    functions.retain(|function| taken.insert(function.unraw()));

    let docs = docs::structure(skeleton.head, &[], "", &Written::default());
    let mut tokens = types::definition(skeleton, docs);
    let structures = bundles::structures(skeleton, bundles);
    tokens.extend(items(
        skeleton,
        &functions,
        &constants,
        TokenStream::new(),
        &structures,
    ));
    tokens.extend(editor::editor(skeleton, names, &functions, &[]));
    tokens
}

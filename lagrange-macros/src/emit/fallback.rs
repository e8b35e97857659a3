//! The stub after errors: the struct and all signatures, so that what uses them stays silent.

use std::collections::HashSet;

use lagrange_engine::{Facts, Shape};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;

use super::attributes::{conditions, doc_attributes};
use super::constants::Constants;
use super::equations::Written;
use super::function::{Function, stub};
use super::items::items;
use super::methods::METHODS;
use super::outputs::methods;
use super::row::Row;
use super::skeleton::Skeleton;
use super::{bundles, docs, editor, regressors, symmetries, types};
use crate::bundles::Bundle;
use crate::editor::Names;
use crate::model::OutputItem;
use crate::tables::Tables;

/// An output as far as the mistakes let it be known.
pub(crate) struct StubOutput<'a> {
    pub(crate) item: &'a OutputItem,
    /// Of a value.
    pub(crate) shape: Option<Shape>,
}

/// The struct with its fields, and every method with a body that is never reached.
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
    // Their names do not matter here, their number does.
    let constraints = vec![String::new(); skeleton.layout.constraints];
    let constants = Constants::new(skeleton.head, constraints, &facts, Written::default());
    let rows = METHODS.iter().filter(|row| row.exists(&skeleton.layout));
    let mut functions: Vec<Function> = rows.map(|row| method(skeleton, row)).collect();
    functions.extend(
        outputs
            .iter()
            .flat_map(|output| output_methods(skeleton, output)),
    );
    let of_regressors = tables.regressors.iter();
    functions.extend(of_regressors.map(|entry| regressors::stub(skeleton, &entry.item)));
    let of_symmetries = tables.symmetries.iter();
    functions.extend(of_symmetries.map(|entry| symmetries::stub(skeleton, &entry.item)));
    functions.extend(bundles.iter().map(|bundle| bundles::stub(skeleton, bundle)));
    // What is beside an output may be called like another method, which is the mistake then.
    let mut taken = HashSet::new();
    functions.retain(|function| taken.insert(function.name.unraw().to_string()));

    let docs = docs::structure(skeleton.head, &[], "", &Written::default());
    let mut tokens = types::definition(skeleton, docs);
    let structures = bundles::structures(skeleton, bundles);
    tokens.extend(items(skeleton, &functions, &constants, &structures));
    tokens.extend(editor::editor(skeleton, names, &functions, &[]));
    tokens
}

fn method(skeleton: &Skeleton, row: &Row) -> Function {
    let name = Ident::new(row.name(), Span::call_site());
    let function = stub(
        skeleton,
        name,
        row.arguments(&skeleton.layout),
        row.value,
        row.fallible,
    );
    Function {
        visibility: quote!(pub),
        ..function
    }
}

/// The output and what is beside it.
fn output_methods(skeleton: &Skeleton, output: &StubOutput) -> Vec<Function> {
    let item = output.item;
    let visibility = &item.visibility;
    let conditions = conditions(&item.attributes);
    let words = doc_attributes(&item.attributes);
    let layout = &skeleton.layout;
    let methods = methods(item, output.shape, layout).into_iter();
    methods
        .map(|method| {
            let summary = docs::output_method(item, method.beside, layout);
            let words = method.beside.is_none().then_some(&words);
            let words = words.into_iter().flatten();
            Function {
                visibility: quote!(#visibility),
                attributes: quote!(#(#conditions)* #(#words)*),
                docs: docs::interface(&summary, &method.arguments, method.value, skeleton),
                ..stub(skeleton, method.name, method.arguments, method.value, false)
            }
        })
        .collect()
}

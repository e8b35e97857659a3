//! The signatures and documentation of all methods, with unreachable bodies. Used after errors, and for editors,
//! which request only this at every keystroke.

use lagrange_engine::Shape;
use proc_macro2::TokenStream;
use quote::quote;

use super::function::{Code, Details, Function, stub};
use super::outputs;
use super::skeleton::Skeleton;
use super::{bundles, docs, regressors, sensitivities, symmetries};
use crate::attributes::{conditions, doc_attributes};
use crate::bundles::Bundle;
use crate::generated::Beside;
use crate::methods::outputs::methods;
use crate::methods::{METHODS, Row};
use crate::model::{OutputItem, RegressorItem, SensitivityItem, SymmetryItem};

/// An output, as far as it is known despite mistakes.
pub(crate) struct StubOutput<'a> {
    item: &'a OutputItem,
    /// The shape, if the output is a value.
    shape: Option<Shape>,
    /// The description of its code, if there are no errors. After errors its attributes may be wrong.
    details: Option<Details>,
}

impl<'a> StubOutput<'a> {
    /// An output after errors, with its shape if known.
    pub(crate) fn known(item: &'a OutputItem, shape: Option<Shape>) -> Self {
        Self {
            item,
            shape,
            details: None,
        }
    }

    /// An output with the description of its code.
    pub(super) fn described(item: &'a OutputItem, shape: Option<Shape>, details: Details) -> Self {
        Self {
            item,
            shape,
            details: Some(details),
        }
    }
}

/// The statements that list parameters or move coordinates.
pub(super) struct Lists<'a> {
    pub(super) regressors: Vec<&'a RegressorItem>,
    pub(super) sensitivities: Vec<&'a SensitivityItem>,
    pub(super) symmetries: Vec<&'a SymmetryItem>,
}

pub(super) fn signatures(
    skeleton: &Skeleton,
    outputs: &[StubOutput],
    lists: &Lists,
    bundles: &[Bundle],
) -> Vec<Function> {
    let rows = METHODS.iter().filter(|row| row.exists(&skeleton.layout));
    let mut functions: Vec<Function> = rows.map(|row| method(skeleton, row)).collect();
    functions.extend(
        outputs
            .iter()
            .flat_map(|output| output_methods(skeleton, output)),
    );
    let regressors = lists.regressors.iter();
    functions.extend(regressors.map(|item| regressors::stub(skeleton, item)));
    let sensitivities = lists.sensitivities.iter();
    functions.extend(sensitivities.map(|item| sensitivities::stub(skeleton, item)));
    let symmetries = lists.symmetries.iter();
    functions.extend(symmetries.map(|item| symmetries::stub(skeleton, item)));
    functions.extend(bundles.iter().map(|bundle| bundles::stub(skeleton, bundle)));
    functions
}

fn method(skeleton: &Skeleton, row: &Row) -> Function {
    let function = stub(
        skeleton,
        row.name().into(),
        row.arguments(&skeleton.layout),
        row.value(&skeleton.layout),
        row.fallible,
    );
    Function {
        visibility: Code::PUBLIC,
        docs: docs::method(row, skeleton, None),
        ..function
    }
}

/// The method of the output and its additional methods.
fn output_methods(skeleton: &Skeleton, output: &StubOutput) -> Vec<Function> {
    let item = output.item;
    let visibility = &item.visibility;
    let layout = &skeleton.layout;
    let methods = methods(item, output.shape, layout).into_iter();
    methods
        .map(|method| {
            let summary = docs::output_method(item, method.beside, layout);
            let (arguments, value) = (&method.arguments, method.value);
            let attributes = match output.details {
                Some(_) => outputs::attributes(item, method.beside),
                None => attributes(item, method.beside),
            };
            let own = output.details.as_ref().filter(|_| method.beside.is_none());
            let docs = match own {
                Some(details) => docs::output(&summary, arguments, value, skeleton, details),
                None => docs::interface(&summary, arguments, value, skeleton),
            };
            Function {
                visibility: Code::of(visibility),
                attributes: attributes.into(),
                docs,
                ..stub(
                    skeleton,
                    Code::of(&method.name),
                    method.arguments,
                    method.value,
                    false,
                )
            }
        })
        .collect()
}

/// None after errors, because the attributes may be the mistake.
fn attributes(item: &OutputItem, beside: Option<Beside>) -> TokenStream {
    let conditions = conditions(&item.attributes);
    let words = doc_attributes(&item.attributes);
    let words = beside.is_none().then_some(words).into_iter().flatten();
    quote!(#(#conditions)* #(#words)*)
}

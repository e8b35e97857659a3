//! The methods of `sensitivity`s: derivatives of the accelerations by parameters.

use quote::quote;

use super::context::Context;
use super::docs;
use super::function::{self, Code, Function};
use super::signature::Signature;
use super::skeleton::Skeleton;
use super::steps;
use crate::attributes::doc_attributes;
use crate::methods::sensitivities::{ARGUMENTS, summary, value};
use crate::model::SensitivityItem;
use crate::syntax::ast::text;

pub(super) fn functions(context: &Context) -> Vec<Function> {
    let items = context.model.sensitivities.iter();
    items.map(|item| sensitivity(context, item)).collect()
}

fn sensitivity(context: &Context, item: &SensitivityItem) -> Function {
    let skeleton = &context.skeleton;
    let arguments = skeleton.layout.arguments(&ARGUMENTS);
    let signature = Signature {
        method: None,
        name: "",
        arguments: arguments.clone(),
        value: value(item),
        fallible: true,
    };
    let definition = steps::printed(context, &text(&item.name), &signature);
    let summary = format!("{}\n\n{}", summary(item), columns(item));
    let docs = docs::output(
        &summary,
        &arguments,
        value(item),
        skeleton,
        &definition.details,
    );
    Function {
        docs: docs + &docs::errors_of_solution(&skeleton.layout),
        body: definition.body,
        ..stub(skeleton, item)
    }
}

/// The list of columns.
fn columns(item: &SensitivityItem) -> String {
    let names = item.parameters.iter().flat_map(|listed| &listed.elements);
    let lines = names.enumerate().map(|(column, name)| {
        let remark = match item.are_idle.get(column) {
            Some(true) => ", on which no acceleration depends: zeros",
            _ => "",
        };
        format!("- column {column}: `{name}`{remark}\n")
    });
    lines.collect()
}

/// The method without documentation and body.
pub(super) fn stub(skeleton: &Skeleton, item: &SensitivityItem) -> Function {
    let arguments = skeleton.layout.arguments(&ARGUMENTS);
    let attributes = doc_attributes(&item.attributes);
    Function {
        attributes: quote!(#(#attributes)*).into(),
        visibility: Code::PUBLIC,
        ..function::stub(skeleton, Code::of(&item.name), arguments, value(item), true)
    }
}

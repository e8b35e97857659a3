//! The methods of `pub let`s and their Jacobians.

use lagrange_engine::{Dependence, Quantity};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;

use super::attributes::{conditions, doc_lines};
use super::context::Context;
use super::docs;
use super::function::{Definition, Function};
use super::functions::evaluation;
use super::signature::{Argument, Value};
use crate::model::OutputItem;

pub(super) fn functions(context: &Context) -> Vec<Function> {
    let items = context.model.outputs.iter().enumerate();
    let functions = items.flat_map(|(number, item)| {
        [
            Some(output(context, number, item)),
            jacobian(context, number, item),
        ]
    });
    functions.flatten().collect()
}

fn output(context: &Context, number: usize, item: &OutputItem) -> Function {
    let name = item.name.unraw().to_string();
    let quantity = Quantity::Output(number);
    let definition = evaluation(context, quantity, &name);
    let summary = if doc_lines(&item.attributes).is_empty() {
        format!("The output `{name}`.")
    } else {
        String::new()
    };
    let all = arguments_of(item.reads);
    let value = Value::of_shape(context.dynamics.shape(quantity));
    let attributes = &item.attributes;
    let visibility = &item.visibility;
    Function {
        attributes: quote!(#(#attributes)*),
        visibility: quote!(#visibility),
        name: item.name.clone(),
        ..function(context, &summary, &all, value, definition)
    }
}

/// The Jacobian of a scalar or vector that depends on q and t alone.
fn jacobian(context: &Context, number: usize, item: &OutputItem) -> Option<Function> {
    let shape = context.dynamics.shape(Quantity::Output(number));
    if !context.dynamics.has_output_rate(number) || !item.has_jacobian(shape) {
        return None;
    }
    let quantity = Quantity::OutputJacobian(number);
    let name = item.name.unraw();
    let definition = evaluation(context, quantity, &format!("d{name}/dq"));
    let summary = jacobian_summary(&name.to_string());
    let visibility = &item.visibility;
    let value = Value::of_shape(context.dynamics.shape(quantity));
    let conditions = conditions(&item.attributes);
    Some(Function {
        attributes: quote!(#(#conditions)*),
        visibility: quote!(#visibility),
        name: format_ident!("{name}_jacobian", span = item.name.span()),
        ..function(context, &summary, &[Argument::Q], value, definition)
    })
}

fn function(
    context: &Context,
    summary: &str,
    arguments: &[Argument],
    value: Value,
    definition: Definition,
) -> Function {
    let layout = &context.skeleton.layout;
    let arguments = layout.arguments(arguments);
    Function {
        attributes: TokenStream::new(),
        visibility: TokenStream::new(),
        docs: docs::output(summary, &arguments, value, layout, &definition.details),
        name: format_ident!("output"),
        returned: value.returned(false, layout, &context.skeleton.rt),
        arguments,
        places: TokenStream::new(),
        real: false,
        body: definition.body,
    }
}

pub(crate) fn jacobian_summary(name: &str) -> String {
    format!("The Jacobian d{name}/dq of the output `{name}`, one row for each entry.")
}

/// What an output takes whose text names these kinds of symbols, the shortest list that holds them: (q),
/// (q, v) or (q, v, u).
pub(crate) fn arguments_of(kinds: Dependence) -> Vec<Argument> {
    if kinds.intersects(Dependence::INPUT) {
        vec![Argument::Q, Argument::V, Argument::U]
    } else if kinds.intersects(Dependence::VELOCITY) {
        vec![Argument::Q, Argument::V]
    } else {
        vec![Argument::Q]
    }
}

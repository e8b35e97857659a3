//! The methods of `pub let`s and `pub frame`s, and their additional methods, as Rust functions.

use lagrange_engine::{Quantity, Shape};
use proc_macro2::TokenStream;
use quote::quote;

use super::context::Context;
use super::docs;
use super::function::{Code, Definition, Details, Function, stub};
use super::functions::{self, define_computation};
use super::skeleton::Skeleton;
use crate::attributes::{conditions, doc_attributes};
use crate::generated::Beside;
use crate::methods::outputs::{OutputMethod, content, methods, numbers};
use crate::model::{OutputItem, OutputKind};
use crate::syntax::ast::text;

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
    pub(super) fn describe(item: &'a OutputItem, shape: Option<Shape>, details: Details) -> Self {
        Self {
            item,
            shape,
            details: Some(details),
        }
    }
}

/// The methods of all outputs.
pub(super) fn write_methods(context: &Context) -> Vec<Function> {
    let items = context.model.outputs.iter();
    items
        .clone()
        .zip(numbers(items))
        .flat_map(|(item, number)| write_methods_of(context, item, number))
        .collect()
}

/// All outputs with the contents of their documentation.
pub(super) fn describe<'a>(context: &'a Context) -> Vec<StubOutput<'a>> {
    let items = context.model.outputs.iter();
    let numbered = items.clone().zip(numbers(items));
    let output = |(item, number)| {
        let (_, fields) = content(item, number, None, &context.skeleton.layout);
        let details = functions::describe(context, &fields);
        StubOutput::describe(item, find_shape(context, item, number), details)
    };
    numbered.map(output).collect()
}

fn find_shape(context: &Context, item: &OutputItem, number: usize) -> Option<Shape> {
    match item.kind {
        OutputKind::Value { .. } => Some(context.dynamics.shape(Quantity::Output(number))),
        OutputKind::Frame => None,
    }
}

/// `number` is the index of the output or output frame in the engine.
fn write_methods_of(context: &Context, item: &OutputItem, number: usize) -> Vec<Function> {
    let shape = find_shape(context, item, number);
    methods(item, shape, &context.skeleton.layout)
        .into_iter()
        .map(|method| {
            let layout = &context.skeleton.layout;
            let (shell, fields) = content(item, number, method.beside, layout);
            let name = text(&method.name);
            let signature = (&name[..], &method.arguments[..]);
            let definition = define_computation(context, signature, shell, &fields);
            write_method(context, item, method, definition)
        })
        .collect()
}

fn write_method(
    context: &Context,
    item: &OutputItem,
    method: OutputMethod,
    definition: Definition,
) -> Function {
    let skeleton = &context.skeleton;
    let layout = &skeleton.layout;
    let OutputMethod {
        beside,
        name,
        arguments,
        value,
    } = method;
    let mut summary = docs::output_method(item, beside, layout);
    let unit = skeleton
        .head
        .unit(&text(&item.name))
        .filter(|_| beside.is_none());
    if let Some(unit) = unit {
        summary += &format!(" In {unit}.");
    }
    let visibility = &item.visibility;
    Function {
        attributes: list_attributes(item, beside).into(),
        visibility: Code::of(visibility),
        docs: docs::output(&summary, &arguments, value, skeleton, &definition.details),
        name: Code::of(&name),
        returned: value.write_return_type(false, layout),
        arguments,
        body: definition.body,
        ..Function::default()
    }
}

/// The user's attributes apply to the output itself.
fn list_attributes(item: &OutputItem, beside: Option<Beside>) -> TokenStream {
    match beside {
        None => {
            let attributes = &item.attributes;
            quote!(#(#attributes)*)
        }
        Some(_) => {
            let conditions = conditions(&item.attributes);
            quote!(#(#conditions)*)
        }
    }
}

/// The method of the output and its additional methods.
pub(super) fn write_stubs(skeleton: &Skeleton, output: &StubOutput) -> Vec<Function> {
    let item = output.item;
    let visibility = &item.visibility;
    let layout = &skeleton.layout;
    methods(item, output.shape, layout)
        .into_iter()
        .map(|method| {
            let summary = docs::output_method(item, method.beside, layout);
            let (arguments, value) = (&method.arguments, method.value);
            let attributes = match output.details {
                Some(_) => list_attributes(item, method.beside),
                None => list_sound_attributes(item, method.beside),
            };
            let details = output.details.as_ref().filter(|_| method.beside.is_none());
            let docs = match details {
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
fn list_sound_attributes(item: &OutputItem, beside: Option<Beside>) -> TokenStream {
    let conditions = conditions(&item.attributes);
    let words = doc_attributes(&item.attributes);
    let words = beside.is_none().then_some(words).into_iter().flatten();
    quote!(#(#conditions)* #(#words)*)
}

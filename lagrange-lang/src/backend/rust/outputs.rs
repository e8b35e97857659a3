//! The methods of `pub let`s and `pub frame`s, and their additional methods, as Rust functions.

use lagrange_engine::{Quantity, Shape};
use proc_macro2::TokenStream;
use quote::quote;

use super::context::Context;
use super::docs;
use super::function::{Code, Definition, Function};
use super::functions::{self, computation};
use super::signatures::StubOutput;
use crate::attributes::conditions;
use crate::generated::Beside;
use crate::methods::outputs::{OutputMethod, content, methods, numbers};
use crate::model::{OutputItem, OutputKind};
use crate::syntax::ast::text;

/// The methods of all outputs.
pub(super) fn functions(context: &Context) -> Vec<Function> {
    let items = context.model.outputs.iter();
    let numbered = items.clone().zip(numbers(items));
    numbered
        .flat_map(|(item, number)| of_output(context, item, number))
        .collect()
}

/// All outputs with the contents of their documentation.
pub(super) fn described<'a>(context: &'a Context) -> Vec<StubOutput<'a>> {
    let items = context.model.outputs.iter();
    let numbered = items.clone().zip(numbers(items));
    let output = |(item, number)| {
        let (_, fields) = content(item, number, None, &context.skeleton.layout);
        let details = functions::described(context, &fields);
        StubOutput::described(item, shape(context, item, number), details)
    };
    numbered.map(output).collect()
}

fn shape(context: &Context, item: &OutputItem, number: usize) -> Option<Shape> {
    match item.kind {
        OutputKind::Value { .. } => Some(context.dynamics.shape(Quantity::Output(number))),
        OutputKind::Frame => None,
    }
}

/// `number` is the index of the output or output frame in the engine.
fn of_output(context: &Context, item: &OutputItem, number: usize) -> Vec<Function> {
    let shape = shape(context, item, number);
    let methods = methods(item, shape, &context.skeleton.layout).into_iter();
    methods
        .map(|method| {
            let layout = &context.skeleton.layout;
            let (shell, fields) = content(item, number, method.beside, layout);
            let name = text(&method.name);
            let signature = (&name[..], &method.arguments[..]);
            let definition = computation(context, signature, shell, &fields);
            function(context, item, method, definition)
        })
        .collect()
}

fn function(
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
        attributes: attributes(item, beside).into(),
        visibility: Code::of(visibility),
        docs: docs::output(&summary, &arguments, value, skeleton, &definition.details),
        name: Code::of(&name),
        returned: value.returned(false, layout),
        arguments,
        generics: "",
        places: String::new(),
        real: false,
        body: definition.body,
    }
}

/// The user's attributes apply to the output itself.
pub(super) fn attributes(item: &OutputItem, beside: Option<Beside>) -> TokenStream {
    match beside {
        None => {
            let own = &item.attributes;
            quote!(#(#own)*)
        }
        Some(_) => {
            let conditions = conditions(&item.attributes);
            quote!(#(#conditions)*)
        }
    }
}

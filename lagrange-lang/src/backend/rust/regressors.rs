//! The methods of `regressor`s: the coefficients of parameters in the equations of motion.

use lagrange_engine::{NodeId, Quantity};
use quote::quote;

use super::context::Context;
use super::docs;
use super::function::{self, Code, Function};
use super::functions::computation;
use super::skeleton::Skeleton;
use crate::attributes::doc_attributes;
use crate::methods::regressors::{ARGUMENTS, summary, value};
use crate::methods::{Field, Shell};
use crate::model::RegressorItem;

pub(super) fn functions(context: &Context) -> Vec<Function> {
    let items = context.model.regressors.iter().enumerate();
    items
        .map(|(number, item)| regressor(context, number, item))
        .collect()
}

fn regressor(context: &Context, number: usize, item: &RegressorItem) -> Function {
    let quantity = Quantity::Regressor(number);
    let text = format!("{}\n\n{}", summary(item), columns(context, number, item));
    let skeleton = &context.skeleton;
    let arguments = skeleton.layout.arguments(&ARGUMENTS);
    let name = item.name.to_string();
    let fields = [Field::alone(quantity, "Y")];
    let definition = computation(context, (&name, &arguments), Shell::None, &fields);
    Function {
        docs: docs::output(
            &text,
            &arguments,
            value(item),
            skeleton,
            &definition.details,
        ),
        body: definition.body,
        ..stub(skeleton, item)
    }
}

/// The list of columns.
fn columns(context: &Context, number: usize, item: &RegressorItem) -> String {
    let entries = context.dynamics.expressions(Quantity::Regressor(number));
    let graph = context.dynamics.graph();
    let count = item.columns();
    let is_zero = |column: usize| {
        let mut rows = entries.iter().skip(column).step_by(count.max(1));
        rows.all(|entry: &NodeId| graph.is_zero(*entry))
    };
    let names = item.parameters.iter().flat_map(|listed| &listed.elements);
    let lines = names.enumerate().map(|(column, name)| {
        let remark = if is_zero(column) {
            ", which does not enter: zeros"
        } else {
            ""
        };
        format!("- column {column}: `{name}`{remark}\n")
    });
    lines.collect()
}

/// The method without documentation and body.
pub(super) fn stub(skeleton: &Skeleton, item: &RegressorItem) -> Function {
    let arguments = skeleton.layout.arguments(&ARGUMENTS);
    let value = value(item);
    let attributes = doc_attributes(&item.attributes);
    Function {
        attributes: quote!(#(#attributes)*).into(),
        visibility: Code::PUBLIC,
        ..function::stub(skeleton, Code::of(&item.name), arguments, value, false)
    }
}

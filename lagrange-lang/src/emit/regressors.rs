//! The methods of `regressor`s: the coefficients of parameters in the equations of motion.

use lagrange_engine::{NodeId, Quantity};
use quote::quote;

use super::attributes::doc_attributes;
use super::context::Context;
use super::docs;
use super::function::{self, Code, Function};
use super::functions::evaluation;
use super::signature::{Argument, Size, Value};
use super::skeleton::Skeleton;
use crate::model::RegressorItem;

/// All that the method may take.
pub(crate) const ARGUMENTS: [Argument; 3] = [Argument::Q, Argument::V, Argument::A];

pub(super) fn functions(context: &Context) -> Vec<Function> {
    let items = context.model.regressors.iter().enumerate();
    items
        .map(|(number, item)| regressor(context, number, item))
        .collect()
}

/// n x r, a column for each element.
pub(crate) fn value(item: &RegressorItem) -> Value {
    Value::Matrix(Size::N, Size::Known(item.columns()))
}

pub(crate) fn summary(item: &RegressorItem) -> String {
    let count = item.columns();
    let parameters = if count == 1 {
        "parameter"
    } else {
        "parameters"
    };
    format!(
        "The coefficients Y of {count} {parameters} theta in the equations: \
         Y theta + rest = M a + h - Q at u = 0, where the rest does not depend on them."
    )
}

fn regressor(context: &Context, number: usize, item: &RegressorItem) -> Function {
    let quantity = Quantity::Regressor(number);
    let definition = evaluation(context, quantity, "Y");
    let text = format!("{}\n\n{}", summary(item), columns(context, number, item));
    let skeleton = &context.skeleton;
    let arguments = skeleton.layout.arguments(&ARGUMENTS);
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

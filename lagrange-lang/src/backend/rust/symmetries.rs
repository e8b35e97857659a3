//! The methods of `symmetry`s: their conserved quantities.

use lagrange_engine::Quantity;
use quote::quote;

use super::context::Context;
use super::docs;
use super::function::{self, Code, Function};
use super::functions::computation;
use super::skeleton::Skeleton;
use crate::attributes::doc_attributes;
use crate::methods::symmetries::{ARGUMENTS, summary};
use crate::methods::{Field, Shell, Value};
use crate::model::SymmetryItem;

pub(super) fn functions(context: &Context) -> Vec<Function> {
    let items = context.model.symmetries.iter().enumerate();
    items
        .map(|(number, item)| symmetry(context, number, item))
        .collect()
}

fn symmetry(context: &Context, number: usize, item: &SymmetryItem) -> Function {
    let quantity = Quantity::NoetherMomentum(number);
    let note = if context.dynamics.facts().conserved_symmetries[number] {
        "It is constant along every motion."
    } else if context.skeleton.layout.reacts() {
        "It changes by the work that forces or constraints do along xi: \
         d(p . xi)/dt = (Q + (J^T + B) lambda) . xi."
    } else {
        "It changes by the work that forces or constraints do along xi: \
         d(p . xi)/dt = (Q + J^T lambda) . xi."
    };
    let text = format!("{}\n\n{note}\n", summary(item));
    let skeleton = &context.skeleton;
    let arguments = skeleton.layout.arguments(&ARGUMENTS);
    let name = item.name.to_string();
    let fields = [Field::alone(quantity, "p . xi")];
    let definition = computation(context, (&name, &arguments), Shell::None, &fields);
    Function {
        docs: docs::output(
            &text,
            &arguments,
            Value::Scalar,
            skeleton,
            &definition.details,
        ),
        body: definition.body,
        ..stub(skeleton, item)
    }
}

/// The method without documentation and body.
pub(super) fn stub(skeleton: &Skeleton, item: &SymmetryItem) -> Function {
    let arguments = skeleton.layout.arguments(&ARGUMENTS);
    let attributes = doc_attributes(&item.attributes);
    Function {
        attributes: quote!(#(#attributes)*).into(),
        visibility: Code::PUBLIC,
        ..function::stub(
            skeleton,
            Code::of(&item.name),
            arguments,
            Value::Scalar,
            false,
        )
    }
}

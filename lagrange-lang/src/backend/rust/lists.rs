//! The methods of statements that list parameters or move coordinates: `regressor`s, which are the coefficients of
//! parameters in the equations of motion, `sensitivity`s, which are derivatives of the accelerations by parameters, and
//! `symmetry`s, whose methods are their conserved quantities.

use lagrange_engine::{Coefficient, Quantity, Symbol};
use proc_macro2::Ident;
use quote::quote;
use syn::Attribute;

use super::context::Context;
use super::function::{self, Code, Function};
use super::functions::define_computation;
use super::signature::Signature;
use super::skeleton::Skeleton;
use super::{docs, steps};
use crate::attributes::doc_attributes;
use crate::methods::{Argument, Field, Shell, Value, regressors, sensitivities, symmetries};
use crate::model::{Listed, RegressorItem, SensitivityItem, SymmetryItem};
use crate::syntax::ast::text;

pub(super) fn write_methods(context: &Context) -> Vec<Function> {
    let model = context.model;
    let regressors = model.regressors.iter().enumerate();
    let sensitivities = model.sensitivities.iter();
    let symmetries = model.symmetries.iter().enumerate();
    regressors
        .map(|(number, item)| write_regressor(context, number, item))
        .chain(sensitivities.map(|item| write_sensitivity(context, item)))
        .chain(symmetries.map(|(number, item)| write_symmetry(context, number, item)))
        .collect()
}

fn write_regressor(context: &Context, number: usize, item: &RegressorItem) -> Function {
    let summary = format!(
        "{}\n\n{}",
        regressors::summary(item),
        describe_regressor(context, item)
    );
    let field = Field::alone(Quantity::Regressor(number), "Y");
    let stub = regressor_stub(&context.skeleton, item);
    write_evaluation(
        context,
        &item.name,
        (field, &summary),
        regressors::value(item),
        stub,
    )
}

fn write_symmetry(context: &Context, number: usize, item: &SymmetryItem) -> Function {
    let note = if context.dynamics.facts().conserved_symmetries[number] {
        "It is constant along every motion."
    } else if context.skeleton.layout.reacts() {
        "It changes by the work that forces or constraints do along xi: \
         d(p . xi)/dt = (Q + (J^T + B) lambda) . xi."
    } else {
        "It changes by the work that forces or constraints do along xi: \
         d(p . xi)/dt = (Q + J^T lambda) . xi."
    };
    let summary = format!("{}\n\n{note}\n", symmetries::summary(item));
    let field = Field::alone(Quantity::NoetherMomentum(number), "p . xi");
    let stub = symmetry_stub(&context.skeleton, item);
    write_evaluation(context, &item.name, (field, &summary), Value::Scalar, stub)
}

/// The method that evaluates one quantity.
fn write_evaluation(
    context: &Context,
    name: &Ident,
    (field, summary): (Field, &str),
    value: Value,
    stub: Function,
) -> Function {
    let (skeleton, arguments) = (&context.skeleton, &stub.arguments);
    let definition = define_computation(
        context,
        (&name.to_string(), arguments),
        Shell::None,
        &[field],
    );
    Function {
        docs: docs::output(summary, arguments, value, skeleton, &definition.details),
        body: definition.body,
        ..stub
    }
}

fn write_sensitivity(context: &Context, item: &SensitivityItem) -> Function {
    let skeleton = &context.skeleton;
    let value = sensitivities::value(item);
    let stub = sensitivity_stub(skeleton, item);
    let signature = Signature {
        method: None,
        name: "",
        arguments: stub.arguments.clone(),
        value,
        fallible: true,
    };
    let definition = steps::print_routine(context, &text(&item.name), &signature);
    let remark = |column| match item.are_idle.get(column) {
        Some(true) => ", on which no acceleration depends: zeros",
        _ => "",
    };
    let columns = list_columns(&item.parameters, remark);
    let summary = format!("{}\n\n{columns}", sensitivities::summary(item));
    let docs = docs::output(
        &summary,
        &stub.arguments,
        value,
        skeleton,
        &definition.details,
    );
    Function {
        docs: docs + &docs::describe_errors_of_solution(&skeleton.layout),
        body: definition.body,
        ..stub
    }
}

/// The list of columns, one for each element of the parameters, with a remark on each.
fn list_columns(parameters: &[Listed], remark: impl Fn(usize) -> &'static str) -> String {
    element_names(parameters)
        .enumerate()
        .map(|(column, name)| format!("- column {column}: `{name}`{}\n", remark(column)))
        .collect()
}

fn element_names(parameters: &[Listed]) -> impl Iterator<Item = &String> {
    parameters.iter().flat_map(|parameter| &parameter.elements)
}

/// The lists of columns and of combinations.
fn describe_regressor(context: &Context, item: &RegressorItem) -> String {
    let Some(identification) = &item.identification else {
        return String::new();
    };
    let names: Vec<&String> = element_names(&item.parameters).collect();
    let remark = |column: usize| match identification.unseen.contains(&column) {
        true => ", which no motion shows",
        false => "",
    };
    let columns = list_columns(&item.parameters, remark);
    let rank = identification.combinations.len();
    let on_constraints = match context.dynamics.sizes().constraints {
        0 => "",
        _ => ", on the constraints and with unknown multipliers",
    };
    let mut text = format!(
        "{columns}\nFor almost all values of the other parameters, motions{on_constraints} tell apart {rank} independent \
         combinations (`{}`):\n\n",
        RegressorItem::constant(&item.name)
    );
    let mut functions: Vec<String> = Vec::new();
    for combination in &identification.combinations {
        let mut sum = names[combination.first].clone();
        for (column, coefficient) in &combination.others {
            sum += &write_term(context, coefficient, names[*column], &mut functions);
        }
        text += &format!("- `{sum}`\n");
    }
    if !functions.is_empty() {
        text += &format!("\nHere {}.\n", functions.join(", "));
    }
    text
}

/// ` + 2*l^2*m`
fn write_term(
    context: &Context,
    coefficient: &Coefficient,
    name: &str,
    functions: &mut Vec<String>,
) -> String {
    let name_of = |symbol: &Symbol| match symbol {
        Symbol::Parameter(i) => context.dynamics.names().parameters[*i as usize].clone(),
        _ => String::new(),
    };
    let (number, powers) = match coefficient {
        Coefficient::Product(number, powers) => (*number, powers),
        Coefficient::Function(parameters) => {
            let parameters: Vec<String> = parameters.iter().map(name_of).collect();
            let function = format!("f{}", functions.len() + 1);
            functions.push(match parameters.is_empty() {
                true => format!("`{function}` is a number"),
                false => format!(
                    "`{function}` is a function of `{}`",
                    parameters.join("`, `")
                ),
            });
            return format!(" + {function}*{name}");
        }
    };
    let rounded: f64 = format!("{number:.5e}").parse().unwrap_or(number);
    let sign = if number < 0.0 { '-' } else { '+' };
    let size = rounded.abs();
    let mut term = String::new();
    if size != 1.0 {
        term += &format!("{size}*");
    }
    let power = |(symbol, power): &(Symbol, i32)| match power.abs() {
        1 => name_of(symbol),
        power => format!("{}^{power}", name_of(symbol)),
    };
    for factor in powers.iter().filter(|(_, power)| *power > 0) {
        term += &format!("{}*", power(factor));
    }
    term += name;
    for factor in powers.iter().filter(|(_, power)| *power < 0) {
        term += &format!("/{}", power(factor));
    }
    format!(" {sign} {term}")
}

/// The method of a regressor without documentation and body.
pub(super) fn regressor_stub(skeleton: &Skeleton, item: &RegressorItem) -> Function {
    let signature = (&regressors::ARGUMENTS[..], regressors::value(item), false);
    stub(skeleton, &item.name, &item.attributes, signature)
}

/// The method of a sensitivity without documentation and body.
pub(super) fn sensitivity_stub(skeleton: &Skeleton, item: &SensitivityItem) -> Function {
    let signature = (
        &sensitivities::ARGUMENTS[..],
        sensitivities::value(item),
        true,
    );
    stub(skeleton, &item.name, &item.attributes, signature)
}

/// The method of a symmetry without documentation and body.
pub(super) fn symmetry_stub(skeleton: &Skeleton, item: &SymmetryItem) -> Function {
    let signature = (&symmetries::ARGUMENTS[..], Value::Scalar, false);
    stub(skeleton, &item.name, &item.attributes, signature)
}

fn stub(
    skeleton: &Skeleton,
    name: &Ident,
    attributes: &[Attribute],
    (arguments, value, fallible): (&[Argument], Value, bool),
) -> Function {
    let arguments = skeleton.layout.arguments(arguments);
    let attributes = doc_attributes(attributes);
    Function {
        attributes: quote!(#(#attributes)*).into(),
        visibility: Code::PUBLIC,
        ..function::stub(skeleton, Code::of(name), arguments, value, fallible)
    }
}

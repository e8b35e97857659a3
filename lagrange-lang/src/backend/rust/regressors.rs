//! The methods of `regressor`s: the coefficients of parameters in the equations of motion.

use lagrange_engine::{Coefficient, Quantity, Symbol};
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
    let text = format!("{}\n\n{}", summary(item), columns(context, item));
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

/// The number of combinations that motions tell apart.
pub(super) fn rank(item: &RegressorItem) -> usize {
    let identification = item.identification.as_ref();
    identification.map_or(0, |found| found.combinations.len())
}

pub(super) fn rank_docs(item: &RegressorItem) -> String {
    format!(
        "The number of independent combinations of the parameters of `{}` that motions tell apart, for almost all \
         values of the other parameters.",
        item.name
    )
}

/// The lists of columns and of combinations.
fn columns(context: &Context, item: &RegressorItem) -> String {
    let names = item.parameters.iter().flat_map(|listed| &listed.elements);
    let names: Vec<&str> = names.map(String::as_str).collect();
    let Some(found) = &item.identification else {
        return String::new();
    };
    let lines = names.iter().enumerate().map(|(column, name)| {
        let remark = if found.unseen.contains(&column) {
            ", which no motion shows"
        } else {
            ""
        };
        format!("- column {column}: `{name}`{remark}\n")
    });
    let lines: String = lines.collect();
    let rank = found.combinations.len();
    let on_constraints = match context.dynamics.sizes().constraints {
        0 => "",
        _ => ", on the constraints and with unknown multipliers",
    };
    let mut text = format!(
        "{lines}\nFor almost all values of the other parameters, motions{on_constraints} tell apart {rank} independent \
         combinations (`{}`):\n\n",
        RegressorItem::constant(&item.name)
    );
    let mut functions: Vec<String> = Vec::new();
    for combination in &found.combinations {
        let mut sum = names[combination.first].to_owned();
        for (column, coefficient) in &combination.others {
            sum += &term(context, coefficient, names[*column], &mut functions);
        }
        text += &format!("- `{sum}`\n");
    }
    if !functions.is_empty() {
        text += &format!("\nHere {}.\n", functions.join(", "));
    }
    text
}

/// ` + 2*l^2*m`
fn term(
    context: &Context,
    coefficient: &Coefficient,
    name: &str,
    functions: &mut Vec<String>,
) -> String {
    let of = |symbol: &Symbol| match symbol {
        Symbol::Parameter(i) => context.dynamics.names().parameters[*i as usize].clone(),
        _ => String::new(),
    };
    let (number, powers) = match coefficient {
        Coefficient::Product(number, powers) => (*number, powers),
        Coefficient::Function(parameters) => {
            let parameters: Vec<String> = parameters.iter().map(of).collect();
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
    let number_of_digits: f64 = format!("{number:.5e}").parse().unwrap_or(number);
    let sign = if number < 0.0 { '-' } else { '+' };
    let size = number_of_digits.abs();
    let mut term = String::new();
    if size != 1.0 {
        term += &format!("{size}*");
    }
    let power = |(symbol, power): &(Symbol, i32)| match power.abs() {
        1 => of(symbol),
        power => format!("{}^{power}", of(symbol)),
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

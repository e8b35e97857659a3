//! The methods of the table and their bodies.

use lagrange_engine::{NodeId, Operand, Program, Quantity, Shape};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::body::Body;
use super::context::Context;
use super::docs;
use super::function::{Definition, Details, Function};
use super::methods::METHODS;
use super::row::{Recipe, Row};
use super::skeleton::Skeleton;
use super::solve::Solver;

/// All methods that the table gives to the system.
pub(super) fn functions(context: &Context) -> Vec<Function> {
    let layout = &context.skeleton.layout;
    let solver = Solver::new(context);
    let rows = METHODS.iter().filter(|row| row.exists(layout));
    let mut functions: Vec<Function> = rows
        .map(|row| {
            let definition = match row.body {
                Recipe::Evaluates(quantity) => evaluation(context, quantity, row.symbol),
                Recipe::PutTogether(body) => body(context, &solver),
            };
            function(&context.skeleton, row, definition)
        })
        .collect();
    functions.extend(solver.into_shared());
    functions
}

fn function(skeleton: &Skeleton, row: &Row, definition: Definition) -> Function {
    let layout = &skeleton.layout;
    Function {
        attributes: TokenStream::new(),
        visibility: quote!(pub),
        docs: docs::method(row, layout, &definition.details),
        name: Ident::new(row.name(), Span::call_site()),
        arguments: row.arguments(layout),
        places: TokenStream::new(),
        returned: row.value.returned(row.fallible, layout, &skeleton.rt),
        real: row.fallible,
        body: definition.body,
    }
}

/// A body that computes a quantity and returns it; `symbol` is what formulas call it.
pub(super) fn evaluation(context: &Context, quantity: Quantity, symbol: &str) -> Definition {
    let part = Part {
        field: "",
        quantity,
        symbol: symbol.to_owned(),
    };
    computation(context, None, &[part])
}

/// A field of a struct, and what formulas call it.
pub(super) struct Part {
    pub(super) field: &'static str,
    pub(super) quantity: Quantity,
    pub(super) symbol: String,
}

/// A body that computes several quantities together and returns them as the struct of this name, or the
/// only one as it is.
pub(super) fn computation(context: &Context, name: Option<&str>, parts: &[Part]) -> Definition {
    let dynamics = context.dynamics;
    let quantities: Vec<Quantity> = parts.iter().map(|part| part.quantity).collect();
    let program = dynamics.program(&quantities);
    let numbered = parts.iter().enumerate();
    let labelled = numbered.flat_map(|(position, part)| {
        let shape = dynamics.shape(part.quantity);
        labelled(&part.symbol, shape, program.expressions_of(position))
    });
    let labelled: Vec<(String, NodeId)> = labelled.collect();
    Definition {
        details: Details {
            formula: docs::formula(&dynamics.graph(), dynamics.names(), &labelled),
            operations: program.operations(),
            beyond: "",
        },
        body: returning(context, &program, name, parts).into(),
    }
}

/// Each entry with its name: `V`, `f[0]`, `M[0, 1]`.
fn labelled(symbol: &str, shape: Shape, entries: &[NodeId]) -> Vec<(String, NodeId)> {
    let label = |index: usize| match shape {
        Shape::Scalar => symbol.to_owned(),
        Shape::Vector(_) => format!("{symbol}[{index}]"),
        Shape::Matrix(_, columns) => format!("{symbol}[{}, {}]", index / columns, index % columns),
    };
    let entries = entries.iter().enumerate();
    entries.map(|(index, root)| (label(index), *root)).collect()
}

/// A body that returns the results of a program.
fn returning(context: &Context, program: &Program, name: Option<&str>, parts: &[Part]) -> String {
    let results: Vec<&[Operand]> = (0..parts.len()).map(|at| program.results(at)).collect();
    let mut body = Body::new(&program.schedule, &results, &context.parameters);
    let shapes = parts
        .iter()
        .map(|part| context.dynamics.shape(part.quantity));
    let values = shapes.zip(&results);
    let Some(name) = name else {
        values.for_each(|(shape, results)| value(&mut body, shape, results));
        return body.finish();
    };
    body.push(&format!("__rt::{name} {{ "));
    for (part, (shape, results)) in parts.iter().zip(values) {
        body.push(&format!("{}: ", part.field));
        value(&mut body, shape, results);
        body.push(", ");
    }
    body.push("}");
    body.finish()
}

/// Results in their shape.
fn value(body: &mut Body, shape: Shape, results: &[Operand]) {
    match (shape, results) {
        (Shape::Scalar, [value, ..]) => body.operand(*value),
        (Shape::Scalar | Shape::Vector(_), results) => body.matrix(&[results.to_vec()]),
        (Shape::Matrix(_, columns), results) => body.matrix(&columns_of(results, columns)),
    }
}

/// The columns of entries given row by row.
fn columns_of(entries: &[Operand], columns: usize) -> Vec<Vec<Operand>> {
    let column = |j| entries.iter().skip(j).step_by(columns).copied().collect();
    (0..columns).map(column).collect()
}

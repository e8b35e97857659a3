//! The methods of the table and their bodies.

use lagrange_engine::{NodeId, Program, Quantity, Shape};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::body::Body;
use super::context::Context;
use super::docs;
use super::function::{Definition, Details, Function};
use super::hamilton;
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
    functions.extend(hamilton::shared(context));
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
    let dynamics = context.dynamics;
    let program = dynamics.program(&[quantity]);
    let shape = dynamics.shape(quantity);
    let labelled = labelled(symbol, shape, program.expressions_of(0));
    Definition {
        details: Details {
            formula: docs::formula(&dynamics.graph(), dynamics.names(), &labelled),
            operations: program.operations(),
            beyond: "",
        },
        body: returning(&program, shape, &context.parameters).into(),
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

/// A body that returns the results of a program for one quantity, in its shape.
fn returning(program: &Program, shape: Shape, parameters: &[String]) -> String {
    let results = program.results(0);
    let mut body = Body::new(&program.schedule, &[results], parameters);
    body.value(shape, results);
    body.finish()
}

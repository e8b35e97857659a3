//! The methods of the table and their bodies.

use lagrange_engine::{BundlePart, NodeId, Operand, Quantity, Shape};

use super::assembly::{call_by_name, check_finite, map_error};
use super::body::{Body, is_large};
use super::context::Context;
use super::function::{Code, Definition, Details, Function};
use super::skeleton::Skeleton;
use super::{constraints, docs, private_methods, steps, terms};
use crate::backend::routines::{Straight, build_routine};
use crate::generated::Method;
use crate::methods::{Argument, Assembly, Field, Layout, METHODS, Recipe, Row, Shell};

/// All methods that the table gives to the system.
pub(super) fn write_methods(context: &Context) -> Vec<Function> {
    let layout = &context.skeleton.layout;
    let mut functions = Vec::new();
    for row in METHODS.iter().filter(|row| row.exists(layout)) {
        let definition = match row.body {
            Recipe::Evaluates(Quantity::MassMatrix) => define_mass_matrix(context, row),
            Recipe::Evaluates(Quantity::JacobiIntegral) => define_jacobi_integral(context, row),
            Recipe::Evaluates(quantity) => define_evaluation(context, row, quantity),
            Recipe::PutTogether(Assembly::Project) => constraints::define_projection(context),
            Recipe::PutTogether(Assembly::Resolve) => define_resolve(layout),
            Recipe::Steps => steps::define(context, row),
        };
        functions.push(assemble_function(&context.skeleton, row, definition));
    }
    functions.push(private_methods::write_parameter_blame(&context.skeleton));
    functions.extend(terms::write_matrix_methods(context));
    functions.extend(private_methods::write_methods(context));
    functions
}

/// `contacts::resolve(self, t, q, v, u, active)`, which calls the methods of the trait.
fn define_resolve(layout: &Layout) -> Definition {
    let finite = check_finite(&layout.arguments(&[Argument::Q, Argument::V, Argument::U]));
    let time = match layout.time {
        true => "t",
        false => "__rt::math::constant::<S>(0.0)",
    };
    let inputs = match layout.inputs {
        0 => "&__rt::SVector::<S, 0>::zeros()",
        _ => "u",
    };
    let blamed = map_error();
    let body = format!(
        "{finite}
         __rt::contacts::resolve(self, {time}, q, v, {inputs}, active){blamed}"
    );
    Definition {
        body: body.into(),
        details: Details {
            beyond: " beyond those of `mass_matrix`, `forcing`, the terms of constraints and contacts, a \
                     factorization, a substitution for each closed contact and sliding velocity, and the search \
                     for the modes"
                .into(),
            ..Details::default()
        },
    }
}

fn assemble_function(skeleton: &Skeleton, row: &Row, definition: Definition) -> Function {
    let layout = &skeleton.layout;
    Function {
        visibility: Code::PUBLIC,
        docs: docs::describe_method(row, skeleton, Some(&definition.details)),
        name: row.name().into(),
        arguments: row.arguments(layout),
        returned: row.value(layout).write_return_type(row.fallible, layout),
        real: row.is_of_reals(),
        body: definition.body,
        ..Function::default()
    }
}

/// M. For a large M, calls the method that writes the lower triangle.
fn define_mass_matrix(context: &Context, row: &Row) -> Definition {
    let layout = &context.skeleton.layout;
    if !is_large(layout.velocities * layout.velocities) {
        return define_evaluation(context, row, Quantity::MassMatrix);
    }
    let n = layout.velocities;
    let write = terms::write_mass_matrix(layout, "__m");
    let body = format!(
        "__rt::linalg::matrix_by::<S, {n}, {n}>(|__m| {{
             {write}
             __rt::linalg::mirror(__m);
         }})"
    );
    Definition {
        body: body.into(),
        details: describe(context, &[Field::alone(Quantity::MassMatrix, row.symbol)]),
    }
}

/// p . v - L. Calls the method for the energy if both are equal.
fn define_jacobi_integral(context: &Context, row: &Row) -> Definition {
    if !context.dynamics.energy_is_jacobi_integral() {
        return define_evaluation(context, row, Quantity::JacobiIntegral);
    }
    let arguments = row.arguments(&context.skeleton.layout);
    Definition {
        body: call_by_name(Method::Energy.name(), &arguments).into(),
        details: describe(context, &[Field::alone(Quantity::Energy, row.symbol)]),
    }
}

/// The straight-line routine of a method.
fn define_evaluation(context: &Context, row: &Row, quantity: Quantity) -> Definition {
    let straight = context.routines().method(row.name()).map(Straight::of);
    let fields = [Field::alone(quantity, row.symbol)];
    define_straight_line(context, straight.unwrap_or_default(), Shell::None, &fields)
}

/// A routine that computes quantities together, with the names of their fields.
pub(super) fn define_computation(
    context: &Context,
    (name, arguments): (&str, &[Argument]),
    shell: Shell,
    fields: &[Field],
) -> Definition {
    let named = fields
        .iter()
        .enumerate()
        .map(|(position, field)| (format!("{name}_{position}"), field.quantity));
    let parts = [BundlePart::Quantities(named.collect())];
    let routine = build_routine(context.routines(), name, arguments, &parts);
    define_straight_line(context, Straight::of(routine), shell, fields)
}

fn define_straight_line(
    context: &Context,
    straight: Straight,
    shell: Shell,
    fields: &[Field],
) -> Definition {
    Definition {
        details: describe(context, fields),
        body: write_body(context, &straight, shell, fields).into(),
    }
}

/// The description of code for several quantities in the documentation.
pub(super) fn describe(context: &Context, fields: &[Field]) -> Details {
    let dynamics = context.dynamics;
    let quantities: Vec<Quantity> = fields.iter().map(|field| field.quantity).collect();
    let program = dynamics.program(&quantities);
    let labelled: Vec<(String, NodeId)> = fields
        .iter()
        .enumerate()
        .flat_map(|(position, field)| {
            let shape = dynamics.shape(field.quantity);
            label_entries(&field.symbol, shape, program.expressions_of(position))
        })
        .collect();
    Details {
        formula: docs::formula(&program.graph, dynamics.names(), &labelled),
        operations: program.operations(),
        beyond: "".into(),
    }
}

/// Each entry with its name: `V`, `f[0]`, `M[0, 1]`.
fn label_entries(symbol: &str, shape: Shape, entries: &[NodeId]) -> Vec<(String, NodeId)> {
    let label = |index: usize| match shape {
        Shape::Scalar => symbol.to_owned(),
        Shape::Vector(_) => format!("{symbol}[{index}]"),
        Shape::Matrix(_, columns) => format!("{symbol}[{}, {}]", index / columns, index % columns),
    };
    entries
        .iter()
        .enumerate()
        .map(|(index, root)| (label(index), *root))
        .collect()
}

/// A body that returns the results of a routine. The whole computation is inside the closure that writes a large
/// matrix, because captured values would take twice the stack.
fn write_body(context: &Context, straight: &Straight, shell: Shell, fields: &[Field]) -> String {
    let results = straight.entries();
    let mut body = Body::new(&straight.schedule, &results, &context.parameters);
    if let (Shell::None, [result]) = (shell, &results[..])
        && let ((Shape::Matrix(rows, columns), _), true) =
            (straight.result(0), is_large(result.len()))
    {
        return body.into_matrix((rows, columns), result);
    }
    write_value(&mut body, shell, fields, |position| {
        straight.result(position)
    });
    body.finish()
}

/// The values of the parts, with the results of each at its position.
pub(super) fn write_value<'p>(
    body: &mut Body,
    shell: Shell,
    fields: &[Field],
    results: impl Fn(usize) -> (Shape, &'p [Operand]),
) {
    if let Shell::Struct(name) = shell {
        body.push(&format!("__rt::{name} "));
    }
    body.push(shell.opening());
    for (position, field) in fields.iter().enumerate() {
        if let Shell::Struct(_) = shell {
            // A system without states has no derivatives by states.
            if field.name == "u" && position == 2 {
                body.push("z: __rt::SMatrix::zeros(), ");
            }
            body.push(&format!("{}: ", field.name));
        }
        let (shape, entries) = results(position);
        body.write_value(shape, entries);
        if shell != Shell::None {
            body.push(", ");
        }
    }
    body.push(shell.closing());
}

impl Shell {
    fn opening(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Struct(_) => "{ ",
            Self::Pair => "(",
        }
    }

    fn closing(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Struct(_) => "}",
            Self::Pair => ")",
        }
    }
}

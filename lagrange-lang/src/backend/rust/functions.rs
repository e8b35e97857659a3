//! The methods of the table and their bodies.

use lagrange_engine::{NodeId, Operand, Program, Quantity, Shape};
use proc_macro2::Literal;
use quote::quote;

use super::assembly::call_by_name;
use super::body::{Body, is_large};
use super::context::Context;
use super::docs;
use super::function::{Code, Definition, Details, Function};
use super::parameter_errors;
use super::skeleton::Skeleton;
use super::solve::Solver;
use super::{constraints, derivatives, displacements, forms, hamilton, linearize, solve, terms};
use crate::generated::Method;
use crate::methods::{Argument, Assembly, Field, METHODS, Recipe, Row, Shell};

/// All methods that the table gives to the system.
pub(super) fn functions(context: &Context) -> Vec<Function> {
    let layout = &context.skeleton.layout;
    let solver = Solver::new(context);
    let rows = METHODS.iter().filter(|row| row.exists(layout));
    let mut functions: Vec<Function> = rows
        .map(|row| {
            let definition = match row.body {
                Recipe::Evaluates(Quantity::MassMatrix) => mass_matrix(context, row.symbol),
                Recipe::Evaluates(Quantity::JacobiIntegral) => jacobi_integral(context, row.symbol),
                Recipe::Evaluates(quantity) => evaluation(context, quantity, row.symbol),
                Recipe::PutTogether(assembly) => writer(assembly)(context, &solver),
            };
            function(&context.skeleton, row, definition)
        })
        .collect();
    functions.extend(solver.into_shared(&context.skeleton));
    functions.push(parameter_errors::function(&context.skeleton));
    functions.extend(terms::single(context));
    functions
}

/// The function that writes a body.
fn writer(assembly: Assembly) -> fn(&Context, &Solver) -> Definition {
    match assembly {
        Assembly::Integrate => displacements::integrate,
        Assembly::Difference => displacements::difference,
        Assembly::Neutral => displacements::neutral,
        Assembly::Acceleration => solve::acceleration,
        Assembly::AccelerationUnchecked => solve::acceleration_unchecked,
        Assembly::Solve => solve::solve,
        Assembly::StateDerivative => forms::state_derivative,
        Assembly::StateDerivativeUnchecked => forms::state_derivative_unchecked,
        Assembly::Rhs => forms::rhs,
        Assembly::MassMatrixFull => forms::mass_matrix_full,
        Assembly::ForcingFull => forms::forcing_full,
        Assembly::ConstraintForces => constraints::forces,
        Assembly::Project => constraints::project,
        Assembly::InverseDynamicsDerivatives => derivatives::inverse_dynamics,
        Assembly::EquationDerivatives => derivatives::equations,
        Assembly::AccelerationDerivatives => derivatives::acceleration,
        Assembly::MultiplierDerivatives => derivatives::multipliers,
        Assembly::ConstraintVelocityDerivatives => derivatives::constraint_velocity,
        Assembly::Linearize => linearize::checked,
        Assembly::LinearizeUnchecked => linearize::unchecked,
        Assembly::LinearizeFixedAxes => linearize::fixed_axes,
        Assembly::Vjp => derivatives::vjp,
        Assembly::Velocity => hamilton::velocity,
        Assembly::Hamiltonian => hamilton::hamiltonian,
        Assembly::HamiltonEquations => hamilton::equations,
    }
}

fn function(skeleton: &Skeleton, row: &Row, definition: Definition) -> Function {
    let layout = &skeleton.layout;
    Function {
        attributes: Code::NONE,
        visibility: Code::PUBLIC,
        docs: docs::method(row, skeleton, Some(&definition.details)),
        name: row.name().into(),
        arguments: row.arguments(layout),
        generics: "",
        places: String::new(),
        returned: row.value.returned(row.fallible, layout),
        real: row.fallible,
        body: definition.body,
    }
}

/// M; a large one by the method that writes its lower triangle.
fn mass_matrix(context: &Context, symbol: &str) -> Definition {
    let layout = &context.skeleton.layout;
    if !is_large(layout.velocities * layout.velocities) {
        return evaluation(context, Quantity::MassMatrix, symbol);
    }
    let n = Literal::usize_unsuffixed(layout.velocities);
    let write = terms::write_mass_matrix(layout, &quote!(__m));
    let body = quote! {
        __rt::linalg::matrix_by::<S, #n, #n>(|__m| {
            #write
            __rt::linalg::mirror(__m);
        })
    };
    Definition {
        body: body.into(),
        details: described(context, &[Field::alone(Quantity::MassMatrix, symbol)]).1,
    }
}

/// p . v - L, by the method for the energy where that is the same.
fn jacobi_integral(context: &Context, symbol: &str) -> Definition {
    if !context.dynamics.energy_is_jacobi_integral() {
        return evaluation(context, Quantity::JacobiIntegral, symbol);
    }
    let arguments = context
        .skeleton
        .layout
        .arguments(&[Argument::Q, Argument::V]);
    Definition {
        body: call_by_name(Method::Energy.name(), &arguments).into(),
        details: described(context, &[Field::alone(Quantity::Energy, symbol)]).1,
    }
}

/// A body that computes a quantity and returns it; `symbol` is what formulas call it.
pub(super) fn evaluation(context: &Context, quantity: Quantity, symbol: &str) -> Definition {
    computation(context, Shell::None, &[Field::alone(quantity, symbol)])
}

/// A body that computes several quantities together.
pub(super) fn computation(context: &Context, shell: Shell, fields: &[Field]) -> Definition {
    let (program, details) = described(context, fields);
    Definition {
        details,
        body: returning(context, &program, shell, fields).into(),
    }
}

/// The program of several quantities, and what the documentation of its method says of it.
pub(super) fn described(context: &Context, fields: &[Field]) -> (Program, Details) {
    let dynamics = context.dynamics;
    let quantities: Vec<Quantity> = fields.iter().map(|field| field.quantity).collect();
    let program = dynamics.program(&quantities);
    let numbered = fields.iter().enumerate();
    let labelled = numbered.flat_map(|(position, field)| {
        let shape = dynamics.shape(field.quantity);
        labelled(&field.symbol, shape, program.expressions_of(position))
    });
    let labelled: Vec<(String, NodeId)> = labelled.collect();
    let details = Details {
        formula: docs::formula(&dynamics.graph(), dynamics.names(), &labelled),
        operations: program.operations(),
        beyond: "",
    };
    (program, details)
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

/// A body that returns the results of a program, of which all is in the function that writes a large matrix: what it
/// would take from around it would take room twice.
fn returning(context: &Context, program: &Program, shell: Shell, fields: &[Field]) -> String {
    let results: Vec<&[Operand]> = (0..fields.len()).map(|at| program.results(at)).collect();
    let mut body = Body::new(&program.schedule, &results, &context.parameters);
    if let (Shell::None, [field]) = (shell, fields)
        && let (Shape::Matrix(rows, columns), true) = (
            context.dynamics.shape(field.quantity),
            is_large(results[0].len()),
        )
    {
        return body.into_matrix((rows, columns), results[0]);
    }
    put_together(&mut body, context, shell, fields, |at| program.results(at));
    body.finish()
}

/// The values of the parts, the results of each at its position.
pub(super) fn put_together<'p>(
    body: &mut Body,
    context: &Context,
    shell: Shell,
    fields: &[Field],
    results: impl Fn(usize) -> &'p [Operand],
) {
    if let Shell::Struct(name) = shell {
        body.push(&format!("__rt::{name} "));
    }
    body.push(shell.opening());
    for (at, field) in fields.iter().enumerate() {
        if let Shell::Struct(_) = shell {
            body.push(&format!("{}: ", field.name));
        }
        body.value(context.dynamics.shape(field.quantity), results(at));
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

//! The methods of the table: their bodies and how they are written.

use lagrange_engine::{NodeId, Operand, Schedule, Shape, lower_triangle};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::body::Body;
use super::docs::{self, Details};
use super::methods::{METHODS, Method, Row};
use super::signature::Argument;
use super::{Context, Skeleton, constraints, solve};

/// A method, written out but for its signature's types.
pub(super) struct Function {
    /// The user's own attributes, or `#[inline]`.
    pub(super) attributes: TokenStream,
    pub(super) visibility: TokenStream,
    pub(super) docs: String,
    pub(super) name: Ident,
    pub(super) arguments: Vec<Argument>,
    /// What follows the arguments: places for results that are too large to be returned.
    pub(super) places: TokenStream,
    pub(super) returned: TokenStream,
    /// Whether it branches on values, so that it asks for `RealField`.
    pub(super) real: bool,
    pub(super) body: String,
}

/// The code of a method and what its documentation says of it.
pub(super) struct Definition {
    pub(super) body: String,
    pub(super) details: Details,
}

/// An expression for each entry of a value, row by row.
pub(super) struct Roots<'a> {
    pub(super) symbol: &'a str,
    pub(super) shape: Shape,
    pub(super) entries: Vec<NodeId>,
}

/// All methods that the table gives to the system.
pub(super) fn functions(context: &Context) -> Vec<Function> {
    let layout = &context.skeleton.layout;
    let solver = solve::Solver::new(context);
    let rows = METHODS.iter().filter(|row| row.exists(layout));
    let mut functions: Vec<Function> = rows
        .filter_map(|row| {
            let definition = define(context, row, &solver)?;
            Some(function(&context.skeleton, row, definition))
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

fn define(context: &Context, row: &Row, solver: &solve::Solver) -> Option<Definition> {
    let assembled = solver
        .define(row.method, &context.skeleton.layout)
        .or_else(|| constraints::define(context, row.method));
    match assembled {
        Some(definition) => Some(definition),
        None => Some(evaluation(context, &roots(context, row)?)),
    }
}

/// The expressions of a method that does nothing but evaluate them.
fn roots<'a>(context: &Context, row: &Row) -> Option<Roots<'a>> {
    let dynamics = context.dynamics;
    let n = dynamics.coordinate_count();
    let natural = dynamics.natural.as_ref();
    let constraints = &dynamics.constraints;
    let vector = |entries: &Vec<NodeId>| (Shape::Vector(entries.len()), entries.clone());
    let scalar = |entry: NodeId| (Shape::Scalar, vec![entry]);
    let (shape, entries) = match row.method {
        Method::MassMatrix => (Shape::Matrix(n, n), symmetric(&dynamics.mass_matrix, n)),
        Method::Forcing => vector(&dynamics.forcing),
        Method::Momenta => vector(&dynamics.momenta),
        Method::Bias => vector(&dynamics.bias),
        Method::GeneralizedForces => vector(&dynamics.generalized_forces),
        Method::KineticEnergy => scalar(natural?.kinetic),
        Method::PotentialEnergy => scalar(natural?.potential),
        Method::CoriolisMatrix => (Shape::Matrix(n, n), natural?.coriolis_matrix.clone()),
        Method::PotentialGradient => vector(&natural?.potential_gradient),
        Method::Lagrangian => scalar(dynamics.lagrangian),
        Method::Energy => scalar(dynamics.energy),
        Method::JacobiIntegral => scalar(dynamics.jacobi_integral),
        Method::InverseDynamics => vector(&dynamics.inverse_dynamics),
        Method::ConstraintResidual => vector(&constraints.residual),
        Method::ConstraintVelocity => vector(&constraints.velocity),
        Method::ConstraintJacobian => {
            let shape = Shape::Matrix(constraints.len(), n);
            (shape, constraints.jacobian.clone())
        }
        Method::ConstraintGamma => vector(&constraints.gamma),
        Method::Acceleration
        | Method::AccelerationUnchecked
        | Method::Solve
        | Method::StateDerivative
        | Method::StateDerivativeUnchecked
        | Method::Rhs
        | Method::MassMatrixFull
        | Method::ForcingFull
        | Method::ConstraintForces
        | Method::Project => return None,
    };
    Some(Roots {
        symbol: row.symbol,
        shape,
        entries,
    })
}

/// The full matrix of a lower triangle, row by row.
fn symmetric(lower: &[NodeId], n: usize) -> Vec<NodeId> {
    let indices = (0..n).flat_map(|i| (0..n).map(move |j| lower_triangle(i.max(j), i.min(j))));
    indices.map(|index| lower[index]).collect()
}

/// A body that computes the expressions and returns them.
pub(super) fn evaluation(context: &Context, roots: &Roots) -> Definition {
    let dynamics = context.dynamics;
    let schedule = dynamics.schedule(&roots.entries);
    let formula = docs::formula(&dynamics.graph, &dynamics.names, &labelled(roots));
    Definition {
        details: Details {
            formula,
            operations: schedule.operations(),
            beyond: "",
        },
        body: returning(&schedule, roots.shape, &context.parameters),
    }
}

/// Each entry with its name: `V`, `f[0]`, `M[0, 1]`.
fn labelled(roots: &Roots) -> Vec<(String, NodeId)> {
    let symbol = roots.symbol;
    let label = |index: usize| match roots.shape {
        Shape::Scalar => symbol.to_owned(),
        Shape::Vector(_) => format!("{symbol}[{index}]"),
        Shape::Matrix(_, columns) => format!("{symbol}[{}, {}]", index / columns, index % columns),
    };
    let entries = roots.entries.iter().enumerate();
    entries.map(|(index, root)| (label(index), *root)).collect()
}

/// A body that returns the schedule's roots in this shape.
fn returning(schedule: &Schedule, shape: Shape, parameters: &[String]) -> String {
    let body = Body::new(schedule, &[&schedule.roots], parameters);
    match (shape, &schedule.roots[..]) {
        (Shape::Scalar, [value, ..]) => body.scalar(*value),
        (Shape::Scalar | Shape::Vector(_), roots) => body.matrix(&[roots.to_vec()]),
        (Shape::Matrix(_, columns), roots) => body.matrix(&columns_of(roots, columns)),
    }
}

/// The columns of entries given row by row.
fn columns_of(entries: &[Operand], columns: usize) -> Vec<Vec<Operand>> {
    let column = |j| entries.iter().skip(j).step_by(columns).copied().collect();
    (0..columns).map(column).collect()
}

/// One `impl` for what serves every scalar and one for what branches on values.
pub(super) fn implementations(skeleton: &Skeleton, functions: &[Function]) -> TokenStream {
    let Skeleton { system, rt, .. } = skeleton;
    let attributes = skeleton.item_attributes();
    let written = |real: bool| -> Vec<TokenStream> {
        let chosen = functions.iter().filter(|function| function.real == real);
        chosen.map(|function| write(skeleton, function)).collect()
    };
    let (lanes, real) = (written(false), written(true));
    quote! {
        #attributes
        impl<S: #rt::SimdRealField + #rt::core::marker::Copy> #system<S> { #(#lanes)* }

        #attributes
        impl<S: #rt::RealField + #rt::core::marker::Copy> #system<S> { #(#real)* }
    }
}

fn write(skeleton: &Skeleton, function: &Function) -> TokenStream {
    let Skeleton { layout, rt, .. } = skeleton;
    let Function {
        attributes,
        visibility,
        docs,
        name,
        places,
        returned,
        ..
    } = function;
    let arguments = function
        .arguments
        .iter()
        .map(|argument| argument.declaration(layout, rt));
    let body = parse(&function.body);
    quote! {
        #attributes
        #[doc = #docs]
        #visibility fn #name(&self, #(#arguments,)* #places) -> #returned {
            use #rt as __rt;
            #body
        }
    }
}

fn parse(body: &str) -> TokenStream {
    body.parse().unwrap_or_else(|_| {
        let message = "generated code is no Rust: this is a bug of the `lagrangian` crate";
        quote!(::core::compile_error!(#message))
    })
}

//! Bundles: a struct with several quantities, and the method that computes them together.

use lagrange_engine::{BundlePart, Operand, Program, Quantity, Shape, SolveProgram};
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

use super::assembly::{call, call_by_name, parse_beside};
use super::body::Body;
use super::context::Context;
use super::docs;
use super::function::{self, Code, Definition, Details, Function};
use super::functions::write_value;
use super::skeleton::Skeleton;
use super::terms;
use crate::attributes::doc_attributes;
use crate::backend::routines::{Straight, build_routine};
use crate::bundles::{Bundle, Content, Part};
use crate::generated::Method;
use crate::methods::{Layout, Value};
use crate::syntax::ast::text;

/// ```text
/// pub fn control(&self, q, v) -> CartPoleControl<S> {
///     ..
///     CartPoleControl { mass_matrix: .., bias: .. }
/// }
/// ```
pub(super) fn write_method(context: &Context, bundle: &Bundle) -> Function {
    let skeleton = &context.skeleton;
    let definition = define(context, bundle);
    Function {
        docs: docs::bundle(bundle, skeleton, &definition.details),
        body: definition.body,
        ..stub(skeleton, bundle)
    }
}

/// The method without documentation and body.
pub(super) fn stub(skeleton: &Skeleton, bundle: &Bundle) -> Function {
    let arguments = bundle.arguments(&skeleton.layout);
    let attributes = doc_attributes(&bundle.attributes);
    let structure = &bundle.structure;
    Function {
        attributes: quote!(#(#attributes)*).into(),
        visibility: Code::PUBLIC,
        returned: format!("{structure}<S>"),
        ..function::stub(
            skeleton,
            Code::of(&bundle.name),
            arguments,
            Value::Nothing,
            false,
        )
    }
}

/// ```text
/// pub struct CartPoleControl<S = f64> { pub mass_matrix: SMatrix<S, 2, 2>, pub bias: SVector<S, 2> }
/// ```
pub(super) fn write_structures(skeleton: &Skeleton, bundles: &[Bundle]) -> TokenStream {
    bundles
        .iter()
        .map(|bundle| write_structure(skeleton, bundle))
        .collect()
}

fn write_structure(skeleton: &Skeleton, bundle: &Bundle) -> TokenStream {
    let Skeleton {
        head,
        layout,
        runtime,
        conditions,
        ..
    } = skeleton;
    let (visibility, name) = (&head.visibility, &bundle.structure);
    let attributes = doc_attributes(&bundle.attributes);
    let docs = docs::bundle_structure(&head.name, bundle);
    let fields = bundle.parts.iter().map(|part| {
        let Part {
            name,
            value,
            summary,
            ..
        } = part;
        let docs = format!("{summary}\n\nValue: {}.", value.in_words(layout));
        let ty = parse_beside(&value.write_return_type(false, layout), runtime);
        quote!(#[doc = #docs] pub #name: #ty,)
    });
    // If all items have mistakes, no field with a scalar is left.
    let marker = bundle.parts.is_empty().then(|| {
        quote! {
            #[doc(hidden)]
            pub __scalar: #runtime::core::marker::PhantomData<S>,
        }
    });
    quote! {
        #(#conditions)*
        #(#attributes)*
        #[doc = #docs]
        #[derive(#runtime::core::clone::Clone, #runtime::core::marker::Copy, #runtime::core::fmt::Debug)]
        #[allow(
            dead_code,
            non_camel_case_types,
            non_snake_case,
            unreachable_pub,
            clippy::all,
            clippy::exhaustive_structs,
            clippy::nursery,
            clippy::pedantic,
            rustdoc::broken_intra_doc_links
        )]
        #visibility struct #name<S = #runtime::core::primitive::f64> { #(#fields)* #marker }
    }
}

/// One program for all quantities. The acceleration of a large system is a call, because its matrices are written
/// in place.
fn define(context: &Context, bundle: &Bundle) -> Definition {
    let layout = &context.skeleton.layout;
    let solves = bundle
        .parts
        .iter()
        .any(|part| part.content == Content::Acceleration);
    if solves && !terms::is_in_place(layout) && !layout.reacts() {
        return define_with_solution(context, bundle);
    }
    let parts: Vec<BundlePart> = bundle
        .parts
        .iter()
        .map(|part| part.of_routine(true))
        .collect();
    let name = text(&bundle.name);
    let routine = build_routine(context.routines(), &name, &bundle.arguments(layout), &parts);
    let straight = Straight::of(routine);
    let acceleration = call(Method::AccelerationUnchecked.name(), layout).to_string();
    let mut body = Body::new(&straight.schedule, &straight.entries(), &context.parameters);
    write_literal(
        &mut body,
        bundle,
        |position| straight.result(position),
        &acceleration,
    );
    Definition {
        body: body.finish().into(),
        details: Details {
            operations: straight.schedule.operations(),
            beyond: if solves {
                " beyond those of `acceleration_unchecked`".into()
            } else {
                "".into()
            },
            ..Details::default()
        },
    }
}

fn list_quantities(bundle: &Bundle) -> Vec<Quantity> {
    bundle
        .parts
        .iter()
        .flat_map(|part| match &part.content {
            Content::Computed(_, fields) => &fields[..],
            Content::Acceleration | Content::Called(_) => &[],
        })
        .map(|field| field.quantity)
        .collect()
}

/// A bundle with the solution of the equations of motion in the same program, as far as the solution is unrolled.
///
/// ```text
/// let __d = [..]; let __s = [..];
/// let __solution = if regular_lanes(&__d, &__s) { [..] } else { kkt_unchecked_in_place(..).0 };
/// ```
///
/// If the program has no M, the pivoted solve is a call.
fn define_with_solution(context: &Context, bundle: &Bundle) -> Definition {
    let layout = &context.skeleton.layout;
    let quantities = list_quantities(bundle);
    let solution = context.dynamics.solve_program_with(&quantities);
    let pivots_here = solution.has_mass_matrix();
    let (terms, factors) = (&solution.terms, &solution.factorization);
    let mut roots = vec![&terms.schedule.roots[..]];
    if let Some(factors) = factors {
        roots.extend([&factors.pivots[..], &factors.diagonal, &factors.solution]);
    }
    let mut body = Body::new(&terms.schedule, &roots, &context.parameters);
    body.push("let __solution = ");
    if let Some(factors) = factors {
        body.push("if __rt::linalg::regular_lanes(&");
        body.write_array(&factors.pivots);
        body.push(", &");
        body.write_array(&factors.diagonal);
        body.push(") { ");
        body.write_array(&factors.solution);
        body.push(" } else { ");
    }
    if pivots_here {
        write_pivoted_solution(&mut body, terms, layout);
    } else {
        let call = call(Method::AccelerationUnchecked.name(), layout);
        body.push(&format!("{call}.data.0[0]"));
    }
    body.push(if factors.is_some() { " };\n" } else { ";\n" });
    let results = |position: usize| {
        let shape = context.dynamics.shape(quantities[position]);
        (shape, terms.results(SolveProgram::TERMS.len() + position))
    };
    let acceleration = "__rt::linalg::vector(__solution)";
    write_literal(&mut body, bundle, results, acceleration);
    Definition {
        body: body.finish().into(),
        details: Details {
            operations: terms.operations(),
            beyond: describe_cost(factors.is_some(), layout).into(),
            ..Details::default()
        },
    }
}

/// The cost of a solution in addition to the operations of its terms.
fn describe_cost(is_unrolled: bool, layout: &Layout) -> &'static str {
    match (is_unrolled, layout.constraints > 0) {
        (true, _) => ", factorization included",
        (false, false) => ", and a factorization of M",
        (false, true) => ", and a factorization of [M -J^T; J 0]",
    }
}

/// `kkt_unchecked_in_place(&mut [[..], ..], &[[..], ..], &[..], &[..]).0`
fn write_pivoted_solution(body: &mut Body, terms: &Program, layout: &Layout) {
    let (n, c) = (layout.velocities, layout.constraints);
    let [mass, forcing, jacobian, gamma] = [0, 1, 2, 3].map(|index| terms.results(index));
    body.push(&format!(
        "__rt::linalg::kkt_unchecked_in_place::<S, {n}, {c}>(&mut "
    ));
    body.write_rows(mass, n);
    body.push(", &");
    body.write_rows(jacobian, n);
    body.push(", &");
    body.write_array(forcing);
    body.push(", &");
    body.write_array(gamma);
    body.push(").0");
}

/// `CartPoleControl { mass_matrix: .., .. }`
fn write_literal<'p>(
    body: &mut Body,
    bundle: &Bundle,
    results: impl Fn(usize) -> (Shape, &'p [Operand]),
    acceleration: &str,
) {
    body.push(&format!("{} {{\n", bundle.structure));
    let mut position = 0;
    for part in &bundle.parts {
        body.push(&format!("{}: ", part.name));
        match &part.content {
            Content::Acceleration => body.push(acceleration),
            Content::Called(arguments) => {
                let call = call_by_name(&part.name.unraw().to_string(), arguments);
                body.push(&call.to_string());
            }
            Content::Computed(shell, fields) => {
                write_value(body, *shell, fields, |index| results(position + index));
                position += fields.len();
            }
        }
        body.push(",\n");
    }
    body.push("}");
}

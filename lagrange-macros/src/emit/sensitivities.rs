//! Derivatives of the acceleration in one program with the acceleration itself, where nothing is constrained
//! and that is not too long: what both have in common is computed once, and M factored once.
//!
//! ```text
//! fn __linearized(&self, q, v, u, __by_state: &mut [[S; 4]; 4], __by_input: &mut [[S; 4]; 1]) -> bool {
//!     let (__l, __d, __s, __a) = { ..; __by_state[0][2] = __t7; .. };
//!     are_finite(&[q, v, u]) && regular(__d[0], __s[0], 2) && .. && all_finite(&__a)
//!         && differentiate_by_factors(&__l, &__d, __by_state, __by_input)
//! }
//! ```
//!
//! The solution is judged as that of `acceleration` is, and so are the factors, which serve all columns.

use lagrange_engine::{
    Factorization, Operand, Operations, SensitivityProgram, Shape, lower_triangle,
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::assembly::{are_finite, arguments, arithmetic, call_with_places, ok};
use super::body::{Body, Place};
use super::context::Context;
use super::derivatives::{by_columns, matrix, zeros_of};
use super::function::Function;
use super::signature::Layout;
use super::solve::trusted_inverse;
use crate::generated::LINEARIZED;

/// What there is of it, with the operations that it takes.
#[derive(Default)]
pub(super) struct Sensitivities {
    /// The private method behind `linearize` and `acceleration_derivatives`.
    pub(super) linearized: Option<(Function, Operations)>,
    /// Code that returns from `vjp` where it can be trusted.
    pub(super) adjoint: Option<(TokenStream, Operations)>,
}

impl Sensitivities {
    /// Only where the solution itself is unrolled.
    pub(super) fn new(context: &Context, is_unrolled: bool) -> Self {
        if !is_unrolled || context.skeleton.layout.constraints > 0 {
            return Self::default();
        }
        let linearized = context.dynamics.sensitivity_program();
        let adjoint = linearized
            .as_ref()
            .and_then(|_| context.dynamics.adjoint_program());
        Sensitivities {
            linearized: linearized.map(|program| {
                (
                    linearized_by(context, &program),
                    program.schedule.operations(),
                )
            }),
            adjoint: adjoint
                .map(|program| (adjoint_by(context, &program), program.schedule.operations())),
        }
    }
}

/// Leaves zeros where they are.
fn linearized_by(context: &Context, program: &SensitivityProgram) -> Function {
    let layout = &context.skeleton.layout;
    let (n, k) = (layout.velocities, layout.inputs);
    let factors = &program.factorization;
    let lower = unit_lower(factors, n);
    let [by_position, by_velocity, by_input] = program.derivatives.each_ref().map(Vec::as_slice);
    let judged = [
        &lower,
        &factors.pivots,
        &factors.diagonal,
        &factors.solution,
    ]
    .map(Vec::as_slice);
    let results = [&judged[..], &[by_position, by_velocity, by_input]].concat();
    let mut body = Body::new(&program.schedule, &results, &context.parameters);
    let places = [
        ("__by_state", 0, by_position, n),
        ("__by_state", n, by_velocity, n),
        ("__by_input", 0, by_input, k),
    ];
    for (name, first, entries, columns) in places {
        let entries = by_columns(entries, columns, (first, n));
        body.assign(Place::Argument(name), &entries);
    }
    body.push("(");
    body.rows(&lower, n);
    for entries in &judged[1..] {
        body.push(", ");
        body.array(entries);
    }
    body.push(")");
    let code = arithmetic(&body.finish());
    let (finite, trusted) = (are_finite(&arguments(layout)), trusted_inverse(n));
    let body = quote! {
        let (__l, __d, __s, __a) = { #code };
        #finite && #trusted
            && __rt::linalg::differentiate_by_factors(&__l, &__d, __by_state, __by_input)
    };
    let [states, inputs] = [2 * n, k].map(Literal::usize_unsuffixed);
    let rt = &context.skeleton.rt;
    Function {
        attributes: TokenStream::new(),
        visibility: TokenStream::new(),
        docs: "Writes the derivatives of a to columns by q and v, and by u, that hold zeros, below as many rows \
               as there are velocities; whether they can be trusted."
            .to_owned(),
        name: Ident::new(LINEARIZED, Span::call_site()),
        arguments: arguments(layout),
        places: quote! {
            __by_state: &mut [[S; #states]; #states],
            __by_input: &mut [[S; #states]; #inputs]
        },
        returned: quote!(#rt::core::primitive::bool),
        real: true,
        body: body.into(),
    }
}

/// L by rows, in full.
fn unit_lower(factors: &Factorization, n: usize) -> Vec<Operand> {
    let places = (0..n).flat_map(|i| (0..n).map(move |k| (i, k)));
    let entry = |(i, k)| match k < i {
        true => factors.unit_lower[lower_triangle(i, k)],
        false => Operand::Constant(0.0),
    };
    places.map(entry).collect()
}

/// Columns of `__zero` for A and B.
pub(super) fn zeros(layout: &Layout) -> [TokenStream; 2] {
    let states = 2 * layout.velocities;
    [zeros_of(states, states), zeros_of(states, layout.inputs)]
}

/// `let (mut __a, mut __b) = ..;`
pub(super) fn linearization_of_zeros(layout: &Layout) -> TokenStream {
    let [a, b] = zeros(layout);
    let mutable = (layout.inputs > 0).then(|| quote!(mut));
    quote! {
        let __zero = __rt::math::constant::<S>(0.0);
        let (mut __a, #mutable __b) = (#a, #b);
    }
}

/// `self.__linearized(q, v, u, &mut __a, &mut __b)`
fn call_linearized(layout: &Layout) -> TokenStream {
    let b = if layout.inputs > 0 {
        quote!(&mut __b)
    } else {
        quote!(&mut [])
    };
    call_with_places(LINEARIZED, &arguments(layout), &[quote!(&mut __a), b])
}

/// Returns the derivatives of a where the unrolled ones can be trusted.
pub(super) fn derivatives(layout: &Layout) -> TokenStream {
    let (n, k) = (layout.velocities, layout.inputs);
    let zeros = linearization_of_zeros(layout);
    let linearized = call_linearized(layout);
    let [by_state, by_input] = [zeros_of(n, n), zeros_of(n, k)];
    let [q, v, u] = [quote!(__q), quote!(__v), quote!(__u)].map(matrix);
    let result = ok(quote!(__rt::Derivatives { q: #q, v: #v, u: #u }));
    let [n, inputs] = [n, k].map(Literal::usize_unsuffixed);
    let inputs = (k > 0).then(|| {
        quote! {
            for __j in 0..#inputs {
                for __i in 0..#n {
                    __u[__j][__i] = __b[__j][#n + __i];
                }
            }
        }
    });
    let mutable = inputs.as_ref().map(|_| quote!(mut));
    quote! {
        #zeros
        if #linearized {
            let (mut __q, mut __v, #mutable __u) = (#by_state, #by_state, #by_input);
            for __j in 0..#n {
                for __i in 0..#n {
                    __q[__j][__i] = __a[__j][#n + __i];
                    __v[__j][__i] = __a[#n + __j][#n + __i];
                }
            }
            #inputs
            return #result;
        }
    }
}

/// ```text
/// let y = w;
/// let (__d, __s, __a, __q, __v, __u) = { .. };
/// if are_finite(&[q, v, u]) && regular(__d[0], __s[0], 2) && .. { return Ok(Gradient { .. }); }
/// ```
///
/// What stands for the weights of the equations in the program are solutions for those of the accelerations.
fn adjoint_by(context: &Context, program: &SensitivityProgram) -> TokenStream {
    let layout = &context.skeleton.layout;
    let (n, k) = (layout.velocities, layout.inputs);
    let factors = &program.factorization;
    let [by_position, by_velocity, by_input] = program.derivatives.each_ref().map(Vec::as_slice);
    let results = [
        &factors.pivots,
        &factors.diagonal,
        &factors.solution,
        by_position,
        by_velocity,
        by_input,
    ];
    let mut body = Body::new(&program.schedule, &results, &context.parameters);
    body.push("(");
    for entries in &results[..3] {
        body.array(entries);
        body.push(", ");
    }
    // Those of M a + h - Q.
    for entries in [by_position, by_velocity] {
        body.push("-");
        body.value(Shape::Vector(n), entries);
        body.push(", ");
    }
    body.value(Shape::Vector(k), by_input);
    body.push(")");
    let code = arithmetic(&body.finish());
    let finite = are_finite(&arguments(layout));
    let trusted = trusted_inverse(n);
    let gradient = ok(quote!(__rt::Gradient {
        q: __by_q,
        v: __by_v,
        u: __by_u
    }));
    quote! {
        let (__d, __s, __a, __by_q, __by_v, __by_u) = {
            let y = w;
            #code
        };
        if #finite && #trusted
            && __rt::linalg::are_finite(&[
                &__by_q.data.0[0], &__by_v.data.0[0], &__by_u.data.0[0],
            ])
        {
            return #gradient;
        }
    }
}

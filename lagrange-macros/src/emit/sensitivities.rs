//! Derivatives of the acceleration in one program with the acceleration itself, where that is not too long: what both
//! have in common is computed once, and M, or with constraints `[M J^T; J 0]`, factored once.
//!
//! ```text
//! fn __linearized(&self, q, v, u, __by_state: &mut [[S; 4]; 4], __by_input: &mut [[S; 4]; 1]) -> bool {
//!     let (__l, __d, __s, __a) = { ..; *__by_state_0_2 = __t7; .. };
//!     are_finite(&[q, v, u]) && are_regular(&__d, &__s) && all_finite(&__a)
//!         && differentiate_by_factors(&__l, &__d, __by_state, __by_input)
//! }
//! ```
//!
//! The solution is judged as that of `acceleration` is, and so are the factors, which serve all columns. With constraints
//! each column is judged by what it leaves of these, as a is by `J a = gamma`; of the factors L comes by blocks
//! then, and the derivatives of `J a - gamma` have places of their own, where those of lambda come to be:
//!
//! ```text
//! fn __linearized(&self, q, v, u, .., __rates_by_state: &mut [[S; 2]; 4], __rates_by_input: &mut [[S; 2]; 1]) -> bool {
//!     let (__l, __b, __c, __j, __d, __s, __r, __w, __a) = { .. };
//!     are_finite(&[q, v, u]) && all_regular(&__d, &__s, 2) & met(&__r, &__w) & is_ordinary(&__w, &__a)
//!         && differentiate_with_constraints(&Factors { mass: &__l, .. }, ..)
//! }
//! ```

use std::ops::Range;

use lagrange_engine::{
    Factorization, Operand, Operations, SensitivityProgram, Shape, lower_triangle,
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::assembly::{
    are_finite, arguments, arithmetic, call_with_places, elements, local, matrix, ok, zeros_of,
};
use super::body::{Body, Place, by_columns};
use super::context::Context;
use super::function::Function;
use super::signature::Layout;
use super::solve::{trusted_inverse, trusted_motion};
use super::terms::Terms;
use crate::generated::LINEARIZED;

/// What there is of it, with the operations that it takes.
#[derive(Default)]
pub(super) struct Sensitivities {
    /// The private method behind `linearize`, `acceleration_derivatives` and `multiplier_derivatives`.
    pub(super) linearized: Option<(Function, Operations)>,
    /// Code that returns from `vjp` where it can be trusted.
    pub(super) adjoint: Option<(TokenStream, Operations)>,
}

impl Sensitivities {
    /// Only where the solution itself is unrolled.
    pub(super) fn new(context: &Context, terms: &Terms) -> Self {
        if !terms.unrolled {
            return Self::default();
        }
        let linearized = context.dynamics.sensitivity_program();
        let adjoint = linearized
            .as_ref()
            .and_then(|_| context.dynamics.adjoint_program());
        Sensitivities {
            linearized: linearized.map(|program| {
                (
                    linearized_by(context, &program, &terms.free),
                    program.schedule.operations(),
                )
            }),
            adjoint: adjoint
                .map(|program| (adjoint_by(context, &program), program.schedule.operations())),
        }
    }
}

/// Leaves zeros where they are.
fn linearized_by(context: &Context, program: &SensitivityProgram, free: &[usize]) -> Function {
    let layout = &context.skeleton.layout;
    let (n, c, k) = (layout.velocities, layout.constraints, layout.inputs);
    let parts = parts(program, free, layout);
    let [by_position, by_velocity, by_input] = program.derivatives.each_ref().map(Vec::as_slice);
    let solved_inputs = program.factorization.by_input.as_ref();
    let by_input = solved_inputs.map_or(by_input, |solved| &solved.entries);
    let [rates_by_position, rates_by_velocity] = program.rates.each_ref().map(Vec::as_slice);
    let mut results: Vec<&[Operand]> = parts.iter().map(|part| &part.entries[..]).collect();
    results.extend([by_position, by_velocity, by_input]);
    results.extend([rates_by_position, rates_by_velocity]);
    let mut body = Body::new(&program.schedule, &results, &context.parameters);
    let both = |one: Vec<_>, other: Vec<_>| [one, other].concat();
    let state = both(
        by_columns(by_position, n, (0, n)),
        by_columns(by_velocity, n, (n, n)),
    );
    let rates = both(
        by_columns(rates_by_position, n, (0, 0)),
        by_columns(rates_by_velocity, n, (n, 0)),
    );
    let places = [
        ("__by_state", state),
        ("__by_input", by_columns(by_input, k, (0, n))),
        ("__rates_by_state", rates),
    ];
    for (name, entries) in places {
        body.assign(Place::Argument(name), &entries);
    }
    body.push("(");
    for part in &parts {
        match part.columns {
            Some(columns) => body.rows(&part.entries, columns),
            None => body.array(&part.entries),
        }
        body.push(", ");
    }
    body.push(")");
    let code = arithmetic(&body.finish());
    let locals = parts.iter().map(|part| local(part.local));
    let finite = are_finite(&arguments(layout));
    let (trusted, solved) = if c > 0 {
        (trusted_motion(n, &quote!(__a)), with_constraints(layout))
    } else {
        // What the program has solved for itself is finite with its sum, which is judged beside the solution.
        let by_input = match solved_inputs {
            Some(_) => quote!(&mut []),
            None => quote!(__by_input),
        };
        let solved = quote! {
            __rt::linalg::differentiate_by_factors(&__l, &__d, __by_state, #by_input)
        };
        (trusted_inverse(), solved)
    };
    let body = quote! {
        let (#(#locals),*) = { #code };
        #finite && #trusted && #solved
    };
    let [states, inputs, rates] = [2 * n, k, c].map(Literal::usize_unsuffixed);
    let rates = (c > 0).then(|| {
        quote! {
            , __rates_by_state: &mut [[S; #rates]; #states],
            __rates_by_input: &mut [[S; #rates]; #inputs]
        }
    });
    let rt = &context.skeleton.rt;
    Function {
        attributes: TokenStream::new(),
        visibility: TokenStream::new(),
        docs: "Writes the derivatives of a to columns by q and v, and by u, that hold zeros, below as many rows \
               as there are velocities, with constraints those of lambda to columns of their own; whether they can \
               be trusted."
            .to_owned(),
        name: Ident::new(LINEARIZED, Span::call_site()),
        generics: TokenStream::new(),
        arguments: arguments(layout),
        places: quote! {
            __by_state: &mut [[S; #states]; #states],
            __by_input: &mut [[S; #states]; #inputs]
            #rates
        },
        returned: quote!(#rt::core::primitive::bool),
        real: true,
        body: body.into(),
    }
}

/// One of the results that are not derivatives.
struct Part {
    local: &'static str,
    entries: Vec<Operand>,
    /// The length of its rows, if it is a matrix.
    columns: Option<usize>,
}

/// The factors, the solution as far as it is judged, and what both are judged by.
fn parts(program: &SensitivityProgram, free: &[usize], layout: &Layout) -> Vec<Part> {
    let (n, c) = (layout.velocities, layout.constraints);
    let factors = &program.factorization;
    let part = |local, entries: Vec<Operand>, columns| Part {
        local,
        entries,
        columns,
    };
    let block = |rows, columns| unit_lower(factors, rows, columns);
    let mut parts = vec![part("__l", block(0..n, 0..n), Some(n))];
    if c > 0 {
        parts.extend([
            part("__b", block(n..n + c, 0..n), Some(n)),
            part("__c", block(n..n + c, n..n + c), Some(c)),
            part("__j", program.jacobian.clone(), Some(n)),
        ]);
    }
    parts.extend([
        part("__d", factors.pivots.clone(), None),
        part("__s", factors.diagonal.clone(), None),
    ]);
    if c > 0 {
        let free = free.iter().map(|&i| factors.solution[i]);
        parts.extend([
            part("__r", factors.residual.clone(), None),
            part("__w", factors.terms.clone(), None),
            part("__a", free.collect(), None),
        ]);
    } else {
        let sum = factors.by_input.iter().map(|inputs| inputs.sum);
        let judged = factors.solution.iter().copied().chain(sum);
        parts.push(part("__a", judged.collect(), None));
    }
    parts
}

/// The substitution for all columns.
fn with_constraints(layout: &Layout) -> TokenStream {
    let (n, c) = (layout.velocities, layout.constraints);
    let [mass, complement] = [0..n, n..n + c].map(|range| elements("__d", range));
    quote! {
        __rt::linalg::differentiate_with_constraints(
            &__rt::linalg::Factors { mass: &__l, coupling: &__b, complement: &__c, jacobian: &__j },
            (&[#mass], &[#complement]),
            (__by_state, __rates_by_state),
            (__by_input, __rates_by_input),
        )
    }
}

/// A block of L by rows, in full.
fn unit_lower(factors: &Factorization, rows: Range<usize>, columns: Range<usize>) -> Vec<Operand> {
    let places = rows.flat_map(|i| columns.clone().map(move |k| (i, k)));
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

/// With constraints columns of `__zero` for the derivatives of lambda:
/// `let (mut __rates_by_state, mut __rates_by_input) = ..;`
pub(super) fn rates_of_zeros(layout: &Layout) -> Option<TokenStream> {
    let (n, c, k) = (layout.velocities, layout.constraints, layout.inputs);
    let [by_state, by_input] = [zeros_of(c, 2 * n), zeros_of(c, k)];
    let by_input = (k > 0).then(|| quote!(let mut __rates_by_input = #by_input;));
    (c > 0).then(|| quote!(let mut __rates_by_state = #by_state; #by_input))
}

/// `self.__linearized(q, v, u, __a, __b)`, of references, with constraints followed by those to the columns of lambda.
pub(super) fn call_linearized(layout: &Layout, [a, b]: [TokenStream; 2]) -> TokenStream {
    let mut places = vec![a, b];
    if layout.constraints > 0 {
        places.push(quote!(&mut __rates_by_state));
        places.push(match layout.inputs {
            0 => quote!(&mut []),
            _ => quote!(&mut __rates_by_input),
        });
    }
    call_with_places(LINEARIZED, &arguments(layout), &places)
}

/// Returns the derivatives of a where the unrolled ones can be trusted.
pub(super) fn derivatives(layout: &Layout) -> TokenStream {
    let n = Literal::usize_unsuffixed(layout.velocities);
    let columns = [
        quote!(__a[__j][#n + __i]),
        quote!(__a[#n + __j][#n + __i]),
        quote!(__b[__j][#n + __i]),
    ];
    attempt(layout, layout.velocities, columns)
}

/// The same of lambda.
pub(super) fn derivatives_of_multipliers(layout: &Layout) -> TokenStream {
    let n = Literal::usize_unsuffixed(layout.velocities);
    let columns = [
        quote!(__rates_by_state[__j][__i]),
        quote!(__rates_by_state[#n + __j][__i]),
        quote!(__rates_by_input[__j][__i]),
    ];
    attempt(layout, layout.constraints, columns)
}

/// Returns so many rows of these entries `__i` of columns `__j` by q, v and u.
fn attempt(layout: &Layout, rows: usize, [of_q, of_v, of_u]: [TokenStream; 3]) -> TokenStream {
    let (n, k) = (layout.velocities, layout.inputs);
    let (zeros, rates) = (linearization_of_zeros(layout), rates_of_zeros(layout));
    let b = match k {
        0 => quote!(&mut []),
        _ => quote!(&mut __b),
    };
    let linearized = call_linearized(layout, [quote!(&mut __a), b]);
    let [by_state, by_input] = [zeros_of(rows, n), zeros_of(rows, k)];
    let [q, v, u] = [quote!(__q), quote!(__v), quote!(__u)].map(matrix);
    let result = ok(quote!(__rt::Derivatives { q: #q, v: #v, u: #u }));
    let [n, rows, inputs] = [n, rows, k].map(Literal::usize_unsuffixed);
    let inputs = (k > 0).then(|| {
        quote! {
            for __j in 0..#inputs {
                for __i in 0..#rows {
                    __u[__j][__i] = #of_u;
                }
            }
        }
    });
    let mutable = inputs.as_ref().map(|_| quote!(mut));
    quote! {
        #zeros
        #rates
        if #linearized {
            let (mut __q, mut __v, #mutable __u) = (#by_state, #by_state, #by_input);
            for __j in 0..#n {
                for __i in 0..#rows {
                    __q[__j][__i] = #of_q;
                    __v[__j][__i] = #of_v;
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
/// if are_finite(&[q, v, u]) && are_regular(&__d, &__s) { return Ok(Gradient { .. }); }
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
    let trusted = trusted_inverse();
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

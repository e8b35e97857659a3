//! The forms of the equations that are put together from other methods' values.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::assembly::{
    arguments, call, call_by_name, elements, finite, invoke, local, ok, vector, vector_of,
};
use super::context::Context;
use super::function::{Definition, Details};
use super::solve::Solver;
use super::terms::{is_in_place, matrices};
use crate::methods::{Argument, Layout};

/// ```text
/// let __q = SVector [__y[0], __y[1]]; let __v = SVector [__y[2], __y[3]];
/// let __a = self.acceleration(&__q, &__v, u).map_err(Error::of_state)?; let __a = &__a.data.0[0];
/// ```
///
/// Then `[dq/dt; a]` is an array of what the second value lists.
fn at_state(layout: &Layout, checked: bool, inputs: TokenStream) -> (TokenStream, TokenStream) {
    let (m, n) = (layout.coordinates, layout.velocities);
    let q = vector(elements("__y", 0..m));
    let v = vector(elements("__y", m..m + n));
    let method = if checked {
        "acceleration"
    } else {
        "acceleration_unchecked"
    };
    let question = checked.then(|| quote!(.map_err(__rt::Error::of_state)?));
    let with = |argument: &Argument| match argument {
        Argument::Q => quote!(&__q),
        Argument::V => quote!(&__v),
        Argument::U => inputs.clone(),
        other => other.tokens(),
    };
    let acceleration = invoke(method, &arguments(layout), with);
    let (rates, qdot) = if m == n {
        (TokenStream::new(), elements("__y", m..m + n))
    } else {
        let of = layout.arguments(&[Argument::Q, Argument::V]);
        let rates = invoke("coordinate_rates", &of, with);
        let binding = quote!(let __rates = #rates; let __rates = &__rates.data.0[0];);
        (binding, elements("__rates", 0..m))
    };
    let bindings = quote! {
        let __q = #q;
        let __v = #v;
        let __a = #acceleration #question;
        let __a = &__a.data.0[0];
        #rates
    };
    let a = elements("__a", 0..n);
    (bindings, quote!(#qdot #a))
}

pub(super) fn state_derivative(context: &Context, solver: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    solver.definition(rate_of_state(layout, true), layout)
}

pub(super) fn state_derivative_unchecked(context: &Context, solver: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    solver.definition(rate_of_state(layout, false), layout)
}

fn rate_of_state(layout: &Layout, checked: bool) -> TokenStream {
    let (bindings, rate) = at_state(layout, checked, quote!(u));
    let rate = vector(rate);
    let result = if checked { ok(rate) } else { rate };
    quote! {
        let __y = &y.data.0[0];
        #bindings
        #result
    }
}

pub(super) fn rhs(context: &Context, solver: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    // Where the system declares time, `acceleration` tests it.
    let time = (!layout.time).then(|| finite(&[Argument::T]));
    let inputs = (layout.inputs > 0).then(|| {
        let vector = vector_of(quote!(*u));
        quote!(let __u = #vector;)
    });
    let (bindings, rate) = at_state(layout, true, quote!(&__u));
    let done = ok(quote!(()));
    let body = quote! {
        #time
        let __y = y;
        #inputs
        #bindings
        *dy = [#rate];
        #done
    };
    solver.definition(body, layout)
}

/// `[I 0 0; 0 M -J^T; 0 J 0]`, by columns.
pub(super) fn mass_matrix_full(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let (m, n, c) = (layout.coordinates, layout.velocities, layout.constraints);
    let [rows, columns, last, size] = [m, n, m + n, m + n + c].map(Literal::usize_unsuffixed);
    let matrices = matrices(layout);
    let mirrored = is_in_place(layout).then(|| quote!(__rt::linalg::mirror(__m);));
    let constraints = (c > 0).then(|| {
        let count = Literal::usize_unsuffixed(c);
        // 0 - x and not -x: what is 0 stays free of a sign.
        quote! {
            for __i in 0..#columns {
                for __k in 0..#count {
                    __full[#rows + __i][#last + __k] = __j[__k][__i];
                    __full[#last + __k][#rows + __i] =
                        __rt::math::constant::<S>(0.0) - __j[__k][__i];
                }
            }
        }
    });
    let body = quote! {
        __rt::linalg::matrix_by::<S, #size, #size>(|__full| {
            for __i in 0..#rows {
                __full[__i][__i] = __rt::math::constant::<S>(1.0);
            }
            #matrices
            #mirrored
            for __i in 0..#columns {
                for __k in 0..#columns {
                    __full[#rows + __i][#rows + __k] = __m[__i][__k];
                }
            }
            #constraints
        })
    };
    let beyond = if c > 0 {
        " beyond those of `mass_matrix` and `constraint_jacobian`"
    } else {
        " beyond those of `mass_matrix`"
    };
    of_parts(body, beyond)
}

/// `[dq/dt; f; gamma]`
pub(super) fn forcing_full(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let (m, n, c) = (layout.coordinates, layout.velocities, layout.constraints);
    let of_state = layout.arguments(&[Argument::Q, Argument::V]);
    let mut bindings = TokenStream::new();
    let mut entries = TokenStream::new();
    let mut part = |name: &str, value: TokenStream, length: usize| {
        let ident = local(name);
        bindings.extend(quote! {
            let #ident = #value;
            let #ident = &#ident.data.0[0];
        });
        entries.extend(elements(name, 0..length));
    };
    if m == n {
        part("__rates", quote!(v), m);
    } else {
        part("__rates", call_by_name("coordinate_rates", &of_state), m);
    }
    part("__f", call("forcing", layout), n);
    if c > 0 {
        part("__g", call_by_name("constraint_gamma", &of_state), c);
    }
    let result = vector(entries);
    let beyond = if c > 0 {
        " beyond those of `forcing` and `constraint_gamma`"
    } else {
        " beyond those of `forcing`"
    };
    of_parts(quote!(#bindings #result), beyond)
}

/// A body that adds no operations to those of the methods that it calls.
pub(super) fn of_parts(body: TokenStream, beyond: &'static str) -> Definition {
    Definition {
        body: body.into(),
        details: Details {
            beyond,
            ..Details::default()
        },
    }
}

//! Hamilton's equations: velocities from momenta, the Hamiltonian, and the rates of both.
//!
//! ```text
//! pub fn velocity(&self, q, p) -> Result<SVector<S, 2>, Error> {
//!     if !(all_finite(q) && ..) { return Err(NotFinite); }
//!     let (__m, __f, __d, __s, __a) = { .. };  // M, p - p0, pivots, diagonal, v
//!     if regular(__d[0], __s[0], 2) && .. && all_finite(&__a) { return Ok(__a); }
//!     solve_in_place(&mut [[__m[0], __m[1]], [__m[1], __m[2]]], &__f)
//! }
//! ```
//!
//! A large M is written to where it stays by `__inertia`, a method of its own, whose frame is gone when the
//! solution begins.

use lagrange_engine::{Factorization, Operations, Program, Quantity, lower_of};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::assembly::{
    arithmetic, call, call_by_name, call_with_places, finite, ok, unless, vector_of,
};
use super::body::Body;
use super::context::Context;
use super::forms::of_parts;
use super::function::{Definition, Details, Function};
use super::signature::{Argument, Layout};
use super::solve::{Solver, full_matrix, trusted_inverse};
use super::terms::{self, MAX_RETURNED};
use crate::generated::{INERTIA, Method};

/// How momenta give velocities.
#[derive(Default)]
pub(super) struct Velocities {
    /// The unrolled solution, if there is one.
    attempt: Option<TokenStream>,
    /// The method that writes a large M, or one whose solution is not unrolled.
    pub(super) inertia: Option<Function>,
    operations: Operations,
}

impl Velocities {
    /// `None` where L is not quadratic.
    pub(super) fn of(context: &Context) -> Option<Self> {
        let layout = &context.skeleton.layout;
        if !layout.quadratic {
            return None;
        }
        let code = context.dynamics.velocity_program();
        let factors = code.factorization.as_ref();
        let by_value = factors.is_some() && is_returned(layout);
        Some(Velocities {
            attempt: factors.map(|factors| attempt(context, &code.terms, factors)),
            inertia: (!by_value).then(|| terms::inertia(context)),
            operations: code.terms.operations(),
        })
    }
}

/// Whether M is small enough to be returned by value.
fn is_returned(layout: &Layout) -> bool {
    layout.velocities * layout.velocities <= MAX_RETURNED
}

/// The velocities of momenta.
pub(super) fn velocity(context: &Context, solver: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let arguments = layout.arguments(&[Argument::Q, Argument::P]);
    let finite = finite(&arguments);
    let none = Velocities::default();
    let Velocities {
        attempt,
        inertia,
        operations,
    } = solver.velocities().unwrap_or(&none);
    let (places, matrix) = match inertia {
        None => (TokenStream::new(), full_matrix(layout.velocities)),
        Some(_) => (placing(layout, &arguments), quote!(&mut __m)),
    };
    let solution = ok(vector_of(quote!(__a)));
    Definition {
        body: quote! {
            #finite
            #attempt
            #places
            let __a = __rt::linalg::solve_in_place(#matrix, &__f)?;
            #solution
        }
        .into(),
        details: Details {
            operations: *operations,
            beyond: if attempt.is_some() {
                ", factorization included"
            } else {
                ", and a factorization of M"
            },
            ..Details::default()
        },
    }
}

/// The unrolled solution, which is returned where it can be trusted.
fn attempt(context: &Context, program: &Program, factors: &Factorization) -> TokenStream {
    let layout = &context.skeleton.layout;
    let mass = lower_of(program.results(0), layout.velocities);
    let mut locals = vec![quote!(__f), quote!(__d), quote!(__s), quote!(__a)];
    let mut results = vec![
        program.results(1),
        &factors.pivots,
        &factors.diagonal,
        &factors.solution,
    ];
    if is_returned(layout) {
        locals.insert(0, quote!(__m));
        results.insert(0, &mass);
    }
    let mut body = Body::new(&program.schedule, &results, &context.parameters);
    body.push("(");
    for result in results {
        body.array(result);
        body.push(", ");
    }
    body.push(")");
    let values = arithmetic(&body.finish());
    let trusted = trusted_inverse(layout.velocities);
    let result = ok(vector_of(quote!(__a)));
    quote! {
        let (#(#locals),*) = { #values };
        if #trusted {
            return #result;
        }
    }
}

/// M and M v in places of their own.
fn placing(layout: &Layout, arguments: &[Argument]) -> TokenStream {
    let n = Literal::usize_unsuffixed(layout.velocities);
    let call = call_with_places(INERTIA, arguments, &[quote!(&mut __m), quote!(&mut __f)]);
    quote! {
        let __zero = __rt::math::constant::<S>(0.0);
        let mut __m = [[__zero; #n]; #n];
        let mut __f = [__zero; #n];
        #call;
    }
}

/// `let v = ..;` for bodies that read the velocities.
fn binding_velocities(layout: &Layout) -> TokenStream {
    let arguments = layout.arguments(&[Argument::Q, Argument::P]);
    let velocity = call_by_name(Method::Velocity.name(), &arguments);
    quote! {
        let __velocity = #velocity?;
        let v = &__velocity;
    }
}

/// p.v - L
pub(super) fn hamiltonian(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let velocities = binding_velocities(layout);
    let state = layout.arguments(&[Argument::Q, Argument::V]);
    let lagrangian = call_by_name(Method::Lagrangian.name(), &state);
    let n = Literal::usize_unsuffixed(layout.velocities);
    let finite = unless(quote!(__rt::linalg::all_finite(&[__h])));
    let result = ok(quote!(__h));
    let body = quote! {
        #velocities
        let (__p, __v) = (&p.data.0[0], &v.data.0[0]);
        let mut __h = -#lagrangian;
        for __i in 0..#n {
            __h = __rt::math::mul_add(__p[__i], __v[__i], __h);
        }
        #finite
        #result
    };
    of_parts(
        body,
        " beyond those of `velocity`, `lagrangian` and a product of vectors",
    )
}

/// dq/dt = N v, and dp/dt = dL/dq + Q + J^T lambda - w x p.
///
/// ```text
/// let __velocity = self.velocity(q, p)?;
/// let v = &__velocity;
/// let (__rates, __forces) = { .. };
/// let __held = self.constraint_forces(q, v, u)?;
/// let __forces = [__forces[0] + __held.data.0[0][0], ..];
/// ```
pub(super) fn equations(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let quantities = [Quantity::CoordinateRates, Quantity::MomentumRate];
    let program = context.dynamics.program(&quantities);
    let results = [program.results(0), program.results(1)];
    let mut body = Body::new(&program.schedule, &results, &context.parameters);
    body.push("(");
    body.array(results[0]);
    body.push(", ");
    body.array(results[1]);
    body.push(")");
    let values = arithmetic(&body.finish());
    let velocities = binding_velocities(layout);
    // `velocity` tests the other arguments.
    let inputs = (layout.inputs > 0).then(|| finite(&[Argument::U]));
    let held = (layout.constraints > 0).then(|| adding_constraint_forces(layout));
    let finite = unless(quote! {
        __rt::linalg::all_finite(&__rates) && __rt::linalg::all_finite(&__forces)
    });
    let [rates, forces] = [quote!(__rates), quote!(__forces)].map(vector_of);
    let result = ok(quote!((#rates, #forces)));
    Definition {
        body: quote! {
            #inputs
            #velocities
            let (__rates, __forces) = { #values };
            #held
            #finite
            #result
        }
        .into(),
        details: Details {
            operations: program.operations(),
            beyond: if layout.constraints > 0 {
                " beyond those of `velocity` and `constraint_forces`"
            } else {
                " beyond those of `velocity`"
            },
            ..Details::default()
        },
    }
}

fn adding_constraint_forces(layout: &Layout) -> TokenStream {
    let forces = call(Method::ConstraintForces.name(), layout);
    let entries = (0..layout.velocities).map(|i| {
        let i = Literal::usize_unsuffixed(i);
        quote!(__forces[#i] + __held[#i])
    });
    quote! {
        let __held = #forces?;
        let __held = &__held.data.0[0];
        let __forces = [#(#entries),*];
    }
}

//! What only systems with contacts have.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::assembly::{blamed, call_by_name, finite};
use super::context::Context;
use super::function::{Definition, Details};
use super::solve::Solver;
use crate::generated::Method;
use crate::methods::{Argument, Layout};

/// ```text
/// check_finite(&[("q", &q.data.0[0]), ..])?;
/// contacts::solve_active::<S, 2, 0, 1, 3, 1>(
///     &Touching { mass: self.mass_matrix(q), jacobian: .., contact_jacobian: self.contact_jacobian(q) },
///     &self.forcing(q, v),
///     [&.., &self.contact_gamma(q, v)],
///     active,
/// )
/// .map_err(|__error| self.__blame(__error))
/// ```
pub(super) fn solve_active(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let (state, moving) = (
        [Argument::Q, Argument::V, Argument::U],
        [Argument::Q, Argument::V],
    );
    let finite = finite(&layout.arguments(&state));
    let forcing = call_by_name(Method::Forcing.name(), &layout.arguments(&state));
    let moving = layout.arguments(&moving);
    let gamma = match layout.constraints {
        0 => quote!(__rt::linalg::vector([])),
        _ => call_by_name(Method::ConstraintGamma.name(), &moving),
    };
    let contact_gamma = call_by_name(Method::ContactGamma.name(), &moving);
    let (sizes, touching) = (sizes(layout), touching(layout));
    let blamed = blamed();
    let body = quote! {
        #finite
        __rt::contacts::solve_active::<S, #sizes>(
            &#touching,
            &#forcing,
            &#gamma,
            &#contact_gamma,
            active,
        )
        #blamed
    };
    of_body(
        body,
        " beyond those of `mass_matrix`, `forcing`, the terms of constraints and contacts, and the solve",
    )
}

/// The same with the rates of the gaps before the impact.
pub(super) fn impact(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let moving = layout.arguments(&[Argument::Q, Argument::V]);
    let tested = [&moving[..], &[Argument::Restitution]].concat();
    let finite = finite(&tested);
    let rates = call_by_name(Method::GapRates.name(), &moving);
    let (sizes, touching) = (sizes(layout), touching(layout));
    let blamed = blamed();
    let body = quote! {
        #finite
        __rt::contacts::impact::<S, #sizes>(&#touching, v, &#rates, active, restitution)
        #blamed
    };
    of_body(
        body,
        " beyond those of `mass_matrix`, `gap_rates`, the Jacobians and the solve",
    )
}

/// J_c M^-1 J_c^T.
pub(super) fn delassus(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let finite = finite(&layout.arguments(&[Argument::Q, Argument::MassV]));
    let touching = touching(layout);
    let blamed = blamed();
    let body = quote! {
        #finite
        __rt::contacts::delassus(&#touching)
        #blamed
    };
    of_body(
        body,
        " beyond those of `mass_matrix`, the Jacobians and a solve for each contact",
    )
}

/// M and the Jacobians at the state.
fn touching(layout: &Layout) -> TokenStream {
    let placed = layout.arguments(&[Argument::Q]);
    let mass = call_by_name(
        Method::MassMatrix.name(),
        &layout.arguments(&[Argument::Q, Argument::MassV]),
    );
    let jacobian = match layout.constraints {
        0 => {
            let n = Literal::usize_unsuffixed(layout.velocities);
            quote!(__rt::linalg::matrix::<S, 0, #n>([[]; #n]))
        }
        _ => call_by_name(Method::ConstraintJacobian.name(), &placed),
    };
    let contact_jacobian = call_by_name(Method::ContactJacobian.name(), &placed);
    quote! {
        __rt::contacts::Touching {
            mass: #mass,
            jacobian: #jacobian,
            contact_jacobian: #contact_jacobian,
        }
    }
}

/// `2, 0, 1, 3, 1`: n, c, P, n + P, c + P.
fn sizes(layout: &Layout) -> TokenStream {
    let (n, c, p) = (layout.velocities, layout.constraints, layout.contacts);
    let sizes = [n, c, p, n + p, c + p].map(Literal::usize_unsuffixed);
    quote!(#(#sizes),*)
}

fn of_body(body: TokenStream, beyond: &'static str) -> Definition {
    Definition {
        body: body.into(),
        details: Details {
            beyond,
            ..Details::default()
        },
    }
}

//! What only systems with constraints have.

use lagrange_engine::{Kinematics, Program, Quantity};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::assembly::{arithmetic, call, call_by_name, finite, ok, unless, vector_of};
use super::body::Body;
use super::context::Context;
use super::function::{Definition, Details};
use super::signature::Argument;
use super::solve::Solver;
use crate::generated::Method;

/// J^T lambda, by the columns of J, without what is zero by structure.
///
/// ```text
/// let __motion = self.solve(q, v, u)?;
/// let __j = self.constraint_jacobian(q);
/// let (__j, __l) = (&__j.data.0, &__motion.multipliers.data.0[0]);
/// let __forces = [__j[0][0] * __l[0], mul_add(__j[1][1], __l[1], __j[1][0] * __l[0])];
/// ```
pub(super) fn forces(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let (n, c) = (layout.velocities, layout.constraints);
    let jacobian = context.dynamics.expressions(Quantity::ConstraintJacobian);
    let graph = context.dynamics.graph();
    let entry = |i: usize| {
        let rows = (0..c).filter(|k| !graph.is_zero(jacobian[k * n + i]));
        let sum = rows.fold(None, |sum: Option<TokenStream>, k| {
            let [i, k] = [i, k].map(Literal::usize_unsuffixed);
            Some(match sum {
                None => quote!(__j[#i][#k] * __l[#k]),
                Some(sum) => quote!(__rt::math::mul_add(__j[#i][#k], __l[#k], #sum)),
            })
        });
        sum.unwrap_or_else(|| quote!(__rt::math::constant::<S>(0.0)))
    };
    let entries = (0..n).map(entry);
    let motion = call("solve", layout);
    let jacobian = call_by_name("constraint_jacobian", &layout.arguments(&[Argument::Q]));
    let finite = unless(quote!(__rt::linalg::all_finite(&__forces)));
    let forces = ok(vector_of(quote!(__forces)));
    let body = quote! {
        let __motion = #motion?;
        let __j = #jacobian;
        let (__j, __l) = (&__j.data.0, &__motion.multipliers.data.0[0]);
        let __forces = [#(#entries),*];
        #finite
        #forces
    };
    Definition {
        body: body.into(),
        details: Details {
            beyond: " beyond those of `solve`, `constraint_jacobian` and a product of matrix and vector",
            ..Details::default()
        },
    }
}

/// ```text
/// project(
///     q,
///     v,
///     |q, v| self.mass_matrix(q).data.0,
///     |q| { .. ([residuals], [[row of J], ..]) },
///     |q, v| { .. ([J v + dr/dt], [[row of J], ..]) },
/// )
/// ```
pub(super) fn project(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let dynamics = context.dynamics;
    let position = dynamics.program(&[Quantity::ConstraintResidual, Quantity::HolonomicJacobian]);
    let velocity = dynamics.program(&[Quantity::ConstraintVelocity, Quantity::ConstraintJacobian]);
    // The runtime tests q and v.
    let time = layout.time.then(|| finite(&[Argument::T]));
    let mass_matrix = layout.arguments(&[Argument::Q, Argument::MassV]);
    let mass_matrix = call_by_name(Method::MassMatrix.name(), &mass_matrix);
    let (function, turning) = projection(dynamics.kinematics());
    let position_body = values_and_rows(context, &position);
    let velocity_body = values_and_rows(context, &velocity);
    Definition {
        body: quote! {
            #time
            #function(
                #turning
                q,
                v,
                |q, v| #mass_matrix.data.0,
                |q| { #position_body },
                |q, v| { #velocity_body },
            )
        }
        .into(),
        details: Details {
            operations: position.operations(),
            beyond: " for each step of the coordinates, beyond those of `mass_matrix` and the solve",
            ..Details::default()
        },
    }
}

/// The function that projects, and its first argument where coordinates turn.
///
/// ```text
/// project_in(
///     &Turning {
///         integrate: |q, d| self.integrate(q, d),
///         difference: |q0, q1| self.difference(q0, q1),
///         sizes: |q| [q.data.0[0][0], 1, 1, 1],
///     },
/// ```
fn projection(kinematics: &Kinematics) -> (TokenStream, TokenStream) {
    if kinematics.is_trivial() {
        return (quote!(__rt::project::project), TokenStream::new());
    }
    let sizes = (0..kinematics.velocity_count()).map(|velocity| {
        match kinematics.coordinate_of_velocity(velocity) {
            Some(coordinate) => {
                let coordinate = Literal::usize_unsuffixed(coordinate);
                quote!(q.data.0[0][#coordinate])
            }
            None => quote!(__rt::math::constant::<S>(1.0)),
        }
    });
    let [m, n] = [kinematics.coordinate_count(), kinematics.velocity_count()];
    let [m, n] = [m, n].map(Literal::usize_unsuffixed);
    let turning = quote! {
        &__rt::project::Turning {
            integrate: |q: &__rt::SVector<S, #m>, d: &__rt::SVector<S, #n>| self.integrate(q, d),
            difference: |q0: &__rt::SVector<S, #m>, q1: &__rt::SVector<S, #m>| {
                self.difference(q0, q1)
            },
            sizes: |q: &__rt::SVector<S, #m>| [#(#sizes),*],
        },
    };
    (quote!(__rt::project::project_in), turning)
}

/// `([values], [[row of J], ..])`
fn values_and_rows(context: &Context, program: &Program) -> TokenStream {
    let (values, jacobian) = (program.results(0), program.results(1));
    let mut body = Body::new(&program.schedule, &[values, jacobian], &context.parameters);
    body.push("(");
    body.array(values);
    body.push(", ");
    body.rows(jacobian, context.skeleton.layout.velocities);
    body.push(")");
    arithmetic(&body.finish())
}

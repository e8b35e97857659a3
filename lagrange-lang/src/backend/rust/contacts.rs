//! Methods that only systems with contacts have.

use lagrange_engine::{Operand, Quantity};

use super::assembly::{blamed, call, call_by_name, finite, matrix, ok, only_if, zeros_of};
use super::body::{Body, Place, by_columns};
use super::context::Context;
use super::derivatives::{of_program, written_by_contact};
use super::function::{APART, Code, Definition, Details, Function};
use super::linearize::{copied, linearization_of, rates_of_displacements};
use super::redundant;
use super::sensitivities;
use super::solve::Solver;
use crate::generated::{Method, TOUCHING_ROWS};
use crate::methods::{Argument, Layout};

/// ```text
/// check_finite(&[("q", &q.data.0[0]), ..])?;
/// contacts::solve_active::<S, 2, 0, 1, 3, 1>(
///     &{
///         let (__j, __c) = self.__touching_rows(q);
///         Touching { mass: self.mass_matrix(q), jacobian: __j, contact_jacobian: __c, .. }
///     },
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
    let finite = finite(&layout.arguments(&state)) + &redundant::moved(layout);
    let forcing = call_by_name(Method::Forcing.name(), &layout.arguments(&state));
    let moving = layout.arguments(&moving);
    let gamma = match layout.constraints {
        0 => "__rt::linalg::vector([])".to_owned(),
        _ => call_by_name(Method::ConstraintGamma.name(), &moving),
    };
    let contact_gamma = call_by_name(Method::ContactGamma.name(), &moving);
    let (sizes, touching) = (sizes(layout), touching(layout, true));
    let blamed = blamed();
    let body = format!(
        "{finite}
         __rt::contacts::solve_active::<S, {sizes}>(
             &{touching},
             &{forcing},
             &{gamma},
             &{contact_gamma},
             active,
         )
         {blamed}"
    );
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
    let finite = finite(&tested) + &redundant::moved(layout);
    let rates = call_by_name(Method::GapRates.name(), &moving);
    let (sizes, touching) = (sizes(layout), touching(layout, false));
    let blamed = blamed();
    let body = format!(
        "{finite}
         __rt::contacts::impact::<S, {sizes}>(&{touching}, v, &{rates}, active, restitution)
         {blamed}"
    );
    of_body(
        body,
        " beyond those of `mass_matrix`, `gap_rates`, the Jacobians and the solve",
    )
}

/// J_c M^-1 J_c^T.
pub(super) fn delassus(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let finite = finite(&layout.arguments(&[Argument::Q, Argument::MassV]));
    let touching = touching(layout, false);
    let blamed = blamed();
    let body = format!(
        "{finite}
         __rt::contacts::delassus(&{touching})
         {blamed}"
    );
    of_body(
        body,
        " beyond those of `mass_matrix`, the Jacobians and a solve for each contact",
    )
}

/// ```text
/// let __motion = self.solve_active(q, v, u, active)?;
/// let motion = &Motion { acceleration: __motion.acceleration, multipliers: __motion.multipliers };
/// let (__forces, __rates) = self.equation_derivatives(q, v, u, motion);
/// let (a, l) = (&__motion.acceleration, &joined(&__motion.multipliers, &__motion.contact_forces));
/// __cq[0][0] = ..;
/// if active[0] { .. }
/// let __d = linearize_active::<..>(&Touching { .. }, active, __forces, &__rates, __fq, [__cq, __cv])?;
/// ```
///
/// If forces depend on those of contacts, their derivatives by v and by u are added to `__forces`.
pub(super) fn linearize_active(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let (n, p, k) = (layout.velocities, layout.contacts, layout.inputs);
    let state = layout.arguments(&[Argument::Q, Argument::V, Argument::U]);
    let solved = call_by_name(
        Method::SolveActive.name(),
        &[&state[..], &[Argument::Active]].concat(),
    );
    let equations = call_by_name(
        Method::EquationDerivatives.name(),
        &[&state[..], &[Argument::Motion]].concat(),
    );
    let mut quantities = vec![
        Quantity::ContactsByPosition,
        Quantity::ContactsByVelocity,
        Quantity::ContactForcesByPosition,
    ];
    let places = [("__cq", 0, p, n), ("__cv", 1, p, n)];
    let mut sums = vec![("__fq", 2, n, n)];
    let reacts = layout.reacting.is_some_and(|reacting| reacting.contacts);
    if reacts {
        quantities.extend([
            Quantity::ContactForcesByVelocity,
            Quantity::ContactForcesByInput,
        ]);
        sums.extend([("__fv", 3, n, n), ("__fu", 4, n, k)]);
    }
    let program = context.dynamics.program(&quantities);
    let written = written_by_contact(context, &program, &places, &sums);
    let forces = if reacts { "mut __forces" } else { "__forces" };
    let method = match layout.reacting {
        Some(_) => "linearize_reacting",
        None => "linearize_active",
    };
    let added = only_if(reacts, || {
        let [by_velocity, by_input] = ["__fv", "__fu"].map(matrix);
        format!("__forces.v += {by_velocity}; __forces.u += {by_input};")
    });
    let joined = joined(layout, "__motion.multipliers", "__motion.contact_forces");
    let (sizes, touching) = (sizes(layout), touching(layout, true));
    let moved = redundant::moved(layout);
    let (copied, rates) = (copied(layout), rates_of_displacements(context));
    let linearization = linearization_of(sensitivities::zeros(layout));
    let (blamed, result) = (blamed(), ok("__result"));
    let body = format!(
        "{moved}
         let __motion = {solved}?;
         let motion = &__rt::Motion {{
             acceleration: __motion.acceleration,
             multipliers: __motion.multipliers,
         }};
         let ({forces}, __rates) = {equations};
         let (a, l) = (&__motion.acceleration, &{joined});
         {written}
         {added}
         let __d = &__rt::contacts::{method}::<S, {sizes}, {k}>(
             &{touching},
             active,
             __forces,
             &__rates,
             __fq,
             [__cq, __cv],
         )
         {blamed}?;
         let mut __result = {linearization};
         let (__a, __b) = (&mut __result.a.data.0, &mut __result.b.data.0);
         {copied}
         {rates}
         {result}"
    );
    of_program(
        body,
        &program,
        " beyond those of `solve_active`, `equation_derivatives` and the solve for each column",
    )
}

/// The same for the velocity after an impact.
pub(super) fn impact_derivatives(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let (n, c, p) = (layout.velocities, layout.constraints, layout.contacts);
    let moving = layout.arguments(&[Argument::Q, Argument::V]);
    let hit = call_by_name(
        Method::Impact.name(),
        &[&moving[..], &[Argument::Active, Argument::Restitution]].concat(),
    );
    let program = context.dynamics.program(&[
        Quantity::ImpulsesByPosition,
        Quantity::ImpulsesByVelocity,
        Quantity::ConstraintChangesByPosition,
        Quantity::ContactChangesByPosition,
        Quantity::GapRatesByPosition,
        Quantity::ContactImpulsesByPosition,
    ]);
    let places = [
        ("__fq", 0, n, n),
        ("__fv", 1, n, n),
        ("__jq", 2, c, n),
        ("__cq", 3, p, n),
        ("__gq", 4, p, n),
    ];
    let sums = [("__fq", 5, n, n)];
    let written = written_by_contact(context, &program, &places, &sums);
    let joined = joined(layout, "__hit.multipliers", "__hit.impulses");
    let (sizes, touching) = (sizes(layout), touching(layout, false));
    let moved = redundant::moved(layout);
    let blamed = blamed();
    let body = format!(
        "{moved}
         let __hit = {hit}?;
         let (a, l) = (&(__hit.velocity - v), &{joined});
         {written}
         __rt::contacts::impact_derivatives::<S, {sizes}>(
             &{touching},
             active,
             restitution,
             [__fq, __fv],
             __jq,
             [__cq, __gq],
         )
         {blamed}"
    );
    of_program(
        body,
        &program,
        " beyond those of `impact` and the solve for each column",
    )
}

/// The multipliers of the constraints, followed by those of the contacts.
fn joined(layout: &Layout, first: &str, second: &str) -> String {
    let (c, p) = (layout.constraints, layout.contacts);
    let all = c + p;
    format!("__rt::contacts::joined::<S, {c}, {p}, {all}>(&{first}, &{second})")
}

/// M and the Jacobians at the state.
///
/// Forces by multipliers depend on the whole state, which impacts do not have.
fn touching(layout: &Layout, has_forces: bool) -> String {
    let placed = layout.arguments(&[Argument::Q]);
    let mass = call_by_name(
        Method::MassMatrix.name(),
        &layout.arguments(&[Argument::Q, Argument::MassV]),
    );
    let rows = call_by_name(TOUCHING_ROWS, &placed);
    let are_redundant = layout.redundant;
    let forces = match layout.reacting {
        Some(_) if has_forces => {
            let forces = call(Method::MultiplierForces.name(), layout);
            let sizes = format!("{}, {}", layout.constraints, layout.contacts);
            format!(
                "__rt::core::option::Option::Some(__rt::linalg::parted_columns::<S, {}, {}, {sizes}>(&{forces}))",
                layout.velocities,
                layout.constraints + layout.contacts
            )
        }
        _ => "__rt::core::option::Option::None".to_owned(),
    };
    format!(
        "{{
             let (__j, __c) = {rows};
             __rt::contacts::Touching {{
                 mass: {mass},
                 jacobian: __j,
                 contact_jacobian: __c,
                 are_redundant: {are_redundant},
                 multiplier_forces: {forces},
             }}
         }}"
    )
}

/// J and J_c, with zeros for rows of rounding errors.
///
/// ```text
/// let (mut __j, mut __c) = ([[__zero; 0]; 2], [[__zero; 1]; 2]);
/// __c[0][0] = ..;
/// let (mut __jb, mut __cb) = ..;
/// __cb[0][0] = ..;
/// (significant(&matrix(__j), &matrix(__jb)), significant(&matrix(__c), &matrix(__cb)))
/// ```
pub(super) fn rows(context: &Context) -> Function {
    let layout = &context.skeleton.layout;
    let (n, c, p) = (layout.velocities, layout.constraints, layout.contacts);
    let quantities = [Quantity::ConstraintJacobian, Quantity::ContactJacobian];
    let program = context.dynamics.program(&quantities);
    let results = [program.results(0), program.results(1)];
    let bounds = program.schedule.error_bounds(&results.concat());
    let (of_constraints, of_contacts) = bounds.roots.split_at(results[0].len());
    let all = [results[0], results[1], of_constraints, of_contacts];
    let (schedule, following) = (&program.schedule, &bounds.instructions);
    let mut body = Body::followed(schedule, following, &all, &context.parameters);
    let assign = |body: &mut Body, name: &str, values: &[Operand]| {
        body.assign(Place::Local(name), &by_columns(values, n, (0, 0)));
    };
    assign(&mut body, "__j", results[0]);
    assign(&mut body, "__c", results[1]);
    body.follow(schedule, following);
    assign(&mut body, "__jb", of_constraints);
    assign(&mut body, "__cb", of_contacts);
    let code = body.finish();
    let [of_rows, of_gaps] = [zeros_of(c, n), zeros_of(p, n)];
    let [rows, gaps, row_bounds, gap_bounds] = ["__j", "__c", "__jb", "__cb"].map(matrix);
    let body = format!(
        "let __zero = __rt::math::constant::<S>(0.0);
         let (mut __j, mut __c, mut __jb, mut __cb) = ({of_rows}, {of_gaps}, {of_rows}, {of_gaps});
         {code}
         (
             __rt::linalg::significant::<S, {c}, {n}>(&{rows}, &{row_bounds}),
             __rt::linalg::significant::<S, {p}, {n}>(&{gaps}, &{gap_bounds}),
         )"
    );
    Function {
        attributes: APART.into(),
        visibility: Code::NONE,
        docs: "J and J_c, with zeros for rows of rounding errors.".to_owned(),
        name: TOUCHING_ROWS.into(),
        generics: "",
        arguments: layout.arguments(&[Argument::Q]),
        places: String::new(),
        returned: format!("(__rt::SMatrix<S, {c}, {n}>, __rt::SMatrix<S, {p}, {n}>)"),
        real: true,
        body: body.into(),
    }
}

/// `2, 0, 1, 3, 1`: n, c, P, n + P, c + P.
fn sizes(layout: &Layout) -> String {
    let (n, c, p) = (layout.velocities, layout.constraints, layout.contacts);
    format!("{n}, {c}, {p}, {}, {}", n + p, c + p)
}

fn of_body(body: String, beyond: &'static str) -> Definition {
    Definition {
        body: body.into(),
        details: Details {
            beyond: beyond.into(),
            ..Details::default()
        },
    }
}

//! Methods that only systems with constraints have.

use lagrange_engine::{Kinematics, Program, Quantity};

use super::assembly::{check_finite, only_if};
use super::body::{Body, place_by_rows};
use super::context::Context;
use super::function::{Definition, Details};
use super::terms::{write_mass_matrix, write_rows};
use crate::generated::BLAME;
use crate::methods::Argument;

/// ```text
/// project_in(
///     &Flat,
///     q,
///     v,
///     &Constraints {
///         mass: |q, v, __m| *__m = self.mass_matrix(q).data.0,
///         position: |q, __h, __j, __b| {
///             .. *__h_0 = __t3; .. *__j_0_0 = __t2;
///             if __b.are_wanted(__h, __j) { .. *__e_0 = __t7; }
///         },
///         velocity: |q, v, __h, __j, __b| { .. *__h_0 = __t3; if __b.are_wanted(__h, __j) { .. } },
///         rows: |q, __j| *__j = self.constraint_jacobian(q).transpose().data.0,
///     },
/// )
/// ```
pub(super) fn define_projection(context: &Context) -> Definition {
    let layout = &context.skeleton.layout;
    let dynamics = context.dynamics;
    let position = dynamics.program(&[Quantity::ConstraintResidual, Quantity::HolonomicJacobian]);
    let velocity = dynamics.program(&[Quantity::ConstraintVelocity]);
    // The runtime tests q and v.
    let time = only_if(layout.time, || check_finite(&[Argument::T]));
    let space = write_space(dynamics.kinematics());
    let space = if layout.has_redundant_rows() {
        format!("__rt::project::Redundant({space})")
    } else {
        space
    };
    let mass_matrix = write_mass_matrix(layout, "__m");
    let rows = write_rows(layout, "__j");
    let holonomic = position.results(0).len();
    let position_body = write_residuals(context, &position);
    let velocity_body = write_residuals(context, &velocity);
    let (m, n, c) = (layout.coordinates, layout.velocities, layout.constraints);
    let (q, v) = (
        format!("q: &__rt::SVector<S, {m}>"),
        format!("v: &__rt::SVector<S, {n}>"),
    );
    let mass = format!("|{q}, {v}, __m: &mut [[S; {n}]; {n}]| {{ {mass_matrix} }}");
    let rows = format!("|{q}, __j: &mut [[S; {n}]; {c}]| {{ {rows} }}");
    let bounds = |count: usize| format!("__b: &mut __rt::project::Bounds<S, {count}>");
    let [of_position, of_velocity] = [holonomic, c].map(bounds);
    let position_arguments = format!(
        "{q}, __h: &mut [S; {holonomic}], __j: &mut [[S; {n}]; {holonomic}], {of_position}"
    );
    let velocity_arguments =
        format!("{q}, {v}, __h: &mut [S; {c}], __j: &[[S; {n}]; {c}], {of_velocity}");
    let body = format!(
        "{time}
         __rt::project::project_in(
             &{space},
             q,
             v,
             &__rt::project::Constraints {{
                 mass: {mass},
                 position: |{position_arguments}| {{
                     {position_body}
                 }},
                 velocity: |{velocity_arguments}| {{
                     {velocity_body}
                 }},
                 rows: {rows},
             }},
         )
         .map_err(|__error| match __error {{
             __rt::Error::NotFinite {{ argument: \"result\" }} => self.{BLAME}(__error),
             other => other,
         }})"
    );
    Definition {
        body: body.into(),
        details: Details {
            operations: position.operations(),
            beyond: " for each step of the coordinates, beyond those of `mass_matrix`, the solve and error bounds".into(),
            ..Details::default()
        },
    }
}

/// The space of the coordinates, if there are rotations: `Turning { integrate: |q, d| self.integrate(q, d) }`.
fn write_space(kinematics: &Kinematics) -> String {
    if kinematics.is_trivial() {
        return "__rt::project::Flat".to_owned();
    }
    let (m, n) = (kinematics.coordinate_count(), kinematics.velocity_count());
    format!(
        "__rt::project::Turning {{
             integrate: |q: &__rt::SVector<S, {m}>, d: &__rt::SVector<S, {n}>| self.integrate(q, d),
         }}"
    )
}

/// Writes the residuals, which are the first results, to `__h`. If J is the second result, writes it by rows to
/// `__j`. Both arrays hold zeros before. On request, writes the error bounds of the residuals to `__b`.
fn write_residuals(context: &Context, program: &Program) -> String {
    let residuals = program.results(0);
    let limited = match context.skeleton.layout.has_redundant_rows() {
        true => residuals.len(),
        false => 0,
    };
    let bounds = program.schedule.limited_error_bounds(residuals, limited);
    let mut results = vec![residuals, &bounds.roots];
    let jacobian = (program.part_count() > 1).then(|| program.results(1));
    results.extend(jacobian);
    let (schedule, following) = (&program.schedule, &bounds.instructions);
    let mut body = Body::followed(schedule, following, &results, &context.parameters);
    body.assign_vector("__h", residuals);
    if let Some(jacobian) = jacobian {
        let rows = place_by_rows(jacobian, context.skeleton.layout.velocities);
        body.assign("__j", &rows);
    }
    body.push("if __b.are_wanted(__h, __j) {\nlet __e = &mut __b.values;\n");
    body.follow(schedule, following);
    body.assign_vector("__e", &bounds.roots);
    body.push("}\n");
    body.finish()
}

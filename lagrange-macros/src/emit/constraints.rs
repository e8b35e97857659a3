//! What only systems with constraints have.

use lagrange_engine::{Kinematics, Program, Quantity};

use super::Context;
use super::body::Body;
use super::calls::{call, call_by_name, finite, ok, unless, vector};
use super::docs::Details;
use super::functions::Definition;
use super::methods::Method;
use super::signature::Argument;
use crate::model::ConstraintItem;
use crate::syntax::ast::ConstraintKind;

/// A statement with the names of its rows.
pub(super) struct ConstraintRows<'a> {
    pub(super) item: &'a ConstraintItem,
    pub(super) names: &'a [String],
}

/// The statements in the order of their rows: holonomic ones first.
pub(super) fn by_rows<'a>(
    items: &'a [ConstraintItem],
    mut names: &'a [String],
) -> Vec<ConstraintRows<'a>> {
    let of_kind = |kind| items.iter().filter(move |item| item.kind == kind);
    let ordered = of_kind(ConstraintKind::Holonomic).chain(of_kind(ConstraintKind::Nonholonomic));
    let rows = ordered.map(|item| {
        let (own, others) = names.split_at(item.rows.min(names.len()));
        names = others;
        ConstraintRows { item, names: own }
    });
    rows.collect()
}

/// The body of a method that uses the constraints and does more than evaluate them.
pub(super) fn define(context: &Context, method: Method) -> Option<Definition> {
    match method {
        Method::ConstraintForces => Some(forces(context)),
        Method::Project => Some(project(context)),
        _ => None,
    }
}

/// J^T lambda, by the columns of J, without what is zero by structure.
///
/// ```text
/// let __motion = self.solve(q, v, u)?;
/// let __j = self.constraint_jacobian(q);
/// let (__j, __l) = (&__j.data.0, &__motion.multipliers.data.0[0]);
/// let __forces = [__j[0][0] * __l[0], mul_add(__j[1][1], __l[1], __j[1][0] * __l[0])];
/// ```
fn forces(context: &Context) -> Definition {
    let layout = &context.skeleton.layout;
    let (n, c) = (layout.velocities, layout.constraints);
    let jacobian = context.dynamics.expressions(Quantity::ConstraintJacobian);
    let graph = context.dynamics.graph();
    let entry = |i: usize| {
        let rows = (0..c).filter(|k| !graph.is_zero(jacobian[k * n + i]));
        let sum = rows.fold(None, |sum: Option<String>, k| {
            Some(match sum {
                None => format!("__j[{i}][{k}] * __l[{k}]"),
                Some(sum) => format!("__rt::math::mul_add(__j[{i}][{k}], __l[{k}], {sum})"),
            })
        });
        sum.unwrap_or_else(|| "__rt::math::constant::<S>(0.0)".to_owned())
    };
    let entries: Vec<String> = (0..n).map(entry).collect();
    let motion = call("solve", layout);
    let jacobian = call_by_name("constraint_jacobian", &layout.arguments(&[Argument::Q]));
    let body = format!(
        "let __motion = {motion}?;\n\
         let __j = {jacobian};\n\
         let (__j, __l) = (&__j.data.0, &__motion.multipliers.data.0[0]);\n\
         let __forces = [{}];\n\
         {}{}",
        entries.join(", "),
        unless("__rt::linalg::all_finite(&__forces)"),
        ok(&vector("__forces"))
    );
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
fn project(context: &Context) -> Definition {
    let layout = &context.skeleton.layout;
    let dynamics = context.dynamics;
    let position = dynamics.program(&[Quantity::ConstraintResidual, Quantity::HolonomicJacobian]);
    let velocity = dynamics.program(&[Quantity::ConstraintVelocity, Quantity::ConstraintJacobian]);
    // The runtime tests q and v.
    let time = if layout.time {
        finite(&[Argument::T])
    } else {
        String::new()
    };
    let mass_matrix = layout.arguments(&[Argument::Q, Argument::MassV]);
    let mass_matrix = call_by_name(Method::MassMatrix.name(), &mass_matrix);
    let function = projection(dynamics.kinematics());
    let position_body = values_and_rows(context, &position);
    let velocity_body = values_and_rows(context, &velocity);
    Definition {
        body: format!(
            "{time}{function}q,\nv,\n|q, v| {mass_matrix}.data.0,\n\
             |q| {{\n{position_body}\n}},\n|q, v| {{\n{velocity_body}\n}},\n)"
        )
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
fn projection(kinematics: &Kinematics) -> String {
    if kinematics.is_trivial() {
        return "__rt::project::project(\n".to_owned();
    }
    let size = |velocity| match kinematics.coordinate_of_velocity(velocity) {
        Some(coordinate) => format!("q.data.0[0][{coordinate}]"),
        None => "__rt::math::constant::<S>(1.0)".to_owned(),
    };
    let sizes: Vec<String> = (0..kinematics.velocity_count()).map(size).collect();
    let [m, n] = [kinematics.coordinate_count(), kinematics.velocity_count()];
    format!(
        "__rt::project::project_in(\n&__rt::project::Turning {{\n\
         integrate: |q: &__rt::SVector<S, {m}>, d: &__rt::SVector<S, {n}>| self.integrate(q, d),\n\
         difference: |q0: &__rt::SVector<S, {m}>, q1: &__rt::SVector<S, {m}>| self.difference(q0, q1),\n\
         sizes: |q: &__rt::SVector<S, {m}>| [{}],\n}},\n",
        sizes.join(", ")
    )
}

/// `([values], [[row of J], ..])`
fn values_and_rows(context: &Context, program: &Program) -> String {
    let (values, jacobian) = (program.results(0), program.results(1));
    let mut body = Body::new(&program.schedule, &[values, jacobian], &context.parameters);
    body.push("(");
    body.array(values);
    body.push(", ");
    body.rows(jacobian, context.skeleton.layout.velocities);
    body.push(")");
    body.finish()
}

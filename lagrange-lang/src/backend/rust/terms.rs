//! M and J of large systems, which private methods write to places of zeros, and methods that call others for them.

use lagrange_engine::{Quantity, lower_of};

use super::assembly::{call_by_name, call_with_places};
use super::body::{Body, place_by_rows};
use super::context::Context;
use super::function::{APART, Function, INLINED};
use crate::backend::rust::cost_model::{
    FEW_VELOCITIES, MOST_COPIED, MOST_COPIED_OF_FEW, MOST_RETURNED,
};
use crate::generated::{INERTIA, Method, ROWS};
use crate::methods::{Argument, Layout};

/// Short terms are inlined into their callers. A call would write its many results one by one, and the caller would
/// read several results at once immediately after. Processors cannot forward these stores.
pub(super) fn choose_inlining(operations: u32, layout: &Layout) -> &'static str {
    let most = if layout.velocities <= FEW_VELOCITIES {
        MOST_COPIED_OF_FEW
    } else {
        MOST_COPIED
    };
    if operations <= most {
        INLINED
    } else {
        "#[inline] "
    }
}

/// Returns whether M and J are too large to be returned.
pub(super) fn is_in_place(layout: &Layout) -> bool {
    let (n, c) = (layout.velocities, layout.constraints);
    n * (n + c) > MOST_RETURNED
}

/// `self.__inertia(q, __m);`: writes the lower triangle of M to a place of zeros, given by an expression.
pub(super) fn write_mass_matrix(layout: &Layout, place: &str) -> String {
    let arguments = layout.arguments(&[Argument::Q, Argument::MassV]);
    if is_in_place(layout) {
        let call = call_with_places(INERTIA, &arguments, &[place.to_owned()]);
        return format!("{call};");
    }
    let call = call_by_name(Method::MassMatrix.name(), &arguments);
    format!("*{place} = {call}.data.0;")
}

/// The same for J by rows.
pub(super) fn write_rows(layout: &Layout, place: &str) -> String {
    let arguments = layout.arguments(&[Argument::Q]);
    if is_in_place(layout) {
        let call = call_with_places(ROWS, &arguments, &[place.to_owned()]);
        return format!("{call};");
    }
    let call = call_by_name(Method::ConstraintJacobian.name(), &arguments);
    format!("*{place} = {call}.transpose().data.0;")
}

/// The methods that write a single large matrix.
pub(super) fn write_matrix_methods(context: &Context) -> Vec<Function> {
    let layout = &context.skeleton.layout;
    let mut functions = Vec::new();
    if is_in_place(layout) {
        functions.push(write_inertia_method(context));
        if layout.constraints > 0 {
            functions.push(write_rows_method(context));
        }
    }
    functions
}

/// J by rows.
fn write_rows_method(context: &Context) -> Function {
    let layout = &context.skeleton.layout;
    let program = context.dynamics.program(&[Quantity::ConstraintJacobian]);
    let jacobian = program.results(0);
    let mut body = Body::new(&program.schedule, &[jacobian], &context.parameters);
    body.assign("__j", &place_by_rows(jacobian, layout.velocities));
    let (n, c) = (layout.velocities, layout.constraints);
    Function {
        attributes: APART.into(),
        docs: "J by rows.".to_owned(),
        name: ROWS.into(),
        arguments: layout.arguments(&[Argument::Q]),
        places: format!("__j: &mut [[S; {n}]; {c}]"),
        body: body.finish().into(),
        returned: "()".to_owned(),
        ..Function::default()
    }
}

/// The lower triangle of M.
fn write_inertia_method(context: &Context) -> Function {
    let layout = &context.skeleton.layout;
    let program = context.dynamics.program(&[Quantity::MassMatrix]);
    let mass = lower_of(program.results(0), layout.velocities);
    let mut body = Body::new(&program.schedule, &[&mass], &context.parameters);
    body.assign_triangle("__m", &mass, layout.velocities);
    let n = layout.velocities;
    Function {
        attributes: APART.into(),
        docs: "The lower triangle of M by rows.".to_owned(),
        name: INERTIA.into(),
        arguments: layout.arguments(&[Argument::Q, Argument::MassV]),
        places: format!("__m: &mut [[S; {n}]; {n}]"),
        body: body.finish().into(),
        returned: "()".to_owned(),
        ..Function::default()
    }
}

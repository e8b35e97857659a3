//! Forms of the equations that are assembled from the results of other methods.

use super::assembly::{
    arguments, call, call_by_name, elements, finite, invoke, ok, only_if, vector, vector_of,
};
use super::context::Context;
use super::function::{Definition, Details};
use super::reacting::matrices;
use super::solve::Solver;
use super::terms::is_in_place;
use crate::methods::{Argument, Layout};

/// ```text
/// let __q = SVector [__y[0], __y[1]]; let __v = SVector [__y[2], __y[3]];
/// let __a = self.acceleration(&__q, &__v, u).map_err(Error::of_state)?; let __a = &__a.data.0[0];
/// ```
///
/// The second value lists the entries of `[dq/dt; a]`.
fn at_state(layout: &Layout, checked: bool, inputs: &str) -> (String, String) {
    let (m, n) = (layout.coordinates, layout.velocities);
    let q = vector(elements("__y", 0..m));
    let v = vector(elements("__y", m..m + n));
    let method = if checked {
        "acceleration"
    } else {
        "acceleration_unchecked"
    };
    let question = if checked {
        ".map_err(__rt::Error::of_state)?"
    } else {
        ""
    };
    let with = |argument: &Argument| match argument {
        Argument::Q => "&__q".to_owned(),
        Argument::V => "&__v".to_owned(),
        Argument::U => inputs.to_owned(),
        other => other.name().to_owned(),
    };
    let acceleration = invoke(method, &arguments(layout), with);
    let (rates, qdot) = if m == n {
        (String::new(), elements("__y", m..m + n))
    } else {
        let of = layout.arguments(&[Argument::Q, Argument::V]);
        let rates = invoke("coordinate_rates", &of, with);
        let binding = format!("let __rates = {rates}; let __rates = &__rates.data.0[0];");
        (binding, elements("__rates", 0..m))
    };
    let bindings = format!(
        "let __q = {q};
         let __v = {v};
         let __a = {acceleration} {question};
         let __a = &__a.data.0[0];
         {rates}"
    );
    let a = elements("__a", 0..n);
    (bindings, format!("{qdot} {a}"))
}

pub(super) fn state_derivative(context: &Context, solver: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    solver.definition(rate_of_state(layout, true), layout)
}

pub(super) fn state_derivative_unchecked(context: &Context, solver: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    solver.definition(rate_of_state(layout, false), layout)
}

fn rate_of_state(layout: &Layout, checked: bool) -> String {
    let (bindings, rate) = at_state(layout, checked, "u");
    let rate = vector(rate);
    let result = if checked { ok(rate) } else { rate };
    format!(
        "let __y = &y.data.0[0];
         {bindings}
         {result}"
    )
}

pub(super) fn rhs(context: &Context, solver: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    // If the system declares time, `acceleration` tests it.
    let time = only_if(!layout.time, || finite(&[Argument::T]));
    let inputs = only_if(layout.inputs > 0, || {
        let vector = vector_of("*u");
        format!("let __u = {vector};")
    });
    let (bindings, rate) = at_state(layout, true, "&__u");
    let done = ok("()");
    let body = format!(
        "{time}
         let __y = y;
         {inputs}
         {bindings}
         *dy = [{rate}];
         {done}"
    );
    solver.definition(body, layout)
}

/// `[I 0 0; 0 M -J^T; 0 J 0]`, by columns, with J^T + B in the place of J^T if forces depend on multipliers.
pub(super) fn mass_matrix_full(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let (m, n, c) = (layout.coordinates, layout.velocities, layout.constraints);
    let (rows, columns, last, size) = (m, n, m + n, m + n + c);
    let matrices = matrices(layout);
    let mirrored = if is_in_place(layout) && !layout.reacts() {
        "__rt::linalg::mirror(__m);"
    } else {
        ""
    };
    let reaction = if layout.reacts() {
        "__jb[__i][__k]"
    } else {
        "__j[__k][__i]"
    };
    let constraints = only_if(c > 0, || {
        // Uses 0 - x and not -x, so that zeros have no sign.
        format!(
            "for __i in 0..{columns} {{
                 for __k in 0..{c} {{
                     __full[{rows} + __i][{last} + __k] = __j[__k][__i];
                     __full[{last} + __k][{rows} + __i] =
                         __rt::math::constant::<S>(0.0) - {reaction};
                 }}
             }}"
        )
    });
    let body = format!(
        "__rt::linalg::matrix_by::<S, {size}, {size}>(|__full| {{
             for __i in 0..{rows} {{
                 __full[__i][__i] = __rt::math::constant::<S>(1.0);
             }}
             {matrices}
             {mirrored}
             for __i in 0..{columns} {{
                 for __k in 0..{columns} {{
                     __full[{rows} + __i][{rows} + __k] = __m[__i][__k];
                 }}
             }}
             {constraints}
         }})"
    );
    let beyond = if layout.reacts() {
        " beyond those of `mass_matrix`, `constraint_jacobian` and `multiplier_forces`"
    } else if c > 0 {
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
    let mut bindings = String::new();
    let mut entries = String::new();
    let mut part = |name: &str, value: String, length: usize| {
        bindings += &format!(
            "let {name} = {value};
             let {name} = &{name}.data.0[0];"
        );
        entries += &elements(name, 0..length);
    };
    if m == n {
        part("__rates", "v".to_owned(), m);
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
    of_parts(format!("{bindings} {result}"), beyond)
}

/// A body that adds no operations to those of the methods that it calls.
pub(super) fn of_parts(body: String, beyond: &'static str) -> Definition {
    Definition {
        body: body.into(),
        details: Details {
            beyond: beyond.into(),
            ..Details::default()
        },
    }
}

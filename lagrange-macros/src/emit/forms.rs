//! The forms of the equations that are put together from other methods' values.

use super::calls::{arguments, call, call_by_name, call_with, elements, finite, ok, vector};
use super::methods::Method;
use super::signature::{Argument, Layout};

/// The body of a method that calls others, `None` if it does not.
pub(super) fn define(method: Method, layout: &Layout) -> Option<String> {
    match method {
        Method::Solve => Some(without_multipliers(layout)),
        Method::Acceleration => Some(of_motion(layout)),
        Method::StateDerivative => Some(state_derivative(layout, true)),
        Method::StateDerivativeUnchecked => Some(state_derivative(layout, false)),
        Method::Rhs => Some(rhs(layout)),
        Method::MassMatrixFull => Some(mass_matrix_full(layout)),
        Method::ForcingFull => Some(forcing_full(layout)),
        _ => None,
    }
}

/// `solve` from `acceleration`, where nothing is constrained.
fn without_multipliers(layout: &Layout) -> String {
    let call = call("acceleration", layout);
    let none = vector("[]");
    let motion = format!("__rt::Motion {{ acceleration: __a, multipliers: {none} }}");
    format!("let __a = {call}?;\n{}", ok(&motion))
}

/// `acceleration` from `solve`, where something is.
fn of_motion(layout: &Layout) -> String {
    let call = call("solve", layout);
    format!("let __motion = {call}?;\n{}", ok("__motion.acceleration"))
}

/// The acceleration at the state `__y`, as the array `__a`.
fn at_state(method: &str, question: &str, layout: &Layout, inputs: &str) -> String {
    let n = layout.coordinates;
    let q = vector(&format!("[{}]", elements("__y", 0..n)));
    let v = vector(&format!("[{}]", elements("__y", n..2 * n)));
    let call = call_with(method, &arguments(layout), |argument| match argument {
        Argument::Q => "&__q".to_owned(),
        Argument::V => "&__v".to_owned(),
        Argument::U => inputs.to_owned(),
        other => other.name().to_owned(),
    });
    format!(
        "let __q = {q};\nlet __v = {v};\nlet __a = {call}{question};\nlet __a = &__a.data.0[0];\n"
    )
}

/// [v; a]
fn rate(layout: &Layout) -> String {
    let n = layout.coordinates;
    format!("[{}{}]", elements("__y", n..2 * n), elements("__a", 0..n))
}

fn state_derivative(layout: &Layout, checked: bool) -> String {
    let (method, question) = if checked {
        ("acceleration", "?")
    } else {
        ("acceleration_unchecked", "")
    };
    let acceleration = at_state(method, question, layout, "u");
    let rate = vector(&rate(layout));
    let result = if checked { ok(&rate) } else { rate };
    format!("let __y = &y.data.0[0];\n{acceleration}{result}")
}

fn rhs(layout: &Layout) -> String {
    // Where the system declares time, `acceleration` tests it.
    let time = if layout.time {
        String::new()
    } else {
        finite(&[Argument::T])
    };
    let inputs = if layout.inputs > 0 {
        format!("let __u = {};\n", vector("*u"))
    } else {
        String::new()
    };
    let acceleration = at_state("acceleration", "?", layout, "&__u");
    let rate = rate(layout);
    format!(
        "{time}let __y = y;\n{inputs}{acceleration}*dy = {rate};\n{}",
        ok("()")
    )
}

/// `[I 0 0; 0 M -J^T; 0 J 0]`, by columns.
fn mass_matrix_full(layout: &Layout) -> String {
    let (n, c) = (layout.coordinates, layout.constraints);
    let of_q = |all: &[Argument]| layout.arguments(all);
    let mass_matrix = call_by_name("mass_matrix", &of_q(&[Argument::Q, Argument::MassV]));
    let (bindings, fills) = if c > 0 {
        let jacobian = call_by_name("constraint_jacobian", &of_q(&[Argument::Q]));
        // 0 - x and not -x: what is 0 stays free of a sign.
        let fills = format!(
            "for __k in 0..{c} {{\n\
             __full[{n} + __i][{0} + __k] = __j.data.0[__i][__k];\n\
             __full[{0} + __k][{n} + __i] = __zero - __j.data.0[__i][__k];\n}}\n",
            2 * n
        );
        (format!("let __j = {jacobian};\n"), fills)
    } else {
        (String::new(), String::new())
    };
    format!(
        "let __m = {mass_matrix};\n{bindings}\
         let __zero = __rt::math::constant::<S>(0.0);\n\
         let mut __full = [[__zero; {0}]; {0}];\n\
         for __i in 0..{n} {{\n\
         __full[__i][__i] = __rt::math::constant::<S>(1.0);\n\
         for __k in 0..{n} {{\n\
         __full[{n} + __i][{n} + __k] = __m.data.0[__i][__k];\n}}\n\
         {fills}}}\n\
         __rt::SMatrix::from_array_storage(__rt::ArrayStorage(__full))",
        2 * n + c
    )
}

/// `[v; f; gamma]`
fn forcing_full(layout: &Layout) -> String {
    let (n, c) = (layout.coordinates, layout.constraints);
    let forcing = call("forcing", layout);
    let mut bindings =
        format!("let __f = {forcing};\nlet (__v, __f) = (&v.data.0[0], &__f.data.0[0]);\n");
    if c > 0 {
        let gamma = call_by_name(
            "constraint_gamma",
            &layout.arguments(&[Argument::Q, Argument::V]),
        );
        bindings.push_str(&format!("let __g = {gamma};\nlet __g = &__g.data.0[0];\n"));
    }
    let parts = [("__v", n), ("__f", n), ("__g", c)];
    let entries = parts
        .map(|(array, length)| elements(array, 0..length))
        .concat();
    format!("{bindings}{}", vector(&format!("[{entries}]")))
}

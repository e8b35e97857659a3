//! `linearize`: the derivatives of the acceleration in the form of control theory.

use super::assembly::{arguments, call, call_by_name, matrix, ok, only_if};
use super::context::Context;
use super::derivatives::unrolled;
use super::function::Definition;
use super::pivoted_solve;
use super::reacting::{self, matrices};
use super::sensitivities;
use super::solve::Solver;
use crate::methods::{Argument, Layout};

/// ```text
/// let mut __result = Ok(Linearization { a: [[__zero; 4]; 4], b: [[__zero; 4]; 1] });
/// if let Ok(__place) = &mut __result {
///     let (__a, __b) = (&mut __place.a.data.0, &mut __place.b.data.0);
///     if !self.__linearized(q, v, u, __a, __b) {
///         let (__d, _) = self.__differentiated(q, v, u)?;
///         for __j in 0..2 { .. }
///     }
///     for __j in 0..2 { __a[2 + __j][__j] = __one; }
/// }
/// __result
/// ```
///
/// The result is written at the place where it is returned. Otherwise the compiler would copy the matrices into the
/// struct, and the struct into `Ok`.
pub(super) fn checked(context: &Context, solver: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let copied = copied(layout);
    let linearized = solver.sensitivities.linearized.as_ref();
    let derived = if linearized.is_some() {
        let rates = sensitivities::rates_of_zeros(layout);
        let linearized =
            sensitivities::call_linearized(layout, ["__a".to_owned(), "__b".to_owned()]);
        let careful = pivoted_solve::call_differentiated(layout);
        format!("{rates} if !{linearized} {{ let (__d, _) = {careful}?; {copied} }}")
    } else {
        let solved = pivoted_solve::solved(layout);
        format!("{solved} let __d = &__derivatives.0; {copied}")
    };
    let zeros = ok(linearization_of(sensitivities::zeros(layout)));
    let rates = rates_of_displacements(context);
    let body = format!(
        "let __zero = __rt::math::constant::<S>(0.0);
         let mut __result = {zeros};
         if let __rt::core::result::Result::Ok(__place) = &mut __result {{
             let (__a, __b) = (&mut __place.a.data.0, &mut __place.b.data.0);
             {derived}
             {rates}
         }}
         __result"
    );
    match linearized {
        Some(linearized) => unrolled(body, linearized),
        None => solver.definition(body, layout),
    }
}

/// The same without a check. Uses the program if no pivot is small, and the pivoted solve otherwise.
pub(super) fn unchecked(context: &Context, solver: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let matrices = matrices(layout);
    let motion = motion_unchecked(layout);
    let with_motion = [arguments(layout), vec![Argument::Motion]].concat();
    let equations = call_by_name("equation_derivatives", &with_motion);
    let copied = copied(layout);
    let differentiate = if layout.reacts() {
        "differentiate_reacting_unchecked(__m, __jb, __j"
    } else {
        "differentiate_unchecked(__m, __j"
    };
    let careful = format!(
        "{matrices}
         let motion = &{motion};
         let mut __derivatives = {equations};
         __rt::linalg::{differentiate}, &mut __derivatives.0, &mut __derivatives.1);
         let __d = &__derivatives.0;
         {copied}"
    );
    let linearized = solver.sensitivities.linearized.as_ref();
    let derived = linearized.map_or_else(
        || careful.clone(),
        |linearized| linearized.unchecked(&careful, layout),
    );
    let zeros = linearization_of(sensitivities::zeros(layout));
    let rates = rates_of_displacements(context);
    let body = format!(
        "let __zero = __rt::math::constant::<S>(0.0);
         let mut __result = {zeros};
         let (__a, __b) = (&mut __result.a.data.0, &mut __result.b.data.0);
         {derived}
         {rates}
         __result"
    );
    match linearized {
        Some(linearized) => unrolled(body, linearized),
        None => solver.definition(body, layout),
    }
}

/// The solution of the equations `__m` and `__j`, if more than the accelerations is needed.
fn motion_unchecked(layout: &Layout) -> String {
    if layout.reacts() {
        return reacting::motion_unchecked(layout);
    }
    if layout.constraints == 0 {
        let acceleration = call("acceleration_unchecked", layout);
        return format!(
            "__rt::Motion {{ acceleration: {acceleration}, multipliers: __rt::linalg::vector([]) }}"
        );
    }
    let forcing = call("forcing", layout);
    let of = layout.arguments(&[Argument::Q, Argument::V]);
    let gamma = call_by_name("constraint_gamma", &of);
    format!(
        "{{
             let (__accelerations, __multipliers) = __rt::linalg::kkt_unchecked_in_place(
                 &mut {{ *__m }}, __j, &{forcing}.data.0[0], &{gamma}.data.0[0],
             );
             __rt::Motion {{
                 acceleration: __rt::linalg::vector(__accelerations),
                 multipliers: __rt::linalg::vector(__multipliers),
             }}
         }}"
    )
}

/// Copies the derivatives `__d` of the acceleration into `__a` and `__b`.
fn copied(layout: &Layout) -> String {
    let (n, inputs) = (layout.velocities, layout.inputs);
    let by_input = only_if(layout.inputs > 0, || {
        format!(
            "for __j in 0..{inputs} {{
                 for __i in 0..{n} {{
                     __b[__j][{n} + __i] = __d.u.data.0[__j][__i];
                 }}
             }}"
        )
    });
    format!(
        "for __j in 0..{n} {{
             for __i in 0..{n} {{
                 __a[__j][{n} + __i] = __d.q.data.0[__j][__i];
                 __a[{n} + __j][{n} + __i] = __d.v.data.0[__j][__i];
             }}
         }}
         {by_input}"
    )
}

/// `Linearization { a, b }` with these columns.
fn linearization_of(columns: [String; 2]) -> String {
    let [a, b] = columns.map(matrix);
    format!("__rt::Linearization {{ a: {a}, b: {b} }}")
}

/// Writes the rates of displacements into `__a`, at entries that are still zero.
fn rates_of_displacements(context: &Context) -> String {
    let layout = &context.skeleton.layout;
    let n = layout.velocities;
    let turns = context.dynamics.kinematics().rotations().map(|rotation| {
        let first = rotation.velocity;
        // The entries of -(w0 x), each with the sign of the component of w0.
        let entries = [(0, 1, 2, true), (0, 2, 1, false), (1, 2, 0, true)];
        let entries = entries.map(|(row, column, of, positive)| {
            let [row, column, of] = [row, column, of].map(|at| first + at);
            let (above, below) = if positive {
                (format!("__w[{of}]"), format!("-__w[{of}]"))
            } else {
                (format!("-__w[{of}]"), format!("__w[{of}]"))
            };
            format!("__a[{column}][{row}] = {above}; __a[{row}][{column}] = {below};")
        });
        entries.concat()
    });
    let turns: String = turns.collect();
    let rates = if turns.is_empty() {
        ""
    } else {
        "let __w = &v.data.0[0];"
    };
    format!(
        "let __one = __rt::math::constant::<S>(1.0);
         for __j in 0..{n} {{
             __a[{n} + __j][__j] = __one;
         }}
         {rates}
         {turns}"
    )
}

//! `linearize`: the derivatives of the acceleration in the form of control theory.

use lagrange_engine::Operations;

use super::assembly::{arguments, call, call_by_name, elements, matrix, ok, only_if, unless};
use super::context::Context;
use super::derivatives::unrolled;
use super::function::Definition;
use super::pivoted_solve;
use super::reacting::{self, matrices};
use super::sensitivities;
use super::solve::Solver;
use crate::generated::Method;
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

/// ```text
/// let mut __result = self.linearize(q, v, u);
/// if let Ok(__place) = &mut __result {
///     to_fixed_axes::<S, 12, 1, 3>(__place, &[q[3], q[4], q[5], q[6]], &[v[3], v[4], v[5]]);
///     ..
/// }
/// __result
/// ```
pub(super) fn fixed_axes(context: &Context, solver: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let (rows, inputs) = (2 * layout.velocities, layout.inputs);
    let turns = context.dynamics.kinematics().rotations().map(|rotation| {
        let first = rotation.velocity;
        let quaternion = elements("__q", rotation.coordinate..rotation.coordinate + 4);
        let rates = elements("__v", rotation.velocity..rotation.velocity + 3);
        format!(
            "__rt::rotation::to_fixed_axes::<S, {rows}, {inputs}, {first}>(
                 __place, &[{quaternion}], &[{rates}],
             );"
        )
    });
    let turns: String = turns.collect();
    let linearized = call(Method::Linearize.name(), layout);
    // The zero quaternion is not an orientation, so it has no axes.
    let checked = unless("__rt::linalg::are_finite(&[__place.a.as_slice(), __place.b.as_slice()])");
    let body = format!(
        "let mut __result = {linearized};
         if let __rt::core::result::Result::Ok(__place) = &mut __result {{
             let (__q, __v) = (&q.data.0[0], &v.data.0[0]);
             {turns}
             {checked}
         }}
         __result"
    );
    let mut definition = match &solver.sensitivities.linearized {
        Some(linearized) => unrolled(body, linearized),
        None => solver.definition(body, layout),
    };
    let details = &mut definition.details;
    for _ in context.dynamics.kinematics().rotations() {
        details.operations = details.operations + of_one_rotation(layout);
    }
    definition
}

/// The operations of `to_fixed_axes`: the products of each column, row and w0 with R, and the computation of R.
fn of_one_rotation(layout: &Layout) -> Operations {
    let vectors = 4 * layout.velocities + layout.inputs + 1;
    let products = 3 * vectors as u32;
    Operations {
        additions: 2 * products + 39,
        multiplications: 3 * products + 22,
        divisions: 8,
        roots: 1,
        ..Operations::default()
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
pub(super) fn copied(layout: &Layout) -> String {
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
pub(super) fn linearization_of(columns: [String; 2]) -> String {
    let [a, b] = columns.map(matrix);
    format!("__rt::Linearization {{ a: {a}, b: {b} }}")
}

/// Writes the rates of displacements into `__a`, at entries that are still zero.
pub(super) fn rates_of_displacements(context: &Context) -> String {
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

//! Derivatives of the equations of motion, and of their solution by the implicit function theorem.

use lagrange_engine::{Operand, Operations, Program, Quantity, Shape};

use super::assembly::{
    arguments, blamed, call, call_by_name, elements, finite_behind, matrix, ok, only_if, vector,
    vector_of, zeros_of,
};
use super::body::{Body, Place, by_columns};
use super::context::Context;
use super::function::{Definition, Details};
use super::reacting::matrices;
use super::sensitivities::{self, Linearized};
use super::solve::Solver;
use super::{pivoted_solve, redundant};
use crate::methods::{Argument, Layout};

/// Derivatives of the remaining terms of the equations, without the inverse dynamics: first the rows of forces,
/// then the rows of constraints.
const REST: [Quantity; 5] = [
    Quantity::ForcesByPosition,
    Quantity::ForcesByVelocity,
    Quantity::ForcesByInput,
    Quantity::ConstraintsByPosition,
    Quantity::ConstraintsByVelocity,
];

/// `(d(M a + h)/dq, d(M a + h)/dv)`
pub(super) fn inverse_dynamics(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    if !context.dynamics.writes_inverse_dynamics_derivatives() {
        return inverse_dynamics_by_rows(context);
    }
    let program = context.dynamics.program(&[
        Quantity::InverseDynamicsByPosition,
        Quantity::InverseDynamicsByVelocity,
    ]);
    let n = layout.velocities;
    let places = [("__dq", 0, n, n), ("__dv", 1, n, n)];
    let body = written(context, &program, &places);
    let [by_position, by_velocity] = ["__dq", "__dv"].map(matrix);
    of_program(
        format!("{body} ({by_position}, {by_velocity})"),
        &program,
        "",
    )
}

/// The same for a large system, for which the text of the derivatives would be too long. Each row is the derivative
/// of a weighted sum, by one reverse sweep.
///
/// ```text
/// let __row = |y: &SVector<S, 60>| { .. };
/// for __i in 0..60 { .. }
/// ```
fn inverse_dynamics_by_rows(context: &Context) -> Definition {
    let n = context.skeleton.layout.velocities;
    let program = context.dynamics.program(&[
        Quantity::WeightedInverseDynamicsByPosition,
        Quantity::WeightedInverseDynamicsByVelocity,
    ]);
    let row = row(context, &program, n);
    let rows = n;
    let [by_position, by_velocity] = ["__dq", "__dv"].map(matrix);
    let body = format!(
        "let (__zero, __one) = (__rt::math::constant::<S>(0.0), __rt::math::constant::<S>(1.0));
         let (mut __dq, mut __dv) = ([[__zero; {rows}]; {rows}], [[__zero; {rows}]; {rows}]);
         {row}
         for __i in 0..{rows} {{
             let (__by_q, __by_v) = __row(__i);
             for __k in 0..{rows} {{
                 __dq[__k][__i] = __by_q[__k];
                 __dv[__k][__i] = __by_v[__k];
             }}
         }}
         ({by_position}, {by_velocity})"
    );
    of_program(body, &program, " for each row")
}

/// `let __row = |__i: usize| { let y = ..; .. ([..], [..]) };`: the results of a program if one of the equations
/// has weight 1.
fn row(context: &Context, program: &Program, equations: usize) -> String {
    let results = [&program.schedule.roots[..]];
    let mut body = Body::new(&program.schedule, &results, &context.parameters);
    body.push("(");
    for part in 0..program.part_count() {
        match program.results(part) {
            // Without an entry the type cannot be inferred.
            [] => body.push("[__zero; 0]"),
            results => body.array(results),
        }
        body.push(", ");
    }
    body.push(")");
    let code = body.finish();
    let weights = vector_of("__weights");
    format!(
        "let __row = |__i: usize| {{
             let mut __weights = [__zero; {equations}];
             if let __rt::core::option::Option::Some(__weight) = __weights.get_mut(__i) {{
                 *__weight = __one;
             }}
             let y = {weights};
             {code}
         }};"
    )
}

/// ```text
/// let (a, l) = (&motion.acceleration, &motion.multipliers);
/// let mut __result = (Derivatives { q: [[__zero; 2]; 2], .. }, Derivatives { .. });
/// let (__forces, __rates) = &mut __result;
/// let (__fq, __fv) = (&mut __forces.q.data.0, &mut __forces.v.data.0);
/// let __inverse = self.inverse_dynamics_derivatives(q, v, a);
/// let (__dq, __dv) = (&__inverse.0.data.0, &__inverse.1.data.0);
/// for __j in 0..2 { for __i in 0..2 { __fq[__j][__i] = -__dq[__j][__i]; .. } }
/// __fq[0][1] += __t3;
/// __result
/// ```
///
/// The result is written at the place where it is returned. Otherwise the compiler would copy the matrices into the
/// structs, and the structs to their places.
pub(super) fn equations(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let (n, k) = (layout.velocities, layout.inputs);
    if !context.dynamics.writes_force_derivatives() {
        return equations_by_rows(context);
    }
    let program = context.dynamics.program(&REST);
    let results: Vec<&[Operand]> = (0..REST.len()).map(|at| program.results(at)).collect();
    let mut body = Body::new(&program.schedule, &results, &context.parameters);
    for (part, (place, columns)) in PLACES.into_iter().zip([n, n, k, n, n]).enumerate() {
        let entries = by_columns(program.results(part), columns, (0, 0));
        body.increase(Place::Argument(place), &entries);
    }
    let rest = body.finish();
    of_program(
        in_place(layout, "", &rest),
        &program,
        " beyond those of `inverse_dynamics_derivatives`",
    )
}

/// The places of the derivatives of forces and constraints, in the order of [`REST`].
const PLACES: [&str; 5] = ["__fq", "__fv", "__fu", "__gq", "__gv"];

/// Both structs with the derivatives of the inverse dynamics, followed by code that adds the rest. Statements that
/// the rest reads come first.
fn in_place(layout: &Layout, before: &str, rest: &str) -> String {
    let (n, c, k) = (layout.velocities, layout.constraints, layout.inputs);
    let of = layout.arguments(&[Argument::Q, Argument::V, Argument::A]);
    let inverse = call_by_name("inverse_dynamics_derivatives", &of);
    let [forces, rates] = [n, c].map(|rows| {
        let [by_state, by_input] = [n, k].map(|columns| matrix(zeros_of(rows, columns)));
        format!("__rt::Derivatives {{ q: {by_state}, v: {by_state}, u: {by_input} }}")
    });
    let places = PLACES.join(", ");
    format!(
        "let (a, l) = (&motion.acceleration, &motion.multipliers);
         let __zero = __rt::math::constant::<S>(0.0);
         let mut __result = ({forces}, {rates});
         let (__forces, __rates) = (&mut __result.0, &mut __result.1);
         let ({places}) = (
             &mut __forces.q.data.0, &mut __forces.v.data.0, &mut __forces.u.data.0,
             &mut __rates.q.data.0, &mut __rates.v.data.0,
         );
         let __inverse = {inverse};
         let (__dq, __dv) = (&__inverse.0.data.0, &__inverse.1.data.0);
         for __j in 0..{n} {{
             for __i in 0..{n} {{
                 __fq[__j][__i] = -__dq[__j][__i];
                 __fv[__j][__i] = -__dv[__j][__i];
             }}
         }}
         {before}
         {rest}
         __result"
    )
}

/// The same for a large system, row by row.
fn equations_by_rows(context: &Context) -> Definition {
    let layout = &context.skeleton.layout;
    let (n, c, k) = (layout.velocities, layout.constraints, layout.inputs);
    let program = context.dynamics.program(&[
        Quantity::WeightedForcesByPosition,
        Quantity::WeightedForcesByVelocity,
        Quantity::WeightedForcesByInput,
    ]);
    let row = row(context, &program, n + c);
    let (all, forces, inputs) = (n + c, n, k);
    let rates = only_if(c > 0, || {
        format!(
            "else {{
                 for __k in 0..{forces} {{
                     __gq[__k][__i - {forces}] = __by_q[__k];
                     __gv[__k][__i - {forces}] = __by_v[__k];
                 }}
             }}"
        )
    });
    let inputs = only_if(k > 0, || {
        format!(
            "for __k in 0..{inputs} {{
                 __fu[__k][__i] = __by_u[__k];
             }}"
        )
    });
    let by_u_name = if k > 0 {
        "__by_u".to_owned()
    } else {
        "_".to_owned()
    };
    let rest = format!(
        "{row}
         for __i in 0..{all} {{
             let (__by_q, __by_v, {by_u_name}) = __row(__i);
             if __i < {forces} {{
                 for __k in 0..{forces} {{
                     __fq[__k][__i] += __by_q[__k];
                     __fv[__k][__i] += __by_v[__k];
                 }}
                 {inputs}
             }} {rates}
         }}"
    );
    of_program(
        in_place(layout, "let __one = __rt::math::constant::<S>(1.0);", &rest),
        &program,
        " for each row, beyond those of `inverse_dynamics_derivatives`",
    )
}

/// The derivatives of the constraints at velocity level.
pub(super) fn constraint_velocity(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let (n, c, k) = (layout.velocities, layout.constraints, layout.inputs);
    let program = context.dynamics.program(&[
        Quantity::ConstraintVelocityByPosition,
        Quantity::ConstraintJacobian,
    ]);
    let places = [("__dq", 0, c, n), ("__dv", 1, c, n)];
    let body = written(context, &program, &places);
    let [by_position, by_velocity] = ["__dq", "__dv"].map(matrix);
    let none = matrix(zeros_of(c, k));
    let body = format!(
        "{body}
         __rt::Derivatives {{ q: {by_position}, v: {by_velocity}, u: {none} }}"
    );
    of_program(body, &program, "")
}

/// Uses the unrolled linearization. If there is none, or it cannot be trusted, uses a pivoted solve for each
/// column.
pub(super) fn acceleration(context: &Context, solver: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let Some(linearized) = &solver.sensitivities.linearized else {
        let (solved, result) = (pivoted_solve::solved(layout), ok("__derivatives.0"));
        return solver.definition(format!("{solved} {result}"), layout);
    };
    let attempt = sensitivities::derivatives(layout);
    let careful = pivoted_solve::call_differentiated(layout);
    let result = ok("__forces");
    unrolled(
        format!("{attempt} let (__forces, _) = {careful}?; {result}"),
        linearized,
    )
}

/// A body that uses the unrolled linearization.
pub(super) fn unrolled(body: String, linearized: &Linearized) -> Definition {
    Definition {
        body: body.into(),
        details: Details {
            operations: linearized.operations,
            beyond: linearized.beyond.into(),
            ..Details::default()
        },
    }
}

pub(super) fn multipliers(context: &Context, solver: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let Some(linearized) = &solver.sensitivities.linearized else {
        let (solved, result) = (pivoted_solve::solved(layout), ok("__derivatives.1"));
        return solver.definition(format!("{solved} {result}"), layout);
    };
    let attempt = sensitivities::derivatives_of_multipliers(layout);
    let careful = pivoted_solve::call_differentiated(layout);
    let result = ok("__rates");
    unrolled(
        format!("{attempt} let (_, __rates) = {careful}?; {result}"),
        linearized,
    )
}

/// The derivatives of `y . (M a + h)`, and those of the other weighted equations.
const WEIGHTED: [Quantity; 5] = [
    Quantity::WeightedForcesByPosition,
    Quantity::WeightedForcesByVelocity,
    Quantity::WeightedForcesByInput,
    Quantity::WeightedInverseDynamicsByPosition,
    Quantity::WeightedInverseDynamicsByVelocity,
];

/// ```text
/// let motion = self.solve(q, v, u)?;
/// let __adjoint = || { .. adjoint(__m, __j, &w.data.0[0]) };
/// let (__weights, __others) = __adjoint()?;
/// let __evaluate = || {
///     let y = SVector [__weights[0], __weights[1]];
///     Gradient { q: [..] - [..], v: [..] - [..], u: [..] }
/// };
/// Ok(__evaluate())
/// ```
pub(super) fn vjp(context: &Context, solver: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let (n, c) = (layout.velocities, layout.constraints);
    if let Some((attempt, operations)) = &solver.sensitivities.adjoint {
        return vjp_after(attempt, *operations, layout);
    }
    let program = context.dynamics.program(&WEIGHTED);
    let results: Vec<&[Operand]> = (0..WEIGHTED.len()).map(|at| program.results(at)).collect();
    let mut body = Body::new(&program.schedule, &results, &context.parameters);
    body.push("__rt::Gradient { ");
    for (name, forces, inverse) in [("q", 0, Some(3)), ("v", 1, Some(4)), ("u", 2, None)] {
        body.push(&format!("{name}: "));
        body.value(
            Shape::Vector(program.results(forces).len()),
            program.results(forces),
        );
        if let Some(inverse) = inverse {
            body.push(" - ");
            body.value(Shape::Vector(n), program.results(inverse));
        }
        body.push(", ");
    }
    body.push("}");
    let gradient = body.finish();
    let solve = call("solve", layout);
    let matrices = matrices(layout);
    let moved = redundant::moved(layout);
    let adjoint = if layout.reacts() {
        "adjoint_reacting(__m, __jb, __j"
    } else if layout.has_redundant_rows() {
        "adjoint_redundant(__m, __j"
    } else {
        "adjoint(__m, __j"
    };
    let weights = elements("__weights", 0..n);
    let others = elements("__others", 0..c);
    let weights = vector(format!("{weights} {others}"));
    let finite = weights_are_finite(layout);
    let blamed = blamed();
    let result = ok("__gradient");
    // Each step is a closure, so that its frame is released before the next step.
    let body = format!(
        "{finite}
         {moved}
         let motion = {solve}?;
         let __adjoint = || {{
             {matrices}
             __rt::linalg::{adjoint}, &w.data.0[0])
         }};
         let (__weights, __others) = __adjoint() {blamed}?;
         let __evaluate = || {{
             let (a, l) = (&motion.acceleration, &motion.multipliers);
             let y = {weights};
             {gradient}
         }};
         let __gradient = __evaluate();
         {result}"
    );
    let definition = solver.definition(body, layout);
    Definition {
        details: Details {
            operations: definition.details.operations + program.operations(),
            beyond: ", and a factorization for the weights".into(),
            ..definition.details
        },
        ..definition
    }
}

/// The test of the weights, after those of the state.
fn weights_are_finite(layout: &Layout) -> String {
    let all = [arguments(layout), vec![Argument::W]].concat();
    finite_behind(&[Argument::W], &all)
}

/// From the derivatives of a, if the unrolled attempt does not return.
fn vjp_after(attempt: &str, operations: Operations, layout: &Layout) -> Definition {
    let finite = weights_are_finite(layout);
    let blamed = blamed();
    let derivatives = call("acceleration_derivatives", layout);
    let body = format!(
        "{finite}
         {attempt}
         let __d = {derivatives}?;
         __rt::linalg::weighted(&__d, &w.data.0[0]) {blamed}"
    );
    Definition {
        body: body.into(),
        details: Details {
            operations,
            beyond: ", factorization included".into(),
            ..Details::default()
        },
    }
}

/// Arrays of columns with the entries of parts of a program that are not zero by structure. For each array: its
/// name, the part, and its numbers of rows and columns.
pub(super) fn written(
    context: &Context,
    program: &Program,
    places: &[(&str, usize, usize, usize)],
) -> String {
    let results: Vec<&[Operand]> = places
        .iter()
        .map(|place| program.results(place.1))
        .collect();
    let mut body = Body::new(&program.schedule, &results, &context.parameters);
    for (name, part, _, columns) in places {
        let entries = by_columns(program.results(*part), *columns, (0, 0));
        body.assign(Place::Local(name), &entries);
    }
    let code = body.finish();
    let zeros = places
        .iter()
        .map(|(name, _, rows, columns)| zeros(name, *rows, *columns));
    let zeros: String = zeros.collect();
    format!(
        "let __zero = __rt::math::constant::<S>(0.0);
         {zeros}
         {code}"
    )
}

/// `let mut __fq = [[__zero; 2]; 3];`
fn zeros(name: &str, rows: usize, columns: usize) -> String {
    format!("let mut {name} = {};", zeros_of(rows, columns))
}

pub(super) fn of_program(body: String, program: &Program, beyond: &'static str) -> Definition {
    Definition {
        body: body.into(),
        details: Details {
            operations: program.operations(),
            beyond: beyond.into(),
            ..Details::default()
        },
    }
}

//! Derivatives of the equations of motion, and of their solution by the implicit function theorem.

use lagrange_engine::{Operand, Operations, Quantity, Shape};

use super::assembly::{arguments, blamed, call, elements, finite_behind, ok, vector};
use super::body::Body;
use super::context::Context;
use super::function::{Definition, Details};
use super::reacting::matrices;
use super::sensitivities::{self, Linearized};
use super::solve::Solver;
use super::{pivoted_solve, redundant};
use crate::methods::{Argument, Layout};

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

//! Derivatives of the equations of motion, and of their solution by the implicit function theorem.

use super::assembly::{arguments, blamed, call, finite_behind, ok};
use super::context::Context;
use super::function::{Definition, Details};
use super::pivoted_solve;
use super::sensitivities::{self, Linearized};
use super::solve::Solver;
use crate::methods::Argument;

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

/// From the derivatives of a, if the unrolled attempt does not return.
pub(super) fn vjp(context: &Context, solver: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let Some((attempt, operations)) = &solver.sensitivities.adjoint else {
        return Definition::default();
    };
    // The test of the weights, after those of the state.
    let all = [arguments(layout), vec![Argument::W]].concat();
    let finite = finite_behind(&[Argument::W], &all);
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
            operations: *operations,
            beyond: ", factorization included".into(),
            ..Details::default()
        },
    }
}

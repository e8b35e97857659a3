//! The terms of the variational midpoint rule, which `midpoint_step` of the runtime calls.

use lagrange_engine::{Operand, Program, Quantity, Shape};

use super::assembly::{elements, vector};
use super::body::Body;
use super::context::Context;
use super::derivatives::of_program;
use super::function::Definition;
use super::solve::Solver;

/// ```text
/// MidpointTerms { momenta: [..], forces: [..], momenta_bounds: [..], forces_bounds: [..] }
/// ```
pub(super) fn terms(context: &Context, _: &Solver) -> Definition {
    let quantities = [Quantity::Momenta, Quantity::MomentumForces];
    let program = context.dynamics.program(&quantities);
    let [momenta, forces] = [0, 1].map(|part| program.results(part));
    let body = bounded(context, &program, &[], |body, bounds| {
        let (of_momenta, of_forces) = bounds.split_at(momenta.len());
        body.push("__rt::MidpointTerms { ");
        for (name, entries) in [
            ("momenta", momenta),
            ("forces", forces),
            ("momenta_bounds", of_momenta),
            ("forces_bounds", of_forces),
        ] {
            body.push(&format!("{name}: "));
            body.value(Shape::Vector(entries.len()), entries);
            body.push(", ");
        }
        body.push("}");
    });
    of_program(body, &program, " and those of the bounds")
}

/// The bounds of the residuals, with zeros for nonholonomic constraints, and of the rates.
pub(super) fn constraint_bounds(context: &Context, _: &Solver) -> Definition {
    let quantities = [Quantity::ConstraintResidual, Quantity::ConstraintVelocity];
    let program = context.dynamics.program(&quantities);
    let constraints = context.skeleton.layout.constraints;
    let zero = Operand::Constant(0.0);
    let body = bounded(context, &program, &[zero], |body, bounds| {
        let (of_residuals, of_rates) = bounds.split_at(program.results(0).len());
        let mut padded = of_residuals.to_vec();
        padded.resize(constraints, zero);
        body.push("(");
        for entries in [&padded, of_rates] {
            body.value(Shape::Vector(constraints), entries);
            body.push(", ");
        }
        body.push(")");
    });
    of_program(body, &program, " and those of the bounds")
}

/// The code of a program and of the error bounds of all its results, followed by the value that `write` makes of the
/// bounds and of the constants `others`.
fn bounded(
    context: &Context,
    program: &Program,
    others: &[Operand],
    write: impl FnOnce(&mut Body, &[Operand]),
) -> String {
    let schedule = &program.schedule;
    let bounds = schedule.error_bounds(&schedule.roots);
    let results = [&schedule.roots[..], &bounds.roots, others];
    let following = &bounds.instructions;
    let mut body = Body::followed(schedule, following, &results, &context.parameters);
    body.follow(schedule, following);
    write(&mut body, &bounds.roots);
    body.finish()
}

/// ```text
/// let y = [w[0], z[0]];
/// Gradient { q: [..], v: [..], u: [..] }
/// ```
pub(super) fn vjp(context: &Context, _: &Solver) -> Definition {
    let n = context.skeleton.layout.velocities;
    let program = context.dynamics.program(&[
        Quantity::WeightedMomentaByPosition,
        Quantity::WeightedMomentaByVelocity,
        Quantity::WeightedMomentaByInput,
    ]);
    let results = [&program.schedule.roots[..]];
    let mut body = Body::new(&program.schedule, &results, &context.parameters);
    body.push("__rt::Gradient { ");
    for (part, name) in ["q", "v", "u"].iter().enumerate() {
        let entries = program.results(part);
        body.push(&format!("{name}: "));
        body.value(Shape::Vector(entries.len()), entries);
        body.push(", ");
    }
    body.push("}");
    let weights = [("w.data.0[0]", 0..n), ("z.data.0[0]", 0..n)];
    let weights = weights.map(|(array, range)| elements(array, range));
    let weights = vector(weights.concat());
    let gradient = body.finish();
    of_program(format!("let y = &{weights}; {gradient}"), &program, "")
}

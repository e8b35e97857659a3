//! The terms of the variational midpoint rule, and bounds of rounding errors.

use super::builder::Builder;
use super::jacobians::bounded;
use super::system::Routines;
use crate::Quantity;
use crate::codegen::Routine;
use crate::codegen::routine::Input;

/// p and F = dL/dq + Q with their error bounds.
pub(super) fn terms(routines: &Routines) -> Routine {
    let n = routines.sizes().velocities;
    let mut builder = Builder::new(routines, "midpoint_terms", &["q", "v", "u"]);
    let [momenta, forces, of_momenta, of_forces] =
        ["momenta", "forces", "momenta_bounds", "forces_bounds"]
            .map(|name| builder.vector(name, n));
    let quantities = [Quantity::Momenta, Quantity::MomentumForces];
    bounded(
        &mut builder,
        &quantities,
        &[momenta, forces],
        &[of_momenta, of_forces],
        0,
    );
    builder.finish()
}

/// The derivatives of w . p + z . F.
pub(super) fn vjp(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (n, k) = (sizes.velocities, sizes.inputs);
    // Systems with first-order states lack this method: z is the name of a weight.
    let mut arguments = routines.existing(&["q", "v", "u"]);
    arguments.extend(["w", "z"]);
    let mut builder = Builder::timeless(routines, "midpoint_vjp", &arguments);
    let results =
        [("by_q", n), ("by_v", n), ("by_u", k)].map(|(name, length)| builder.vector(name, length));
    let weights = builder.local(1, 2 * n);
    for (first, name) in [(0, "w"), (n, "z")] {
        builder.copy(builder.argument(name), weights.part(first, n));
    }
    let all: Vec<_> = [
        Quantity::WeightedMomentaByPosition,
        Quantity::WeightedMomentaByVelocity,
        Quantity::WeightedMomentaByHeld,
    ]
    .into_iter()
    .zip(results)
    .collect();
    builder.quantities(&all, &[(Input::Weights, weights)]);
    builder.finish()
}

/// The error bounds of the residuals, with zeros for nonholonomic constraints, and of the rates.
pub(super) fn constraint_bounds(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (c, h) = (sizes.constraints, sizes.holonomic);
    let mut builder = Builder::new(routines, "constraint_bounds", &["q", "v"]);
    let results = ["of_residual", "of_velocity"].map(|name| builder.vector(name, c));
    let places = [h, c].map(|length| builder.local(1, length));
    builder.fill(results[0].part(h, c - h), 0.0);
    let quantities = [Quantity::ConstraintResidual, Quantity::ConstraintVelocity];
    let bounds = [results[0].part(0, h), results[1]];
    bounded(&mut builder, &quantities, &places, &bounds, 0);
    builder.finish()
}

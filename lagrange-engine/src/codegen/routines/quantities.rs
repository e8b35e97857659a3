//! Methods that only compute quantities.

use super::builder::{Builder, STATE};
use super::system::{BundlePart, Routines};
use crate::Quantity;
use crate::codegen::Routine;

type Row = (&'static str, &'static [&'static str], Quantity);

const Q: &[&str] = &["q"];
const QV: &[&str] = &["q", "v"];
const QZ: &[&str] = &["q", "z"];
const QVZ: &[&str] = &["q", "v", "z"];
const QVZA: &[&str] = &["q", "v", "z", "a"];

/// The name, the arguments and the quantity of each. M of a system that is given by L takes v, too.
const METHODS: [Row; 24] = [
    ("multiplier_forces", &STATE, Quantity::MultiplierForces),
    ("coordinate_rates", QV, Quantity::CoordinateRates),
    ("mass_matrix", Q, Quantity::MassMatrix),
    ("forcing", &STATE, Quantity::Forcing),
    ("momenta", QV, Quantity::Momenta),
    ("bias", QVZ, Quantity::Bias),
    ("generalized_forces", &STATE, Quantity::GeneralizedForces),
    ("kinetic_energy", QV, Quantity::KineticEnergy),
    ("potential_energy", QZ, Quantity::PotentialEnergy),
    ("coriolis_matrix", QV, Quantity::CoriolisMatrix),
    ("potential_gradient", QZ, Quantity::PotentialGradient),
    ("lagrangian", QVZ, Quantity::Lagrangian),
    ("energy", QVZ, Quantity::Energy),
    ("jacobi_integral", QVZ, Quantity::JacobiIntegral),
    ("inverse_dynamics", QVZA, Quantity::InverseDynamics),
    ("state_rates", &STATE, Quantity::StateRates),
    ("constraint_residual", Q, Quantity::ConstraintResidual),
    ("constraint_velocity", QV, Quantity::ConstraintVelocity),
    ("constraint_jacobian", Q, Quantity::ConstraintJacobian),
    ("constraint_gamma", QV, Quantity::ConstraintGamma),
    ("gaps", Q, Quantity::ContactGaps),
    ("gap_rates", QV, Quantity::ContactGapRates),
    ("contact_jacobian", Q, Quantity::ContactJacobian),
    ("contact_gamma", QV, Quantity::ContactGamma),
];

pub(super) fn method(routines: &Routines, name: &str) -> Option<Routine> {
    let (_, arguments, quantity) = METHODS.iter().find(|row| row.0 == name)?;
    let mut arguments = arguments.to_vec();
    if *quantity == Quantity::MassMatrix && !routines.dynamics.is_natural() {
        arguments.push("v");
    }
    let field = (quantity.symbol().to_owned(), *quantity);
    Some(computation(routines, name, &arguments, &[field]))
}

pub(super) fn computation(
    routines: &Routines,
    name: &str,
    arguments: &[&str],
    fields: &[(String, Quantity)],
) -> Routine {
    let mut builder = Builder::new(routines, name, arguments);
    let results = fields.iter().map(|(name, quantity)| {
        let shape = routines.dynamics.shape(*quantity);
        (
            *quantity,
            builder.result(&result_name(name, arguments), shape),
        )
    });
    let results: Vec<_> = results.collect();
    builder.quantities(&results, &[]);
    builder.finish()
}

pub(super) fn bundle(
    routines: &Routines,
    name: &str,
    arguments: &[&str],
    parts: &[BundlePart],
) -> Routine {
    let mut builder = Builder::new(routines, name, arguments);
    let (mut quantities, mut calls) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            BundlePart::Quantities(fields) => {
                for (name, quantity) in fields {
                    let shape = routines.dynamics.shape(*quantity);
                    let result = builder.result(&result_name(name, arguments), shape);
                    quantities.push((*quantity, result));
                }
            }
            BundlePart::Call(method) => {
                let Some(called) = routines.method(method) else {
                    continue;
                };
                let results = called.results.iter().map(|result| {
                    let name = match called.results.len() {
                        1 => method.clone(),
                        _ => format!("{method}_{}", result.name),
                    };
                    builder.result(&name, result.shape)
                });
                let results: Vec<_> = results.collect();
                calls.push((called, results));
            }
        }
    }
    let mut computed = quantities.iter().map(|(quantity, _)| *quantity);
    let gives_derivatives = computed.clone().any(Quantity::is_of_derivatives);
    let gives_values = !calls.is_empty()
        || computed.any(|it| !it.is_of_derivatives() && !matches!(it, Quantity::OutputJacobian(_)));
    if !quantities.is_empty() {
        builder.quantities(&quantities, &[]);
    }
    for (called, results) in calls {
        let arguments_of_call = called
            .arguments
            .iter()
            .map(|argument| builder.argument(&argument.name))
            .collect();
        builder.call(&called.name, arguments_of_call, &results);
    }
    builder
        .of_derivatives(gives_derivatives && !gives_values)
        .finish()
}

/// A name that no argument has, of letters, digits and underscores.
fn result_name(symbol: &str, arguments: &[&str]) -> String {
    let mut name: String = symbol
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    while arguments.contains(&name.as_str()) || name.is_empty() {
        name.push('_');
    }
    name
}

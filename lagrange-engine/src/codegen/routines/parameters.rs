//! Derivatives of the accelerations by parameters.

use super::builder::{Builder, STATE, set, without_roots};
use super::derivatives::{columns_by_matrices, require_clear};
use super::motion::{call_solve, equations};
use super::system::Routines;
use crate::Quantity;
use crate::codegen::Routine;
use crate::codegen::routine::{Equations, Input, View};

/// da/dtheta for the parameters of this list. By the implicit function theorem the derivatives of the equations at their
/// solution are the right-hand sides. Columns of parameters without an effect are zeros, without rounding errors.
pub(super) fn sensitivity(routines: &Routines, name: &str) -> Option<Routine> {
    let parameters = routines.dynamics.sensitivity(name)?;
    let idle = routines.dynamics.idle_parameters();
    let acting: Vec<usize> = (0..parameters.len())
        .filter(|at| !idle.contains(&parameters[*at]))
        .collect();
    let (n, c) = (routines.sizes().velocities, routines.sizes().constraints);
    let mut builder = Builder::new(routines, name, &STATE).fallible();
    let result = builder.matrix("derivatives", n, parameters.len());
    require_clear(&mut builder, &STATE);
    let (a, lambda) = (builder.local(1, n), builder.local(1, c));
    call_solve(&mut builder, [a, lambda]);
    if acting.len() < parameters.len() {
        builder.fill(result, 0.0);
    }
    if acting.is_empty() {
        return Some(builder.finish());
    }
    let [forces, rates] = [n, c].map(|rows| builder.local(rows, acting.len()));
    right_hand_sides(
        &mut builder,
        [a, lambda],
        &acting_of(parameters, &acting),
        [forces, rates],
    );
    let (equations, matrices) = equations(&mut builder, true);
    let function = match equations {
        Equations::Reacting => "by_parameters_reacting",
        Equations::Redundant => "by_parameters_redundant",
        _ => "by_parameters",
    };
    let solved = builder.local(n, acting.len());
    let arguments = [&matrices[..], &[forces, rates]].concat();
    builder.library(function, &arguments, &[solved], |builder| {
        columns_by_matrices(
            builder,
            true,
            (equations, matrices),
            (&[forces], &[rates]),
            false,
        );
        builder.copy(forces, solved);
    });
    for (from, to, count) in runs(&acting) {
        let columns = |view: View, first: usize| view.block((0, first), n, count);
        builder.copy(columns(solved, from), columns(result, to));
    }
    Some(builder.finish())
}

/// The derivatives of a and lambda by these parameters, in columns.
pub(super) fn solved(builder: &mut Builder, parameters: &[u32]) -> [View; 2] {
    let sizes = builder.routines.sizes();
    let sizes = [sizes.velocities, sizes.constraints];
    let motion = sizes.map(|length| builder.local(1, length));
    call_solve(builder, motion);
    let places = sizes.map(|rows| builder.local(rows, parameters.len()));
    right_hand_sides(builder, motion, parameters, places);
    let equations = equations(builder, true);
    let [forces, rates] = places;
    columns_by_matrices(builder, true, equations, (&[forces], &[rates]), false);
    places
}

fn acting_of(parameters: &[u32], acting: &[usize]) -> Vec<u32> {
    acting.iter().map(|at| parameters[*at]).collect()
}

/// The derivatives of f - M a + J^T lambda and of gamma - J a at fixed a and lambda.
fn right_hand_sides(
    builder: &mut Builder,
    [a, lambda]: [View; 2],
    parameters: &[u32],
    places: [View; 2],
) {
    let kinds: [fn(u32) -> Quantity; 2] = [
        Quantity::EquationsByParameter,
        Quantity::ConstraintsByParameter,
    ];
    let quantities: Vec<Quantity> = kinds
        .iter()
        .flat_map(|kind| parameters.iter().map(|number| kind(*number)))
        .collect();
    let program = builder.routines.dynamics.program(&quantities);
    let count = parameters.len();
    let writes = places.into_iter().enumerate().map(|(kind, place)| {
        let rows = 0..place.rows;
        let values = rows.flat_map(|row| {
            let columns = kind * count..(kind + 1) * count;
            columns.map(move |column| (row, column))
        });
        let values = values.map(|(row, column)| program.results(column)[row]);
        set(place, &values.collect::<Vec<_>>())
    });
    let writes = writes.collect();
    let reads = [(Input::Accelerations, a), (Input::Multipliers, lambda)];
    builder.compute(without_roots(&program.schedule), &reads, writes);
}

/// The runs of adjacent numbers: the position and the value of the first one, and the length.
fn runs(numbers: &[usize]) -> Vec<(usize, usize, usize)> {
    let mut runs: Vec<(usize, usize, usize)> = Vec::new();
    for (at, number) in numbers.iter().enumerate() {
        match runs.last_mut() {
            Some((_, first, count)) if *first + *count == *number => *count += 1,
            _ => runs.push((at, *number, 1)),
        }
    }
    runs
}

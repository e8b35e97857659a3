//! Jacobians for tests of their rank: rows that are zeros but for rounding are zeros.
//!
//! The size of a row has a unit, so it says nothing about rounding. Running error bounds do.

use super::builder::{Builder, set};
use super::system::{Routines, private};
use crate::Quantity;
use crate::codegen::Routine;
use crate::codegen::routine::{Kernel, View};

/// J of the constraints.
pub(super) fn of_constraints(routines: &Routines) -> Routine {
    let jacobian = ("J", Quantity::ConstraintJacobian);
    significant(routines, private::JACOBIAN, &[jacobian])
}

/// J and J_c of the contacts.
pub(super) fn of_contacts(routines: &Routines) -> Routine {
    let jacobian = ("J", Quantity::ConstraintJacobian);
    let of_contacts = ("J_c", Quantity::ContactJacobian);
    significant(routines, private::TOUCHING_ROWS, &[jacobian, of_contacts])
}

fn significant(routines: &Routines, name: &str, jacobians: &[(&str, Quantity)]) -> Routine {
    let n = routines.sizes().velocities;
    let mut builder = Builder::new(routines, name, &["q"]);
    let results = jacobians.iter().map(|(name, quantity)| {
        let rows = routines.dynamics.shape(*quantity).len() / n.max(1);
        builder.matrix(name, rows, n)
    });
    let results: Vec<View> = results.collect();
    let [values, bounds] = [(); 2].map(|()| -> Vec<View> {
        results
            .iter()
            .map(|result| builder.local(result.rows, n))
            .collect()
    });
    let quantities: Vec<Quantity> = jacobians.iter().map(|(_, quantity)| *quantity).collect();
    bounded(&mut builder, &quantities, &values, &bounds, 0);
    for ((values, bounds), result) in values.into_iter().zip(bounds).zip(results) {
        builder.kernel(Kernel::Significant, &[values, bounds], &[result]);
    }
    builder.finish()
}

/// Quantities, each written to a view, and the error bounds of as many entries as there are places for. Bounds of the first
/// `limited` entries end at a multiple of their sizes.
pub(super) fn bounded(
    builder: &mut Builder,
    quantities: &[Quantity],
    places: &[View],
    bounds: &[View],
    limited: usize,
) {
    let program = builder.routines.dynamics.program(quantities);
    let results = (0..places.len()).flat_map(|at| program.results(at).to_vec());
    let count = bounds.iter().map(|view| view.len()).sum();
    let results: Vec<_> = results.take(count).collect();
    let code = program.schedule.limited_error_bounds(&results, limited);
    let mut schedule = super::builder::without_roots(&program.schedule);
    schedule.instructions.extend(code.instructions);
    let mut writes: Vec<_> = places
        .iter()
        .enumerate()
        .map(|(at, to)| set(*to, program.results(at)))
        .collect();
    let mut remaining = &code.roots[..];
    for to in bounds {
        let (roots, later_roots) = remaining.split_at(to.len());
        writes.push(set(*to, roots));
        remaining = later_roots;
    }
    builder.compute(schedule, &[], writes);
}

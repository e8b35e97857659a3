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
    significant(routines, private::JACOBIAN, Quantity::ConstraintJacobian)
}

/// J_c of the contacts.
pub(super) fn of_contacts(routines: &Routines) -> Routine {
    significant(
        routines,
        private::CONTACT_JACOBIAN,
        Quantity::ContactJacobian,
    )
}

fn significant(routines: &Routines, name: &str, quantity: Quantity) -> Routine {
    let n = routines.sizes().velocities;
    let mut builder = Builder::new(routines, name, &["q"]);
    let rows = routines.dynamics.shape(quantity).len() / n.max(1);
    let result = builder.matrix("J", rows, n);
    let [values, bounds] = [(); 2].map(|()| builder.local(rows, n));
    bounded(&mut builder, &[quantity], &[values], &[bounds], 0);
    builder.kernel(Kernel::Significant, &[values, bounds], &[result]);
    builder.finish()
}

/// Quantities and their error bounds, each written to a view. Bounds of the first `limited` entries end at a multiple of
/// their sizes.
pub(super) fn bounded(
    builder: &mut Builder,
    quantities: &[Quantity],
    places: &[View],
    bounds: &[View],
    limited: usize,
) {
    let program = builder.routines.dynamics.program(quantities);
    let results = (0..places.len()).flat_map(|at| program.results(at).to_vec());
    let results: Vec<_> = results.collect();
    let code = program.schedule.limited_error_bounds(&results, limited);
    let mut schedule = super::builder::without_roots(&program.schedule);
    schedule.instructions.extend(code.instructions);
    let writes = places.iter().enumerate();
    let mut writes: Vec<_> = writes
        .map(|(at, to)| set(*to, program.results(at)))
        .collect();
    let mut rest = &code.roots[..];
    for to in bounds {
        let (own, others) = rest.split_at(to.len());
        writes.push(set(*to, own));
        rest = others;
    }
    builder.compute(schedule, &[], writes);
}

//! The motion of neighbours to first order: `linearize` and its forms in other axes and on independent displacements.

use super::builder::{Builder, STATE};
use super::derivatives::{
    Derivatives, apart, by_pivoting, columns, local_derivatives, require_clear,
};
use super::linearized::Columns;
use super::system::{Routines, private};
use crate::Quantity;
use crate::codegen::Routine;
use crate::codegen::routine::{Input, Kernel, Step, View};

/// d/dt [d; w; dz] = A [d; w; dz] + B du
pub(super) fn linearize(routines: &Routines, is_checked: bool) -> Routine {
    let sizes = routines.sizes();
    let (n, k) = (sizes.velocities, sizes.inputs);
    let size = 2 * n + sizes.states;
    let mut builder = match is_checked {
        true => Builder::new(routines, "linearize", &STATE).fallible(),
        false => Builder::new(routines, "linearize_unchecked", &STATE),
    };
    let [a, b] = [("A", size), ("B", k)].map(|(name, columns)| builder.matrix(name, size, columns));
    let is_unrolled = routines.sensitivities().is_some();
    if is_checked && sizes.states > 0 {
        // The rates come first, and the error names an argument before the result.
        let tested = builder.arguments(&STATE);
        builder.step(Step::RequireFinite(tested));
    }
    if is_checked && !is_unrolled {
        require_clear(&mut builder, &STATE);
    }
    let of_states = state_rates(&mut builder, is_checked);
    if is_unrolled && of_states.is_none() {
        // An error leaves the results as they were.
        let columns = Columns::called(&mut builder, is_checked);
        rates_of_displacements(&mut builder, columns.by_state);
        builder.copy(columns.by_state, a);
        builder.copy(columns.by_input, b);
        return builder.finish();
    }
    let [accelerations, _] = match is_unrolled {
        true => Columns::called(&mut builder, is_checked).derivatives(routines),
        false => by_pivoting(&mut builder, is_checked),
    };
    linearization(&mut builder, (a, b), &accelerations);
    if let Some(of_states) = of_states {
        place_rows(&mut builder, (a, b), 2 * n, &apart(routines, of_states));
    }
    builder.finish()
}

/// The derivatives of the rates of first-order states, finite if that is checked; `None` without such states.
fn state_rates(builder: &mut Builder, is_checked: bool) -> Option<Derivatives> {
    let states = builder.routines.sizes().states;
    if states == 0 {
        return None;
    }
    let rates = columns(builder.routines).map(|columns| builder.local(states, columns));
    if builder.routines.dynamics.writes_state_rate_derivatives() {
        let quantities = [
            (Quantity::StateRatesByPosition, rates[0]),
            (Quantity::StateRatesByVelocity, rates[1]),
            (Quantity::StateRatesByHeld, rates[2]),
        ];
        builder.quantities(&quantities, &[]);
    } else {
        let unit = builder.local(1, states);
        let row = |view: View| view.part(0, view.columns).advancing(view.columns);
        let quantities = [
            (Quantity::WeightedStateRatesByPosition, row(rates[0])),
            (Quantity::WeightedStateRatesByVelocity, row(rates[1])),
            (Quantity::WeightedStateRatesByHeld, row(rates[2])),
        ];
        let steps = builder.nested(|builder| {
            builder.quantities(&quantities, &[(Input::Weights, unit)]);
        });
        builder.step(Step::ForEachRow {
            rows: states,
            unit,
            steps,
        });
    }
    if is_checked {
        builder.step(Step::RequireFinite(rates.to_vec()));
    }
    Some(rates)
}

/// Puts derivatives into the rows of A and B from `first` on.
fn place_rows(builder: &mut Builder, (a, b): (View, View), first: usize, parts: &[View]) {
    let Some((by_u, by_state)) = parts.split_last() else {
        return;
    };
    for (at, part) in by_state.iter().enumerate() {
        let to = a.block((first, at * parts[0].columns), part.rows, part.columns);
        builder.copy(*part, to);
    }
    builder.copy(*by_u, b.block((first, 0), by_u.rows, by_u.columns));
}

/// A and B by the derivatives of a, with zeros for the rates of first-order states.
pub(super) fn linearization(builder: &mut Builder, (a, b): (View, View), of_a: &[View]) {
    builder.fill(a, 0.0);
    builder.fill(b, 0.0);
    place_rows(builder, (a, b), builder.routines.sizes().velocities, of_a);
    rates_of_displacements(builder, a);
}

/// Writes the rates of displacements into A, at entries that are zero.
fn rates_of_displacements(builder: &mut Builder, a: View) {
    let n = builder.routines.sizes().velocities;
    let identity = a.block((0, n), n, n);
    builder.step(Step::Identity { to: identity });
    // -(w x) of each rotation.
    let v = builder.argument("v");
    for rotation in builder.routines.dynamics.kinematics().rotations() {
        let first = rotation.velocity;
        for (row, column, of) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            let rate = v.part(first + of, 1);
            builder.copy(rate, a.block((first + row, first + column), 1, 1));
            builder.negate(rate, a.block((first + column, first + row), 1, 1));
        }
    }
}

/// The same in axes that do not turn.
pub(super) fn linearize_fixed_axes(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (size, k) = (2 * sizes.velocities + sizes.states, sizes.inputs);
    let mut builder = Builder::new(routines, "linearize_fixed_axes", &STATE).fallible();
    let results = [
        builder.matrix("A", size, size),
        builder.matrix("B", size, k),
    ];
    let [a, b] = [size, k].map(|columns| builder.local(size, columns));
    builder.call_with("linearize", &STATE, &[a, b]);
    let (q, v) = (builder.argument("q"), builder.argument("v"));
    for rotation in routines.dynamics.kinematics().rotations() {
        let quaternion = q.part(rotation.coordinate, 4);
        let arguments = [a, b, quaternion, v.part(rotation.velocity, 3)];
        builder.library("to_fixed_axes", &arguments, &[a, b], |builder| {
            turn_axes(builder, rotation.velocity, arguments);
        });
    }
    builder.step(Step::RequireFinite(vec![a, b]));
    builder.copy(a, results[0]);
    builder.copy(b, results[1]);
    builder.finish()
}

/// A and B with the displacement and the rates of one rotation, the first of which has this number, in the axes before it.
fn turn_axes(builder: &mut Builder, first: usize, [a, b, quaternion, w]: [View; 4]) {
    let n = builder.routines.sizes().velocities;
    let turn = builder.local(3, 3);
    builder.kernel(Kernel::RotationMatrix, &[quaternion], &[turn]);
    let back = builder.local(3, 3);
    builder.transpose(turn, back);
    for matrix in [a, b] {
        let block = matrix.block((n + first, 0), 3, matrix.columns);
        multiplied(builder, block, |rows, to| Step::Multiply {
            left: turn,
            right: rows,
            to,
        });
    }
    for column in [first, n + first] {
        let block = a.block((n, column), a.rows - n, 3);
        multiplied(builder, block, |columns, to| Step::Multiply {
            left: columns,
            right: back,
            to,
        });
    }
    let spin = builder.local(3, 1);
    let rates = View {
        rows: 3,
        columns: 1,
        stride: 1,
        ..w
    };
    builder.fill(spin, 0.0);
    builder.step(Step::Multiply {
        left: turn,
        right: rates,
        to: spin,
    });
    for i in 0..3 {
        let (next, last) = (n + first + (i + 1) % 3, n + first + (i + 2) % 3);
        let rate = spin.block((i, 0), 1, 1);
        builder.add(1.0, rate, a.block((last, next), 1, 1));
        builder.add(-1.0, rate, a.block((next, last), 1, 1));
    }
    builder.fill(a.block((first, first), 3, 3), 0.0);
}

/// A and B on the displacements and velocities that holonomic constraints leave free, and their basis Z: with
/// E = [Z 0; -J^+ G Z, Z] and the derivatives G of J v + dr/dt by q, diag(Z, Z)^T A E and diag(Z, Z)^T B. First-order
/// states are free.
pub(super) fn linearize_reduced(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (n, c, k) = (sizes.velocities, sizes.constraints, sizes.inputs);
    let (rank, of_constraints) = match routines.has_redundant_rows() {
        true => (routines.dynamics.rank_on_constraints(), private::JACOBIAN),
        false => (c, "constraint_jacobian"),
    };
    let r = n.saturating_sub(rank);
    let mut builder = Builder::new(routines, "linearize_reduced", &STATE).fallible();
    let [reduced, size] = [r, n].map(|free| 2 * free + sizes.states);
    let results = [
        builder.matrix("A", reduced, reduced),
        builder.matrix("B", reduced, k),
    ];
    let basis = builder.matrix("basis", n, r);
    let free = [size, k].map(|columns| builder.local(size, columns));
    builder.call_with("linearize", &STATE, &free);
    let jacobian = builder.local(c, n);
    builder.call_with(of_constraints, &["q"], &[jacobian]);
    let rates = local_derivatives(&mut builder, c);
    builder.call_with("constraint_velocity_derivatives", &["q", "v"], &rates);
    let (arguments, places) = (
        [free[0], free[1], jacobian, rates[0]],
        [results[0], results[1], basis],
    );
    builder.library("reduced", &arguments, &places, |builder| {
        reduce(builder, rank, arguments, places);
    });
    builder.finish()
}

/// A and B of `linearize`, J of this rank and G to the results of `linearize_reduced`.
fn reduce(
    builder: &mut Builder,
    rank: usize,
    [a, b, jacobian, rates]: [View; 4],
    [reduced_a, reduced_b, basis]: [View; 3],
) {
    let (n, r, c) = (basis.rows, basis.columns, jacobian.rows);
    let (directions, inverse) = (builder.local(n, r), builder.local(n, c));
    builder.kernel(Kernel::NullSpace(rank), &[jacobian], &[directions, inverse]);
    builder.copy(directions, basis);
    let changes = product(builder, rates, directions);
    let needed = product(builder, inverse, changes);
    let extended = builder.local(a.rows, reduced_a.rows);
    builder.fill(extended, 0.0);
    builder.copy(directions, extended.block((0, 0), n, r));
    builder.negate(needed, extended.block((n, 0), n, r));
    builder.copy(directions, extended.block((n, r), n, r));
    let states = a.rows - 2 * n;
    if states > 0 {
        let to = extended.block((2 * n, 2 * r), states, states);
        builder.step(Step::Identity { to });
    }
    let rows = builder.local(r, n);
    builder.transpose(directions, rows);
    let images = [product(builder, a, extended), b];
    for (image, result) in images.into_iter().zip([reduced_a, reduced_b]) {
        for half in [0, 1] {
            let columns = image.columns;
            let part = image.block((half * n, 0), n, columns);
            let part = product(builder, rows, part);
            builder.copy(part, result.block((half * r, 0), r, columns));
        }
        if states > 0 {
            let columns = image.columns;
            let part = image.block((2 * n, 0), states, columns);
            builder.copy(part, result.block((2 * r, 0), states, columns));
        }
    }
}

/// The product of two matrices in a local array.
fn product(builder: &mut Builder, left: View, right: View) -> View {
    let to = builder.local(left.rows, right.columns);
    if !to.is_empty() {
        builder.fill(to, 0.0);
        builder.step(Step::Multiply { left, right, to });
    }
    to
}

/// Replaces a block by its product with a matrix.
fn multiplied(builder: &mut Builder, block: View, product: impl Fn(View, View) -> Step) {
    if block.is_empty() {
        return;
    }
    let copy = builder.local(block.rows, block.columns);
    builder.copy(block, copy);
    builder.fill(block, 0.0);
    builder.step(product(copy, block));
}

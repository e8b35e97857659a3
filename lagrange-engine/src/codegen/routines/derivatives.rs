//! The derivatives of the equations of motion, and of their solution by the implicit function theorem.

use super::builder::{Builder, STATE, increase, set, without_roots};
use super::linearized::{Columns, of_weights};
use super::motion::{call_solve, equations, move_to_clear, solved, terms};
use super::system::{Routines, private};
use crate::codegen::Routine;
use crate::codegen::routine::{Equations, Input, Kernel, Step, View};
use crate::{Operand, Quantity};

/// Derivatives by q, by v, and by what is held: the columns of the first-order states, then those of the inputs.
pub(super) type Derivatives = [View; 3];

/// d(M a + h)/dq and d(M a + h)/dv
pub(super) fn inverse_dynamics(routines: &Routines) -> Routine {
    let n = routines.sizes().velocities;
    let name = "inverse_dynamics_derivatives";
    let mut builder = Builder::new(routines, name, &["q", "v", "z", "a"]);
    let [by_q, by_v] = ["by_q", "by_v"].map(|name| builder.matrix(name, n, n));
    if routines.dynamics.writes_inverse_dynamics_derivatives() {
        let quantities = [
            (Quantity::InverseDynamicsByPosition, by_q),
            (Quantity::InverseDynamicsByVelocity, by_v),
        ];
        builder.quantities(&quantities, &[]);
        return builder.finish();
    }
    // Row by row, each the derivative of one equation by a reverse sweep.
    let unit = builder.local(1, n);
    let steps = builder.nested(|builder| {
        let quantities = [
            (
                Quantity::WeightedInverseDynamicsByPosition,
                by_q.part(0, n).advancing(n),
            ),
            (
                Quantity::WeightedInverseDynamicsByVelocity,
                by_v.part(0, n).advancing(n),
            ),
        ];
        builder.quantities(&quantities, &[(Input::Weights, unit)]);
    });
    builder.step(Step::ForEachRow {
        rows: n,
        unit,
        steps,
    });
    builder.finish()
}

/// The derivatives of f - M a + J^T lambda and of gamma - J a, at fixed a and lambda.
pub(super) fn equation_derivatives(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (n, c) = (sizes.velocities, sizes.constraints);
    let name = "equation_derivatives";
    let mut builder = Builder::new(routines, name, &["q", "v", "z", "u", "a", "lambda"]);
    let forces = results(&mut builder, "forces_", n);
    let rates = results(&mut builder, "rates_", c);
    for place in rates.iter().chain(&forces[2..]) {
        builder.fill(*place, 0.0);
    }
    let inverse = [(); 2].map(|()| builder.local(n, n));
    let state = ["q", "v", "z", "a"];
    builder.call_with("inverse_dynamics_derivatives", &state, &inverse);
    builder.negate(inverse[0], forces[0]);
    builder.negate(inverse[1], forces[1]);
    if routines.dynamics.writes_force_derivatives() {
        let places = [
            (Quantity::ForcesByPosition, &forces[..1]),
            (Quantity::ForcesByVelocity, &forces[1..2]),
            (Quantity::ForcesByHeld, &forces[2..]),
            (Quantity::ConstraintsByPosition, &rates[..1]),
            (Quantity::ConstraintsByVelocity, &rates[1..2]),
        ];
        let quantities = places.map(|(quantity, _)| quantity);
        let program = routines.dynamics.program(&quantities);
        let writes = places.iter().enumerate();
        let writes = writes.flat_map(|(at, (_, to))| beside(program.results(at), to));
        let writes = writes.map(|(to, values)| increase(to, &values));
        let writes = writes.collect();
        builder.compute(without_roots(&program.schedule), &[], writes);
        return builder.finish();
    }
    let weights = builder.local(1, n + c);
    let row = columns(routines).map(|columns| builder.local(1, columns));
    let quantities = [
        (Quantity::WeightedForcesByPosition, row[0]),
        (Quantity::WeightedForcesByVelocity, row[1]),
        (Quantity::WeightedForcesByHeld, row[2]),
    ];
    // The weights of the forces come first, those of the constraints after them.
    for (first, count, places) in [(0, n, forces), (n, c, rates)] {
        if count == 0 {
            continue;
        }
        builder.fill(weights, 0.0);
        let steps = builder.nested(|builder| {
            builder.quantities(&quantities, &[(Input::Weights, weights)]);
            let row = apart(routines, row).into_iter();
            for (at, (row, place)) in row.zip(places).enumerate() {
                let to = place.part(0, row.columns).advancing(row.columns);
                if first == 0 && at < 2 {
                    builder.add(1.0, row, to);
                } else if first == 0 || at < 2 {
                    builder.copy(row, to);
                }
            }
        });
        builder.step(Step::ForEachRow {
            rows: count,
            unit: weights.part(first, count),
            steps,
        });
    }
    builder.finish()
}

/// Names and numbers of columns of derivatives by q, by v, by z if there are first-order states, and by u.
fn parts(routines: &Routines) -> Vec<(&'static str, usize)> {
    let [n, _, held] = columns(routines);
    let states = routines.sizes().states;
    let of_states = (states > 0).then_some(("by_z", states));
    let all = [("by_q", n), ("by_v", n)].into_iter().chain(of_states);
    all.chain([("by_u", held - states)]).collect()
}

/// Results for these derivatives of `rows` rows.
fn results(builder: &mut Builder, prefix: &str, rows: usize) -> Vec<View> {
    let parts = parts(builder.routines).into_iter();
    parts
        .map(|(by, columns)| builder.matrix(&format!("{prefix}{by}"), rows, columns))
        .collect()
}

/// Local arrays for the same.
fn local_derivatives(builder: &mut Builder, rows: usize) -> Vec<View> {
    let parts = parts(builder.routines).into_iter();
    parts
        .map(|(_, columns)| builder.local(rows, columns))
        .collect()
}

/// The numbers of columns of the derivatives by q, by v, and by what is held.
pub(super) fn columns(routines: &Routines) -> [usize; 3] {
    let sizes = routines.sizes();
    let n = sizes.velocities;
    [n, n, sizes.states + sizes.inputs]
}

/// The parts by q, by v, by z if there are first-order states, and by u.
pub(super) fn apart(routines: &Routines, [by_q, by_v, held]: Derivatives) -> Vec<View> {
    let states = routines.sizes().states;
    let part = |first: usize, columns: usize| held.block((0, first), held.rows, columns);
    let of_states = (states > 0).then(|| part(0, states));
    let of_inputs = part(states, held.columns - states);
    let all = [by_q, by_v].into_iter().chain(of_states);
    all.chain([of_inputs]).collect()
}

/// The entries of a matrix by the views beside each other that hold its columns.
fn beside(values: &[Operand], views: &[View]) -> Vec<(View, Vec<Operand>)> {
    let width: usize = views.iter().map(|view| view.columns).sum();
    let mut first = 0;
    let mut part = |view: &View| {
        let columns = first..first + view.columns;
        first = columns.end;
        let rows = values.chunks(width.max(1));
        let entries = rows.flat_map(|row| row[columns.clone()].to_vec());
        (*view, entries.collect())
    };
    views.iter().map(&mut part).collect()
}

/// The derivatives of a and lambda by pivoting. The rank of J is clear.
pub(super) fn differentiated(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let mut builder = Builder::new(routines, private::DIFFERENTIATED, &STATE).fallible();
    let results = [("a_", sizes.velocities), ("lambda_", sizes.constraints)];
    let results = results.map(|(name, rows)| self::results(&mut builder, name, rows));
    // These results are private: nothing reads them after an error.
    differentiate(&mut builder, true, results);
    builder.finish()
}

/// The same in local arrays.
pub(super) fn by_pivoting(builder: &mut Builder, is_checked: bool) -> [Vec<View>; 2] {
    let sizes = builder.routines.sizes();
    let locals = [sizes.velocities, sizes.constraints];
    let locals = locals.map(|rows| local_derivatives(builder, rows));
    if !is_checked {
        differentiate(builder, false, locals.clone());
        return locals;
    }
    builder.call_with(private::DIFFERENTIATED, &STATE, &locals.concat());
    locals
}

/// The derivatives of the equations at their solution by pivoting, and of that solution in their place.
fn differentiate(builder: &mut Builder, is_checked: bool, parts: [Vec<View>; 2]) {
    let sizes = builder.routines.sizes();
    let (n, c) = (sizes.velocities, sizes.constraints);
    let (a, lambda) = (builder.local(1, n), builder.local(1, c));
    let mut known = None;
    if is_checked {
        call_solve(builder, [a, lambda]);
    } else if c == 0 {
        builder.call_with("acceleration_unchecked", &STATE, &[a]);
    } else {
        let (equations, terms) = terms(builder, false);
        known = Some((equations, terms[..equations.count()].to_vec()));
        solved(
            builder,
            Kernel::SolveUnchecked,
            (equations, terms),
            [a, lambda],
        );
    }
    let mut arguments = builder.arguments(&STATE);
    arguments.extend([a, lambda]);
    builder.call("equation_derivatives", arguments, &parts.concat());
    let (equations, matrices) = known.unwrap_or_else(|| equations(builder, is_checked));
    let function = match (equations, is_checked) {
        (Equations::Reacting, true) => "differentiate_reacting",
        (Equations::Reacting, false) => "differentiate_reacting_unchecked",
        (Equations::Redundant, true) => "differentiate_redundant",
        (_, true) => "differentiate",
        (_, false) => "differentiate_unchecked",
    };
    let arguments = [&matrices[..], &parts.concat()].concat();
    builder.library(function, &arguments, &parts.concat(), |builder| {
        let [forces, rates] = parts.each_ref().map(|parts| &parts[..]);
        columns_by_matrices(
            builder,
            is_checked,
            (equations, matrices),
            (forces, rates),
            false,
        );
    });
}

/// Solves for the derivatives of a and lambda in the places of those of the equations: each of their columns is a
/// right-hand side, or of the first two, those by q and by v, with the other sign.
pub(super) fn columns_by_matrices(
    builder: &mut Builder,
    is_checked: bool,
    (equations, mut given): (Equations, Vec<View>),
    (forces, rates): (&[View], &[View]),
    is_negated: bool,
) {
    let sizes = builder.routines.sizes();
    let count = forces.iter().map(|part| part.columns).sum();
    let sides = [(sizes.velocities, forces), (sizes.constraints, rates)];
    let right = sides.map(|(rows, _)| builder.local(count, rows));
    let solved = sides.map(|(rows, _)| builder.local(count, rows));
    let mut copies = Vec::new();
    for (at, (_, parts)) in sides.into_iter().enumerate() {
        let mut first = 0;
        for (number, part) in parts.iter().enumerate() {
            let block = |rows: View| rows.block((first, 0), part.columns, part.rows);
            builder.step(Step::Copy {
                from: *part,
                to: block(right[at]),
                is_transposed: true,
                is_negated: is_negated && number < 2,
            });
            copies.push((block(solved[at]), *part));
            first += part.columns;
        }
    }
    let equations = equations.of_derivatives();
    let kernel = match is_checked {
        true => Kernel::Solve(equations),
        false => Kernel::SolveUnchecked(equations),
    };
    given.extend(right);
    builder.kernel(kernel, &given, &solved);
    for (from, to) in copies {
        builder.transpose(from, to);
    }
}

pub(super) fn accelerations(routines: &Routines) -> Routine {
    chosen(routines, "acceleration_derivatives", 0)
}

pub(super) fn multipliers(routines: &Routines) -> Routine {
    chosen(routines, "multiplier_derivatives", 1)
}

/// Moves the state to a clear rank of J; it must be finite.
pub(super) fn require_clear(builder: &mut Builder, state: &[&str]) {
    if builder.routines.has_redundant_rows() {
        let state = builder.arguments(state);
        builder.step(Step::RequireFinite(state));
        move_to_clear(builder);
    }
}

/// The derivatives of a, or those of lambda.
fn chosen(routines: &Routines, name: &str, which: usize) -> Routine {
    let sizes = routines.sizes();
    let rows = [sizes.velocities, sizes.constraints];
    let mut builder = Builder::new(routines, name, &STATE).fallible();
    let results = results(&mut builder, "", rows[which]);
    let found = match routines.sensitivities() {
        Some(_) => Columns::called(&mut builder, true).derivatives(routines),
        None => {
            require_clear(&mut builder, &STATE);
            by_pivoting(&mut builder, true)
        }
    };
    for (from, to) in found[which].iter().zip(results) {
        builder.copy(*from, to);
    }
    builder.finish()
}

/// The derivatives of the constraints at velocity level.
pub(super) fn constraint_velocity(routines: &Routines) -> Routine {
    let c = routines.sizes().constraints;
    let name = "constraint_velocity_derivatives";
    let mut builder = Builder::new(routines, name, &["q", "v"]);
    let results = results(&mut builder, "", c);
    let quantities = [
        (Quantity::ConstraintVelocityByPosition, results[0]),
        (Quantity::ConstraintJacobian, results[1]),
    ];
    builder.quantities(&quantities, &[]);
    for by_held in &results[2..] {
        builder.fill(*by_held, 0.0);
    }
    builder.finish()
}

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
        let found = Columns::called(&mut builder, is_checked);
        rates_of_displacements(&mut builder, found.by_state);
        builder.copy(found.by_state, a);
        builder.copy(found.by_input, b);
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
        let given = [a, b, quaternion, v.part(rotation.velocity, 3)];
        builder.library("to_fixed_axes", &given, &[a, b], |builder| {
            turn_axes(builder, rotation.velocity, given);
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
    let (given, found) = (
        [free[0], free[1], jacobian, rates[0]],
        [results[0], results[1], basis],
    );
    builder.library("reduced", &given, &found, |builder| {
        reduce(builder, rank, given, found);
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

/// The n + c weights y with M y1 + J^T y2 = w and K^T y1 = 0, for the argument w.
fn adjoint(builder: &mut Builder, weights: View) {
    let sizes = builder.routines.sizes();
    let (n, c) = (sizes.velocities, sizes.constraints);
    let (equations, matrices) = equations(builder, true);
    let solved = [weights.part(0, n), weights.part(n, c)];
    let zero = builder.local(1, c);
    builder.fill(zero, 0.0);
    let right = [builder.argument("w"), zero];
    if equations == Equations::Reacting {
        // The transposed matrices: K^T in place of J, and -J^T in place of K.
        let (rows, forces) = (builder.local(c, n), builder.local(n, c));
        builder.transpose(matrices[2], rows);
        builder.step(Step::Copy {
            from: matrices[1],
            to: forces,
            is_transposed: true,
            is_negated: true,
        });
        let given = [&[matrices[0], rows, forces][..], &right].concat();
        builder.kernel(Kernel::Solve(equations), &given, &solved);
    } else {
        // The equations of motion for y1 and -y2.
        let minus = builder.local(1, c);
        let given = [&matrices[..], &right].concat();
        let kernel = Kernel::Solve(equations.of_derivatives());
        builder.kernel(kernel, &given, &[solved[0], minus]);
        builder.negate(minus, solved[1]);
    }
}

/// w^T da by one adjoint solution and one reverse sweep.
pub(super) fn vjp(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (n, c) = (sizes.velocities, sizes.constraints);
    let mut builder = Builder::new(routines, "vjp", &["q", "v", "z", "u", "w"]).fallible();
    let results = parts(routines).into_iter();
    let results = results.map(|(name, length)| builder.vector(name, length));
    let results: Vec<View> = results.collect();
    // Without dependent rows the solution tests the state.
    let tested = match routines.has_redundant_rows() {
        true => builder.arguments(&["q", "v", "z", "u", "w"]),
        false => vec![builder.argument("w")],
    };
    builder.step(Step::RequireFinite(tested));
    let weights = builder.argument("w");
    let gradient = columns(routines).map(|length| builder.local(1, length));
    let copy = |builder: &mut Builder, from: &[View]| {
        for (from, to) in from.iter().zip(&results) {
            builder.copy(*from, *to);
        }
    };
    if let Some(is_accurate) = of_weights(&mut builder, weights, gradient) {
        builder.when(is_accurate, |builder| {
            copy(builder, &apart(routines, gradient));
            builder.step(Step::Return);
        });
        let matrices = local_derivatives(&mut builder, n);
        builder.call_with("acceleration_derivatives", &STATE, &matrices);
        let products = matrices.iter().map(|part| builder.local(1, part.columns));
        let products: Vec<View> = products.collect();
        let arguments = [&matrices[..], &[weights]].concat();
        builder.library("weighted", &arguments, &products, |builder| {
            for (right, to) in matrices
                .iter()
                .zip(&products)
                .filter(|(_, to)| !to.is_empty())
            {
                builder.fill(*to, 0.0);
                builder.step(Step::Multiply {
                    left: weights,
                    right: *right,
                    to: *to,
                });
            }
            builder.step(Step::RequireFinite(products.clone()));
        });
        copy(&mut builder, &products);
        return builder.finish();
    }
    move_to_clear(&mut builder);
    let (a, lambda) = (builder.local(1, n), builder.local(1, c));
    call_solve(&mut builder, [a, lambda]);
    let weights = builder.local(1, n + c);
    builder.apart(&[weights], |builder| adjoint(builder, weights));
    let forces = [
        Quantity::WeightedForcesByPosition,
        Quantity::WeightedForcesByVelocity,
        Quantity::WeightedForcesByHeld,
    ];
    let inverse = [
        Quantity::WeightedInverseDynamicsByPosition,
        Quantity::WeightedInverseDynamicsByVelocity,
    ];
    let program = routines.dynamics.program(&[&forces[..], &inverse].concat());
    let of_forces = gradient;
    let of_inverse = [n, n].map(|length| builder.local(1, length));
    let places = of_forces.iter().chain(&of_inverse).enumerate();
    let writes = places.map(|(at, place)| {
        let values: &[Operand] = program.results(at);
        set(*place, values)
    });
    let writes = writes.collect();
    let reads = [
        (Input::Accelerations, a),
        (Input::Multipliers, lambda),
        (Input::Weights, weights),
    ];
    builder.apart(&of_forces, |builder| {
        builder.compute(without_roots(&program.schedule), &reads, writes);
        for (inverse, force) in of_inverse.into_iter().zip(of_forces) {
            builder.add(-1.0, inverse, force);
        }
    });
    builder.step(Step::RequireFinite(of_forces.to_vec()));
    copy(&mut builder, &apart(routines, of_forces));
    builder.finish()
}

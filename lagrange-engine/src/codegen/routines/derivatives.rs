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
        let writes = places
            .iter()
            .enumerate()
            .flat_map(|(at, (_, to))| beside(program.results(at), to))
            .map(|(to, values)| increase(to, &values))
            .collect();
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
    [("by_q", n), ("by_v", n)]
        .into_iter()
        .chain(of_states)
        .chain([("by_u", held - states)])
        .collect()
}

/// Results for these derivatives of `rows` rows.
fn results(builder: &mut Builder, prefix: &str, rows: usize) -> Vec<View> {
    parts(builder.routines)
        .into_iter()
        .map(|(by, columns)| builder.matrix(&format!("{prefix}{by}"), rows, columns))
        .collect()
}

/// Local arrays for the same.
pub(super) fn local_derivatives(builder: &mut Builder, rows: usize) -> Vec<View> {
    parts(builder.routines)
        .into_iter()
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
    [by_q, by_v]
        .into_iter()
        .chain(of_states)
        .chain([of_inputs])
        .collect()
}

/// The entries of a matrix by the views beside each other that hold its columns.
fn beside(values: &[Operand], views: &[View]) -> Vec<(View, Vec<Operand>)> {
    let width: usize = views.iter().map(|view| view.columns).sum();
    let mut first = 0;
    let mut part = |view: &View| {
        let columns = first..first + view.columns;
        first = columns.end;
        let entries = values
            .chunks(width.max(1))
            .flat_map(|row| row[columns.clone()].to_vec());
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
    let locals = [sizes.velocities, sizes.constraints].map(|rows| local_derivatives(builder, rows));
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
    let derivatives = match routines.sensitivities() {
        Some(_) => Columns::called(&mut builder, true).derivatives(routines),
        None => {
            require_clear(&mut builder, &STATE);
            by_pivoting(&mut builder, true)
        }
    };
    for (from, to) in derivatives[which].iter().zip(results) {
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

/// The n + c weights y with M y1 + J^T y2 = w and K^T y1 = 0, for the argument w.
pub(super) fn adjoint(builder: &mut Builder, weights: View) {
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
        let terms = [&[matrices[0], rows, forces][..], &right].concat();
        builder.kernel(Kernel::Solve(equations), &terms, &solved);
    } else {
        // The equations of motion for y1 and -y2.
        let minus = builder.local(1, c);
        let terms = [&matrices[..], &right].concat();
        let kernel = Kernel::Solve(equations.of_derivatives());
        builder.kernel(kernel, &terms, &[solved[0], minus]);
        builder.negate(minus, solved[1]);
    }
}

/// w^T da by one adjoint solution and one reverse sweep.
pub(super) fn vjp(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (n, c) = (sizes.velocities, sizes.constraints);
    let mut builder = Builder::new(routines, "vjp", &["q", "v", "z", "u", "w"]).fallible();
    let results: Vec<View> = parts(routines)
        .into_iter()
        .map(|(name, length)| builder.vector(name, length))
        .collect();
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
        let products: Vec<View> = matrices
            .iter()
            .map(|part| builder.local(1, part.columns))
            .collect();
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
    let writes = of_forces
        .iter()
        .chain(&of_inverse)
        .enumerate()
        .map(|(at, place)| {
            let values: &[Operand] = program.results(at);
            set(*place, values)
        })
        .collect();
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

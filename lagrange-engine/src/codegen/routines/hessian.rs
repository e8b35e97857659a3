//! The second derivatives of a weighted sum of the accelerations: `forms/hessian.rs` says how they follow from those of the
//! equations.

use super::attempt::Attempt;
use super::builder::{Builder, STATE, without_roots};
use super::derivatives::{adjoint, by_pivoting};
use super::linearized::{Columns, tests_of_columns};
use super::motion::call_solve;
use super::system::Routines;
use crate::codegen::Routine;
use crate::codegen::routine::{Condition, Input, Step, View};
use crate::{Operand, Quantity};

/// The Hessian of `w . a` by the displacement of q, by v, by z and by u. `None` if rows of J may depend on each other: the
/// accelerations are not smooth where their rank drops.
pub(super) fn acceleration(routines: &Routines) -> Option<Routine> {
    if routines.has_redundant_rows() {
        return None;
    }
    let sizes = routines.sizes();
    let (n, c, size) = (sizes.velocities, sizes.constraints, sizes.variables());
    let name = "acceleration_hessian";
    let mut builder = Builder::new(routines, name, &["q", "v", "z", "u", "w"]).fallible();
    let result = builder.matrix("hessian", size, size);
    let w = builder.argument("w");
    builder.step(Step::RequireFinite(vec![w]));
    by_program(&mut builder, result);
    let (a, lambda) = (builder.local(1, n), builder.local(1, c));
    call_solve(&mut builder, [a, lambda]);
    let changes = builder.local(n + c, size);
    of_motion(&mut builder, changes);
    let is_written = routines.dynamics.writes_weighted_hessian();
    let weights = builder.local(1, n + c);
    builder.apart(&[weights], |builder| adjoint(builder, weights));
    let hessian = builder.local(size, size);
    // a and lambda have coefficients that depend on q alone, unless L is not quadratic or forces depend on multipliers.
    let rows = match routines.dynamics.is_natural() && !routines.reacts() {
        true => n,
        false => size,
    };
    let mixed = builder.local(size, n + c);
    let motion = [(Input::Accelerations, a), (Input::Multipliers, lambda)];
    if is_written {
        let quantities = [
            (Quantity::WeightedHessian, hessian),
            (Quantity::WeightedMixed, mixed),
        ];
        let reads = [&motion[..], &[(Input::Weights, weights)]].concat();
        builder.quantities(&quantities, &reads);
    } else {
        by_rows(&mut builder, (&motion, weights), [hessian, mixed]);
    }
    // First the part and its transpose, so that the sum is symmetric to the last bit.
    let products = builder.local(size, size);
    builder.fill(products, 0.0);
    builder.step(Step::Multiply {
        left: mixed.block((0, 0), rows, n + c),
        right: changes,
        to: products.block((0, 0), rows, size),
    });
    let symmetric = builder.local(size, size);
    builder.transpose(products, symmetric);
    builder.add(1.0, products, symmetric);
    builder.add(1.0, symmetric, hessian);
    builder.step(Step::RequireFinite(vec![hessian]));
    builder.copy(hessian, result);
    Some(builder.finish())
}

/// Writes the second derivatives of the equations row by row, each the change of the gradient along one variable.
fn by_rows(
    builder: &mut Builder,
    (motion, weights): (&[(Input, View)], View),
    [hessian, mixed]: [View; 2],
) {
    let (size, count) = (hessian.rows, weights.columns);
    // The weights of the equations, and a displacement.
    let reads = builder.local(1, count + size);
    let changes = builder.local(size, size);
    for view in [reads, changes, mixed] {
        builder.fill(view, 0.0);
    }
    builder.copy(weights, reads.part(0, count));
    let row = |view: View| view.part(0, view.columns).advancing(view.columns);
    let steps = builder.nested(|builder| {
        let quantities = [
            (Quantity::WeightedGradientChange, row(changes)),
            (Quantity::WeightedMixedChange, row(mixed)),
        ];
        let reads = [motion, &[(Input::Weights, reads)]].concat();
        builder.quantities(&quantities, &reads);
    });
    builder.step(Step::ForEachRow {
        rows: size,
        unit: reads.part(count, size),
        steps,
    });
    // Displacements of rotations do not commute: the Hessian is the mean of both orders.
    let transposed = builder.local(size, size);
    builder.transpose(changes, transposed);
    builder.fill(hessian, 0.0);
    builder.add(0.5, changes, hessian);
    builder.add(0.5, transposed, hessian);
}

/// All in one program, if it is not long: its solution and the derivatives are tested as those of `linearize`. Without
/// states of first order the program returns from the routine if it is accurate.
fn by_program(builder: &mut Builder, result: View) {
    let routines = builder.routines;
    let program = routines
        .sensitivities()
        .is_some()
        .then(|| routines.dynamics.hessian_program());
    let Some(program) = program.flatten() else {
        return;
    };
    let factors = &program.factorization;
    let hessian = builder.local(result.rows, result.columns);
    let mut writes: Vec<(View, &[Operand])> = vec![(hessian, &program.hessian)];
    // With constraints the program solves for columns.
    let mut tests = match &factors.columns {
        Some(columns) => tests_of_columns(builder, columns, &mut writes),
        None => Vec::new(),
    };
    tests.push(Condition::Finite(vec![hessian]));
    writes.retain(|(view, _)| !view.is_empty());
    let code = without_roots(&program.schedule);
    let reads = [(Input::Weights, builder.argument("w"))];
    let finite = builder.arguments(&STATE);
    let attempt = Attempt::by(builder, (code, &reads), factors, (&writes, &[]), &finite);
    let is_accurate = Condition::All([vec![attempt.accepted], tests].concat());
    builder.when(is_accurate, |builder| {
        builder.copy(hessian, result);
        builder.step(Step::Return);
    });
}

/// Writes the derivatives of a and lambda by the displacement of q, by v, by z and by u, a row for each.
fn of_motion(builder: &mut Builder, to: View) {
    let routines = builder.routines;
    let n = routines.sizes().velocities;
    let [of_a, of_lambda] = match routines.sensitivities() {
        Some(_) => Columns::called(builder, true).derivatives(routines),
        None => by_pivoting(builder, true),
    };
    builder.fill(to, 0.0);
    for (first, parts) in [(0, of_a), (n, of_lambda)] {
        let mut column = 0;
        for part in parts {
            if !part.is_empty() {
                builder.copy(part, to.block((first, column), part.rows, part.columns));
            }
            column += part.columns;
        }
    }
}

//! Derivatives of the acceleration in one program with the acceleration itself, if the program is not too long.
//! Common subexpressions are computed once, and M, or with constraints `[M J^T; J 0]`, is factored once.
//!
//! The solution is tested like that of `acceleration`, and so are the factors, which serve all columns. If the program
//! itself solves for columns, each column is tested by its residual in the constraints, as a is by `J a = gamma`.

use std::ops::Range;

use super::attempt::Attempt;
use super::builder::{Builder, STATE, without_roots};
use super::derivatives::{Derivatives, apart, by_pivoting, columns, columns_by_matrices};
use super::system::{Routines, private};
use crate::codegen::Routine;
use crate::codegen::acceptance;
use crate::codegen::routine::{Condition, Equations, Input, Step, View};
use crate::{
    Factorization, Instruction, Operand, Schedule, SensitivityProgram, SolvedColumns,
    lower_triangle, symmetric,
};

/// The places of A and B, and with constraints those of the derivatives of lambda by q and v, and by what is held: the
/// columns of first-order states in B come before those of the inputs, and A has neither their rows nor their columns.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    pub(super) by_state: View,
    pub(super) by_input: View,
    rates: [View; 2],
}

impl Columns {
    /// Results of a routine.
    fn results(builder: &mut Builder) -> Self {
        let sizes = builder.routines.sizes();
        let (states, c) = (2 * sizes.velocities, sizes.constraints);
        let [_, _, k] = columns(builder.routines);
        let [by_state, by_input] =
            [("A", states), ("B", k)].map(|(name, columns)| builder.matrix(name, states, columns));
        let rates = match c {
            0 => [builder.local(0, states), builder.local(0, k)],
            _ => [("rates_by_state", states), ("rates_by_input", k)]
                .map(|(name, columns)| builder.matrix(name, c, columns)),
        };
        Self {
            by_state,
            by_input,
            rates,
        }
    }

    /// The results of that routine, in local arrays.
    pub(super) fn called(builder: &mut Builder, is_checked: bool) -> Self {
        let sizes = builder.routines.sizes();
        let (states, c) = (2 * sizes.velocities, sizes.constraints);
        let [_, _, k] = columns(builder.routines);
        let columns = Self {
            by_state: builder.local(states, states),
            by_input: builder.local(states, k),
            rates: [states, k].map(|columns| builder.local(c, columns)),
        };
        let name = match is_checked {
            true => private::LINEARIZED,
            false => private::LINEARIZED_UNCHECKED,
        };
        builder.call_with(name, &STATE, &columns.all());
        columns
    }

    fn all(self) -> Vec<View> {
        let rates = self.rates.into_iter().filter(|view| view.rows > 0);
        [self.by_state, self.by_input]
            .into_iter()
            .chain(rates)
            .collect()
    }

    /// The derivatives of a and lambda by q, by v, by z if there are first-order states, and by u.
    pub(super) fn derivatives(self, routines: &Routines) -> [Vec<View>; 2] {
        self.parts().map(|parts| apart(routines, parts))
    }

    /// The derivatives of a by q, by v, and by what is held, and those of lambda.
    fn parts(self) -> [Derivatives; 2] {
        let n = self.by_state.rows / 2;
        let [by_state, by_input] = self.rates;
        let c = by_state.rows;
        [
            [
                self.by_state.block((n, 0), n, n),
                self.by_state.block((n, n), n, n),
                self.by_input.block((n, 0), n, self.by_input.columns),
            ],
            [
                by_state.block((0, 0), c, n),
                by_state.block((0, n), c, n),
                by_input,
            ],
        ]
    }
}

/// The derivatives of a and lambda, if the solution is unrolled: by its program if that is accepted, else by pivoting.
pub(super) fn linearized(routines: &Routines, is_checked: bool) -> Option<Routine> {
    let program = routines.sensitivities()?;
    let builder = |name| Builder::new(routines, name, &STATE);
    let mut builder = match is_checked {
        true => builder(private::LINEARIZED).fallible(),
        false => builder(private::LINEARIZED_UNCHECKED),
    };
    let columns = Columns::results(&mut builder);
    for view in columns.all() {
        builder.fill(view, 0.0);
    }
    let solved = columns.derivatives(routines);
    let (attempt, left) = by_program(&mut builder, program, columns);
    let pivots = attempt.pivots;
    let condition = match is_checked {
        true => attempt.accepted,
        false => attempt.regular,
    };
    builder.when(condition, |builder| match &left {
        Some(left) => substitute(builder, is_checked, columns, (pivots, left)),
        None => builder.step(Step::Return),
    });
    for (from, to) in by_pivoting(&mut builder, is_checked)
        .into_iter()
        .flatten()
        .zip(solved.into_iter().flatten())
    {
        builder.copy(from, to);
    }
    Some(builder.finish())
}

/// The factors for the columns that the program does not solve.
struct Left {
    /// M and J for languages that solve by pivoting. They are those of the program: at quaternions that are not of unit
    /// length other forms differ.
    matrices: [View; 2],
    /// The blocks of L.
    lower: [View; 3],
    /// True if the program solves for the columns of the inputs.
    has_inputs: bool,
}

/// The conditions under which solved columns are accurate. Their values are written with the `others`.
pub(super) fn tests_of_columns<'p>(
    builder: &mut Builder,
    columns: &'p SolvedColumns,
    others: &mut Vec<(View, &'p [Operand])>,
) -> Vec<Condition> {
    let values = [&columns.residual, &columns.terms, &columns.sums];
    let [residual, terms, sums] = values.map(|values| {
        let view = builder.local(1, values.len());
        others.push((view, values));
        view
    });
    let mut tests = Vec::new();
    if !residual.is_empty() {
        tests.push(acceptance::met(residual, terms));
    }
    if !sums.is_empty() {
        tests.push(Condition::Finite(vec![sums]));
    }
    tests
}

/// Writes the derivatives to `columns`, or those of M a + h - Q - J^T lambda and J a - gamma by the state and those of Q
/// by the inputs.
fn by_program(
    builder: &mut Builder,
    program: &SensitivityProgram,
    columns: Columns,
) -> (Attempt, Option<Left>) {
    let sizes = builder.routines.sizes();
    let (n, c) = (sizes.velocities, sizes.constraints);
    let factors = &program.factorization;
    let [accelerations, multipliers] = columns.parts();
    let mass = symmetric(&program.schedule.roots, n);
    let blocks = [(0..n, 0..n), (n..n + c, 0..n), (n..n + c, n..n + c)]
        .map(|(rows, columns)| unit_lower(factors, rows, columns));
    let mut others: Vec<(View, &[Operand])> = Vec::new();
    let (mut tested, mut tests, mut left) = (Vec::new(), Vec::new(), None);
    if let Some(solved) = &factors.columns {
        tests = tests_of_columns(builder, solved, &mut others);
        let values = solved.accelerations.iter().chain(&solved.multipliers);
        let places = accelerations.into_iter().chain(multipliers);
        others.extend(places.zip(values.map(Vec::as_slice)));
    } else {
        let matrices = [builder.local(n, n), builder.local(c, n)];
        let lower = [(n, n), (c, n), (c, c)].map(|(rows, columns)| builder.local(rows, columns));
        let inputs = factors.by_input.as_ref();
        tested.extend(inputs.map(|inputs| inputs.sum));
        let [by_position, by_velocity, by_input] = &program.derivatives;
        let by_input = inputs.map_or(by_input, |inputs| &inputs.entries);
        let [rates_by_position, rates_by_velocity] = &program.rates;
        let places = [matrices, [accelerations[0], accelerations[1]]]
            .concat()
            .into_iter()
            .chain([accelerations[2], multipliers[0], multipliers[1]]);
        let values = [&mass, &program.jacobian, by_position, by_velocity, by_input]
            .into_iter()
            .chain([rates_by_position, rates_by_velocity]);
        others.extend(places.zip(values.map(Vec::as_slice)));
        others.extend(lower.into_iter().zip(blocks.iter().map(Vec::as_slice)));
        left = Some(Left {
            matrices,
            lower,
            has_inputs: inputs.is_some(),
        });
    }
    others.retain(|(view, _)| !view.is_empty());
    let code = without_roots(&program.schedule);
    let mass = left.as_ref().map(|left| left.matrices[0]);
    let (arguments, places) = (&STATE, columns.all());
    let mut attempt = builder.method("sensitivities", (arguments, &places), |builder| {
        let finite = builder.arguments(&STATE);
        let attempt = Attempt::by(builder, (code, &[]), factors, (&others, &tested), &finite);
        let mut unread = vec![attempt.multipliers];
        unread.extend(mass);
        if c > 0 || !tested.is_empty() {
            unread.push(attempt.solution);
        }
        (attempt, unread)
    });
    if !tests.is_empty() {
        let conditions = [vec![attempt.accepted], tests].concat();
        attempt.accepted = Condition::All(conditions);
    }
    (attempt, left)
}

/// A block of L by rows, with zeros for the ones.
fn unit_lower(factors: &Factorization, rows: Range<usize>, columns: Range<usize>) -> Vec<Operand> {
    if factors.unit_lower.is_empty() {
        return Vec::new();
    }
    let places = rows.flat_map(|i| columns.clone().map(move |k| (i, k)));
    let entry = |(i, k)| match k < i {
        true => factors.unit_lower[lower_triangle(i, k)],
        false => Operand::Constant(0.0),
    };
    places.map(entry).collect()
}

/// Solves for the columns that the program leaves, in their places, and returns from the routine: in Rust only if they
/// are accurate.
fn substitute(
    builder: &mut Builder,
    is_checked: bool,
    columns: Columns,
    (pivots, left): (View, &Left),
) {
    let Left {
        matrices,
        lower: [mass, coupling, complement],
        has_inputs,
    } = *left;
    let (n, c) = (mass.rows, complement.rows);
    let mut places = columns.all();
    if has_inputs {
        places[1].columns = 0;
    }
    let mut arguments = vec![mass, pivots.part(0, n)];
    if c > 0 {
        arguments.extend([coupling, complement, matrices[1], pivots.part(n, c)]);
    }
    arguments.extend(&places);
    let function = match (is_checked, c > 0) {
        (true, true) => "differentiate_with_constraints",
        (true, false) => "differentiate_by_factors",
        (false, true) => "differentiate_with_constraints_unchecked",
        (false, false) => "differentiate_by_factors_unchecked",
    };
    let derivatives = columns.parts();
    let solved = match has_inputs {
        true => 2,
        false => 3,
    };
    let by_columns = |builder: &mut Builder| {
        let equations = (Equations::Regular, matrices.to_vec());
        let [forces, rates] = derivatives.each_ref().map(|parts| &parts[..solved]);
        columns_by_matrices(builder, is_checked, equations, (forces, rates), true);
    };
    if !is_checked {
        builder.library(function, &arguments, &places, by_columns);
        return builder.step(Step::Return);
    }
    let is_solved = builder.local(1, 1);
    let results = [places, vec![is_solved]].concat();
    builder.library(function, &arguments, &results, |builder| {
        by_columns(builder);
        builder.fill(is_solved, 1.0);
    });
    builder.when(Condition::Is(is_solved, 1.0), |builder| {
        builder.step(Step::Return);
    });
}

/// The derivatives of the weighted sum of the accelerations by q, by v, and by what is held, written to views, and the
/// condition under which they are accurate.
pub(super) fn of_weights(
    builder: &mut Builder,
    weights: View,
    gradient: Derivatives,
) -> Option<Condition> {
    builder.routines.sensitivities()?;
    let program = builder.routines.dynamics.adjoint_program()?;
    let mut code = without_roots(&program.schedule);
    let [by_position, by_velocity, by_input] = &program.derivatives;
    let [by_position, by_velocity] =
        [by_position, by_velocity].map(|values| negated(&mut code, values));
    let others = [&by_position[..], &by_velocity, by_input];
    let others: Vec<_> = gradient.into_iter().zip(others).collect();
    let reads = [(Input::Weights, weights)];
    let finite_arguments = builder.arguments(&STATE);
    let attempt = Attempt::by(
        builder,
        (code, &reads),
        &program.factorization,
        (&others, &[]),
        &finite_arguments,
    );
    let finite = Condition::Finite(gradient.to_vec());
    Some(Condition::All(vec![attempt.accepted, finite]))
}

/// The values with the other sign, by further instructions.
fn negated(code: &mut Schedule, values: &[Operand]) -> Vec<Operand> {
    let mut next: u32 = code.instructions.iter().map(Instruction::results).sum();
    let mut negated = |value: &Operand| {
        if let Operand::Constant(value) = value {
            return Operand::Constant(-value);
        }
        code.instructions.push(Instruction::Neg(*value));
        next += 1;
        Operand::Temporary(next - 1)
    };
    values.iter().map(&mut negated).collect()
}

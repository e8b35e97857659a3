//! The solution of the equations of motion and the terms of its derivatives, in one program.
//!
//! By the implicit function theorem the derivatives of the solution are solutions of the same matrix, for the
//! derivatives of the equations at fixed a and lambda. The solution comes first and replaces the symbols for a and
//! lambda. Common parts of both stages are computed once.

use crate::codegen::cse::lower;
use crate::codegen::ir::{Builder, Operand};
use std::collections::HashMap;

use super::elimination::{Order, Sides};
use super::equation::{Blocks, Equation, ZERO};
use super::factorization::{Factorization, SolveSchedule, SolvedColumns, is_corrected};
use super::input_columns;
use super::solution_derivatives::{Columns, is_short};
use crate::codegen::cost_model::PARTITIONED_PART_OF_DERIVATIVES;
use crate::{Graph, Symbol};

/// The kind of the other values of an equation, which follow its solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Beyond {
    /// The derivatives of `M a - f - J^T lambda` by position and by velocity, those of f by the inputs, and those of
    /// `J a - gamma` by position and by velocity, each row by row. If they are few and short the solution's derivatives
    /// are computed as well; otherwise only cheap ones among those by the inputs. For the others the factors are kept.
    Columns {
        /// The number of inputs.
        inputs: usize,
    },
    /// Sums with weights. For the caller the symbols [`Symbol::Weight`] are w. For the other values they are the
    /// solution y of `M y + J^T z = w`, `J y = 0`, followed by z.
    Weighted,
    /// The derivatives of `Columns`, then second derivatives of the equations for the weights of `Weighted`: those by the s
    /// variables of the columns, s x s and symmetric, and the derivatives of their gradient by a and lambda, s x (n + c). The
    /// former become the second derivatives of `w . a`. With constraints the columns are
    /// computed here, or there is no code; without them none is needed.
    Hessian {
        /// The number of inputs.
        inputs: usize,
    },
}

impl Beyond {
    /// The number of inputs, if there are columns.
    fn inputs(&self) -> Option<usize> {
        match self {
            Self::Columns { inputs } | Self::Hessian { inputs } => Some(*inputs),
            Self::Weighted => None,
        }
    }
}

/// Schedules the terms of the equations, their solution, and then the others, which may read it as
/// [`Symbol::Acceleration`] and [`Symbol::Multiplier`]. `None` if the solution would be too long, or a pivot is zero by
/// structure.
pub fn schedule_sensitivity(
    graph: &Graph,
    equation: Equation<'_>,
    beyond: Beyond,
) -> Option<SolveSchedule> {
    let whole = schedule_by(graph, equation, &beyond, Order::AsGiven);
    if beyond == Beyond::Weighted || !equation.has_units(graph) || equation.singular {
        return whole;
    }
    let partitioned = schedule_by(graph, equation, &beyond, Order::Partitioned);
    let total = |code: &SolveSchedule| code.schedule.operations().total();
    let most = whole.as_ref().map_or(u32::MAX, |whole| {
        let whole = total(whole);
        whole + whole / PARTITIONED_PART_OF_DERIVATIVES
    });
    partitioned.filter(|code| total(code) <= most).or(whole)
}

/// `None` also for coordinate partitioning without such velocities, or if their derivatives would not be solved for
/// here.
fn schedule_by(
    graph: &Graph,
    equation: Equation<'_>,
    beyond: &Beyond,
    order: Order,
) -> Option<SolveSchedule> {
    let is_partitioned = order == Order::Partitioned;
    let mut builder = Builder::default();
    let terms = equation.terms();
    let stages = [&terms[..], equation.others];
    let solve = |builder: &mut Builder, values: &[Operand]| {
        let blocks = Blocks::of(values, &equation);
        let mut factors = blocks.solve(builder, equation.singular, order, Sides::Several)?;
        if factors.is_partitioned() != is_partitioned {
            return None;
        }
        if is_corrected(&factors) {
            let corrected = blocks.corrected(builder, &factors);
            factors.solution = corrected.solution;
            factors.multipliers = corrected.multipliers;
            factors.residual = corrected.residual;
            factors.terms = corrected.terms;
        }
        let mut symbols = solved_symbols(&factors);
        if !matches!(beyond, Beyond::Columns { .. }) {
            symbols.extend(solve_weights(builder, &factors));
        }
        Some((factors, symbols))
    };
    let (mut factorization, mut values) =
        lower::lower_in_stages(graph, stages, &mut builder, solve)?;
    let is_hessian = matches!(beyond, Beyond::Hessian { .. });
    if let (true, Some(inputs), []) = (is_hessian, beyond.inputs(), equation.gamma) {
        let columns = Columns::of(&values[0], &values[1], &equation, inputs);
        let (length, forces) = (columns.len(), columns.forces.map(<[Operand]>::to_vec));
        let second = &mut values[1][length..];
        complete_hessian_by_rows(&mut builder, &factorization, &forces, second)?;
    } else if let Some(inputs) = beyond.inputs() {
        let columns = Columns::of(&values[0], &values[1], &equation, inputs);
        let length = columns.len();
        factorization.columns = columns.solved(&mut builder, &factorization);
        if factorization.columns.is_none() {
            if is_partitioned || is_hessian {
                return None;
            }
            factorization.store_unit_lower(&mut builder);
            if equation.gamma.is_empty() {
                let by_input = columns.forces[2];
                factorization.by_input =
                    input_columns::solved(&mut builder, &factorization, by_input);
            }
        }
        if let (true, Some(columns)) = (is_hessian, &factorization.columns) {
            complete_hessian(&mut builder, columns, &mut values[1][length..]);
        }
    }
    Some(SolveSchedule {
        schedule: builder.finish(values.concat()),
        factorization: Some(factorization),
    })
}

/// Replaces the second derivatives of the equations by those of the weighted accelerations: H by H + C Y + (C Y)^T, for the
/// derivatives Y of a and lambda, with C behind H.
fn complete_hessian(builder: &mut Builder, columns: &SolvedColumns, second: &mut [Operand]) {
    let [by_position, _, by_input] = &columns.accelerations;
    let n = by_position.len().isqrt();
    let held = by_input.len().checked_div(n).unwrap_or(0);
    let size = 2 * n + held;
    let (hessian, mixed) = second.split_at_mut(size * size);
    let motion = mixed.len().checked_div(size).unwrap_or(0);
    // The derivative of a motion by a variable.
    let change = |of: usize, by: usize| -> Operand {
        let (part, column) = match by {
            by if by < n => (0, by),
            by if by < 2 * n => (1, by - n),
            by => (2, by - 2 * n),
        };
        let count = if part == 2 { held } else { n };
        match of.checked_sub(n) {
            None => columns.accelerations[part][of * count + column],
            Some(row) => columns.multipliers[part]
                .get(row * count + column)
                .copied()
                .unwrap_or(ZERO),
        }
    };
    for i in 0..size {
        for j in 0..=i {
            let mut entry = hessian[i * size + j];
            for (of, (left, right)) in
                (0..motion).map(|of| (of, (mixed[i * motion + of], mixed[j * motion + of])))
            {
                entry = builder.mul_add(left, change(of, j), entry);
                entry = builder.mul_add(right, change(of, i), entry);
            }
            hessian[i * size + j] = entry;
            hessian[j * size + i] = entry;
        }
    }
}

/// The same without constraints. With the derivatives D of the equations, `C Y` is `C M^-1 D`: there are fewer rows of C,
/// those by position, than columns of D.
fn complete_hessian_by_rows(
    builder: &mut Builder,
    factors: &Factorization,
    forces: &[Vec<Operand>; 3],
    second: &mut [Operand],
) -> Option<()> {
    let n = factors.solution.len();
    let size = forces.iter().map(Vec::len).sum::<usize>() / n.max(1);
    let (hessian, mixed) = second.split_at_mut(size * size);
    let rows: Vec<&[Operand]> = mixed.chunks(n.max(1)).collect();
    let is_zero = |row: &[Operand]| row.iter().all(|entry| *entry == ZERO);
    let nonzero = rows.iter().filter(|row| !is_zero(row)).count();
    if !is_short(nonzero * (2 * factors.entries() + n), size, n, 0) {
        return None;
    }
    let solved: Vec<Vec<Operand>> = rows
        .into_iter()
        .map(|row| match is_zero(row) {
            true => vec![ZERO; n],
            false => factors.substitute(builder, row, &[]),
        })
        .collect();
    // The sum of `left D` for a column of D.
    let add = |builder: &mut Builder, entry: Operand, left: &[Operand], column: usize| {
        let (part, number) = match column {
            by if by < n => (0, by),
            by if by < 2 * n => (1, by - n),
            by => (2, by - 2 * n),
        };
        let count = forces[part].len() / n;
        let column = forces[part].iter().skip(number).step_by(count);
        left.iter().zip(column).fold(entry, |entry, (left, right)| {
            // The derivatives by position and velocity are those of M a - f.
            match part < 2 {
                true => builder.neg_mul_add(*left, *right, entry),
                false => builder.mul_add(*left, *right, entry),
            }
        })
    };
    for i in 0..size {
        for j in 0..=i {
            let mut entry = hessian[i * size + j];
            if i == j {
                let sum = add(builder, ZERO, &solved[i], i);
                entry = builder.mul_add(Operand::Constant(2.0), sum, entry);
            } else {
                entry = add(builder, entry, &solved[i], j);
                entry = add(builder, entry, &solved[j], i);
            }
            hessian[i * size + j] = entry;
            hessian[j * size + i] = entry;
        }
    }
    Some(())
}

/// The values of the symbols of a and lambda.
fn solved_symbols(factors: &Factorization) -> HashMap<Symbol, Operand> {
    let accelerations = (0..).map(Symbol::Acceleration).zip(&factors.solution);
    let multipliers = (0..).map(Symbol::Multiplier).zip(&factors.multipliers);
    accelerations
        .chain(multipliers)
        .map(|(symbol, value)| (symbol, *value))
        .collect()
}

/// The values of the weights of the equations.
fn solve_weights(builder: &mut Builder, factors: &Factorization) -> Vec<(Symbol, Operand)> {
    let symbols: Vec<Operand> = (0..factors.solution.len() as u32)
        .map(|i| Operand::Symbol(Symbol::Weight(i)))
        .collect();
    let zeros = vec![ZERO; factors.multipliers.len()];
    let weights = factors.substitute(builder, &symbols, &zeros);
    (0..).map(Symbol::Weight).zip(weights).collect()
}

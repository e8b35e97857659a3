//! The derivatives of accelerations by inputs that act on one velocity each.
//!
//! Their right-hand sides are multiples of unit vectors, and the inverse of M is symmetric: only the parts of its
//! columns that are not known from the others are computed. If every velocity has an input, like the joints of an arm,
//! that is a third of the operations of full substitutions.

use super::equation::ZERO;
use super::factorization::{Factorization, SolvedInputs};
use crate::codegen::cost_model::MOST_BY_INPUT;
use crate::codegen::ir::{Builder, Operand, Signed};

/// `M^-1 B` for B row by row, if that takes at most half of the operations of full substitutions. Requires that all was
/// eliminated in the order of the rows, and that there are no constraints.
pub(super) fn solved(
    builder: &mut Builder,
    factors: &Factorization,
    by_input: &[Operand],
) -> Option<SolvedInputs> {
    let n = factors.solution.len();
    let inputs = by_input.len().checked_div(n).filter(|&inputs| inputs > 0)?;
    let rows = rows(by_input, inputs)?;
    let operations = operations(&rows, n);
    let of_substitutions = inputs * (2 * n * n - n);
    if 2 * operations > of_substitutions || operations > MOST_BY_INPUT {
        return None;
    }
    let mut inverse = vec![Signed::ZERO; n * n];
    for (column, first) in columns(&rows) {
        let entries = factors.column_of_inverse(builder, column, first);
        for (row, entry) in (first..).zip(entries) {
            inverse[row * n + column] = entry;
            inverse[column * n + row] = entry;
        }
    }
    let mut entries = vec![ZERO; by_input.len()];
    for (input, &column) in rows.iter().enumerate() {
        let scale = Signed::new(false, by_input[column * inputs + input]);
        for row in 0..n {
            let entry = scale.times(builder, inverse[row * n + column]);
            entries[row * inputs + input] = entry.operand(builder);
        }
    }
    let mut different: Vec<Operand> = Vec::new();
    for entry in &entries {
        if !different.contains(entry) {
            different.push(*entry);
        }
    }
    let sum = different
        .into_iter()
        .fold(ZERO, |sum, entry| builder.add(sum, entry));
    Some(SolvedInputs { entries, sum })
}

/// The row of the only entry of each column, by columns; `None` if a column has more.
fn rows(by_input: &[Operand], inputs: usize) -> Option<Vec<usize>> {
    let mut rows = vec![None; inputs];
    for (place, entry) in by_input.iter().enumerate() {
        let (row, input) = (place / inputs, place % inputs);
        if *entry != ZERO && rows[input].replace(row).is_some() {
            return None;
        }
    }
    // The row of a column of zeros does not matter.
    Some(rows.into_iter().map(Option::unwrap_or_default).collect())
}

/// The required columns of the inverse, and the first computed row of each: those above are rows of other columns.
fn columns(rows: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    let asked = |row: &usize| rows.contains(row);
    let last = rows.iter().max().map_or(0, |last| last + 1);
    (0..last)
        .filter(move |column| asked(column))
        .map(move |column| {
            (
                column,
                (0..column).find(|row| !asked(row)).unwrap_or(column),
            )
        })
}

/// The approximate number of operations of these columns.
fn operations(rows: &[usize], n: usize) -> usize {
    let of_column = |(column, first): (usize, usize)| {
        let (forward, back) = (n - column, n - first);
        (forward - 1) * (forward - 1) + forward + back * (back - 1)
    };
    columns(rows).map(of_column).sum()
}

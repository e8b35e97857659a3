//! The derivatives of accelerations by inputs that act on one velocity each.
//!
//! Their right-hand sides are multiples of unit vectors, and the inverse of M is symmetric: of its columns only what
//! is not known from the others is computed. Where every velocity has an input, as the joints of an arm have, that is
//! a third of what full substitutions take.

use super::Operand;
use super::builder::Builder;
use super::elimination::Signed;
use super::equation::ZERO;
use super::factorization::{Factorization, SolvedInputs};
use crate::cost_model::MOST_BY_INPUT;

/// `M^-1 B` for B row by row, where that takes at most half of the operations of full substitutions. All
/// was eliminated in the order of the rows, and there are no constraints.
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

/// The row of the one entry of each column, by columns; `None` where one has more.
fn rows(by_input: &[Operand], inputs: usize) -> Option<Vec<usize>> {
    let mut rows = vec![None; inputs];
    for (at, entry) in by_input.iter().enumerate() {
        let (row, input) = (at / inputs, at % inputs);
        if *entry != ZERO && rows[input].replace(row).is_some() {
            return None;
        }
    }
    // What a column of zeros is solved by does not matter.
    Some(rows.into_iter().map(Option::unwrap_or_default).collect())
}

/// The columns of the inverse that are asked for, and the first row that each is computed from: those above are
/// rows of other columns.
fn columns(rows: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    let asked = |row: &usize| rows.contains(row);
    let last = rows.iter().max().map_or(0, |last| last + 1);
    let columns = (0..last).filter(move |column| asked(column));
    columns.map(move |column| {
        (
            column,
            (0..column).find(|row| !asked(row)).unwrap_or(column),
        )
    })
}

/// About how many operations these columns take.
fn operations(rows: &[usize], n: usize) -> usize {
    let of_column = |(column, first): (usize, usize)| {
        let (forward, back) = (n - column, n - first);
        (forward - 1) * (forward - 1) + forward + back * (back - 1)
    };
    columns(rows).map(of_column).sum()
}

//! Patterns of CasADi's matrices: the entries that are not 0 at every state.

use std::ops::Range;

use crate::Shape;
use crate::codegen::Entry;

/// A matrix of CasADi: rows, columns, and the rows of each column's entries.
pub(super) struct Pattern {
    pub(super) rows: usize,
    pub(super) columns: Vec<Vec<usize>>,
}

impl Pattern {
    /// A full column.
    pub(super) fn vector(rows: usize) -> Self {
        Self {
            rows,
            columns: vec![(0..rows).collect()],
        }
    }

    /// A matrix of zeros.
    pub(super) fn empty(shape: Shape) -> Self {
        let (rows, columns) = extent(shape);
        Self {
            rows,
            columns: vec![Vec::new(); columns],
        }
    }

    /// The derivatives of a result by so many variables from the first one on, in runs that depend on each other.
    pub(super) fn derivative(
        shape: Shape,
        entries: &[Entry],
        first: usize,
        runs: impl Iterator<Item = Range<usize>>,
    ) -> Self {
        let (rows, columns) = extent(shape);
        let of_run = |run: Range<usize>| {
            let depends = |place: &usize| {
                let entry = &entries[place % rows * columns + place / rows];
                run.clone().any(|at| entry.by.has(first + at))
            };
            let column: Vec<usize> = (0..entries.len()).filter(depends).collect();
            vec![column; run.len()]
        };
        Self {
            rows: entries.len(),
            columns: runs.flat_map(of_run).collect(),
        }
    }

    /// The entries of a result that may differ from 0.
    pub(super) fn of(shape: Shape, entries: &[Entry]) -> Self {
        let (rows, columns) = extent(shape);
        let of_column = |j: usize| {
            (0..rows)
                .filter(move |i| !entries[i * columns + j].is_zero)
                .collect()
        };
        Self {
            rows,
            columns: (0..columns).map(of_column).collect(),
        }
    }

    /// In compressed columns.
    pub(super) fn numbers(&self) -> Vec<i64> {
        let mut numbers = vec![self.rows as i64, self.columns.len() as i64, 0];
        let mut end = 0;
        for column in &self.columns {
            end += column.len() as i64;
            numbers.push(end);
        }
        numbers.extend(self.columns.iter().flatten().map(|row| *row as i64));
        numbers
    }
}

/// Rows and columns.
pub(super) fn extent(shape: Shape) -> (usize, usize) {
    match shape {
        Shape::Scalar => (1, 1),
        Shape::Vector(length) => (length, 1),
        Shape::Matrix(rows, columns) => (rows, columns),
    }
}

/// The patterns by their numbers among all of the text.
pub(super) fn numbered(patterns: &[Pattern], known_patterns: &mut Vec<Vec<i64>>) -> Vec<usize> {
    let numbers = patterns.iter().map(|pattern| {
        let numbers = pattern.numbers();
        known_patterns
            .iter()
            .position(|known| *known == numbers)
            .unwrap_or_else(|| {
                known_patterns.push(numbers);
                known_patterns.len() - 1
            })
    });
    numbers.collect()
}

//! Gaussian elimination for rows of a field or of complex numbers.

use crate::Complex;
use crate::probe::Element;

/// The place and the size of the largest entry in the first columns.
pub(super) fn find_largest<T: Entry>(
    rows: &[Vec<T>],
    columns: usize,
) -> Option<(usize, usize, f64)> {
    rows.iter()
        .enumerate()
        .flat_map(|(i, row)| {
            row.iter()
                .take(columns)
                .enumerate()
                .map(move |(j, entry)| (i, j, entry.size()))
        })
        .max_by(|a, b| a.2.total_cmp(&b.2))
}

/// Rows whose largest entries are 1, after columns have been divided by their largest entries.
pub(super) struct Scaled {
    pub(super) rows: Vec<Vec<Complex>>,
    pub(super) of_rows: Vec<f64>,
    pub(super) of_columns: Vec<f64>,
}

impl Scaled {
    pub(super) fn of(mut rows: Vec<Vec<Complex>>) -> Self {
        let size = |size: f64| if size > 0.0 { size } else { 1.0 };
        let columns = rows.first().map_or(0, Vec::len);
        let (mut of_rows, mut of_columns) = (vec![1.0; rows.len()], vec![1.0; columns]);
        // The second time, columns that were small beside others in each of their rows.
        for _ in 0..2 {
            for (row, of_row) in rows.iter_mut().zip(&mut of_rows) {
                let most = size(row.iter().map(|x| x.abs()).fold(0.0, f64::max));
                row.iter_mut().for_each(|x| *x = x.scale(1.0 / most));
                *of_row *= most;
            }
            for (column, of_column) in of_columns.iter_mut().enumerate() {
                let most = size(rows.iter().map(|row| row[column].abs()).fold(0.0, f64::max));
                rows.iter_mut()
                    .for_each(|row| row[column] = row[column].scale(1.0 / most));
                *of_column *= most;
            }
        }
        Self {
            rows,
            of_rows,
            of_columns,
        }
    }
}

/// An entry of a matrix.
pub(super) trait Entry: Copy {
    const ZERO: Self;
    const ONE: Self;
    /// The size of the entry as a pivot; 0 for zero.
    fn size(self) -> f64;
    fn divided(self, by: Self) -> Self;
    /// self - factor * other
    fn less(self, factor: Self, other: Self) -> Self;
}

impl Entry for Element {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;

    fn size(self) -> f64 {
        f64::from(u8::from(!self.is_zero()))
    }

    fn divided(self, by: Self) -> Self {
        self * by.inverse().unwrap_or(Self::ZERO)
    }

    fn less(self, factor: Self, other: Self) -> Self {
        self - factor * other
    }
}

impl Entry for Complex {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;

    fn size(self) -> f64 {
        self.abs()
    }

    fn divided(self, by: Self) -> Self {
        self / by
    }

    fn less(self, factor: Self, other: Self) -> Self {
        self - factor * other
    }
}

/// Makes the entry in a column 0 by a row that is 1 there.
pub(super) fn eliminate<T: Entry>(row: &mut [T], column: usize, by: &[T]) {
    let factor = row[column];
    if factor.size() == 0.0 {
        return;
    }
    for (entry, other) in row.iter_mut().zip(by) {
        if other.size() > 0.0 {
            *entry = entry.less(factor, *other);
        }
    }
    row[column] = T::ZERO;
}

/// The row divided by its entry in a column.
pub(super) fn scale_to_pivot<T: Entry>(mut row: Vec<T>, column: usize) -> Vec<T> {
    let pivot = row[column];
    for entry in &mut row {
        *entry = entry.divided(pivot);
    }
    row[column] = T::ONE;
    row
}

/// Rows, each with the column in which it is 1.
pub(super) type Echelon<T> = Vec<(usize, Vec<T>)>;

/// The reduced echelon form of some rows: the pivots are the first independent ones of these columns.
pub(super) fn reduce_to_echelon<T: Entry>(mut rows: Vec<Vec<T>>, columns: &[usize]) -> Echelon<T> {
    let mut done: Echelon<T> = Vec::new();
    for column in columns {
        let Some((position, size)) = rows
            .iter()
            .map(|row| row[*column].size())
            .enumerate()
            .max_by(|a, b| a.1.total_cmp(&b.1))
        else {
            break;
        };
        if size == 0.0 {
            continue;
        }
        let pivot = scale_to_pivot(rows.swap_remove(position), *column);
        for row in rows.iter_mut().chain(done.iter_mut().map(|(_, row)| row)) {
            eliminate(row, *column, &pivot);
        }
        done.push((*column, pivot));
    }
    done
}

/// The solution of linear equations.
pub(super) struct Solution<T> {
    /// For each unknown its value for each right-hand side; `None` if the equations leave it free. The others are those
    /// for which the free ones are 0.
    pub(super) unknowns: Vec<Option<Vec<T>>>,
    /// The right-hand sides of rows that depend on others: zeros if the equations agree.
    pub(super) dependent: Vec<Vec<T>>,
}

/// Solves for the unknowns, whose coefficients come first in each row, with the right-hand sides behind them. A
/// coefficient counts as zero if it is not larger than `least`.
pub(super) fn solve_equations<T: Entry>(
    mut open: Vec<Vec<T>>,
    unknowns: usize,
    least: f64,
) -> Solution<T> {
    let mut done: Echelon<T> = Vec::new();
    while let Some((row, column, size)) = find_largest(&open, unknowns)
        && size > least
    {
        let pivot = scale_to_pivot(open.swap_remove(row), column);
        for row in open.iter_mut().chain(done.iter_mut().map(|(_, row)| row)) {
            eliminate(row, column, &pivot);
        }
        done.push((column, pivot));
    }
    let right = |mut row: Vec<T>| row.split_off(unknowns.min(row.len()));
    let mut values: Vec<Option<Vec<T>>> = (0..unknowns).map(|_| None).collect();
    for (column, row) in done {
        values[column] = Some(right(row));
    }
    Solution {
        unknowns: values,
        dependent: open.into_iter().map(right).collect(),
    }
}

//! Gaussian elimination with complete pivoting on small complex matrices.

use crate::Complex;

/// Pivots below this, relative to the largest entry of the balanced matrix, are rounding.
const RELATIVE: f64 = 1e-11;

/// A matrix by rows.
pub(super) type Rows = Vec<Vec<Complex>>;

/// The rank, where rows and columns are first balanced to a largest entry of 1, so that units do
/// not matter.
pub(super) fn rank(mut rows: Rows) -> usize {
    balance(&mut rows);
    eliminate(&mut rows, usize::MAX).len()
}

/// Which of the independent rows `basis` the vector `target` combines; `None` if it is not a
/// combination of them.
pub(super) fn combination(basis: &[Vec<Complex>], target: &[Complex]) -> Option<Vec<usize>> {
    let mut equations: Rows = target
        .iter()
        .enumerate()
        .map(|(column, right)| {
            let mut equation: Vec<Complex> = basis.iter().map(|row| row[column]).collect();
            equation.push(*right);
            equation
        })
        .collect();
    let unknowns = basis.len();
    let sizes = balance(&mut equations);
    let pivots = eliminate(&mut equations, unknowns);
    let left = equations
        .iter()
        .skip(pivots.len())
        .map(|row| row[unknowns].abs());
    if pivots.len() < unknowns || left.fold(0.0, f64::max) > RELATIVE.sqrt() {
        return None;
    }
    let solution = back_substitute(&equations, &pivots, unknowns);
    // Measured as contributions to the target, so that units do not matter here either.
    let mut parts: Vec<usize> = (0..unknowns)
        .filter(|i| sizes[unknowns] > 0.0 && solution[*i].abs() > RELATIVE.sqrt())
        .collect();
    parts.sort_unstable();
    Some(parts)
}

/// The solution of a square system; `None` where it is singular to rounding.
pub(super) fn solve(matrix: &[Vec<Complex>], right: &[Complex]) -> Option<Vec<Complex>> {
    let unknowns = right.len();
    let equations = matrix.iter().zip(right);
    let mut equations: Rows = equations
        .map(|(row, right)| row.iter().copied().chain([*right]).collect())
        .collect();
    let sizes = balance(&mut equations);
    let pivots = eliminate(&mut equations, unknowns);
    if pivots.len() < unknowns {
        return None;
    }
    let scaled = back_substitute(&equations, &pivots, unknowns);
    // The columns were divided by their sizes, the right-hand side too.
    let solution = scaled.iter().zip(&sizes);
    let right = sizes.last().copied().unwrap_or(0.0);
    Some(solution.map(|(x, size)| x.scale(right / size)).collect())
}

/// Divides rows, then columns, by their largest entries; the divisors of the columns.
fn balance(rows: &mut Rows) -> Vec<f64> {
    for row in rows.iter_mut() {
        let largest = row.iter().map(|entry| entry.abs()).fold(0.0, f64::max);
        if largest > 0.0 {
            row.iter_mut()
                .for_each(|entry| *entry = entry.scale(1.0 / largest));
        }
    }
    let columns = rows.first().map_or(0, Vec::len);
    let mut sizes = vec![0.0; columns];
    for column in 0..columns {
        sizes[column] = rows.iter().map(|row| row[column].abs()).fold(0.0, f64::max);
        if sizes[column] > 0.0 {
            for row in rows.iter_mut() {
                row[column] = row[column].scale(1.0 / sizes[column]);
            }
        }
    }
    sizes
}

/// Brings the matrix to echelon form by rows, with pivots from the first `columns` columns; the
/// column of each pivot.
fn eliminate(rows: &mut Rows, columns: usize) -> Vec<usize> {
    let columns = rows.first().map_or(0, Vec::len).min(columns);
    let mut pivots = Vec::new();
    let mut free: Vec<usize> = (0..columns).collect();
    while let Some((row, position, size)) = largest(rows, pivots.len(), &free) {
        if size <= RELATIVE {
            break;
        }
        let top = pivots.len();
        let column = free.swap_remove(position);
        rows.swap(top, row);
        let (above, below) = rows.split_at_mut(top + 1);
        let pivot_row = &above[top];
        for row in below {
            let factor = row[column] / pivot_row[column];
            if factor == Complex::ZERO {
                continue;
            }
            for (entry, pivot) in row.iter_mut().zip(pivot_row) {
                *entry = *entry - factor * *pivot;
            }
            row[column] = Complex::ZERO;
        }
        pivots.push(column);
    }
    pivots
}

/// Row, position among the free columns, and size of the largest entry from row `top` on.
fn largest(rows: &Rows, top: usize, free: &[usize]) -> Option<(usize, usize, f64)> {
    let mut best: Option<(usize, usize, f64)> = None;
    for (row, entries) in rows.iter().enumerate().skip(top) {
        for (position, column) in free.iter().enumerate() {
            let size = entries[*column].abs();
            if best.is_none_or(|(_, _, largest)| size > largest) {
                best = Some((row, position, size));
            }
        }
    }
    best
}

fn back_substitute(rows: &Rows, pivots: &[usize], right: usize) -> Vec<Complex> {
    let mut solution = vec![Complex::ZERO; pivots.len()];
    for (row, pivot) in pivots.iter().enumerate().rev() {
        let mut rest = rows[row][right];
        for later in &pivots[row + 1..] {
            rest = rest - rows[row][*later] * solution[*later];
        }
        solution[*pivot] = rest / rows[row][*pivot];
    }
    solution
}

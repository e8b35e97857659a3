//! Symmetric matrices by their lower triangle, row by row.

/// The position of row `i`, column `j <= i` in a lower triangle stored row by row.
pub fn lower_triangle(i: usize, j: usize) -> usize {
    i * (i + 1) / 2 + j
}

/// The symmetric n x n matrix of a lower triangle, row by row.
pub fn symmetric<T: Copy>(lower: &[T], n: usize) -> Vec<T> {
    (0..n)
        .flat_map(|i| (0..n).map(move |j| lower_triangle(i.max(j), i.min(j))))
        .map(|index| lower[index])
        .collect()
}

/// The lower triangle of an n x n matrix, row by row.
pub fn lower_of<T: Copy>(matrix: &[T], n: usize) -> Vec<T> {
    (0..n)
        .map(|i| &matrix[i * n..=i * n + i])
        .flat_map(|row| row.iter().copied())
        .collect()
}

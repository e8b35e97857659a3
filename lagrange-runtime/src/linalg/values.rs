//! The vectors and matrices that generated code returns, from the arrays that it computes.
//!
//! These are separate functions, because at each call of an associated function of nalgebra's `Matrix` the compiler
//! searches all of that type's several hundred `impl` blocks.

use nalgebra::{ArrayStorage, SMatrix, SVector};

/// The matrix of an array of columns.
///
/// ```
/// use lagrange_runtime::{linalg, nalgebra::matrix};
///
/// assert_eq!(linalg::matrix([[1.0, 2.0], [3.0, 4.0]]), matrix![1.0, 3.0; 2.0, 4.0]);
/// ```
#[inline(always)]
pub const fn matrix<S, const R: usize, const C: usize>(columns: [[S; R]; C]) -> SMatrix<S, R, C> {
    SMatrix::from_array_storage(ArrayStorage(columns))
}

/// The vector of an array.
///
/// ```
/// use lagrange_runtime::{linalg, nalgebra::vector};
///
/// assert_eq!(linalg::vector([1.0, 2.0]), vector![1.0, 2.0]);
/// ```
#[inline(always)]
pub const fn vector<S, const N: usize>(entries: [S; N]) -> SVector<S, N> {
    SVector::from_array_storage(ArrayStorage([entries]))
}

//! The vectors and matrices that generated code returns, from the arrays that it computes.
//!
//! These are separate functions, because at each call of an associated function of nalgebra's `Matrix` the compiler
//! searches all of that type's several hundred `impl` blocks.

use nalgebra::{ArrayStorage, RealField, SMatrix, SVector};

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

/// The product of a matrix with a vector or a matrix.
pub(crate) fn product<S: RealField + Copy, const R: usize, const N: usize, const W: usize>(
    a: &SMatrix<S, R, N>,
    b: &SMatrix<S, N, W>,
) -> SMatrix<S, R, W> {
    let mut product = [[S::zero(); R]; W];
    for (sums, column) in product.iter_mut().zip(&b.data.0) {
        for (of_a, factor) in a.data.0.iter().zip(column) {
            for i in 0..R {
                sums[i] += of_a[i] * *factor;
            }
        }
    }
    matrix(product)
}

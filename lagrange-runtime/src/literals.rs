//! Macros for vectors and matrices.
//!
//! They correspond to the macros of these names in nalgebra, for packages that do not depend on nalgebra themselves:
//! nalgebra's own need its feature `macros`, and name a crate `nalgebra` that is then missing.

use nalgebra::{SMatrix, SVector, Scalar};

/// The result of `vector!`, with an explicit type.
#[doc(hidden)]
#[inline]
pub fn __column<T: Scalar, const N: usize>(entries: [T; N]) -> SVector<T, N> {
    entries.into()
}

/// The result of `matrix!`.
#[doc(hidden)]
#[inline]
pub fn __rows<T: Scalar, const R: usize, const C: usize>(rows: [[T; C]; R]) -> SMatrix<T, R, C> {
    SMatrix::<T, C, R>::from(rows).transpose()
}

/// A column vector of these entries, an [`SVector`](crate::nalgebra::SVector).
///
/// ```
/// use lagrange_runtime::vector;
///
/// let v = vector![3.0, 4.0];
/// assert_eq!((v.x, v.norm()), (3.0, 5.0));
/// ```
#[macro_export]
macro_rules! vector {
    ($($entry:expr),* $(,)?) => {
        $crate::__column([$($entry),*])
    };
}

/// A matrix of these rows, an [`SMatrix`](crate::nalgebra::SMatrix): entries end in commas, rows in semicolons.
///
/// ```
/// use lagrange_runtime::{matrix, vector};
///
/// let m = matrix![1.0, 2.0, 3.0; 4.0, 5.0, 6.0];
/// assert_eq!((m.shape(), m[(0, 2)]), ((2, 3), 3.0));
/// assert_eq!(m * vector![1.0, 0.0, 0.0], vector![1.0, 4.0]);
/// ```
#[macro_export]
macro_rules! matrix {
    ($($($entry:expr),+ $(,)?);+ $(;)?) => {
        $crate::__rows([$([$($entry),+]),+])
    };
}

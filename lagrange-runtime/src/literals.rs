//! Vectors and matrices as they are written.
//!
//! As the macros of these names in nalgebra, for those who do not depend on nalgebra themselves: its own need its
//! feature `macros`, and name a crate `nalgebra` that is then missing.

use nalgebra::{SMatrix, SVector, Scalar};

/// What `vector!` makes, of a type that is certain.
#[doc(hidden)]
#[inline]
pub fn __column<T: Scalar, const N: usize>(entries: [T; N]) -> SVector<T, N> {
    entries.into()
}

/// What `matrix!` makes.
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

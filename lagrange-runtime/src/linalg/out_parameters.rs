//! Memory for the matrices of large systems, which generated code writes.

use nalgebra::{SMatrix, SimdRealField};

/// The matrix that a function writes by columns into zeros.
///
/// Debug builds copy each expression that builds a matrix, and each local that is returned. This way takes three times
/// the size of the value, itself included; other ways to make a large value take four to eight times its size.
///
/// ```
/// use lagrange_runtime::{linalg::matrix_by, nalgebra::matrix};
///
/// let written = matrix_by::<f64, 2, 1>(|columns| columns[0][1] = 3.0);
/// assert_eq!(written, matrix![0.0; 3.0]);
/// ```
#[inline]
pub fn matrix_by<S: SimdRealField + Copy, const R: usize, const C: usize>(
    write: impl FnOnce(&mut [[S; R]; C]),
) -> SMatrix<S, R, C> {
    written(write).into()
}

/// The values that a function writes into zeros. The copy of its result is gone when the matrix is made of it.
#[inline]
fn written<S: SimdRealField + Copy, const R: usize, const C: usize>(
    write: impl FnOnce(&mut [[S; R]; C]),
) -> [[S; R]; C] {
    let mut columns = [[S::zero(); R]; C];
    write(&mut columns);
    columns
}

/// The diagonal of a matrix.
#[inline]
pub(super) fn diagonal_of<S: SimdRealField + Copy, const N: usize>(m: &[[S; N]; N]) -> [S; N] {
    let mut diagonal = [S::zero(); N];
    for i in 0..N {
        diagonal[i] = m[i][i];
    }
    diagonal
}

/// Copies the lower triangle to the upper one.
///
/// ```
/// use lagrange_runtime::linalg::mirror;
///
/// let mut m = [[1.0, 0.0], [3.0, 2.0]];
/// mirror(&mut m);
/// assert_eq!(m, [[1.0, 3.0], [3.0, 2.0]]);
/// ```
#[inline]
pub fn mirror<S: Copy, const N: usize>(m: &mut [[S; N]; N]) {
    for i in 0..N {
        for j in 0..i {
            m[j][i] = m[i][j];
        }
    }
}

//! Where generated code writes the matrices of large systems.

use nalgebra::{SMatrix, SimdRealField};

/// The matrix that a function writes, by columns, to a place of zeros.
///
/// Debug builds make a copy of each expression that a matrix is built of, and of each local that is returned. This takes
/// three times the room of the value, that of the value itself included, while large ones that are made in other ways take
/// four to eight times as much.
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

/// What a function writes to zeros. The copy of what it returns is gone when the matrix is made of it.
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

/// Copies what is below the diagonal to above it.
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

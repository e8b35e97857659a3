//! Small matrices as arrays of rows.

use nalgebra::RealField;

use crate::math::constant;

pub(super) type Square<S, const N: usize> = [[S; N]; N];

/// A B
pub(super) fn product<S: RealField + Copy, const R: usize, const M: usize, const C: usize>(
    a: &[[S; M]; R],
    b: &[[S; C]; M],
) -> [[S; C]; R] {
    let mut product = [[S::zero(); C]; R];
    for i in 0..R {
        for k in 0..M {
            for j in 0..C {
                product[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    product
}

/// Aᵀ B
pub(super) fn transposed_product<
    S: RealField + Copy,
    const R: usize,
    const M: usize,
    const C: usize,
>(
    a: &[[S; R]; M],
    b: &[[S; C]; M],
) -> [[S; C]; R] {
    let mut product = [[S::zero(); C]; R];
    for k in 0..M {
        for i in 0..R {
            for j in 0..C {
                product[i][j] += a[k][i] * b[k][j];
            }
        }
    }
    product
}

pub(super) fn transposed<S: RealField + Copy, const R: usize, const C: usize>(
    a: &[[S; C]; R],
) -> [[S; R]; C] {
    let mut transposed = [[S::zero(); R]; C];
    for i in 0..R {
        for j in 0..C {
            transposed[j][i] = a[i][j];
        }
    }
    transposed
}

/// A + factor B
pub(super) fn sum<S: RealField + Copy, const R: usize, const C: usize>(
    mut a: [[S; C]; R],
    factor: S,
    b: &[[S; C]; R],
) -> [[S; C]; R] {
    for i in 0..R {
        for j in 0..C {
            a[i][j] += factor * b[i][j];
        }
    }
    a
}

pub(super) fn identity<S: RealField + Copy, const N: usize>() -> Square<S, N> {
    let mut identity = [[S::zero(); N]; N];
    for i in 0..N {
        identity[i][i] = S::one();
    }
    identity
}

/// The symmetric part.
pub(super) fn symmetric<S: RealField + Copy, const N: usize>(mut a: Square<S, N>) -> Square<S, N> {
    let two = S::one() + S::one();
    for i in 0..N {
        for j in 0..i {
            let mean = (a[i][j] + a[j][i]) / two;
            a[i][j] = mean;
            a[j][i] = mean;
        }
    }
    a
}

/// Absolute values.
pub(super) fn sizes<S: RealField + Copy, const R: usize, const C: usize>(
    a: &[[S; C]; R],
) -> [[S; C]; R] {
    a.map(|row| row.map(|entry| entry.abs()))
}

/// The sum of all absolute values, which is finite only if all are.
pub(super) fn norm<S: RealField + Copy, const R: usize, const C: usize>(a: &[[S; C]; R]) -> S {
    let mut norm = S::zero();
    for row in a {
        for entry in row {
            norm += entry.abs();
        }
    }
    norm
}

/// The lower triangular L with L Lᵀ = A, of a positive definite A.
pub(super) fn root<S: RealField + Copy, const N: usize>(a: &Square<S, N>) -> Option<Square<S, N>> {
    let mut root = [[S::zero(); N]; N];
    for i in 0..N {
        for j in 0..=i {
            let mut remainder = a[i][j];
            for k in 0..j {
                remainder -= root[i][k] * root[j][k];
            }
            if j < i {
                root[i][j] = remainder / root[j][j];
            } else if remainder > S::zero() {
                root[i][i] = remainder.sqrt();
            } else {
                return None;
            }
        }
    }
    Some(root)
}

/// Returns whether a matrix is positive semidefinite, to rounding of its diagonal.
pub(super) fn is_semidefinite<S: RealField + Copy, const N: usize>(a: &Square<S, N>) -> bool {
    let mut raised = *a;
    for i in 0..N {
        raised[i][i] += constant::<S>(16.0 * N as f64) * S::default_epsilon() * a[i][i];
        if a[i][i] == S::zero() {
            raised[i][i] = S::one();
        }
    }
    root(&raised).is_some()
}

/// L⁻¹ B for a lower triangular L.
pub(super) fn forward<S: RealField + Copy, const N: usize, const C: usize>(
    l: &Square<S, N>,
    b: &[[S; C]; N],
) -> [[S; C]; N] {
    let mut x = *b;
    for i in 0..N {
        for c in 0..C {
            let mut entry = x[i][c];
            for j in 0..i {
                entry -= l[i][j] * x[j][c];
            }
            x[i][c] = entry / l[i][i];
        }
    }
    x
}

/// L⁻ᵀ B for a lower triangular L.
pub(super) fn backward<S: RealField + Copy, const N: usize, const C: usize>(
    l: &Square<S, N>,
    b: &[[S; C]; N],
) -> [[S; C]; N] {
    let mut x = *b;
    for i in (0..N).rev() {
        for c in 0..C {
            let mut entry = x[i][c];
            for j in i + 1..N {
                entry -= l[j][i] * x[j][c];
            }
            x[i][c] = entry / l[i][i];
        }
    }
    x
}

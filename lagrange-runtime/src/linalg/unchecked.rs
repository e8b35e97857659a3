//! The null-space method for lanes; each lane has its own pivots.

use nalgebra::SimdRealField;

use super::{
    kkt_residual::Pair,
    mirror,
    vectors::{add_multiple, dot, subtract_dot},
};
use crate::math::{constant, neg_mul_add};

/// Solves `M a - Jᵀ λ = f`, `J a = γ` in the memory of M, whose lower triangle is read, and of a copy of J, `work`.
///
/// The method is that of [`NullSpace`](super::null_space::NullSpace) without scaling: Householder reflections make Jᵀ =
/// Q R, and Qᵀ M Q restricted to the free directions is factored with partial pivoting, by selection in each lane. M
/// may be indefinite, and may be singular if the whole matrix is regular.
pub(super) fn solve<S: SimdRealField + Copy, const N: usize, const C: usize>(
    mass: &mut [[S; N]; N],
    work: &mut [[S; N]; C],
    (f, gamma): &Pair<S, N, C>,
) -> Pair<S, N, C> {
    mirror(mass);
    let (mut factors, mut images) = ([S::zero(); C], [S::zero(); C]);
    for k in 0..C {
        (factors[k], images[k]) = reflect(work, k);
    }
    for _ in 0..2 {
        for i in 0..N {
            rotate_in(work, &factors, &mut mass[i]);
        }
        transpose(mass);
    }
    let mut forces = *f;
    rotate_in(work, &factors, &mut forces);
    let mut solution = [S::zero(); N];
    for k in 0..C.min(N) {
        let (before, rest) = solution.split_at_mut(k);
        if let Some(entry) = rest.first_mut() {
            *entry = subtract_dot(&work[k], before, gamma[k]) / images[k];
        }
    }
    let mut right = forces;
    for i in C..N {
        right[i] = subtract_dot(&mass[i], &solution, right[i]);
    }
    solve_free::<S, N, C>(mass, &mut right);
    for (entry, &value) in solution.iter_mut().zip(&right).skip(C) {
        *entry = value;
    }
    let mut multipliers = [S::zero(); C];
    for k in 0..C.min(N) {
        multipliers[k] = dot(&mass[k], &solution) - forces[k];
    }
    for k in (0..C).rev() {
        multipliers[k] /= images[k];
        let (above, solved) = multipliers.split_at_mut(k);
        if let Some(&value) = solved.first() {
            add_multiple(-value, &work[k], above);
        }
    }
    for k in (0..C).rev() {
        turn(work, &factors, k, &mut solution);
    }
    (solution, multipliers)
}

/// Turns the remainder of row k into its first entry, and replaces it by the normal. Returns the factor of the
/// reflection and this entry.
fn reflect<S: SimdRealField + Copy, const N: usize, const C: usize>(
    work: &mut [[S; N]; C],
    k: usize,
) -> (S, S) {
    let nothing = (S::zero(), S::zero());
    let Some((above, below)) = work.split_at_mut_checked(k + 1) else {
        return nothing;
    };
    let Some(normal) = above.last_mut() else {
        return nothing;
    };
    let Some(normal) = normal.get_mut(k..) else {
        return nothing;
    };
    let length = dot(normal, normal).simd_sqrt();
    let Some(first) = normal.first_mut() else {
        return nothing;
    };
    // The sign without cancellation.
    let image = length.select(first.simd_lt(S::zero()), -length);
    *first -= image;
    let factor = constant::<S>(2.0) / dot(normal, normal);
    for row in below {
        if let Some(rest) = row.get_mut(k..) {
            add_multiple(-factor * dot(normal, rest), normal, rest);
        }
    }
    (factor, image)
}

/// Replaces x by Qᵀ x.
fn rotate_in<S: SimdRealField + Copy, const N: usize, const C: usize>(
    work: &[[S; N]; C],
    factors: &[S; C],
    x: &mut [S; N],
) {
    for k in 0..C {
        turn(work, factors, k, x);
    }
}

/// The reflection k of x.
fn turn<S: SimdRealField + Copy, const N: usize, const C: usize>(
    work: &[[S; N]; C],
    factors: &[S; C],
    k: usize,
    x: &mut [S; N],
) {
    if let (Some(normal), Some(rest)) = (work[k].get(k..), x.get_mut(k..)) {
        add_multiple(-factors[k] * dot(normal, rest), normal, rest);
    }
}

fn transpose<S: Copy, const N: usize>(m: &mut [[S; N]; N]) {
    for i in 0..N {
        for j in 0..i {
            let entry = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = entry;
        }
    }
}

/// Replaces the entries of x from C on by the solution of the equations in the rows and columns from C on, by
/// elimination with partial pivoting in each lane.
fn solve_free<S: SimdRealField + Copy, const N: usize, const C: usize>(
    m: &mut [[S; N]; N],
    x: &mut [S; N],
) {
    for k in C..N {
        for i in k + 1..N {
            // The larger of two entries moves up, row by row.
            let larger = m[i][k].simd_abs().simd_gt(m[k][k].simd_abs());
            for j in k..N {
                let (above, below) = (m[k][j], m[i][j]);
                m[k][j] = below.select(larger, above);
                m[i][j] = above.select(larger, below);
            }
            let (above, below) = (x[k], x[i]);
            x[k] = below.select(larger, above);
            x[i] = above.select(larger, below);
        }
        let row = m[k];
        for i in k + 1..N {
            let factor = m[i][k] / row[k];
            for j in k + 1..N {
                m[i][j] = neg_mul_add(factor, row[j], m[i][j]);
            }
            x[i] = neg_mul_add(factor, x[k], x[i]);
        }
    }
    for k in (C..N).rev() {
        let mut entry = x[k];
        for i in k + 1..N {
            entry = neg_mul_add(m[k][i], x[i], entry);
        }
        x[k] = entry / m[k][k];
    }
}

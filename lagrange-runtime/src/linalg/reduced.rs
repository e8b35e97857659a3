//! Linearizations on the independent displacements of a constrained system.

use nalgebra::{RealField, SMatrix};

use super::{
    are_finite,
    binary::{exponent, scale_by, scaled_by},
    householder_qr::Reflections,
    matrix,
    null_space::fraction,
    rank::first_dependent,
    refinement::largest,
    tolerances::{dependent_share, magnitude, tolerance},
    vectors::{add_multiple, dot},
};
use crate::{Error, Linearization, ReducedLinearization, math::constant};

/// Restricts a linearization to the displacements and velocities that holonomic constraints leave free.
///
/// J is `jacobian`, and `by_position` the derivative of `J v + ∂r/∂t` by the displacement of q. `R` is N less the rank of
/// J, `R2` twice that, and `N2` twice N, both plus the number of states of first order, which are free. If the rank is less
/// than C, rows depend on each other, and so do those of `by_position`.
///
/// Z is an orthonormal basis of the null space of J, by Householder reflections with row and column exchanges. The
/// largest entry of each column is positive. Displacements d = Z y of q and w of v keep the constraints to first order if
/// J w = -G Z y with G = `by_position`, so [d; w] = E [y; z] with E = [Z 0; -J⁺ G Z, Z]. The result is
/// A = diag(Z, Z)ᵀ A_lin E and B = diag(Z, Z)ᵀ B_lin.
///
/// # Errors
///
/// [`Error::DependentConstraints`] with the first row of J that adds nothing to those above it, if the rank of J is not
/// N - `R`; [`Error::NotFinite`].
///
/// ```
/// use lagrange_runtime::nalgebra::{SMatrix, matrix};
/// use lagrange_runtime::{Linearization, linalg::reduced};
///
/// // A mass on the floor y = 0, on a spring along x.
/// let free = Linearization {
///     a: matrix![0.0, 0.0, 1.0, 0.0; 0.0, 0.0, 0.0, 1.0; -4.0, 0.0, 0.0, 0.0; 0.0, 0.0, 0.0, 0.0],
///     b: SMatrix::<f64, 4, 0>::zeros(),
/// };
/// let found = reduced::<_, 2, 4, 1, 1, 2, 0>(&free, &matrix![0.0, 1.0], &matrix![0.0, 0.0])?;
/// assert_eq!((found.a, found.basis), (matrix![0.0, 1.0; -4.0, 0.0], matrix![1.0; 0.0]));
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
#[inline(never)]
pub fn reduced<
    S: RealField + Copy,
    const N: usize,
    const N2: usize,
    const C: usize,
    const R: usize,
    const R2: usize,
    const K: usize,
>(
    free: &Linearization<S, N2, K>,
    jacobian: &SMatrix<S, C, N>,
    by_position: &SMatrix<S, C, N>,
) -> Result<ReducedLinearization<S, N, R, R2, K>, Error> {
    let zero = S::zero();
    let rows = jacobian.transpose().data.0;
    let of_rows = [jacobian.as_slice(), by_position.as_slice()];
    if !are_finite(&of_rows) || !are_finite(&[free.a.as_slice(), free.b.as_slice()]) {
        return Err(Error::NOT_FINITE);
    }
    let rank = N.saturating_sub(R).min(C);
    let mut factors = [[zero; N]; C];
    let dependent = first_dependent(&rows, &mut factors, false);
    if let (Some(row), true) = (dependent, rank == C) {
        return Err(Error::DependentConstraints { row });
    }
    // Each row in units of its largest entry, so that the choice of independent ones does not depend on units. Of rows
    // that may depend on others, those that are none beside the largest one are not enlarged.
    let sizes = rows.each_ref().map(|row| exponent(largest(row)));
    let most = sizes.iter().max().copied().flatten().unwrap_or(0);
    let none = exponent(magnitude(dependent_share::<S>())).filter(|_| rank < C);
    let least = none.map_or(i32::MIN, |none| most + none);
    let exponents = sizes.map(|size| -size.filter(|size| *size > least).unwrap_or(most));
    factors = rows;
    for (row, exponent) in factors.iter_mut().zip(&exponents) {
        *row = scaled_by(row, *exponent);
    }
    let share = match rank < C {
        true => dependent_share::<S>(),
        false => constant::<S>(4.0) * tolerance::<S>(N + C),
    };
    let is_dependent = |row: &[S; N], step: usize| fraction(row, step) <= magnitude(share);
    let reflections = Reflections::factor_until(&mut factors, is_dependent)?;
    if reflections.rank != rank {
        let row = dependent.unwrap_or(rank);
        return Err(Error::DependentConstraints { row });
    }
    let mut basis = [[zero; N]; R];
    for (k, column) in basis.iter_mut().enumerate() {
        if let Some(entry) = column.get_mut(rank + k) {
            *entry = S::one();
        }
        reflections.rotate_out(&factors, column);
        let largest = column.iter().fold(zero, |most, entry| {
            if entry.abs() > most.abs() {
                *entry
            } else {
                most
            }
        });
        if largest < zero {
            *column = column.map(|entry| -entry);
        }
    }
    // E, column by column.
    let mut extended = [[zero; N2]; R2];
    for (k, column) in basis.iter().enumerate() {
        let mut rates = [zero; C];
        for (entry, coefficient) in column.iter().zip(by_position.column_iter()) {
            for (rate, coefficient) in rates.iter_mut().zip(coefficient.iter()) {
                *rate -= *coefficient * *entry;
            }
        }
        for (rate, exponent) in rates.iter_mut().zip(&exponents) {
            *rate = scale_by(*rate, *exponent);
        }
        let mut needed = reflections.bound_part(&factors, &rates);
        reflections.rotate_out(&factors, &mut needed);
        if let Some(place) = extended.get_mut(k) {
            let values = column.iter().chain(&needed);
            place
                .iter_mut()
                .zip(values)
                .for_each(|(place, value)| *place = *value);
        }
        if let Some(place) = extended.get_mut(R + k) {
            place
                .iter_mut()
                .skip(N)
                .zip(column)
                .for_each(|(place, value)| *place = *value);
        }
    }
    let states = extended.iter_mut().skip(R + R);
    for (k, column) in states.enumerate() {
        if let Some(entry) = column.get_mut(N + N + k) {
            *entry = S::one();
        }
    }
    let onto = |image: &[S], place: &mut [S]| {
        place
            .iter_mut()
            .skip(R + R)
            .zip(image.iter().skip(N + N))
            .for_each(|(place, entry)| *place = *entry);
        for (half, image) in image.chunks_exact(N.max(1)).take(2).enumerate() {
            place
                .iter_mut()
                .skip(half * R)
                .zip(&basis)
                .for_each(|(place, column)| *place = dot(column, image));
        }
    };
    let mut result = ReducedLinearization {
        a: SMatrix::zeros(),
        b: SMatrix::zeros(),
        basis: matrix(basis),
    };
    for (place, column) in result.a.data.0.iter_mut().zip(&extended) {
        let mut image = [zero; N2];
        for (entry, column) in column.iter().zip(&free.a.data.0) {
            add_multiple(*entry, column, &mut image);
        }
        onto(&image, place);
    }
    for (place, column) in result.b.data.0.iter_mut().zip(&free.b.data.0) {
        onto(column, place);
    }
    Ok(result)
}

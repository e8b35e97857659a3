//! Limits of residuals, and the end of the steps.

use nalgebra::RealField;

use crate::{
    Error,
    linalg::{MULTIPLE, dependent_share, limits},
    math::constant,
};

/// Bounds of the rounding errors of residuals.
///
/// They take at least as long as the residuals, so they are evaluated only if residuals are small.
///
/// ```
/// use lagrange_runtime::project::Bounds;
///
/// /// What `Constraints::position` does for x y = 1.
/// fn hyperbola(
///     [x, y]: [f64; 2],
///     residuals: &mut [f64; 1],
///     rows: &mut [[f64; 2]; 1],
///     bounds: &mut Bounds<f64, 1>,
/// ) {
///     let product = x * y;
///     (*residuals, *rows) = ([product - 1.0], [[y, x]]);
///     if bounds.are_wanted(residuals, rows) {
///         // Of x, of y, of the product, and of the difference.
///         bounds.values = [3.0 * product.abs() + residuals[0].abs()];
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Bounds<S, const R: usize> {
    /// For each residual, in units of half of the machine epsilon; see [`project()`](super::project()). Zeros, to be written if
    /// [they are wanted](Self::are_wanted).
    pub values: [S; R],
    /// Residuals are small up to this fraction of the largest entry of their row of J.
    pub(super) small: S,
    pub(super) are_known: bool,
}

impl<S: RealField + Copy, const R: usize> Bounds<S, R> {
    /// For residuals at these coordinates or velocities. Bounds are always wanted, or only if the residuals may be
    /// rounding errors, compared with the change that all of x causes.
    pub(super) fn at(x: &[S], always: bool) -> Self {
        let eps = S::default_epsilon();
        Self {
            values: [S::zero(); R],
            // eps^(3/4)
            small: eps / eps.sqrt().sqrt() * size(x),
            are_known: always,
        }
    }

    /// Returns whether bounds are wanted for these residuals with these rows of J.
    pub fn are_wanted<const N: usize>(&mut self, residuals: &[S; R], rows: &[[S; N]; R]) -> bool {
        let mut are_small = true;
        for k in 0..R {
            are_small &= residuals[k].abs() <= self.small * size(&rows[k]);
        }
        self.are_known |= are_small;
        self.are_known
    }

    /// The largest residuals that are accepted.
    pub(super) fn limits(&self) -> Limits<S, R> {
        Limits(limits(&self.values))
    }

    /// Returns whether residuals of rows that may depend on each other agree: each is at most `sqrt(eps)` of the lengths
    /// that its row is computed from, or for a row that is none, that all rows are computed from.
    pub(super) fn agree(&self, residuals: &[S; R], is_none: &[bool; R]) -> bool {
        let share = dependent_share::<S>() * constant(1.0 / OPERATIONS_OF_LENGTHS);
        let most = size(&self.values);
        let mut agree = true;
        for k in 0..R {
            let bound = if is_none[k] { most } else { self.values[k] };
            agree &= residuals[k].abs() <= share * bound;
        }
        agree
    }
}

/// A bound counts a length once for each operation on it. The lengths of a short linkage pass through about eight.
const OPERATIONS_OF_LENGTHS: f64 = 8.0;

/// The limit of each residual.
#[derive(Clone, Copy)]
pub(super) struct Limits<S, const R: usize>(pub(super) [S; R]);

impl<S: RealField + Copy, const R: usize> Limits<S, R> {
    /// Bounds are not known yet.
    pub(super) fn none() -> Self {
        Self([S::zero(); R])
    }

    pub(super) fn is_met(&self, k: usize, residuals: &[S; R]) -> bool {
        residuals[k].abs() <= self.0[k]
    }

    pub(super) fn are_met(&self, residuals: &[S; R]) -> bool {
        for k in 0..R {
            if !self.is_met(k, residuals) {
                return false;
            }
        }
        true
    }

    /// Returns whether all are within a single error bound.
    pub(super) fn are_bounded(&self, residuals: &[S; R]) -> bool {
        let multiple = constant::<S>(MULTIPLE);
        for k in 0..R {
            if residuals[k].abs() * multiple > self.0[k] {
                return false;
            }
        }
        true
    }

    /// The wanted changes of residuals.
    pub(super) fn changes(&self, residuals: &[S; R], trouble: Trouble) -> [S; R] {
        let mut changes = negated(residuals);
        for k in 0..R {
            if trouble == Trouble::MetRowsFixed && self.is_met(k, residuals) {
                changes[k] = S::zero();
            }
        }
        changes
    }

    /// The largest residual that is not met, each divided by the size of its row of J.
    pub(super) fn remaining(&self, residuals: &[S; R], sizes: &[S; R]) -> S {
        let mut largest = S::zero();
        for k in 0..R {
            if !self.is_met(k, residuals) {
                largest = largest.max(residuals[k].abs() / sizes[k]);
            }
        }
        largest
    }
}

/// The attempts that follow if no step makes residuals smaller.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Trouble {
    None,
    /// Bounds are evaluated: rows that are met need not fall.
    BoundsKnown,
    /// Such rows also stay unchanged: a step for the rounding errors of one row may move others by more than theirs.
    MetRowsFixed,
}

impl Trouble {
    /// The next attempt, if bounds are known or not.
    pub(super) fn next(self, are_known: bool) -> Self {
        if are_known {
            Self::MetRowsFixed
        } else {
            Self::BoundsKnown
        }
    }
}

/// The largest absolute value.
pub(super) fn size<S: RealField + Copy>(x: &[S]) -> S {
    let mut largest = S::zero();
    for entry in x {
        largest = largest.max(entry.abs());
    }
    largest
}

/// The entries with the other sign.
pub(super) fn negated<S: RealField + Copy, const R: usize>(entries: &[S; R]) -> [S; R] {
    let mut negated = *entries;
    for i in 0..R {
        negated[i] = -entries[i];
    }
    negated
}

/// The failure to meet constraints; `residuals` remain.
pub(crate) fn not_converged<'a, S: RealField + Copy>(
    residuals: impl IntoIterator<Item = &'a S>,
) -> Error {
    let mut residual: f64 = 0.0;
    for &entry in residuals {
        let value: f64 = nalgebra::convert_unchecked(entry);
        residual = residual.max(value.abs());
    }
    Error::NotConverged { residual }
}

//! Products and sums of rows.

use nalgebra::SimdRealField;

use crate::math::{mul_add, neg_mul_add};

/// `start - x·y`.
#[inline]
pub(super) fn subtract_dot<S: SimdRealField + Copy>(x: &[S], y: &[S], start: S) -> S {
    let terms = x.iter().zip(y);
    terms.fold(start, |sum, (&left, &right)| neg_mul_add(left, right, sum))
}

/// `x·y`.
#[inline]
pub(super) fn dot<S: SimdRealField + Copy>(x: &[S], y: &[S]) -> S {
    let terms = x.iter().zip(y);
    terms.fold(S::zero(), |sum, (&left, &right)| mul_add(left, right, sum))
}

/// Adds `factor * x` to `y`.
#[inline]
pub(super) fn add_multiple<S: SimdRealField + Copy>(factor: S, x: &[S], y: &mut [S]) {
    for (entry, &value) in y.iter_mut().zip(x) {
        *entry = mul_add(factor, value, *entry);
    }
}

/// Adds `x` to `y`.
#[inline]
pub(super) fn add<S: SimdRealField + Copy>(y: &mut [S], x: &[S]) {
    for (entry, &value) in y.iter_mut().zip(x) {
        *entry += value;
    }
}

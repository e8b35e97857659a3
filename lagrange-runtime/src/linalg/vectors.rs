//! Products and sums of rows.

use nalgebra::SimdRealField;

use crate::math::{mul_add, neg_mul_add};

/// `start - x·y`.
#[inline]
pub(super) fn subtract_dot<S: SimdRealField + Copy>(x: &[S], y: &[S], start: S) -> S {
    let mut sum = start;
    for i in 0..x.len().min(y.len()) {
        sum = neg_mul_add(x[i], y[i], sum);
    }
    sum
}

/// `x·y`.
#[inline]
pub(crate) fn dot<S: SimdRealField + Copy>(x: &[S], y: &[S]) -> S {
    let mut sum = S::zero();
    for i in 0..x.len().min(y.len()) {
        sum = mul_add(x[i], y[i], sum);
    }
    sum
}

/// Adds `factor * x` to `y`.
#[inline]
pub(super) fn add_multiple<S: SimdRealField + Copy>(factor: S, x: &[S], y: &mut [S]) {
    for i in 0..x.len().min(y.len()) {
        y[i] = mul_add(factor, x[i], y[i]);
    }
}

/// Adds `x` to `y`.
#[inline]
pub(super) fn add<S: SimdRealField + Copy>(y: &mut [S], x: &[S]) {
    for i in 0..x.len().min(y.len()) {
        y[i] += x[i];
    }
}

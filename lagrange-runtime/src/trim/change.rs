//! Changes of a state: vectors of N displacements, N velocities and K inputs.

use nalgebra::RealField;

use super::state::Free;
use crate::math::{constant, sqrt};

/// A change of a state, or derivatives by one.
#[derive(Clone, Copy)]
pub(super) struct Change<S, const N: usize, const K: usize> {
    pub(super) q: [S; N],
    pub(super) v: [S; N],
    pub(super) u: [S; K],
}

impl<S: RealField + Copy, const N: usize, const K: usize> Change<S, N, K> {
    pub(super) fn zero() -> Self {
        Self {
            q: [S::zero(); N],
            v: [S::zero(); N],
            u: [S::zero(); K],
        }
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = &S> {
        self.q.iter().chain(&self.v).chain(&self.u)
    }

    fn entries_mut(&mut self) -> impl Iterator<Item = &mut S> {
        let velocities = self.v.iter_mut();
        self.q.iter_mut().chain(velocities).chain(&mut self.u)
    }

    /// Its free part.
    pub(super) fn masked(mut self, free: &Free<N, K>) -> Self {
        let flags = free.q.iter().chain(&free.v).chain(&free.u);
        for (entry, is_free) in self.entries_mut().zip(flags) {
            if !is_free {
                *entry = S::zero();
            }
        }
        self
    }

    pub(super) fn dot(&self, other: &Self) -> S {
        self.entries()
            .zip(other.entries())
            .fold(S::zero(), |sum, (a, b)| sum + *a * *b)
    }

    pub(super) fn norm(&self) -> S {
        let largest = self.largest();
        if largest > S::zero() {
            let scaled = self.scaled(S::one() / largest);
            largest * sqrt(scaled.dot(&scaled))
        } else {
            largest
        }
    }

    pub(super) fn largest(&self) -> S {
        self.entries()
            .fold(S::zero(), |most, entry| most.max(entry.abs()))
    }

    pub(super) fn scaled(mut self, factor: S) -> Self {
        self.entries_mut().for_each(|entry| *entry *= factor);
        self
    }

    /// self + factor other
    pub(super) fn plus(mut self, factor: S, other: &Self) -> Self {
        for (entry, added) in self.entries_mut().zip(other.entries()) {
            *entry += factor * *added;
        }
        self
    }

    /// Replaces both by a rotation in their plane that makes them orthogonal; its cosine and sine, or `None`
    /// if they are so already.
    pub(super) fn orthogonalise(&mut self, other: &mut Self) -> Option<(S, S)> {
        let (a, b, c) = (self.dot(self), other.dot(other), self.dot(other));
        let negligible = S::default_epsilon() * S::default_epsilon();
        if c.abs() <= S::default_epsilon() * sqrt(a) * sqrt(b) || a.min(b) <= negligible * a.max(b)
        {
            return None;
        }
        let cotangent = (b - a) / (constant::<S>(2.0) * c);
        let root = sqrt(S::one() + cotangent * cotangent);
        let tangent = S::one() / (cotangent.abs() + root);
        let tangent = if cotangent < S::zero() {
            -tangent
        } else {
            tangent
        };
        let cosine = S::one() / sqrt(S::one() + tangent * tangent);
        let sine = tangent * cosine;
        for (x, y) in self.entries_mut().zip(other.entries_mut()) {
            (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
        }
        Some((cosine, sine))
    }
}

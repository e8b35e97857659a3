//! The careful solve of a constrained system: in the directions that the constraints leave free.

use nalgebra::RealField;

use super::{
    pivoted::{PivotedLu, exchange},
    rank::first_dependent,
    saddle::{Pair, Saddle, add_multiple, dot, subtract_dot},
    symmetric::{equilibration, magnitude, product, reciprocal_power},
    tolerance,
};
use crate::{Error, math::constant};

/// The factors of a regular matrix `[M -Jᵀ; J 0]` by the null-space method.
///
/// The matrix is scaled first, D M D and E J D, then Jᵀ = Q R by [`Reflections`], and with
/// B = Qᵀ M Q, y = Qᵀ a and C constraints the equations fall apart: `Rᵀ y₁ = γ` gives the first C
/// entries of y, `B₂₂ y₂ = (Qᵀ f)₂ - B₂₁ y₁` the others, `R λ = (B y - Qᵀ f)₁` the multipliers.
#[derive(Clone, Copy, Debug)]
pub(super) struct NullSpace<S, const N: usize, const C: usize> {
    /// The diagonals of D and E, powers of two.
    scale: [S; N],
    row_scale: [S; C],
    /// The scaled blocks.
    saddle: Saddle<S, N, C>,
    reflections: Reflections<S, N, C>,
    /// B = Qᵀ M Q.
    rotated: [[S; N]; N],
    /// The factors of B₂₂, filled up to the size N by the identity.
    free: PivotedLu<S, N>,
}

impl<S: RealField + Copy, const N: usize, const C: usize> NullSpace<S, N, C> {
    /// Factors; the entries must be finite.
    pub(super) fn factor(saddle: &Saddle<S, N, C>) -> Result<Self, Error> {
        if let Some(row) = first_dependent(&saddle.jacobian) {
            return Err(Error::DependentConstraints { row });
        }
        let (scale, row_scale) = scaling(saddle);
        let (scale, row_scale) = (scale.map(constant::<S>), row_scale.map(constant::<S>));
        let saddle = scaled(saddle, &scale, &row_scale);
        let reflections = Reflections::factor(&saddle.jacobian)?;
        let rotated = reflections.rotate_both(&saddle.mass);
        // In the scaled matrix all that matters is about 1. Errors in B₂₂ are relative to that, so that
        // its pivots are judged against the identity beside it and not against each other.
        let free = PivotedLu::factor(
            free_block::<S, N, C>(&rotated),
            constant::<S>(8.0) * tolerance::<S>(N),
        );
        Ok(Self {
            scale,
            row_scale,
            saddle,
            reflections,
            rotated,
            free: free.ok_or(Error::SingularMassMatrix)?,
        })
    }

    /// The solution for the right-hand side (f, γ), with two steps of refinement.
    pub(super) fn solve(&self, (f, gamma): &Pair<S, N, C>) -> Pair<S, N, C> {
        let right = (product(f, &self.scale), product(gamma, &self.row_scale));
        let apply = |right: &Pair<S, N, C>| self.apply(right);
        let mut solution = self.apply(&right);
        for _ in 0..2 {
            solution = self.saddle.refine(&right, solution, apply);
        }
        let (acceleration, multipliers) = solution;
        (
            product(&acceleration, &self.scale),
            product(&multipliers, &self.row_scale),
        )
    }

    fn apply(&self, (f, gamma): &Pair<S, N, C>) -> Pair<S, N, C> {
        let mut forces = *f;
        self.reflections.rotate_in(&mut forces);
        let bound = self.reflections.bound_part(gamma);
        let mut right = forces;
        for (entry, row) in right.iter_mut().zip(&self.rotated) {
            *entry = subtract_dot(row, &bound, *entry);
        }
        // The identity beside B₂₂ passes zeros on, and y₁ takes their place.
        right
            .iter_mut()
            .take(C)
            .for_each(|entry| *entry = S::zero());
        let mut solution = self.free.solve(&right);
        for (entry, &value) in solution.iter_mut().zip(&bound).take(C) {
            *entry = value;
        }
        let mut reactions = [S::zero(); C];
        let rows = self.rotated.iter().zip(&forces);
        for (reaction, (row, &force)) in reactions.iter_mut().zip(rows) {
            *reaction = dot(row, &solution) - force;
        }
        let multipliers = self.reflections.multipliers(reactions);
        self.reflections.rotate_out(&mut solution);
        (solution, multipliers)
    }
}

/// The factorisation Jᵀ P = Q R with Q orthogonal.
///
/// By Householder reflections that take at each step the constraint of which most remains, and put its
/// largest entry first. The two exchanges together make the factorisation as accurate for coordinates
/// of very different scales as for equal ones (Cox & Higham, "Stability of Householder QR factorization
/// for weighted least squares problems", 1998, after Powell & Reid, 1969).
#[derive(Clone, Copy, Debug)]
struct Reflections<S, const N: usize, const C: usize> {
    /// The normals w of the reflections 1 - β w wᵀ, and the factors β.
    normals: [[S; N]; C],
    factors: [S; C],
    /// What step k exchanged with constraint k and with coordinate k.
    row_swaps: [usize; C],
    swaps: [usize; C],
    /// Rᵀ, lower triangular; zero from column C on.
    triangle: [[S; N]; C],
}

impl<S: RealField + Copy, const N: usize, const C: usize> Reflections<S, N, C> {
    fn factor(jacobian: &[[S; N]; C]) -> Result<Self, Error> {
        let mut this = Self {
            normals: [[S::zero(); N]; C],
            factors: [S::zero(); C],
            row_swaps: [0; C],
            swaps: [0; C],
            triangle: *jacobian,
        };
        let mut order: [usize; C] = core::array::from_fn(|k| k);
        for k in 0..C {
            let row = most_independent(&this.triangle, k);
            exchange(&mut this.triangle, k, row);
            exchange(&mut order, k, row);
            this.row_swaps[k] = row;
            this.reflect(k)
                .ok_or(Error::DependentConstraints { row: order[k] })?;
        }
        Ok(this)
    }

    /// Turns what remains of row k into its first entry; `None` if nothing remains.
    fn reflect(&mut self, k: usize) -> Option<()> {
        let coordinate = largest_from(self.triangle.get(k)?, k);
        for row in &mut self.triangle {
            exchange(row, k, coordinate);
        }
        *self.swaps.get_mut(k)? = coordinate;
        let normal = self.normals.get_mut(k)?;
        let rest = self.triangle.get(k)?.get(k..)?;
        normal.get_mut(k..)?.copy_from_slice(rest);
        let length = dot(rest, rest).sqrt();
        let first = normal.get_mut(k)?;
        // Of the two possible signs that without cancellation.
        let image = if *first < S::zero() { length } else { -length };
        *first -= image;
        let square = dot(normal, normal);
        (square > S::zero()).then_some(())?;
        let factor = (S::one() + S::one()) / square;
        *self.factors.get_mut(k)? = factor;
        let normal = *normal;
        for row in self.triangle.iter_mut().skip(k + 1) {
            add_multiple(-factor * dot(&normal, row), &normal, row);
        }
        let row = self.triangle.get_mut(k)?;
        row.iter_mut().skip(k).for_each(|entry| *entry = S::zero());
        *row.get_mut(k)? = image;
        Some(())
    }

    /// Replaces x by Qᵀ x.
    fn rotate_in(&self, x: &mut [S; N]) {
        for k in 0..C {
            exchange(x, k, self.swaps[k]);
            let factor = self.factors[k] * dot(&self.normals[k], x);
            add_multiple(-factor, &self.normals[k], x);
        }
    }

    /// Replaces x by Q x.
    fn rotate_out(&self, x: &mut [S; N]) {
        for k in (0..C).rev() {
            let factor = self.factors[k] * dot(&self.normals[k], x);
            add_multiple(-factor, &self.normals[k], x);
            exchange(x, k, self.swaps[k]);
        }
    }

    /// Qᵀ M Q for a symmetric M.
    fn rotate_both(&self, m: &[[S; N]; N]) -> [[S; N]; N] {
        let mut rotated = *m;
        for _ in 0..2 {
            rotated.iter_mut().for_each(|row| self.rotate_in(row));
            transpose(&mut rotated);
        }
        rotated
    }

    /// The solution y₁ of `Rᵀ y₁ = Pᵀ γ`, followed by zeros.
    fn bound_part(&self, gamma: &[S; C]) -> [S; N] {
        let mut right = *gamma;
        for k in 0..C {
            exchange(&mut right, k, self.row_swaps[k]);
        }
        let mut bound = [S::zero(); N];
        for k in 0..C {
            let row = &self.triangle[k];
            let rest = subtract_dot(row, &bound, right[k]);
            if let (Some(entry), Some(&pivot)) = (bound.get_mut(k), row.get(k)) {
                *entry = rest / pivot;
            }
        }
        bound
    }

    /// The solution λ of `R Pᵀ λ = reactions`.
    fn multipliers(&self, reactions: [S; C]) -> [S; C] {
        let mut multipliers = reactions;
        for k in (0..C).rev() {
            let row = &self.triangle[k];
            if let Some(&pivot) = row.get(k) {
                multipliers[k] /= pivot;
            }
            let (above, solved) = multipliers.split_at_mut(k);
            if let Some(&value) = solved.first() {
                add_multiple(-value, row, above);
            }
        }
        for k in (0..C).rev() {
            exchange(&mut multipliers, k, self.row_swaps[k]);
        }
        multipliers
    }
}

/// The row from `k` on of which most remains in the columns from `k` on.
fn most_independent<S: RealField + Copy, const N: usize, const C: usize>(
    rows: &[[S; N]; C],
    k: usize,
) -> usize {
    let mut best = (k, S::zero());
    for index in k..C {
        let rest = rows[index].get(k..).unwrap_or_default();
        let square = dot(rest, rest);
        if square > best.1 {
            best = (index, square);
        }
    }
    best.0
}

/// The index of the largest entry from `k` on.
fn largest_from<S: RealField + Copy, const N: usize>(row: &[S; N], k: usize) -> usize {
    let mut best = (k, S::zero());
    for index in k..N {
        let size = row[index].abs();
        if size > best.1 {
            best = (index, size);
        }
    }
    best.0
}

/// B₂₂ with the identity in place of the other blocks.
fn free_block<S: RealField + Copy, const N: usize, const C: usize>(
    rotated: &[[S; N]; N],
) -> [[S; N]; N] {
    let mut block = *rotated;
    for i in 0..N {
        for j in 0..N {
            if i < C || j < C {
                block[i][j] = if i == j { S::one() } else { S::zero() };
            }
        }
    }
    block
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

/// D M D and E J D.
fn scaled<S: RealField + Copy, const N: usize, const C: usize>(
    saddle: &Saddle<S, N, C>,
    scale: &[S; N],
    row_scale: &[S; C],
) -> Saddle<S, N, C> {
    let mut scaled = *saddle;
    for (row, &factor) in scaled.mass.iter_mut().zip(scale) {
        *row = product(row, scale).map(|entry| entry * factor);
    }
    for (row, &factor) in scaled.jacobian.iter_mut().zip(row_scale) {
        *row = product(row, scale).map(|entry| entry * factor);
    }
    scaled
}

/// The diagonals of D and E: powers of two that make the largest entry about 1 in each row of D M D
/// and of E J D, and in the columns of E J D that belong to a massless coordinate.
fn scaling<S: RealField + Copy, const N: usize, const C: usize>(
    saddle: &Saddle<S, N, C>,
) -> ([f64; N], [f64; C]) {
    let given = equilibration(&saddle.mass);
    let mut scale = given.map(|factor| factor.unwrap_or(1.0));
    let mut row_scale = [1.0; C];
    // Coordinates without inertia have a scale only through the constraints, whose scale depends on
    // theirs in turn: in turns, then.
    for _ in 0..3 {
        for i in 0..N {
            if given[i].is_none() {
                let column = saddle.jacobian.iter().zip(&row_scale);
                let largest = column.fold(0.0, |largest: f64, (row, &factor)| {
                    largest.max(magnitude(row[i]) * factor)
                });
                scale[i] = reciprocal_power(largest).unwrap_or(1.0);
            }
        }
        for (row, factor) in saddle.jacobian.iter().zip(&mut row_scale) {
            let entries = row.iter().zip(&scale);
            let largest = entries.fold(0.0, |largest: f64, (&entry, &scale)| {
                largest.max(magnitude(entry) * scale)
            });
            *factor = reciprocal_power(largest).unwrap_or(1.0);
        }
    }
    (scale, row_scale)
}

//! Orthogonal factors of the constraints' Jacobian.

use nalgebra::RealField;

use super::{
    binary::{exponent, scale_by},
    complete_lu::exchange,
    tolerances::magnitude,
    vectors::{add_multiple, dot, subtract_dot},
};
use crate::{Error, math::constant};

/// The factorisation Jᵀ P = Q R with Q orthogonal.
///
/// Each step of the Householder reflections takes the constraint with the largest remainder, and puts its largest entry
/// first. With both exchanges the factorisation is as accurate for coordinates of very different scales as for equal
/// ones (Cox & Higham, "Stability of Householder QR factorization for weighted least squares problems", 1998, after
/// Powell & Reid, 1969).
///
/// It replaces J: row k of `rows` holds Rᵀ up to its diagonal, which is stored separately, followed by the normal w of
/// the reflection 1 - β w wᵀ. Rows from the rank on depend on those before it; they hold their part of Rᵀ and their
/// remainders.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reflections<S, const C: usize> {
    /// The number of steps: C, unless rows may depend on each other.
    pub(super) rank: usize,
    /// The factors β.
    pub(super) factors: [S; C],
    /// The diagonal of R.
    pub(super) images: [S; C],
    /// The constraint and the coordinate that step k exchanged with constraint k and coordinate k.
    pub(super) row_swaps: [usize; C],
    pub(super) swaps: [usize; C],
}

impl<S: RealField + Copy, const C: usize> Reflections<S, C> {
    pub(super) fn factor<const N: usize>(rows: &mut [[S; N]; C]) -> Result<Self, Error> {
        Self::factor_until(rows, |_, _| false)
    }

    /// The same for rows that may depend on each other: ends at the first step whose row `is_dependent`, which is given
    /// the row and the step.
    pub(super) fn factor_until<const N: usize>(
        rows: &mut [[S; N]; C],
        mut is_dependent: impl FnMut(&[S; N], usize) -> bool,
    ) -> Result<Self, Error> {
        let mut this = Self {
            rank: C,
            factors: [S::zero(); C],
            images: [S::zero(); C],
            row_swaps: [0; C],
            swaps: [0; C],
        };
        let mut order = [0; C];
        for k in 0..C {
            order[k] = k;
        }
        for k in 0..C {
            let row = most_independent(rows, k);
            if is_dependent(&rows[row], k) {
                this.rank = k;
                break;
            }
            exchange(rows, k, row);
            exchange(&mut order, k, row);
            this.row_swaps[k] = row;
            this.reflect(rows, k)
                .ok_or(Error::DependentConstraints { row: order[k] })?;
        }
        Ok(this)
    }

    /// Turns the remainder of row k into its first entry; `None` if nothing remains.
    fn reflect<const N: usize>(&mut self, rows: &mut [[S; N]; C], k: usize) -> Option<()> {
        let coordinate = largest_from(rows.get(k)?, k);
        // The rows above stay: their normals belong to an earlier order.
        for i in k..C {
            exchange(&mut rows[i], k, coordinate);
        }
        *self.swaps.get_mut(k)? = coordinate;
        let (above, below) = rows.split_at_mut_checked(k + 1)?;
        let normal = above.last_mut()?.get_mut(k..)?;
        // Scaled to a size of about 1, so that squares are too.
        let size = exponent(magnitude(*normal.first()?))?;
        for entry in normal.iter_mut() {
            *entry = scale_by(*entry, -size);
        }
        let length = dot(normal, normal).sqrt();
        let first = normal.first_mut()?;
        // The sign without cancellation.
        let image = if *first < S::zero() { length } else { -length };
        *first -= image;
        *self.images.get_mut(k)? = scale_by(image, size);
        let square = dot(normal, normal);
        let is_left = square > S::zero();
        if !is_left {
            return None;
        }
        let factor = constant::<S>(2.0) / square;
        *self.factors.get_mut(k)? = factor;
        for row in below {
            let remainder = row.get_mut(k..)?;
            add_multiple(-factor * dot(normal, remainder), normal, remainder);
        }
        Some(())
    }

    /// Replaces x by Qᵀ x.
    pub(super) fn rotate_in<const N: usize>(&self, rows: &[[S; N]; C], x: &mut [S; N]) {
        for k in 0..self.rank.min(C) {
            exchange(x, k, self.swaps[k]);
            self.turn(rows, k, x);
        }
    }

    /// Replaces x by Q x.
    pub(super) fn rotate_out<const N: usize>(&self, rows: &[[S; N]; C], x: &mut [S; N]) {
        for k in (0..self.rank.min(C)).rev() {
            self.turn(rows, k, x);
            exchange(x, k, self.swaps[k]);
        }
    }

    /// The reflection k of x.
    fn turn<const N: usize>(&self, rows: &[[S; N]; C], k: usize, x: &mut [S; N]) {
        if let (Some(normal), Some(entries)) = (rows[k].get(k..), x.get_mut(k..)) {
            add_multiple(-self.factors[k] * dot(normal, entries), normal, entries);
        }
    }

    /// Brings the entries of constraints into the order of the steps.
    pub(super) fn order<T: Copy>(&self, entries: &mut [T; C]) {
        for k in 0..self.rank.min(C) {
            exchange(entries, k, self.row_swaps[k]);
        }
    }

    /// Brings them back into the order of the constraints.
    pub(super) fn order_back<T: Copy>(&self, entries: &mut [T; C]) {
        for k in (0..self.rank.min(C)).rev() {
            exchange(entries, k, self.row_swaps[k]);
        }
    }

    /// The solution y₁ of `Rᵀ y₁ = Pᵀ γ`, followed by zeros.
    pub(super) fn bound_part<const N: usize>(&self, rows: &[[S; N]; C], gamma: &[S; C]) -> [S; N] {
        let mut right = *gamma;
        self.order(&mut right);
        let mut bound = [S::zero(); N];
        for k in 0..self.rank.min(C) {
            let (before, following) = bound.split_at_mut(k.min(N));
            if let Some(entry) = following.first_mut() {
                *entry = subtract_dot(&rows[k], before, right[k]) / self.images[k];
            }
        }
        bound
    }

    /// The solution λ of `R Pᵀ λ = reactions`; 0 for dependent rows.
    pub(super) fn multipliers<const N: usize>(
        &self,
        rows: &[[S; N]; C],
        reactions: [S; C],
    ) -> [S; C] {
        let mut multipliers = reactions;
        for entry in multipliers.iter_mut().skip(self.rank) {
            *entry = S::zero();
        }
        for k in (0..self.rank.min(C)).rev() {
            multipliers[k] /= self.images[k];
            let (above, solved) = multipliers.split_at_mut(k);
            if let Some(&value) = solved.first() {
                add_multiple(-value, &rows[k], above);
            }
        }
        self.order_back(&mut multipliers);
        multipliers
    }
}

/// The row from `k` on with the largest remainder in the columns from `k` on.
fn most_independent<S: RealField + Copy, const N: usize, const C: usize>(
    rows: &[[S; N]; C],
    k: usize,
) -> usize {
    // By the largest entries first, because squares of small ones may be zero.
    let mut largest: f64 = 0.0;
    for index in k..C {
        for i in k..N {
            largest = largest.max(magnitude(rows[index][i]));
        }
    }
    let scale = exponent(largest).unwrap_or(0);
    let mut best = (k, S::zero());
    for index in k..C {
        let mut square = S::zero();
        for i in k..N {
            let entry = scale_by(rows[index][i], -scale);
            square += entry * entry;
        }
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

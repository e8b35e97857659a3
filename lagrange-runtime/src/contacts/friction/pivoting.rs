//! Lemke's method for the linear complementarity problem.
//!
//! C. E. Lemke, "Bimatrix equilibrium points and mathematical programming", *Management Science* 11, 1965, with the
//! lexicographic order against cycles (R. W. Cottle, J.-S. Pang and R. E. Stone, *The Linear Complementarity Problem*,
//! section 4.9). The problem is that of D. E. Stewart and J. C. Trinkle, "An implicit time-stepping scheme for rigid body
//! dynamics with inelastic collisions and Coulomb friction", *Int. J. Numer. Methods Eng.* 39, 1996, with two directions
//! of friction:
//!
//! ```text
//! 0 ≤ n  ⊥  w_n ≥ 0           0 ≤ t₊ ⊥  w_t + σ ≥ 0
//! 0 ≤ t₋ ⊥ -w_t + σ ≥ 0       0 ≤ σ  ⊥  μ n - t₊ - t₋ ≥ 0
//! ```
//!
//! Joints have the same three last pairs, with their largest force in place of μ n.

use nalgebra::RealField;

use super::problem::{Contact, Joint, Law, Modes, Problem};
use super::rows::{PerRow, Rows, Sizes, Square};
use crate::math::constant;

/// The pairs of each contact: n, t₊, t₋, σ. Those of each joint: r₊, r₋, σ.
type Pairs<X, L> = Rows<X, 4, 3, L>;

/// Part of a rate or of a force: a row of the problem, and a factor.
type Part<S> = (usize, S);

/// The modes at the end of Lemke's path. `None` if it ends on a ray.
pub(super) fn pivoted<S: RealField + Copy, L: Sizes>(
    problem: &Problem<S, L>,
) -> Option<Modes<S, L>> {
    let values = Tableau::new(problem).solve()?;
    let is_positive = |value: S| value > S::zero();
    let mut modes = problem.start();
    for k in 0..problem.sizes().contacts() {
        let [force, forwards, backwards, slip] = values.contacts[k];
        if !is_positive(force) {
            continue;
        }
        modes.contacts[k] = match problem.contacts[k] {
            Law::Absent => Contact::Open,
            Law::Slides { direction, .. } => Contact::Slides(direction),
            Law::Rests { .. } if is_positive(slip) => {
                let sign = if forwards > backwards {
                    -S::one()
                } else {
                    S::one()
                };
                Contact::Slides([sign, S::zero()])
            }
            Law::Rests { .. } => Contact::Sticks,
        };
    }
    for j in 0..problem.sizes().joints() {
        let [forwards, backwards, rate] = values.joints[j];
        if is_positive(rate) {
            let sign = if forwards > backwards {
                S::one()
            } else {
                -S::one()
            };
            modes.joints[j] = Joint::Moves(sign);
        }
    }
    Some(modes)
}

/// The basic variables as functions of the nonbasic ones: `basic = constant + matrix · nonbasic + extra · extra_variable`.
///
/// Variable i below the number n of pairs is the rate of pair i, variable n + i its force, and 2 n is Lemke's artificial
/// variable.
struct Tableau<S: Clone, L: Sizes> {
    matrix: Square<S, 4, 3, L>,
    extra: Pairs<S, L>,
    constant: Pairs<S, L>,
    /// The bounds of the rounding errors of the constants.
    noise: Pairs<S, L>,
    is_active: Pairs<bool, L>,
    basic: Pairs<usize, L>,
    nonbasic: Pairs<usize, L>,
    extra_variable: usize,
}

impl<S: RealField + Copy, L: Sizes> Tableau<S, L> {
    fn new(problem: &Problem<S, L>) -> Self {
        let (zero, one) = (S::zero(), S::one());
        let sizes = problem.sizes();
        let constant = Rows::filled(sizes, zero);
        let pairs = constant.count();
        let mut tableau = Self {
            matrix: Rows::filled(sizes, constant.clone()),
            extra: Rows::filled(sizes, one),
            noise: constant.clone(),
            constant,
            is_active: Rows::filled(sizes, false),
            basic: Rows::filled(sizes, 0),
            nonbasic: Rows::filled(sizes, 0),
            extra_variable: pairs.wrapping_mul(2),
        };
        let mut rates: Pairs<Option<Part<S>>, L> = Rows::filled(sizes, None);
        let mut forces: Pairs<[Part<S>; 3], L> = Rows::filled(sizes, [(0, zero); 3]);
        for k in 0..problem.sizes().contacts() {
            let normal = k.wrapping_mul(3);
            let (first, second) = (normal.wrapping_add(1), normal.wrapping_add(2));
            let along = |sign: S| [(first, sign), (0, zero), (0, zero)];
            match problem.contacts[k] {
                Law::Absent => {}
                Law::Slides {
                    friction,
                    direction: [x, y],
                } => {
                    tableau.is_active.contacts[k][0] = true;
                    rates.contacts[k][0] = Some((normal, one));
                    forces.contacts[k][0] = [
                        (normal, one),
                        (first, -friction * x),
                        (second, -friction * y),
                    ];
                }
                Law::Rests { .. } => {
                    tableau.is_active.contacts[k] = [true; 4];
                    rates.contacts[k] = [
                        Some((normal, one)),
                        Some((first, one)),
                        Some((first, -one)),
                        None,
                    ];
                    let push = [(normal, one), (0, zero), (0, zero)];
                    forces.contacts[k] = [push, along(one), along(-one), [(0, zero); 3]];
                }
            }
        }
        for j in 0..problem.sizes().joints() {
            let row = sizes.contacts().wrapping_mul(3).wrapping_add(j);
            let along = |sign: S| [(row, sign), (0, zero), (0, zero)];
            if let Some(limit) = problem.joints[j] {
                tableau.is_active.joints[j] = [true; 3];
                rates.joints[j] = [Some((row, one)), Some((row, -one)), None];
                forces.joints[j] = [along(one), along(-one), [(0, zero); 3]];
                tableau.constant.joints[j][2] = limit;
            }
        }
        let value =
            |values: &PerRow<S, L>, row: usize| values.get(row).copied().unwrap_or_else(S::zero);
        for i in 0..pairs {
            tableau.basic.set(i, i);
            tableau.nonbasic.set(i, pairs.wrapping_add(i));
            let Some((row, factor)) = rates.get(i).copied().flatten() else {
                continue;
            };
            tableau.constant.set(i, value(&problem.free, row) * factor);
            tableau.noise.set(i, value(&problem.noise, row));
            let (Some(source), Some(target)) = (problem.matrix.get(row), tableau.matrix.get_mut(i))
            else {
                continue;
            };
            for (place, parts) in target.iter_mut().zip(forces.iter()) {
                for (column, part) in parts {
                    *place += value(source, *column) * *part * factor;
                }
            }
        }
        for k in 0..problem.sizes().contacts() {
            if let Law::Rests { friction, .. } = problem.contacts[k] {
                let [_, forwards, backwards, slip] = &mut tableau.matrix.contacts[k];
                forwards.contacts[k][3] = one;
                backwards.contacts[k][3] = one;
                slip.contacts[k] = [friction, -one, -one, zero];
            }
        }
        for j in 0..problem.sizes().joints() {
            let [forwards, backwards, rate] = &mut tableau.matrix.joints[j];
            forwards.joints[j][2] = one;
            backwards.joints[j][2] = one;
            rate.joints[j] = [-one, -one, zero];
        }
        tableau
    }

    /// The number of pairs.
    fn pairs(&self) -> usize {
        self.constant.count()
    }

    /// Lemke's variable.
    fn artificial(&self) -> usize {
        self.pairs().wrapping_mul(2)
    }

    /// The forces of the pairs.
    fn solve(&mut self) -> Option<Pairs<S, L>> {
        let mut first: Option<(usize, S)> = None;
        let rows = self.constant.iter().zip(self.is_active.iter());
        for (i, (value, is_active)) in (0..self.pairs()).zip(rows) {
            if *is_active && first.is_none_or(|(_, least)| *value <= least) {
                first = Some((i, *value));
            }
        }
        if let Some((row, _)) = first.filter(|(_, value)| *value < S::zero()) {
            let mut entering = self.exchange(row, self.pairs());
            let mut is_solved = false;
            for _ in 0..self.pairs().saturating_mul(32) {
                let partner = match entering.checked_sub(self.pairs()) {
                    Some(pair) => pair,
                    None => self.pairs().wrapping_add(entering),
                };
                let column = self.column_of(partner)?;
                let row = self.blocking(column)?;
                entering = self.exchange(row, column);
                if entering == self.artificial() {
                    is_solved = true;
                    break;
                }
            }
            if !is_solved {
                return None;
            }
        }
        let mut values = Rows::filled(self.extra.sizes, S::zero());
        for (variable, value) in self.basic.iter().zip(self.constant.iter()) {
            if let Some(pair) = variable.checked_sub(self.pairs()) {
                values.set(pair, *value);
            }
        }
        Some(values)
    }

    /// The column of a variable; the number of pairs is that of the last one.
    fn column_of(&self, variable: usize) -> Option<usize> {
        if variable == self.extra_variable {
            return Some(self.pairs());
        }
        (0..self.pairs()).find(|column| self.nonbasic.get(*column) == Some(&variable))
    }

    fn entry(&self, row: usize, column: usize) -> S {
        let entry = if column == self.pairs() {
            self.extra.get(row)
        } else {
            self.matrix.get(row).and_then(|row| row.get(column))
        };
        entry.copied().unwrap_or_else(S::zero)
    }

    /// The basic variable that is the first to get 0 if the variable of a column grows; none on a ray.
    fn blocking(&self, column: usize) -> Option<usize> {
        let mut largest = S::zero();
        for row in 0..self.pairs() {
            largest = largest.max(self.entry(row, column).abs());
        }
        let least = largest * S::default_epsilon() * constant(1024.0);
        let mut best: Option<usize> = None;
        for row in 0..self.pairs() {
            let falls = -self.entry(row, column) > least;
            if self.is_active.get(row) != Some(&true) || !falls {
                continue;
            }
            if best.is_none_or(|best| self.is_before(row, best, column)) {
                best = Some(row);
            }
        }
        best
    }

    /// Returns whether a row blocks a column before another row, in lexicographic order.
    fn is_before(&self, row: usize, best: usize, column: usize) -> bool {
        let value =
            |values: &Pairs<S, L>, row: usize| values.get(row).copied().unwrap_or_else(S::zero);
        let (slope, best_slope) = (-self.entry(row, column), -self.entry(best, column));
        let part = value(&self.constant, row).max(S::zero()) / slope;
        let best_part = value(&self.constant, best).max(S::zero()) / best_slope;
        let rounding = S::default_epsilon() * constant(64.0);
        let noise =
            |row: usize, part: S, slope: S| value(&self.noise, row) / slope + part * rounding;
        let tie = noise(row, part, slope) + noise(best, best_part, best_slope);
        let difference = part - best_part;
        if difference.abs() > tie {
            return difference < S::zero();
        }
        let is_artificial = |row| self.basic.get(row) == Some(&self.artificial());
        if is_artificial(row) || is_artificial(best) {
            return is_artificial(row);
        }
        for rate in 0..self.pairs() {
            let column_of_rate = self.column_of(rate);
            let part_of = |row: usize, slope: S| match column_of_rate {
                Some(column) => -self.entry(row, column) / slope,
                None if self.basic.get(row) == Some(&rate) => S::one() / slope,
                None => S::zero(),
            };
            let (part, best_part) = (part_of(row, slope), part_of(best, best_slope));
            let difference = part - best_part;
            if difference.abs() > (part.abs() + best_part.abs()) * rounding {
                return difference < S::zero();
            }
        }
        false
    }

    /// Exchanges a basic variable with the variable of a column, and returns it.
    fn exchange(&mut self, row: usize, column: usize) -> usize {
        let pivot = self.entry(row, column);
        let zero = S::zero();
        let value =
            |values: &Pairs<S, L>, row: usize| values.get(row).copied().unwrap_or_else(S::zero);
        // The variable of the column by the basic one and the nonbasic ones.
        let mut source = self
            .matrix
            .get(row)
            .cloned()
            .unwrap_or(Rows::filled(self.extra.sizes, zero));
        for entry in source.iter_mut() {
            *entry = -*entry / pivot;
        }
        let mut source_extra = -value(&self.extra, row) / pivot;
        let source_constant = -value(&self.constant, row) / pivot;
        let source_noise = value(&self.noise, row) / pivot.abs();
        if column == self.pairs() {
            source_extra = S::one() / pivot;
        } else {
            source.set(column, S::one() / pivot);
        }
        for i in 0..self.pairs() {
            if self.is_active.get(i) != Some(&true) {
                continue;
            }
            let factor = self.entry(i, column);
            if i == row {
                self.matrix.set(i, source.clone());
                self.extra.set(i, source_extra);
                self.constant.set(i, source_constant);
                self.noise.set(i, source_noise);
                continue;
            }
            if factor.is_zero() {
                continue;
            }
            if let Some(target) = self.matrix.get_mut(i) {
                target.set(column, zero);
                for (target, source) in target.iter_mut().zip(source.iter()) {
                    *target += factor * *source;
                }
            }
            let extra = if column == self.pairs() {
                zero
            } else {
                value(&self.extra, i)
            };
            self.extra.set(i, extra + factor * source_extra);
            let old = value(&self.constant, i);
            let change = factor * source_constant;
            let rounding = (old.abs() + change.abs()) * S::default_epsilon();
            self.constant.set(i, old + change);
            let noise = value(&self.noise, i) + factor.abs() * source_noise + rounding;
            self.noise.set(i, noise);
        }
        let entering = if column == self.pairs() {
            core::mem::replace(
                &mut self.extra_variable,
                self.basic.get(row).copied().unwrap_or(0),
            )
        } else {
            let leaving = self.basic.get(row).copied().unwrap_or(0);
            let entering = self.nonbasic.get(column).copied().unwrap_or(0);
            self.nonbasic.set(column, leaving);
            entering
        };
        let leaving = self.basic.get(row).copied().unwrap_or(0);
        self.basic.set(row, entering);
        leaving
    }
}

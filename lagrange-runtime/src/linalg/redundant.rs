//! Solves of constrained systems whose rows may depend on each other.

use nalgebra::RealField;

use super::{
    binary::scale_by,
    bordered::Bordered,
    finite::{all_finite, are_finite, check_matrix, error_of_factors},
    kkt::kkt_in_place,
    kkt_residual::{Pair, Saddle},
    null_space::NullSpace,
    reacting::Reacting,
    refinement::Equations,
    scaling::Scaling,
    tolerances::{dependent_share, holds, magnitude},
    vectors::{add_multiple, dot},
};
use crate::{Error, math::constant};

/// The factors of `[M -Jᵀ; J 0]` for a J whose rows may depend on each other: a and Jᵀ λ are still unique.
///
/// # Method
///
/// That of [`Kkt`](super::Kkt) for systems close to singular, with the rows in the order of the Householder reflections
/// with row exchanges. The rank is the number of steps until each remaining row is dependent: at most `sqrt(eps)` of its
/// length, rounded to a power of two, is orthogonal to the rows before it. Lengths are measured with each coordinate in
/// units of the square root of its inertia, so the units of coordinates do not matter. A row is none if its largest
/// entry, in these units, is at most `sqrt(eps)` of the largest one of J: numbers of files have few digits, and what
/// should be 0 may be 1e-12. Beside such rows, the units of constraints do not matter either.
///
/// a solves the equations with the independent rows, to the accuracy of [`Kkt`](super::Kkt). The dependent rows must
/// hold for it too, to `sqrt(eps)` of the largest row times a, or of the largest γ. Rank and agreement have one tolerance,
/// because rows that agree to some digits only, or at a state slightly off the constraints, are slightly independent.
///
/// The multipliers are those of least Euclidean norm. With the dependent rows T J₁ of the independent rows J₁, and with
/// multipliers μ of J₁ alone, they are λ₁ = (I + Tᵀ T)⁻¹ μ and λ₂ = T λ₁.
///
/// # Errors
///
/// - [`Error::NotFinite`] if an entry of M, of J, of the right-hand side or of the solution is NaN or infinite;
/// - [`Error::SingularMassMatrix`] if M is singular on the directions that the constraints leave free;
/// - [`Error::DependentConstraints`] with the first dependent row that does not hold.
///
/// ```
/// use lagrange_runtime::{Error, linalg::Redundant};
///
/// // A mass of 2 kg on the floor y = 0, which is written twice, in different units.
/// let (mut mass, mut work) = ([[2.0, 0.0], [0.0, 2.0]], [[0.0; 2]; 2]);
/// let jacobian = [[0.0, 1.0], [0.0, 3.0]];
/// let mut factors = Redundant::factor(&mut mass, &jacobian, &mut work)?;
/// assert_eq!(factors.rank(), 1);
/// let (a, lambda) = factors.solve(&[4.0, -20.0], &[0.0, 0.0])?;
/// assert_eq!(a, [2.0, 0.0]);
/// assert!((lambda[0] - 2.0_f64).abs() < 1e-14 && (lambda[1] - 6.0_f64).abs() < 1e-14);
/// // One row says that y is at rest, the other one that it accelerates.
/// let contradiction = factors.solve(&[4.0, -20.0], &[0.0, 1.0]);
/// assert!(matches!(contradiction, Err(Error::DependentConstraints { .. })));
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct Redundant<'a, S, const N: usize, const C: usize> {
    mass: &'a mut [[S; N]; N],
    jacobian: &'a [[S; N]; C],
    work: &'a mut [[S; N]; C],
    null_space: NullSpace<S, N, C>,
}

/// The independent rows of equations whose forces depend on multipliers.
#[derive(Debug)]
pub(crate) struct Independent<S, const N: usize, const C: usize> {
    pub(crate) jacobian: [[S; N]; C],
    pub(crate) forces: [[S; C]; N],
    pub(crate) left_out: [bool; C],
}

/// Solves `[M -K; J 0] [a; λ] = [f; γ]` with K = Jᵀ + B for a J whose rows may depend on each other, if the multipliers
/// of the rows with a force B are determined. M has both triangles.
///
/// # Errors
///
/// The errors of [`Redundant`] and of [`Reacting`](super::Reacting). [`Error::DependentConstraints`] has the first
/// dependent row also if it leaves the multiplier of a row with a force undetermined.
pub(crate) fn reacting_redundant<S: RealField + Copy, const N: usize, const C: usize>(
    mass: &[[S; N]; N],
    forces: &[[S; C]; N],
    jacobian: &[[S; N]; C],
    f: &[S; N],
    gamma: &[S; C],
) -> Result<Pair<S, N, C>, Error> {
    if !are_finite(&[f, gamma]) {
        return Err(Error::NOT_FINITE);
    }
    let (mut upper, mut work) = (*mass, [[S::zero(); N]; C]);
    let redundant = Redundant::factor(&mut upper, jacobian, &mut work)?;
    let independent = redundant.independent(forces)?;
    let mut work = Bordered::zeros();
    let (rows, left_out) = (&independent.jacobian, &independent.left_out);
    let factors = Reacting::factor_without(mass, &independent.forces, rows, left_out, &mut work)?;
    let (a, mut lambda) = factors.solve(f, gamma)?;
    if redundant.rank() < C {
        redundant.test_dependent(&a, gamma)?;
        redundant.spread_multipliers(&mut lambda)?;
    }
    Ok((a, lambda))
}

/// Solves the equations of [`kkt`](super::kkt) for a J whose rows may depend on each other; see [`Redundant`] for the
/// method and its errors. The result is a, λ and the rank of J.
///
/// The entries above the diagonal of M are overwritten, the others read.
///
/// ```
/// use lagrange_runtime::linalg::redundant_in_place;
///
/// // A mass of 2 kg hangs on two equal branches; each carries half of its weight.
/// let branches = [[1.0], [1.0]];
/// let (a, lambda, rank) = redundant_in_place(&mut [[2.0]], &branches, &[-19.62], &[0.0, 0.0])?;
/// assert_eq!((a, lambda, rank), ([0.0], [9.81, 9.81], 1));
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
#[inline(never)]
pub fn redundant_in_place<S: RealField + Copy, const N: usize, const C: usize>(
    m: &mut [[S; N]; N],
    j: &[[S; N]; C],
    f: &[S; N],
    gamma: &[S; C],
) -> Result<([S; N], [S; C], usize), Error> {
    let mut work = [[S::zero(); N]; C];
    let factors = Redundant::factor(m, j, &mut work);
    let factors = factors.map_err(|error| error_of_factors(error, &[f, gamma]))?;
    let (a, lambda) = factors.solve(f, gamma)?;
    Ok((a, lambda, factors.rank()))
}

/// The same by the independent rows alone, without the rank: the multipliers of the others are 0.
///
/// ```
/// use lagrange_runtime::linalg::independent_in_place;
///
/// let (a, lambda) = independent_in_place(&mut [[2.0]], &[[1.0], [1.0]], &[0.0], &[3.0, 4.0])?;
/// assert_eq!((a, lambda), ([3.0], [6.0, 0.0]));
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
///
/// # Errors
///
/// Those of [`Redundant`].
pub fn independent_in_place<S: RealField + Copy, const N: usize, const C: usize>(
    m: &mut [[S; N]; N],
    j: &[[S; N]; C],
    f: &[S; N],
    gamma: &[S; C],
) -> Result<Pair<S, N, C>, Error> {
    let mut work = [[S::zero(); N]; C];
    match Redundant::factor(m, j, &mut work) {
        Ok(factors) => factors.solve_independent(f, gamma),
        Err(error) => Err(error_of_factors(error, &[f, gamma])),
    }
}

impl<'a, S: RealField + Copy, const N: usize, const C: usize> Redundant<'a, S, N, C> {
    /// Factors the matrix of M and J. The lower triangle of M is read, and the rest overwritten; J is given by its
    /// rows. `work` may contain any values.
    ///
    /// # Errors
    ///
    /// As described [above](Self#errors).
    pub fn factor(
        mass: &'a mut [[S; N]; N],
        jacobian: &'a [[S; N]; C],
        work: &'a mut [[S; N]; C],
    ) -> Result<Self, Error> {
        Self::factor_to(mass, jacobian, work, dependent_share())
    }

    /// The same, with another share of a dependent row that may be orthogonal to the rows before it.
    pub(crate) fn factor_to(
        mass: &'a mut [[S; N]; N],
        jacobian: &'a [[S; N]; C],
        work: &'a mut [[S; N]; C],
        share: S,
    ) -> Result<Self, Error> {
        check_matrix(mass, jacobian)?;
        let null_space = NullSpace::factor_independent(mass, jacobian, work, share)?;
        Ok(Self {
            mass,
            jacobian,
            work,
            null_space,
        })
    }

    /// The rank of J.
    pub fn rank(&self) -> usize {
        self.null_space.reflections.rank
    }

    /// Returns whether the rank is clear: each row has more than 1/256 of its length that is orthogonal to the others,
    /// or only rounding errors.
    ///
    /// ```
    /// use lagrange_runtime::linalg::Redundant;
    ///
    /// let (mut mass, mut work) = ([[1.0, 0.0], [0.0, 1.0]], [[0.0; 2]; 2]);
    /// let jacobian = [[1.0, 0.0], [1.0, 1e-6]];
    /// assert!(!Redundant::factor(&mut mass, &jacobian, &mut work)?.is_clear());
    /// # Ok::<(), lagrange_runtime::Error>(())
    /// ```
    pub fn is_clear(&self) -> bool {
        self.null_space.is_clear
    }

    /// The accelerations a and multipliers λ for the forcing f and the right-hand side γ.
    ///
    /// # Errors
    ///
    /// As described [above](Self#errors).
    pub fn solve(&self, f: &[S; N], gamma: &[S; C]) -> Result<Pair<S, N, C>, Error> {
        let (a, mut lambda) = self.solve_independent(f, gamma)?;
        if self.rank() < C {
            self.test_dependent(&a, gamma)?;
            self.spread_multipliers(&mut lambda)?;
        }
        Ok((a, lambda))
    }

    /// The same with the independent rows alone: the multipliers of the others are 0, and these need not hold. It is
    /// the solution for Newton steps and for derivatives, whose rows agree only on the constraints.
    ///
    /// # Errors
    ///
    /// [`Error::NotFinite`] and [`Error::SingularMassMatrix`], as described [above](Self#errors).
    ///
    /// ```
    /// use lagrange_runtime::linalg::Redundant;
    ///
    /// let (mut mass, mut work) = ([[2.0]], [[0.0]; 2]);
    /// let factors = Redundant::factor(&mut mass, &[[1.0], [1.0]], &mut work)?;
    /// assert_eq!(factors.solve_independent(&[0.0], &[3.0, 4.0])?, ([3.0], [6.0, 0.0]));
    /// # Ok::<(), lagrange_runtime::Error>(())
    /// ```
    pub fn solve_independent(&self, f: &[S; N], gamma: &[S; C]) -> Result<Pair<S, N, C>, Error> {
        if !all_finite(gamma) {
            return Err(Error::NOT_FINITE);
        }
        let mut rates = *gamma;
        let mut rows = *self.jacobian;
        for k in self.dependent() {
            if let (Some(row), Some(rate)) = (rows.get_mut(k), rates.get_mut(k)) {
                (*row, *rate) = ([S::zero(); N], S::zero());
            }
        }
        let saddle = Saddle {
            mass: self.mass,
            jacobian: &rows,
        };
        let apply = |right: &Pair<S, N, C>| self.null_space.apply(self.mass, self.work, right);
        saddle.solve_refined((f, &rates), apply)
    }

    /// The constraints in the order of the factorisation: the independent ones first.
    fn order(&self) -> [usize; C] {
        let mut order = core::array::from_fn(|k| k);
        self.null_space.reflections.order(&mut order);
        order
    }

    /// The rows that depend on others.
    pub(crate) fn dependent(&self) -> impl Iterator<Item = usize> + use<S, N, C> {
        self.order().into_iter().skip(self.rank())
    }

    /// Tests whether the dependent rows hold.
    fn test_dependent(&self, a: &[S; N], gamma: &[S; C]) -> Result<(), Error> {
        let mut residuals_of_rows = *gamma;
        for k in 0..C {
            residuals_of_rows[k] -= dot(&self.jacobian[k], a);
        }
        let residuals = self.in_units(&residuals_of_rows);
        let limit = self.limit(a, gamma);
        let first = self.dependent().filter(|k| {
            let holds = residuals.get(*k).is_some_and(|residual| *residual <= limit);
            !holds
        });
        match first.min() {
            Some(row) => Err(Error::DependentConstraints { row }),
            None => Ok(()),
        }
    }

    /// The sizes of rates, with each row of J in its unit.
    fn in_units(&self, rates: &[S; C]) -> [f64; C] {
        let exponents = &self.null_space.scaling.constraints;
        core::array::from_fn(|k| magnitude(scale_by(rates[k], exponents[k])))
    }

    /// The largest difference of rates with which rows agree: `sqrt(eps)` of the largest row of J times x, or of the largest
    /// rate.
    fn limit(&self, x: &[S; N], rates: &[S; C]) -> f64 {
        let Scaling {
            coordinates,
            constraints,
        } = &self.null_space.scaling;
        let (mut motion, mut most) = (0.0_f64, 0.0_f64);
        for i in 0..N {
            motion = motion.max(magnitude(scale_by(x[i], -coordinates[i])));
        }
        let rates = self.in_units(rates);
        for k in 0..C {
            let mut size = 0.0;
            for i in 0..N {
                let exponent = coordinates[i] + constraints[k];
                size += magnitude(scale_by(self.jacobian[k][i], exponent));
            }
            most = most.max(rates[k] + size * motion);
        }
        magnitude(dependent_share::<S>()) * most
    }

    /// The matrix T with dependent rows = T times independent rows, in the order of the factorisation. Its rows at the
    /// places of independent rows are zero.
    fn combinations(&self) -> [[S; C]; C] {
        let NullSpace {
            reflections,
            scaling,
            ..
        } = &self.null_space;
        let rank = self.rank();
        let mut exponents = scaling.constraints;
        reflections.order(&mut exponents);
        let mut factors = [[S::zero(); C]; C];
        for d in rank..C {
            let mut left = self.work[d];
            for k in (0..rank).rev() {
                let Some(&coefficient) = left.get(k) else {
                    continue;
                };
                let factor = coefficient / reflections.images[k];
                // Row k holds its part of Rᵀ up to the diagonal.
                if let (Some(left), Some(row)) = (left.get_mut(..k), self.work[k].get(..k)) {
                    add_multiple(-factor, row, left);
                }
                factors[d][k] = scale_by(factor, exponents[k] - exponents[d]);
            }
        }
        factors
    }

    /// J and K = Jᵀ + B with zeros for the dependent rows, and which rows these are.
    ///
    /// # Errors
    ///
    /// [`Error::DependentConstraints`] with the first dependent row that has a force B, or that combines rows with one by
    /// more than rounding: the multiplier of such a row is not determined.
    pub(crate) fn independent(&self, forces: &[[S; C]; N]) -> Result<Independent<S, N, C>, Error> {
        let mut independent = Independent {
            jacobian: *self.jacobian,
            forces: *forces,
            left_out: [false; C],
        };
        let has_force = |row: usize| {
            let column = forces.iter().map(|forces| forces.get(row));
            let entries = self.jacobian.get(row).into_iter().flatten();
            column
                .zip(entries)
                .any(|(force, entry)| force != Some(entry))
        };
        let (rank, order) = (self.rank(), self.order());
        let combinations = self.combinations();
        let exponents = &self.null_space.scaling.constraints;
        let exponent = |row: usize| exponents.get(row).copied().unwrap_or(0);
        let least = magnitude(dependent_share::<S>());
        let mut undetermined = None;
        for (row, combined) in order.into_iter().zip(&combinations).skip(rank) {
            let mut parts = order.into_iter().zip(combined).take(rank);
            let is_undetermined = has_force(row)
                || parts.any(|(other, part)| {
                    let share = scale_by(*part, exponent(row) - exponent(other));
                    magnitude(share) > least && has_force(other)
                });
            if is_undetermined {
                undetermined = Some(undetermined.map_or(row, |first: usize| first.min(row)));
            }
            if let Some(is_left_out) = independent.left_out.get_mut(row) {
                *is_left_out = true;
            }
        }
        for (row, is_left_out) in independent.left_out.iter().enumerate() {
            if *is_left_out {
                independent.jacobian[row] = [S::zero(); N];
                for forces in &mut independent.forces {
                    forces[row] = S::zero();
                }
            }
        }
        match undetermined {
            Some(row) => Err(Error::DependentConstraints { row }),
            None => Ok(independent),
        }
    }

    /// Spreads the multipliers of the independent rows over all rows: the least ones with the same Jᵀ λ.
    #[inline(never)]
    fn spread_multipliers(&self, lambda: &mut [S; C]) -> Result<(), Error> {
        let (rank, order) = (self.rank(), self.order());
        let combinations = self.combinations();
        let mut ordered = *lambda;
        self.null_space.reflections.order(&mut ordered);
        let least = solve_normal(&combinations, &ordered)?;
        for k in 0..C {
            let value = if k < rank {
                least[k]
            } else {
                dot(&combinations[k], &least)
            };
            if let Some(place) = lambda.get_mut(order[k]) {
                *place = value;
            }
        }
        Ok(())
    }

    /// Gathers the rates of all rows in those of the independent rows, for which all rows are met in least squares: with
    /// T J₁ for the dependent rows, J₁ x = (I + Tᵀ T)⁻¹ (γ₁ + Tᵀ γ₂).
    #[inline(never)]
    fn gather_rates(&self, gamma: &[S; C]) -> Result<[S; C], Error> {
        let (rank, order) = (self.rank(), self.order());
        let combinations = self.combinations();
        let mut ordered = *gamma;
        self.null_space.reflections.order(&mut ordered);
        let mut right = ordered;
        for d in rank..C {
            add_multiple(ordered[d], &combinations[d], &mut right);
        }
        let least = solve_normal(&combinations, &right)?;
        let mut rates = *gamma;
        for k in 0..rank.min(C) {
            if let Some(place) = rates.get_mut(order[k]) {
                *place = least[k];
            }
        }
        Ok(rates)
    }

    /// The smallest x in the metric of M for which J x = γ holds in least squares.
    pub(crate) fn least_squares(&self, gamma: &[S; C]) -> Result<[S; N], Error> {
        let rates = match self.rank() < C {
            true => self.gather_rates(gamma)?,
            false => *gamma,
        };
        Ok(self.solve_independent(&[S::zero(); N], &rates)?.0)
    }
}

/// The solution of `(I + Tᵀ T) x = right`.
fn solve_normal<S: RealField + Copy, const C: usize>(
    combinations: &[[S; C]; C],
    right: &[S; C],
) -> Result<[S; C], Error> {
    let mut matrix = [[S::zero(); C]; C];
    for i in 0..C {
        for j in 0..=i {
            for row in combinations {
                matrix[i][j] += row[i] * row[j];
            }
        }
        matrix[i][i] += S::one();
    }
    let (solution, []) = kkt_in_place(&mut matrix, &[], right, &[])?;
    Ok(solution)
}

/// The size of each row of J by its largest entry. Rows that may depend on each other and are none, as described at
/// [`Redundant`], count with the size of the largest row.
pub(crate) fn row_sizes<S: RealField + Copy, const N: usize, const C: usize>(
    mass: &[[S; N]; N],
    jacobian: &[[S; N]; C],
    are_redundant: bool,
) -> [S; C] {
    let mut sizes = [S::zero(); C];
    let mut most = S::zero();
    for k in 0..C {
        sizes[k] = largest_entry(&jacobian[k]);
        most = most.max(sizes[k]);
    }
    if are_redundant {
        let is_none = rows_that_are_none(mass, jacobian);
        for k in 0..C {
            if is_none[k] {
                sizes[k] = most;
            }
        }
    }
    sizes
}

/// Which rows of J are none beside the others, as described at [`Redundant`].
pub(crate) fn rows_that_are_none<S: RealField + Copy, const N: usize, const C: usize>(
    mass: &[[S; N]; N],
    jacobian: &[[S; N]; C],
) -> [bool; C] {
    Scaling::new(mass, jacobian).rows_that_are_none(jacobian).0
}

/// The largest absolute value.
fn largest_entry<S: RealField + Copy>(entries: &[S]) -> S {
    let largest = |most: S, entry: &S| most.max(entry.abs());
    entries.iter().fold(S::zero(), largest)
}

/// Returns whether the rank of J is clear at a state, and its dependent rows hold for the velocities v: their residuals
/// `rates` are at most some 256 roundings of the largest row times v. If not, the state may be beside the constraints, where
/// rows are slightly independent that depend on each other on them.
///
/// ```
/// use lagrange_runtime::linalg::is_clear;
///
/// let is_clear = |jacobian| is_clear(&mut [[1.0, 0.0], [0.0, 1.0]], &jacobian, &[0.0; 2], &[0.0; 2]);
/// assert!(is_clear([[1.0, 0.0], [2.0, 0.0]]) && is_clear([[1.0, 0.0], [0.0, 1.0]]));
/// assert!(!is_clear([[1.0, 0.0], [1.0, 1e-6]]));
/// ```
pub fn is_clear<S: RealField + Copy, const N: usize, const C: usize>(
    m: &mut [[S; N]; N],
    j: &[[S; N]; C],
    v: &[S; N],
    rates: &[S; C],
) -> bool {
    let mut work = [[S::zero(); N]; C];
    let Ok(factors) = Redundant::factor(m, j, &mut work) else {
        return true;
    };
    if !factors.is_clear() || factors.rank() == C {
        return factors.is_clear();
    }
    // If only some of the states beside the constraints were moved onto them, accelerations would jump.
    let rounding = 256.0 * magnitude(dependent_share::<S>());
    let limit = factors.limit(v, &[S::zero(); C]) * rounding;
    let residuals = factors.in_units(rates);
    residuals.iter().all(|residual| *residual <= limit)
}

/// Returns whether the pivots of J M⁻¹ Jᵀ show rows that clearly do not depend on each other: each is more than 2⁻¹⁶ of
/// its diagonal entry, the square of the fraction of the row that is orthogonal to the others, and no diagonal entry, the
/// square of the size of a row, is less than 2⁻³² of the largest one.
///
/// ```
/// use lagrange_runtime::linalg::are_clear;
///
/// assert!(are_clear(&[1.0, 1e-3], &[1.0, 2.0]) && !are_clear(&[1e-6], &[1.0]));
/// assert!(!are_clear(&[1.0, 1e-12], &[1.0, 1e-12]));
/// ```
#[inline(always)]
pub fn are_clear<S: RealField + Copy>(pivots: &[S], diagonal: &[S]) -> bool {
    let share = constant::<S>(1.0 / 65536.0);
    let least = share * share * largest_entry(diagonal);
    holds(pivots, diagonal, |pivot, entry| {
        pivot > share * entry && entry > least
    })
}

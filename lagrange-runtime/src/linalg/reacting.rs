//! Solves of systems whose forces depend on multipliers: `[M -K; J 0] [a; λ] = [f; γ]` with K = Jᵀ + B.

use nalgebra::{RealField, SMatrix, SimdRealField};

use super::{
    binary::{exponent, scale_by, scaled_by},
    finite::all_finite,
    kkt_residual::Pair,
    rank::first_dependent,
    refinement::{GOOD, largest, largest_exponent, smallest_terms},
    scaling::Scaling,
    tolerances::{ACCEPTED, magnitude, tolerance},
};
use crate::{Derivatives, Error, math::constant};

/// The factors of `[M -K; J 0]`, where K need not be Jᵀ.
///
/// Gaussian elimination with complete pivoting (Golub and Van Loan, *Matrix Computations*, 4th ed., section 3.4.8) of the
/// matrix that is scaled by powers of two, so that units do not matter, followed by iterative refinement. A solution is
/// accepted if each equation holds to 32 eps of the size of its terms, as that of [`Kkt`](super::Kkt).
///
/// # Errors
///
/// - [`Error::NotFinite`] if an entry of the matrix, of the right-hand side or of the solution is NaN or infinite;
/// - [`Error::DependentConstraints`] with the first row of J that adds nothing to those above it;
/// - [`Error::SingularMassMatrix`] if the matrix is singular otherwise. Friction can make it so where M is regular:
///   Painleve's paradox.
///
/// ```
/// use lagrange_runtime::linalg::{Bordered, Reacting};
///
/// // A block of 2 kg slides on the floor with the coefficient of friction 0.5: K = Jᵀ + B, with B = (-0.5, 0).
/// let (mass, jacobian) = ([[2.0, 0.0], [0.0, 2.0]], [[0.0, 1.0]]);
/// let forces = [[-0.5], [1.0]];
/// let mut work = Bordered::zeros();
/// let factors = Reacting::factor(&mass, &forces, &jacobian, &mut work)?;
/// let (a, lambda) = factors.solve(&[0.0, -20.0], &[0.0])?;
/// assert_eq!((a, lambda), ([-5.0, 0.0], [20.0]));
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
#[derive(Debug)]
pub struct Reacting<'a, S, const N: usize, const C: usize> {
    mass: &'a [[S; N]; N],
    forces: &'a [[S; C]; N],
    jacobian: &'a [[S; N]; C],
    factors: &'a mut Bordered<S, N, C>,
    /// The exponents of the scales of rows and columns.
    scales: [([i32; N], [i32; C]); 2],
    /// The rows and columns in the order of elimination.
    order: [([usize; N], [usize; C]); 2],
}

/// A square matrix of N + C rows by its blocks: the memory for the factors of [`Reacting`]. Large factors would be
/// copied several times in a debug build if they were returned.
///
/// ```
/// use lagrange_runtime::linalg::{Bordered, Reacting};
///
/// let mut work = Bordered::zeros();
/// assert!(Reacting::factor(&[[2.0]], &[[]], &[], &mut work).is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Bordered<S, const N: usize, const C: usize> {
    mass: [[S; N]; N],
    forces: [[S; C]; N],
    jacobian: [[S; N]; C],
    corner: [[S; C]; C],
}

impl<S: SimdRealField + Copy, const N: usize, const C: usize> Bordered<S, N, C> {
    /// All entries are 0.
    pub fn zeros() -> Self {
        let zero = S::zero();
        Self {
            mass: [[zero; N]; N],
            forces: [[zero; C]; N],
            jacobian: [[zero; N]; C],
            corner: [[zero; C]; C],
        }
    }

    /// Sets it to `[M -K; J 0]`.
    pub(super) fn set(&mut self, mass: &[[S; N]; N], forces: &[[S; C]; N], jacobian: &[[S; N]; C]) {
        self.mass.copy_from_slice(mass);
        self.jacobian.copy_from_slice(jacobian);
        for (row, given) in self.forces.iter_mut().zip(forces) {
            for (entry, given) in row.iter_mut().zip(given) {
                *entry = -*given;
            }
        }
        self.corner.as_flattened_mut().fill(S::zero());
    }

    pub(super) fn at(&mut self, row: usize, column: usize) -> Option<&mut S> {
        if row < N {
            if column < N {
                self.mass.get_mut(row)?.get_mut(column)
            } else {
                self.forces.get_mut(row)?.get_mut(column - N)
            }
        } else if column < N {
            self.jacobian.get_mut(row - N)?.get_mut(column)
        } else {
            self.corner.get_mut(row - N)?.get_mut(column - N)
        }
    }

    pub(super) fn get(&self, row: usize, column: usize) -> S {
        let entry = if row < N {
            let of_column = column.checked_sub(N);
            let right = of_column.and_then(|column| self.forces.get(row)?.get(column));
            right.or_else(|| self.mass.get(row)?.get(column))
        } else {
            let of_column = column.checked_sub(N);
            let right = of_column.and_then(|column| self.corner.get(row - N)?.get(column));
            right.or_else(|| self.jacobian.get(row - N)?.get(column))
        };
        entry.copied().unwrap_or_else(S::zero)
    }
}

/// An entry of a vector of N + C by its parts.
fn entry<T: Copy + Default, const N: usize, const C: usize>(
    pair: &([T; N], [T; C]),
    index: usize,
) -> T {
    let found = match index.checked_sub(N) {
        None => pair.0.get(index),
        Some(index) => pair.1.get(index),
    };
    found.copied().unwrap_or_default()
}

pub(super) fn entry_mut<T, const N: usize, const C: usize>(
    pair: &mut ([T; N], [T; C]),
    index: usize,
) -> Option<&mut T> {
    match index.checked_sub(N) {
        None => pair.0.get_mut(index),
        Some(index) => pair.1.get_mut(index),
    }
}

fn value<S: RealField + Copy, const N: usize, const C: usize>(
    pair: &Pair<S, N, C>,
    index: usize,
) -> S {
    let found = match index.checked_sub(N) {
        None => pair.0.get(index),
        Some(index) => pair.1.get(index),
    };
    found.copied().unwrap_or_else(S::zero)
}

impl<'a, S: RealField + Copy, const N: usize, const C: usize> Reacting<'a, S, N, C> {
    const SIZE: usize = N + C;

    /// Factors the matrix of M, K, which is given by its n rows, and J. The factors are in `work`, whose values are not
    /// read.
    ///
    /// # Errors
    ///
    /// As described [above](Self#errors).
    pub fn factor(
        mass: &'a [[S; N]; N],
        forces: &'a [[S; C]; N],
        jacobian: &'a [[S; N]; C],
        work: &'a mut Bordered<S, N, C>,
    ) -> Result<Self, Error> {
        Self::factor_without(mass, forces, jacobian, &[false; C], work)
    }

    /// The same without some rows of J, whose entries and whose forces must be zero: their multipliers are 0.
    ///
    /// # Errors
    ///
    /// As described [above](Self#errors).
    pub(crate) fn factor_without(
        mass: &'a [[S; N]; N],
        forces: &'a [[S; C]; N],
        jacobian: &'a [[S; N]; C],
        left_out: &[bool; C],
        work: &'a mut Bordered<S, N, C>,
    ) -> Result<Self, Error> {
        let all = [
            mass.as_flattened(),
            forces.as_flattened(),
            jacobian.as_flattened(),
        ];
        if !all.into_iter().all(all_finite) {
            return Err(Error::NOT_FINITE);
        }
        work.set(mass, forces, jacobian);
        for (k, row) in work.corner.iter_mut().enumerate() {
            if left_out.get(k) == Some(&true) {
                row[k] = S::one();
            }
        }
        let scaling = Scaling::new(mass, jacobian);
        let of_forces = core::array::from_fn(|k| {
            let entries = forces.iter().zip(&scaling.coordinates);
            let sizes = entries
                .map(|(row, scale)| Some(exponent(magnitude(row[k]))?.saturating_add(*scale)));
            -sizes.max().flatten().unwrap_or(0)
        });
        let mut this = Self {
            mass,
            forces,
            jacobian,
            factors: work,
            scales: [
                (scaling.coordinates, scaling.constraints),
                (scaling.coordinates, of_forces),
            ],
            order: [(core::array::from_fn(|i| i), core::array::from_fn(|k| N + k)); 2],
        };
        let [rows, columns] = this.scales;
        for i in 0..Self::SIZE {
            for j in 0..Self::SIZE {
                let scale = entry(&rows, i) + entry(&columns, j);
                if let Some(place) = this.factors.at(i, j) {
                    *place = scale_by(*place, scale);
                }
            }
        }
        if this.eliminate() {
            return Ok(this);
        }
        // Rows that remain beside others that are left out do not depend on each other.
        let mut work = [[S::zero(); N]; C];
        Err(match first_dependent(jacobian, &mut work, false) {
            Some(row) if !left_out.contains(&true) => Error::DependentConstraints { row },
            _ => Error::SingularMassMatrix,
        })
    }

    /// Replaces the matrix by L and U; returns whether it is regular.
    fn eliminate(&mut self) -> bool {
        // All significant entries of the scaled matrix are about 1.
        let limit = magnitude(constant::<S>(8.0) * tolerance::<S>(Self::SIZE));
        for k in 0..Self::SIZE {
            let (mut row, mut column, mut most) = (k, k, -1.0);
            for i in k..Self::SIZE {
                for j in k..Self::SIZE {
                    let size = magnitude(self.factors.get(i, j));
                    if size > most {
                        (row, column, most) = (i, j, size);
                    }
                }
            }
            if most <= limit {
                return false;
            }
            for j in 0..Self::SIZE {
                self.exchange((k, j), (row, j));
            }
            for i in 0..Self::SIZE {
                self.exchange((i, k), (i, column));
            }
            for (order, other) in self.order.iter_mut().zip([row, column]) {
                let [first, second] = [k, other].map(|at| entry(order, at));
                for (at, value) in [(k, second), (other, first)] {
                    if let Some(place) = entry_mut(order, at) {
                        *place = value;
                    }
                }
            }
            let pivot = self.factors.get(k, k);
            for i in k + 1..Self::SIZE {
                let factor = self.factors.get(i, k) / pivot;
                if let Some(place) = self.factors.at(i, k) {
                    *place = factor;
                }
                for j in k + 1..Self::SIZE {
                    let above = self.factors.get(k, j);
                    if let Some(place) = self.factors.at(i, j) {
                        *place -= factor * above;
                    }
                }
            }
        }
        true
    }

    fn exchange(&mut self, one: (usize, usize), other: (usize, usize)) {
        let [first, second] = [one, other].map(|(i, j)| self.factors.get(i, j));
        for ((i, j), value) in [(one, second), (other, first)] {
            if let Some(place) = self.factors.at(i, j) {
                *place = value;
            }
        }
    }

    /// The solution by the factors.
    fn apply(&self, right: &Pair<S, N, C>) -> Pair<S, N, C> {
        let [rows, columns] = &self.scales;
        let [row_order, column_order] = &self.order;
        let mut x = ([S::zero(); N], [S::zero(); C]);
        for i in 0..Self::SIZE {
            let row = entry(row_order, i);
            let mut sum = scale_by(value(right, row), entry(rows, row));
            for j in 0..i {
                sum -= self.factors.get(i, j) * value(&x, j);
            }
            if let Some(place) = entry_mut(&mut x, i) {
                *place = sum;
            }
        }
        for i in (0..Self::SIZE).rev() {
            let mut sum = value(&x, i);
            for j in i + 1..Self::SIZE {
                sum -= self.factors.get(i, j) * value(&x, j);
            }
            if let Some(place) = entry_mut(&mut x, i) {
                *place = sum / self.factors.get(i, i);
            }
        }
        let mut solution = ([S::zero(); N], [S::zero(); C]);
        for i in 0..Self::SIZE {
            let column = entry(column_order, i);
            if let Some(place) = entry_mut(&mut solution, column) {
                *place = scale_by(value(&x, i), entry(columns, column));
            }
        }
        solution
    }

    /// `f - M a + K λ` and `γ - J a`, and the largest ratio of one to the size of its terms, in eps (Oettli and Prager
    /// 1964). Residuals of equations that are met, to so many eps, become zero.
    fn residual(
        &self,
        (f, gamma): &Pair<S, N, C>,
        (a, lambda): &Pair<S, N, C>,
        met: f64,
    ) -> (Pair<S, N, C>, f64) {
        let mut residual = (*f, *gamma);
        let mut error = 0.0_f64;
        let mut judge = |left: &mut S, terms: S| {
            // Terms whose rounding errors underflow are negligible beside those of other equations.
            let least = smallest_terms::<S>();
            let ratio = magnitude(*left) / magnitude(terms).max(least);
            let ratio = ratio / magnitude(S::default_epsilon());
            if ratio <= met {
                *left = S::zero();
            }
            error = if ratio <= error { error } else { ratio };
        };
        for i in 0..N {
            let mut terms = f[i].abs();
            for (entry, a) in self.mass[i].iter().zip(a) {
                residual.0[i] -= *entry * *a;
                terms += (*entry * *a).abs();
            }
            for (entry, lambda) in self.forces[i].iter().zip(lambda) {
                residual.0[i] += *entry * *lambda;
                terms += (*entry * *lambda).abs();
            }
            judge(&mut residual.0[i], terms);
        }
        for k in 0..C {
            let mut terms = gamma[k].abs();
            for (entry, a) in self.jacobian[k].iter().zip(a) {
                residual.1[k] -= *entry * *a;
                terms += (*entry * *a).abs();
            }
            judge(&mut residual.1[k], terms);
        }
        (residual, error)
    }

    /// The accelerations a and multipliers λ for the forcing f and the right-hand side γ.
    ///
    /// # Errors
    ///
    /// [`Error::NotFinite`], and [`Error::SingularMassMatrix`] if the solution is not accurate enough.
    ///
    /// ```
    /// use lagrange_runtime::linalg::{Bordered, Reacting};
    ///
    /// let mut work = Bordered::zeros();
    /// let factors = Reacting::factor(&[[2.0]], &[[]], &[], &mut work)?;
    /// assert_eq!(factors.solve(&[3.0], &[])?, ([1.5], []));
    /// # Ok::<(), lagrange_runtime::Error>(())
    /// ```
    pub fn solve(&self, f: &[S; N], gamma: &[S; C]) -> Result<Pair<S, N, C>, Error> {
        if !all_finite(f) || !all_finite(gamma) {
            return Err(Error::NOT_FINITE);
        }
        // Large numbers are scaled down until sums do not overflow, small ones up to about 1.
        let size = exponent(largest(f).max(largest(gamma))).unwrap_or(0);
        let size = size.min(0) + (size - largest_exponent::<S>()).max(0);
        let right = (scaled_by(f, -size), scaled_by(gamma, -size));
        let mut solution = self.apply(&right);
        let (mut residual, mut error) = self.residual(&right, &solution, -1.0);
        let mut last = f64::INFINITY;
        for step in 0..MOST_STEPS {
            if error <= GOOD && step > 0 {
                break;
            }
            let change = self.apply(&residual);
            let mut next = solution;
            for i in 0..Self::SIZE {
                if let Some(place) = entry_mut(&mut next, i) {
                    *place += value(&change, i);
                }
            }
            // Equations that are met are left out later: their rounding errors would keep small values from converging.
            let met = [-1.0, GOOD][usize::from(step > 0)];
            let (left, remaining) = self.residual(&right, &next, met);
            let [size, most] = [&change, &next].map(|pair| largest(&pair.0).max(largest(&pair.1)));
            // Values that should be zero become smaller with each step, at the same backward error.
            let rounding = magnitude(S::default_epsilon()) * most;
            let shrinks = step < 4 || size <= rounding.max(last / 2.0);
            if !(remaining < error || shrinks) {
                break;
            }
            last = size;
            (solution, residual, error) = (next, left, remaining);
        }
        let solution = (scaled_by(&solution.0, size), scaled_by(&solution.1, size));
        if !all_finite(&solution.0) || !all_finite(&solution.1) {
            Err(Error::NOT_FINITE)
        } else if error <= ACCEPTED {
            Ok(solution)
        } else {
            Err(Error::SingularMassMatrix)
        }
    }
}

/// The most steps of iterative refinement.
const MOST_STEPS: usize = 30;

/// [`differentiate`](super::differentiate) for `[M -K; J 0]`.
///
/// ```
/// use lagrange_runtime::nalgebra::{SMatrix, matrix};
/// use lagrange_runtime::{Derivatives, linalg::differentiate_reacting};
///
/// // A mass of 2 kg, pushed by u.
/// let none = SMatrix::<f64, 0, 1>::zeros();
/// let mut forces = Derivatives { q: matrix![-8.0], v: matrix![0.0], u: matrix![1.0] };
/// let mut rates = Derivatives { q: none, v: none, u: none };
/// differentiate_reacting(&[[2.0]], &[[]], &[], &mut forces, &mut rates)?;
/// assert_eq!(forces.u[0], 0.5);
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
#[inline(never)]
pub fn differentiate_reacting<
    S: RealField + Copy,
    const N: usize,
    const C: usize,
    const K: usize,
>(
    mass: &[[S; N]; N],
    by_multipliers: &[[S; C]; N],
    jacobian: &[[S; N]; C],
    forces: &mut Derivatives<S, N, N, K>,
    rates: &mut Derivatives<S, C, N, K>,
) -> Result<(), Error> {
    let mut work = Bordered::zeros();
    let factors = Reacting::factor(mass, by_multipliers, jacobian, &mut work)?;
    let solve = |forces: &mut [[S; N]], rates: &mut [[S; C]]| {
        for (force, rate) in forces.iter_mut().zip(rates) {
            (*force, *rate) = factors.solve(force, rate)?;
        }
        Ok(())
    };
    solve(&mut forces.q.data.0, &mut rates.q.data.0)?;
    solve(&mut forces.v.data.0, &mut rates.v.data.0)?;
    solve(&mut forces.u.data.0, &mut rates.u.data.0)
}

/// [`adjoint`](super::adjoint) for `[M -K; J 0]`: the weights (y, z) with `M y + Jᵀ z = w` and `Kᵀ y = 0`.
///
/// ```
/// use lagrange_runtime::linalg::adjoint_reacting;
///
/// let (y, _) = adjoint_reacting(&[[2.0]], &[[]], &[], &[3.0])?;
/// assert_eq!(y, [1.5]);
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
pub fn adjoint_reacting<S: RealField + Copy, const N: usize, const C: usize>(
    mass: &[[S; N]; N],
    by_multipliers: &[[S; C]; N],
    jacobian: &[[S; N]; C],
    w: &[S; N],
) -> Result<Pair<S, N, C>, Error> {
    let mut forces = [[S::zero(); C]; N];
    let mut rows = [[S::zero(); N]; C];
    for i in 0..N {
        for k in 0..C {
            forces[i][k] = -jacobian[k][i];
            rows[k][i] = by_multipliers[i][k];
        }
    }
    let mut work = Bordered::zeros();
    let factors = Reacting::factor(mass, &forces, &rows, &mut work)?;
    factors.solve(w, &[S::zero(); C])
}

/// K = Jᵀ + B by its rows; B has the columns of the constraints first.
///
/// ```
/// use lagrange_runtime::{linalg::reactions, nalgebra::matrix};
///
/// assert_eq!(reactions(&[[0.0, 1.0]], &matrix![-0.5; 0.0]), [[-0.5], [1.0]]);
/// ```
pub fn reactions<S: SimdRealField + Copy, const N: usize, const C: usize, const R: usize>(
    jacobian: &[[S; N]; C],
    by_multipliers: &SMatrix<S, N, R>,
) -> [[S; C]; N] {
    let mut reactions = [[S::zero(); C]; N];
    for i in 0..N {
        for k in 0..C {
            let column = by_multipliers.data.0.get(k);
            let force = column.map_or_else(S::zero, |column| column[i]);
            reactions[i][k] = force + jacobian[k][i];
        }
    }
    reactions
}

/// The first columns of a matrix, and those after them.
///
/// ```
/// use lagrange_runtime::{linalg::parted_columns, nalgebra::matrix};
///
/// let (first, second) = parted_columns::<_, 1, 3, 1, 2>(&matrix![1.0, 2.0, 3.0]);
/// assert_eq!((first, second), (matrix![1.0], matrix![2.0, 3.0]));
/// ```
pub fn parted_columns<
    S: SimdRealField + Copy,
    const N: usize,
    const R: usize,
    const C: usize,
    const P: usize,
>(
    matrix: &SMatrix<S, N, R>,
) -> (SMatrix<S, N, C>, SMatrix<S, N, P>) {
    let mut second = SMatrix::zeros();
    for (place, column) in second.data.0.iter_mut().zip(matrix.data.0.iter().skip(C)) {
        *place = *column;
    }
    (first_columns(matrix), second)
}

/// The first columns of a matrix.
///
/// ```
/// use lagrange_runtime::{linalg::first_columns, nalgebra::matrix};
///
/// assert_eq!(first_columns::<_, 2, 3, 1>(&matrix![1.0, 2.0, 3.0; 4.0, 5.0, 6.0]), matrix![1.0; 4.0]);
/// ```
pub fn first_columns<S: SimdRealField + Copy, const N: usize, const R: usize, const C: usize>(
    matrix: &SMatrix<S, N, R>,
) -> SMatrix<S, N, C> {
    let mut first = SMatrix::zeros();
    for (place, column) in first.data.0.iter_mut().zip(&matrix.data.0) {
        *place = *column;
    }
    first
}

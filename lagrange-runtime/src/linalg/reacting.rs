//! Solves of systems whose forces depend on multipliers: `[M -K; J 0] [a; λ] = [f; γ]` with K = Jᵀ + B.

use nalgebra::{RealField, SMatrix, SimdRealField};

use super::{
    binary::exponent,
    bordered::{Bordered, without_left_out},
    finite::{all_finite, error_of_factors},
    kkt_residual::{Pair, absolute},
    multi_rhs::{columns_of, solve_each},
    rank::first_dependent,
    refinement::Equations,
    scaled_lu::ScaledLu,
    scaling::Scaling,
    tolerances::{magnitude, tolerance},
    vectors::subtract_dot,
};
use crate::{
    Derivatives, Error,
    math::{constant, mul_add},
};

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
    factors: &'a Bordered<S, N, C>,
    lu: ScaledLu<N, C>,
    left_out: [bool; C],
}

impl<'a, S: RealField + Copy, const N: usize, const C: usize> Reacting<'a, S, N, C> {
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

    /// The same without some rows of J, whose entries and whose forces must be zero: their multipliers are 0, and their
    /// rates do not matter.
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
        let entries = [
            mass.as_flattened(),
            forces.as_flattened(),
            jacobian.as_flattened(),
        ];
        if !entries.into_iter().all(all_finite) {
            return Err(Error::NOT_FINITE);
        }
        work.set(mass, |i, k| forces[i][k], jacobian, left_out);
        let scaling = Scaling::new(mass, jacobian);
        let of_forces = core::array::from_fn(|k| {
            let sizes = forces
                .iter()
                .zip(&scaling.coordinates)
                .map(|(row, scale)| Some(exponent(magnitude(row[k]))?.saturating_add(*scale)));
            -sizes.max().flatten().unwrap_or(0)
        });
        let scales = [
            (scaling.coordinates, scaling.constraints),
            (scaling.coordinates, of_forces),
        ];
        // All significant entries of the scaled matrix are about 1.
        let limit = magnitude(constant::<S>(8.0) * tolerance::<S>(N + C));
        if let Some(lu) = ScaledLu::factor(work, scales, |_| limit) {
            return Ok(Self {
                mass,
                forces,
                jacobian,
                factors: work,
                lu,
                left_out: *left_out,
            });
        }
        // Rows that remain beside others that are left out do not depend on each other.
        let mut work = [[S::zero(); N]; C];
        Err(match first_dependent(jacobian, &mut work, false) {
            Some(row) if !left_out.contains(&true) => Error::DependentConstraints { row },
            _ => Error::SingularMassMatrix,
        })
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
        let rates = without_left_out(gamma, &self.left_out);
        self.solve_refined((f, &rates), |right| self.lu.solve(self.factors, right))
    }
}

impl<S: RealField + Copy, const N: usize, const C: usize> Equations<S, N, C>
    for Reacting<'_, S, N, C>
{
    const IS_PATIENT: bool = true;

    /// `f - M a + K λ` and `γ - J a`.
    fn residual(&self, (f, gamma): &Pair<S, N, C>, (a, lambda): &Pair<S, N, C>) -> Pair<S, N, C> {
        let (mut forces, mut rates) = (*f, *gamma);
        for i in 0..N {
            forces[i] = subtract_dot(&self.mass[i], a, forces[i]);
            for (entry, lambda) in self.forces[i].iter().zip(lambda) {
                forces[i] = mul_add(*entry, *lambda, forces[i]);
            }
        }
        for k in 0..C {
            rates[k] = subtract_dot(&self.jacobian[k], a, rates[k]);
        }
        (forces, rates)
    }

    fn terms(&self, (f, gamma): &Pair<S, N, C>, (a, lambda): &Pair<S, N, C>) -> Pair<S, N, C> {
        let (mut forces, mut rates) = (absolute(f), absolute(gamma));
        for i in 0..N {
            forces[i] = add_sizes(
                &self.forces[i],
                lambda,
                add_sizes(&self.mass[i], a, forces[i]),
            );
        }
        for k in 0..C {
            rates[k] = add_sizes(&self.jacobian[k], a, rates[k]);
        }
        (forces, rates)
    }
}

/// `start + |x|·|y|`
fn add_sizes<S: RealField + Copy>(x: &[S], y: &[S], start: S) -> S {
    x.iter()
        .zip(y)
        .map(|(x, y)| (*x * *y).abs())
        .fold(start, |sum, size| sum + size)
}

/// [`differentiate`](super::differentiate) for `[M -K; J 0]`.
///
/// ```
/// use lagrange_runtime::nalgebra::{SMatrix, matrix};
/// use lagrange_runtime::{Derivatives, linalg::differentiate_reacting};
///
/// // A mass of 2 kg, pushed by u.
/// let none = SMatrix::<f64, 0, 1>::zeros();
/// let mut forces = Derivatives { q: matrix![-8.0], v: matrix![0.0], z: SMatrix::<f64, 1, 0>::zeros(), u: matrix![1.0] };
/// let mut rates = Derivatives { q: none, v: none, z: SMatrix::zeros(), u: none };
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
    const Z: usize,
>(
    mass: &[[S; N]; N],
    by_multipliers: &[[S; C]; N],
    jacobian: &[[S; N]; C],
    forces: &mut Derivatives<S, N, N, K, Z>,
    rates: &mut Derivatives<S, C, N, K, Z>,
) -> Result<(), Error> {
    let mut work = Bordered::zeros();
    let factors = Reacting::factor(mass, by_multipliers, jacobian, &mut work)?;
    let mut columns = columns_of(forces, rates).into_iter();
    columns.try_for_each(|columns| solve_each(columns, |f, gamma| factors.solve(f, gamma)))
}

/// Solves the equations of [`Reacting`] for one right-hand side, for generated code.
#[doc(hidden)]
pub fn reacting<S: RealField + Copy, const N: usize, const C: usize>(
    mass: &[[S; N]; N],
    forces: &[[S; C]; N],
    jacobian: &[[S; N]; C],
    f: &[S; N],
    gamma: &[S; C],
) -> Result<Pair<S, N, C>, Error> {
    let mut work = Bordered::zeros();
    match Reacting::factor(mass, forces, jacobian, &mut work) {
        Ok(factors) => factors.solve(f, gamma),
        Err(error) => Err(error_of_factors(error, &[f, gamma])),
    }
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

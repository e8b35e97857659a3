//! Solves of constrained systems: `[M -Jᵀ; J 0] [a; λ] = [f; γ]`.

use nalgebra::{RealField, SimdRealField};

use super::{all_finite, null_space::NullSpace, saddle::Saddle, schur::Schur};
use crate::Error;

/// Solves the equations of motion with constraints, `M a = f + Jᵀ λ` and `J a = γ`, for the
/// accelerations a and the multipliers λ; see [`Kkt`] for the method and its errors.
///
/// ```
/// use lagrange_runtime::linalg::kkt;
///
/// // A pendulum of 2 kg and 1 m that hangs still: x² + y² = 1 at (0, -1).
/// let (mass, jacobian) = ([[2.0, 0.0], [0.0, 2.0]], [[0.0, -2.0]]);
/// let (a, lambda) = kkt(&mass, &jacobian, &[0.0, -2.0 * 9.81], &[0.0])?;
/// assert_eq!((a, lambda), ([0.0, 0.0], [-9.81]));
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
pub fn kkt<S: RealField + Copy, const N: usize, const C: usize>(
    m: &[[S; N]; N],
    j: &[[S; N]; C],
    f: &[S; N],
    gamma: &[S; C],
) -> Result<([S; N], [S; C]), Error> {
    Kkt::factor(m, j)?.solve(f, gamma)
}

/// Solves what [`kkt`] solves, but without a check, so that it serves SIMD lanes.
///
/// M must be positive semidefinite. Each lane takes the Schur complement of M, or of M + Jᵀ W J where a
/// pivot of M is small (Golub & Greif 2003), and one step of iterative refinement. Where the system is
/// singular the result is not finite, or large and inaccurate where it is nearly so. The condition of
/// J, as the masses measure it, counts twice: at 1e4 half of the digits of `f64` are lost, of which one
/// step of refinement brings some back, and at 1e8 all. [`kkt`] does not have that limit.
///
/// ```
/// use lagrange_runtime::linalg::kkt_unchecked;
///
/// // y = x, where y has no mass.
/// let (a, lambda) = kkt_unchecked(&[[2.0, 0.0], [0.0, 0.0]], &[[-1.0, 1.0]], &[3.0, 1.0], &[0.0]);
/// assert_eq!((a, lambda), ([2.0, 2.0], [-1.0]));
/// ```
pub fn kkt_unchecked<S: SimdRealField + Copy, const N: usize, const C: usize>(
    m: &[[S; N]; N],
    j: &[[S; N]; C],
    f: &[S; N],
    gamma: &[S; C],
) -> ([S; N], [S; C]) {
    Schur::factor_lanes(&Saddle::new(m, j)).solve(&(*f, *gamma))
}

/// The factors of the matrix `[M -Jᵀ; J 0]` for several right-hand sides.
///
/// M is symmetric and its lower triangle is read, J has a row for each constraint. M may be singular
/// or indefinite as long as the whole matrix is regular: where coordinates outnumber the motions
/// (quaternions), and where some have no inertia.
///
/// # Method
///
/// 1. The Schur complement: M and J M⁻¹ Jᵀ are factored as L D Lᵀ without pivoting, while all pivots
///    are [`regular`](super::regular) and the diagonal of J M⁻¹ Jᵀ is
///    [`comparable`](super::comparable). This covers what is positive definite and not near a
///    singularity. One step of iterative refinement.
/// 2. Otherwise the null-space method (Benzi, Golub & Liesen, "Numerical solution of saddle point
///    problems", *Acta Numerica* 14, 2005, section 6), which does not square the condition of J as the
///    Schur complement does. All is scaled by powers of two so that units do not matter (Bunch
///    1971, and likewise for J). Then Householder reflections with row and column exchanges (Cox &
///    Higham 1998) turn the coordinates into C that the constraints bind and N - C that they leave
///    free, and M restricted to the free ones is factored with complete pivoting. Two steps of
///    iterative refinement.
///
/// The result is as accurate as the data allow. Compared with solutions of 50 digits, in `f64`, by the
/// largest entry and in units in which masses are alike, a and λ have relative errors of at most
///
/// | case | a | λ |
/// | --- | --- | --- |
/// | positive definite, singular or indefinite M, any units | 1e-15 | 5e-16 |
/// | massless coordinates | 1.3e-15 | 1e-16 |
/// | chains and linkages with masses between 1e-6 and 1e6 | 1e-15 | 7e-12 |
/// | linkage at 1e-6 from the stretched pose | 1e-15 | 2e-16 |
/// | constraints that are dependent but for 1e-3, 1e-5, 1e-7, 1e-9 | 4e-14, 2e-11, 6e-10, 4e-8 | 1e-13, 4e-12, 1e-9, 3e-8 |
///
/// The last row is the condition of J times eps: rounding the entries of J alone does as much.
///
/// # Errors
///
/// In this order, and for the same matrix always the same one:
///
/// - [`Error::NotFinite`] when an entry of M, of J, of the right-hand side or of the solution is NaN or
///   infinite;
/// - [`Error::DependentConstraints`] with the first row of J that adds nothing to those above it. With
///   τ = (N + C) eps, that is one of which at most the fraction 4 τ is orthogonal to the rows above, or
///   one whose largest entry is at most τ times the largest one of J, which is no more than what
///   rounding leaves of zeros. Whether γ agrees with the dependence does not matter;
/// - [`Error::SingularMassMatrix`] when M, scaled to entries of about 1 and restricted to the free
///   directions, has a pivot of at most 8 N eps.
///
/// ```
/// use lagrange_runtime::{Error, linalg::Kkt};
///
/// // Two coordinates, of which only the first has inertia, and y = x.
/// let mass = [[2.0_f64, 0.0], [0.0, 0.0]];
/// let factors = Kkt::factor(&mass, &[[-1.0, 1.0]])?;
/// let (a, lambda) = factors.solve(&[3.0, 1.0], &[0.0])?;
/// assert!((a[0] - 2.0).abs() < 1e-15 && (a[1] - 2.0).abs() < 1e-15);
/// assert!((lambda[0] + 1.0).abs() < 1e-15);
///
/// let redundant = Kkt::factor(&mass, &[[-1.0, 1.0], [2.0, -2.0]]);
/// assert_eq!(redundant.err(), Some(Error::DependentConstraints { row: 1 }));
/// let unbound = Kkt::factor(&mass, &[[1.0, 0.0]]);
/// assert_eq!(unbound.err(), Some(Error::SingularMassMatrix));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Kkt<S, const N: usize, const C: usize> {
    factors: Factors<S, N, C>,
}

#[derive(Clone, Copy, Debug)]
enum Factors<S, const N: usize, const C: usize> {
    Schur(Schur<S, N, C>),
    NullSpace(NullSpace<S, N, C>),
}

impl<S: RealField + Copy, const N: usize, const C: usize> Kkt<S, N, C> {
    /// Factors the matrix of M, of which the lower triangle is read, and of J, given by its rows.
    ///
    /// # Errors
    ///
    /// As described [above](Self#errors).
    pub fn factor(m: &[[S; N]; N], j: &[[S; N]; C]) -> Result<Self, Error> {
        if !m.iter().chain(j).all(|row| all_finite(row)) {
            return Err(Error::NotFinite);
        }
        let saddle = Saddle::new(m, j);
        let factors = match Schur::try_factor(&saddle) {
            Some(schur) => Factors::Schur(schur),
            None => Factors::NullSpace(NullSpace::factor(&saddle)?),
        };
        Ok(Self { factors })
    }

    /// The accelerations a and multipliers λ for the forcing f and the right-hand side γ.
    ///
    /// # Errors
    ///
    /// [`Error::NotFinite`] when an entry of f, γ, a or λ is NaN or infinite.
    pub fn solve(&self, f: &[S; N], gamma: &[S; C]) -> Result<([S; N], [S; C]), Error> {
        if !all_finite(f) || !all_finite(gamma) {
            return Err(Error::NotFinite);
        }
        let right = (*f, *gamma);
        let solution = match &self.factors {
            Factors::Schur(schur) => schur.solve(&right),
            Factors::NullSpace(null_space) => null_space.solve(&right),
        };
        if all_finite(&solution.0) && all_finite(&solution.1) {
            Ok(solution)
        } else {
            Err(Error::NotFinite)
        }
    }
}

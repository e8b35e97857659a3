//! Solves of constrained systems: `[M -Jᵀ; J 0] [a; λ] = [f; γ]`.

use core::slice;

use nalgebra::RealField;

use super::{
    finite::{all_finite, check_matrix, error_of_factors},
    kkt_residual::{Pair, Saddle},
    multi_rhs::{SolveGroups, solve_abreast},
    null_space::NullSpace,
    refinement::{Equations, GOOD, Goal, Terms, solve_for_rates},
    schur::{Place, Schur},
    tolerances::{ACCEPTED, all_ordinary},
};
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
    kkt_in_place(&mut { *m }, j, f, gamma)
}

/// Solves the equations of [`kkt`] with less memory, for large systems on small stacks: it overwrites the entries above
/// the diagonal of M, and only reads the others.
///
/// It needs the space of one more J and of some vectors.
///
/// ```
/// use lagrange_runtime::linalg::kkt_in_place;
///
/// // A pendulum of 2 kg and 1 m that hangs still: x² + y² = 1 at (0, -1).
/// let mut mass = [[2.0, 0.0], [0.0, 2.0]];
/// let (a, lambda) = kkt_in_place(&mut mass, &[[0.0, -2.0]], &[0.0, -2.0 * 9.81], &[0.0])?;
/// assert_eq!((a, lambda), ([0.0, 0.0], [-9.81]));
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
#[inline(never)]
pub fn kkt_in_place<S: RealField + Copy, const N: usize, const C: usize>(
    m: &mut [[S; N]; N],
    j: &[[S; N]; C],
    f: &[S; N],
    gamma: &[S; C],
) -> Result<([S; N], [S; C]), Error> {
    let mut work = [[S::zero(); N]; C];
    match Kkt::factor(m, j, &mut work) {
        Ok(mut factors) => factors.solve(f, gamma),
        Err(error) => Err(error_of_factors(error, &[f, gamma])),
    }
}

/// The same for a J in which rows of rounding errors are zeros; see [`significant`](super::significant).
#[inline(never)]
pub(crate) fn kkt_of_significant<S: RealField + Copy, const N: usize, const C: usize>(
    m: &mut [[S; N]; N],
    j: &[[S; N]; C],
    f: &[S; N],
    gamma: &[S; C],
) -> Result<([S; N], [S; C]), Error> {
    let mut work = [[S::zero(); N]; C];
    match Kkt::factor_by(m, j, &mut work, true) {
        Ok(mut factors) => factors.solve(f, gamma),
        Err(error) => Err(error_of_factors(error, &[f, gamma])),
    }
}

/// The factors of the matrix `[M -Jᵀ; J 0]` for several right-hand sides.
///
/// M is symmetric and its lower triangle is read; J has a row for each constraint. M may be singular or indefinite if
/// the whole matrix is regular: with more coordinates than motions (quaternions), or with coordinates that have no
/// inertia.
///
/// The factors are above the diagonal of M and in `work`, because large systems have no space for more.
///
/// # Method
///
/// 1. The Schur complement: M and J M⁻¹ Jᵀ are factored as L D Lᵀ without pivoting, while all pivots are
///    [`regular`](super::regular) and no diagonal entry of J M⁻¹ Jᵀ is below eps times another. A semidefinite M is
///    first replaced by M + Jᵀ W J (Golub & Greif 2003). This covers all systems that are not close to singular.
/// 2. Otherwise, or if the result of the first is not accurate enough, the null-space method (Benzi, Golub & Liesen,
///    "Numerical solution of saddle point problems", *Acta Numerica* 14, 2005, section 6). It does not square the
///    condition of J as the Schur complement does. All values are scaled by powers of two so that units do not matter
///    (Bunch 1971, and likewise for J). Then Householder reflections with row and column exchanges (Cox & Higham 1998)
///    turn the coordinates into C that the constraints bind and N - C that they leave free, and M restricted to the
///    free ones is factored with complete pivoting (Bunch & Parlett 1971).
///
/// Both are followed by iterative refinement until the backward error is a few eps or stops falling.
///
/// # Accuracy
///
/// A solution is accepted if each equation holds to 32 eps of the sum of the absolute values of its terms: |f - M a +
/// Jᵀ λ| and |γ - J a|. That is the componentwise backward error of Oettli and Prager ("Compatibility of approximate
/// solution of linear equations with given error bounds for coefficients and right-hand sides", *Numer. Math.* 6,
/// 1964). With the matrix K, x = (a, λ) and b = (f, γ) each component of x has an error of at most 32 eps (|K⁻¹| (|K|
/// |x| + |b|)), and that of the computation of the terms. So the relative error of a, and that of λ, each measured by
/// its largest entry, is at most 100 eps times **its Skeel condition**: the largest entry of |K⁻¹| (|K| |x| + |b|) in
/// the block of a, or of λ, divided by the largest entry of the block itself. It does not change with the units of
/// single equations.
///
/// If terms underflow beside larger ones of other equations, the bound is absolute: they count as 1e-292 (1e-31 for
/// `f32`), in units in which the right-hand side is at least 1 and at most 1e270 (1e30).
///
/// The table shows measured errors, against numbers of 1,500 bits, in units of eps times the Skeel condition |K⁻¹| |K|
/// |x| of the block, with forces of equal size and over 16 decades. The last columns are the shares of systems that
/// needed the null-space method, and that were refused
/// (`cargo test --release -p lagrange-runtime --test all accuracy -- --nocapture`):
///
/// | family | a | λ | null space | refused |
/// | --- | --- | --- | --- | --- |
/// | `y = x`, masses 1 and 1 to 1e-299 | 0.81 | 0.32 | 67 % | 0 % |
/// | chains of 2 to 15 rods, masses 1e±3 | 3.30 | 0.47 | 0 % | 0 % |
/// | chains of 2 to 15 rods, masses 1e±9 | 1.44 | 0.57 | 7 % | 0 % |
/// | dense, 1 x 0 to 20 x 8, masses alike | 4.06 | 0.74 | 0 % | 0 % |
/// | four-bar, masses 1e±3 | 2.41 | 0.80 | 0 % | 0 % |
/// | slider-crank, masses 1e±3 | 0.32 | 0.32 | 0 % | 0 % |
/// | rotation matrix, inertias 1e±3 | 0.71 | 0.44 | 0 % | 0 % |
/// | dense, 1 x 0 to 20 x 8, masses 1e±9 | 4.06 | 0.61 | 0 % | 0 % |
/// | four-bar, masses 1e±9 | 2.31 | 0.91 | 25 % | 0 % |
/// | slider-crank, masses 1e±9 | 0.48 | 0.27 | 35 % | 0 % |
/// | dense, 1 x 0 to 20 x 8, masses 1e±20 | 4.06 | 0.61 | 0 % | 0 % |
/// | rotation matrix, inertias 1e±9 | 2.56 | 0.37 | 10 % | 0 % |
/// | planes at 1e-3 to 1e-9, masses 1e±0.5 | 0.38 | 0.27 | 83 % | 0 % |
/// | planes at 1e-3 to 1e-9, masses 1e±9 | 0.41 | 0.33 | 93 % | 0 % |
/// | quaternion, M of rank 3, inertias 1e±3 | 0.47 | 0.40 | 0 % | 0 % |
/// | coordinates without mass, others 1e±9 | 0.61 | 0.07 | 5 % | 0 % |
/// | as many constraints as coordinates, at rest | 0.82 | 0.63 | 59 % | 0 % |
/// | a mass from 1 to 1e-200 in chains and slider-cranks | 1.15 | 0.93 | 93 % | 0 % |
/// | dense, M of rank N - C, masses 1e±9 | 0.25 | 0.29 | 0 % | 0 % |
/// | units of 1e±140 | 2.60 | 0.51 | 50 % | 6 % |
/// | dense, each coordinate in units of 1e±70 | 0.99 | 0.25 | 38 % | 18 % |
///
/// # Errors
///
/// In this order, and for the same matrix always the same one:
///
/// - [`Error::NotFinite`] if an entry of M, of J, of the right-hand side or of the solution is NaN or infinite;
/// - [`Error::DependentConstraints`] with the first row of J that adds nothing to those above it. With τ = (N + C) eps,
///   this is a row of which at most the fraction 4 τ is orthogonal to the rows above, or whose largest entry is at most
///   τ times the largest one of J, the size of rounding residues of zeros. It does not matter whether γ agrees with the
///   dependence;
/// - [`Error::SingularMassMatrix`] if M, scaled to entries of about 1 and restricted to the free directions, has a
///   pivot of at most 8 N eps.
///
/// ```
/// use lagrange_runtime::{Error, linalg::{Kkt, kkt}};
///
/// // Two coordinates, of which only the first has inertia, and y = x.
/// let mut mass = [[2.0_f64, 0.0], [0.0, 0.0]];
/// let mut work = [[0.0; 2]];
/// let mut factors = Kkt::factor(&mut mass, &[[-1.0, 1.0]], &mut work)?;
/// let (a, lambda) = factors.solve(&[3.0, 1.0], &[0.0])?;
/// assert!((a[0] - 2.0).abs() < 1e-15 && (a[1] - 2.0).abs() < 1e-15);
/// assert!((lambda[0] + 1.0).abs() < 1e-15);
///
/// let redundant = kkt(&mass, &[[-1.0, 1.0], [2.0, -2.0]], &[0.0; 2], &[0.0; 2]);
/// assert_eq!(redundant.err(), Some(Error::DependentConstraints { row: 1 }));
/// let unbound = kkt(&mass, &[[1.0, 0.0]], &[0.0; 2], &[0.0]);
/// assert_eq!(unbound.err(), Some(Error::SingularMassMatrix));
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct Kkt<'a, S, const N: usize, const C: usize> {
    mass: &'a mut [[S; N]; N],
    jacobian: &'a [[S; N]; C],
    work: &'a mut [[S; N]; C],
    factors: Factors<S, N, C>,
    /// True if only rows of zeros count as rounding errors.
    are_significant: bool,
}

#[derive(Debug)]
enum Factors<S, const N: usize, const C: usize> {
    Schur(Schur<S, N, C>),
    NullSpace(NullSpace<S, N, C>),
}

impl<'a, S: RealField + Copy, const N: usize, const C: usize> Kkt<'a, S, N, C> {
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
        Self::factor_by(mass, jacobian, work, false)
    }

    /// The same. In a J whose rows `are_significant`, those of rounding errors are zeros; see
    /// [`significant`](super::significant).
    pub(crate) fn factor_by(
        mass: &'a mut [[S; N]; N],
        jacobian: &'a [[S; N]; C],
        work: &'a mut [[S; N]; C],
        are_significant: bool,
    ) -> Result<Self, Error> {
        check_matrix(mass, jacobian)?;
        let factors = match Schur::try_factor(mass, jacobian, work) {
            Some(schur) => Ok(Factors::Schur(schur)),
            None => {
                NullSpace::factor(mass, jacobian, work, are_significant).map(Factors::NullSpace)
            }
        };
        // Without `?`, whose copies of the factors a debug build keeps on the stack.
        factors.map(|factors| Self {
            mass,
            jacobian,
            work,
            factors,
            are_significant,
        })
    }

    /// The accelerations a and multipliers λ for the forcing f and the right-hand side γ.
    ///
    /// # Errors
    ///
    /// [`Error::NotFinite`] if an entry of f, γ, a or λ is NaN or infinite; those of the factors if those of the Schur complement
    /// fail; [`Error::SingularMassMatrix`] if no method gives a solution with the accuracy stated
    /// [above](Self#accuracy).
    pub fn solve(&mut self, f: &[S; N], gamma: &[S; C]) -> Result<([S; N], [S; C]), Error> {
        if !all_finite(f) || !all_finite(gamma) {
            return Err(Error::NOT_FINITE);
        }
        if let Factors::Schur(schur) = &self.factors {
            if let Some(solution) = self.solve_by_schur(schur, &(*f, *gamma)) {
                return Ok(solution);
            }
            let are_significant = self.are_significant;
            let (mass, work) = (&mut *self.mass, &mut *self.work);
            let null_space = NullSpace::factor(mass, self.jacobian, work, are_significant)?;
            self.factors = Factors::NullSpace(null_space);
        }
        match &self.factors {
            Factors::NullSpace(null_space) => {
                let apply = |right: &Pair<S, N, C>| null_space.apply(self.mass, self.work, right);
                self.saddle().solve_refined((f, gamma), apply)
            }
            Factors::Schur(_) => Err(Error::SingularMassMatrix),
        }
    }

    /// Replaces at most `W` right-hand sides by solutions with the Schur complement of M itself if all are accurate enough;
    /// returns whether they are. The equations of the forces hold by construction; those of the constraints are tested.
    /// Without constraints, like [`solve_in_place`](super::solve_in_place), it tests only whether all values are finite.
    fn solve_abreast<const W: usize>(&self, forces: &mut [[S; N]], rates: &mut [[S; C]]) -> bool {
        let Factors::Schur(schur) = &self.factors else {
            return false;
        };
        if schur.is_augmented() {
            return false;
        }
        let place = self.place();
        solve_abreast::<S, N, C, N, W>(forces, rates, |a, multipliers| {
            let apply = |a: &mut _, rates: &mut _| schur.apply_abreast(&place, a, rates);
            solve_for_rates((self.jacobian, S::one()), a, multipliers, apply)
                && match C {
                    0 => all_finite(a.as_flattened()),
                    _ => all_ordinary(a.as_flattened()) && all_finite(multipliers.as_flattened()),
                }
        })
    }

    /// Returns whether the null-space method is in use.
    ///
    /// ```
    /// use lagrange_runtime::linalg::Kkt;
    ///
    /// let (mut mass, mut work) = ([[2.0, 0.0], [0.0, 2.0]], [[0.0; 2]]);
    /// assert!(!Kkt::factor(&mut mass, &[[-1.0, 1.0]], &mut work)?.is_careful());
    /// # Ok::<(), lagrange_runtime::Error>(())
    /// ```
    pub fn is_careful(&self) -> bool {
        matches!(self.factors, Factors::NullSpace(_))
    }

    fn place(&self) -> Place<'_, S, N, C> {
        Place {
            mass: self.mass,
            jacobian: self.jacobian,
            work: self.work,
        }
    }

    fn saddle(&self) -> Saddle<'_, S, N, C> {
        self.place().saddle()
    }

    fn solve_by_schur(
        &self,
        schur: &Schur<S, N, C>,
        right: &Pair<S, N, C>,
    ) -> Option<Pair<S, N, C>> {
        let place = self.place();
        let apply = |right: &Pair<S, N, C>| schur.apply(&place, right);
        // The sum with Jᵀ W J loses some digits of M.
        let least = usize::from(schur.is_augmented());
        let goal = Goal {
            terms: Terms::Strict,
            enough: GOOD,
            least,
        };
        let refined = self.saddle().refine(right, goal, apply);
        let (a, lambda) = &refined.solution;
        let is_accepted = refined.error <= ACCEPTED && all_ordinary(a) && all_finite(lambda);
        is_accepted.then_some(refined.solution)
    }
}

impl<S: RealField + Copy, const N: usize, const C: usize> SolveGroups<S, N, C>
    for Kkt<'_, S, N, C>
{
    type Error = Error;

    /// By the Schur complement if that is accurate enough, otherwise with the care of a single solve.
    fn solve_group<const W: usize>(
        &mut self,
        forces: &mut [[S; N]],
        rates: &mut [[S; C]],
    ) -> Result<(), Error> {
        if self.solve_abreast::<W>(forces, rates) {
            return Ok(());
        }
        for (force, rate) in forces.iter_mut().zip(rates) {
            if !self.solve_abreast::<1>(slice::from_mut(force), slice::from_mut(rate)) {
                (*force, *rate) = self.solve(force, rate)?;
            }
        }
        Ok(())
    }
}

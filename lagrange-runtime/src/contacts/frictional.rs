//! The trait of systems whose contacts are solved, with friction.

use nalgebra::{RealField, SMatrix, SVector};

use super::Contacts;
use crate::Error;

/// A system with `P` contacts whose friction and restitution are declared, and with `M` joints of dry friction.
///
/// The macro implements it for every declaration with a `contact` or with an actuator of dry friction that sticks, unless a
/// force reads a multiplier. As in [`System`](crate::System), all methods take the time t, the coordinates q, the
/// velocities v and the inputs u first.
///
/// # Examples
///
/// The motion that the contacts within reach allow:
///
/// ```
/// use lagrange_runtime::{Error, Frictional, Resolved, nalgebra::SVector};
///
/// fn motion<T, const NQ: usize, const N: usize, const K: usize, const C: usize, const P: usize, const M: usize>(
///     system: &T,
///     (q, v, u): (SVector<f64, NQ>, SVector<f64, N>, SVector<f64, K>),
///     reach: f64,
/// ) -> Result<Resolved<f64, N, C, P, M>, Error>
/// where
///     T: Frictional<f64, NQ, N, K, C, P, M>,
/// {
///     let gaps = system.gaps(0.0, &q, &v, &u);
///     system.resolve(0.0, &q, &v, &u, &core::array::from_fn(|k| gaps[k] <= reach))
/// }
/// ```
pub trait Frictional<
    S: RealField + Copy,
    const NQ: usize,
    const N: usize,
    const K: usize,
    const C: usize,
    const P: usize,
    const M: usize,
>: Contacts<S, NQ, N, K, C, P>
{
    /// The number of sliding velocities of each contact: 0 without friction, 1 in a plane, 2 in space.
    const SLIPS: [usize; P];

    /// The velocity of each joint with dry friction, as an index into v.
    const DRY_JOINTS: [usize; M];

    /// True if constraints and contacts may depend on each other (`#[lagrangian(redundant)]`).
    const REDUNDANT: bool;

    /// The terms of friction and restitution at a state. Terms of a contact that is far from closing may be NaN.
    ///
    /// ```
    /// use lagrange_runtime::{Frictional, nalgebra::SVector};
    ///
    /// /// The largest sliding speed.
    /// fn slides<T, const NQ: usize, const N: usize, const K: usize, const C: usize, const P: usize, const M: usize>(
    ///     system: &T,
    ///     (q, v, u): (&SVector<f64, NQ>, &SVector<f64, N>, &SVector<f64, K>),
    /// ) -> f64
    /// where
    ///     T: Frictional<f64, NQ, N, K, C, P, M>,
    /// {
    ///     let [x, y] = system.friction_terms(0.0, q, v, u).slips;
    ///     x.zip_map(&y, f64::hypot).max()
    /// }
    /// ```
    fn friction_terms(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> FrictionTerms<S, N, P, M>;

    /// The motion where each of the flagged contacts opens or stays closed, slides or sticks by itself.
    ///
    /// # Errors
    ///
    /// The errors of [`Contacts::solve_active`], and [`Error::NoContactSolution`].
    fn resolve(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
        closed: &[bool; P],
    ) -> Result<Resolved<S, N, C, P, M>, Error>;
}

/// The terms of friction and restitution at a state. The rows of a sliding velocity that a contact does not have are 0.
///
/// `N` is the number of velocities, `P` that of contacts, `M` that of joints with dry friction.
///
/// ```
/// use lagrange_runtime::{FrictionTerms, nalgebra::{SMatrix, SVector, matrix, vector}};
///
/// // A block that slides along x with 0.3 on a rough floor, as its `friction_terms` has it.
/// let none = SVector::<f64, 1>::zeros();
/// let terms = FrictionTerms::<f64, 2, 1, 0> {
///     gap_bounds: none,
///     gap_rate_bounds: none,
///     slips: [vector![0.3], none],
///     slip_bounds: [vector![1.4e-16], none],
///     slip_jacobians: [matrix![1.0, 0.0], SMatrix::zeros()],
///     slip_gammas: [none; 2],
///     friction: vector![0.5],
///     restitution: none,
///     joint_limits: SVector::zeros(),
/// };
/// assert!(terms.slips[0][0].abs() > terms.slip_bounds[0][0], "it slides");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrictionTerms<S, const N: usize, const P: usize, const M: usize> {
    /// The bounds of the rounding errors of the gaps, in their unit: four times the running error bounds.
    pub gap_bounds: SVector<S, P>,
    /// The bounds of the rounding errors of the rates of the gaps.
    pub gap_rate_bounds: SVector<S, P>,
    /// The first and the second sliding velocity of each contact.
    pub slips: [SVector<S, P>; 2],
    /// The bounds of their rounding errors.
    pub slip_bounds: [SVector<S, P>; 2],
    /// Their derivatives by v.
    pub slip_jacobians: [SMatrix<S, P, N>; 2],
    /// γ of the sliding velocities: their rates are `J_s a - γ_s`.
    pub slip_gammas: [SVector<S, P>; 2],
    /// The coefficients of friction.
    pub friction: SVector<S, P>,
    /// The coefficients of restitution.
    pub restitution: SVector<S, P>,
    /// The largest dry friction of each joint.
    pub joint_limits: SVector<S, M>,
}

/// The motion of a system whose contacts and dry joints have found their modes.
///
/// ```
/// use lagrange_runtime::{Mode, Resolved};
///
/// /// The largest part of its cone of friction that a contact uses: at 1 it is about to slide.
/// fn effort<const N: usize, const C: usize, const P: usize, const M: usize>(
///     motion: &Resolved<f64, N, C, P, M>,
///     friction: f64,
/// ) -> f64 {
///     let closed = (0..P).filter(|k| motion.modes[*k] != Mode::Open && motion.contact_forces[*k] > 0.0);
///     let efforts = closed.map(|k| {
///         let [x, y] = motion.friction_forces[k];
///         x.hypot(y) / (friction * motion.contact_forces[k])
///     });
///     efforts.fold(0.0, f64::max)
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolved<S, const N: usize, const C: usize, const P: usize, const M: usize> {
    /// The acceleration.
    pub acceleration: SVector<S, N>,
    /// The multipliers of the constraints.
    pub multipliers: SVector<S, C>,
    /// The forces of the contacts, positive where they push.
    pub contact_forces: SVector<S, P>,
    /// The forces of friction along the sliding velocities of each contact.
    pub friction_forces: [[S; 2]; P],
    /// The mode of each contact. A contact that is not flagged is open.
    pub modes: [Mode; P],
    /// The forces of dry friction in the joints.
    pub joint_forces: [S; M],
    /// True for each joint that friction holds.
    pub held: [bool; M],
}

/// The mode of a contact.
///
/// ```
/// use lagrange_runtime::Mode;
///
/// let modes = [Mode::Sticks, Mode::Open, Mode::Slides];
/// let closed = modes.map(|mode| mode != Mode::Open);
/// assert_eq!(closed, [true, false, true]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It opens, or is open.
    Open,
    /// It is closed and does not slide.
    Sticks,
    /// It is closed and slides, or has no friction.
    Slides,
}

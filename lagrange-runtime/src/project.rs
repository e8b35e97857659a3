//! Projection of a state onto the constraints.
//!
//! Integration enforces only the constraints on accelerations, so positions drift off, and a hand-written initial state
//! rarely satisfies the constraints to all digits. [`project`] moves a state onto them by the smallest change in the
//! mass metric (Eich, "Convergence results for a coordinate projection method applied to mechanical systems with
//! algebraic constraints", *SIAM J. Numer. Anal.* 30, 1993).

mod limits;
mod places;
mod position;
mod space;
mod velocity;

use nalgebra::{RealField, SVector};

use crate::{Error, linalg::check_finite};
pub use limits::Bounds;
pub(crate) use limits::not_converged;
use places::{Places, clear};
pub use space::{Flat, Redundant, Space, Turning};

/// Moves the state (q, v) onto the constraints.
///
/// 1. The coordinates move by Newton's method in the metric of M at the start: each step is the dq with the smallest
///    dqᵀ M dq that meets the linearized constraints `J dq = -residual`. A step is halved until the residual falls
///    enough, so that distant starts come closer steadily, or until it no longer moves q.
/// 2. The velocities change by the dv that is smallest in the metric of M at the new coordinates and meets
///    `J v = -d(residual)/dt`: an impulse that the constraints could exert. The equations are linear, so passes after
///    the first one only remove rounding errors.
///
/// # Arguments
///
/// There are `N` coordinates, and `C` constraints; the first `H` are holonomic. The mass matrix may be singular as in
/// [`kkt`](crate::linalg::kkt); its lower triangle is read.
///
/// - `mass(q, v)` gives M;
/// - `position(q)` gives the residuals of the holonomic constraints, their error bounds, and their Jacobian by
///   rows;
/// - `velocity(q, v)` gives J v + d(residual)/dt of all constraints (for a nonholonomic one this is its residual),
///   their error bounds, and J by rows, those of the holonomic ones first.
///
/// If M does not determine the smallest dq, because a direction has neither inertia nor a holonomic constraint, dq is
/// the smallest one that the nonholonomic constraints allow: the change of their residuals J dq is zero. So every state
/// that can be solved for accelerations can be projected.
///
/// # When it stops
///
/// A residual is met if it is at most four times its error bound: the distance that rounding may move it from the value
/// at coordinates and velocities that differ by half an ulp each. The bounds are in units of half of the machine
/// epsilon, and are counted along the evaluation: each operation passes on the errors of its operands, and adds the
/// size of its own result (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., section 3.3). For
/// `x y - a`, with a exact, this is `3 |x y| + |x y - a|`: one part for each coordinate, one for the product, one for
/// the difference. The largest term times the number of operations is a simple upper bound. A bound that is too large
/// accepts residuals that are not yet met to all digits, and one that is too small makes projections fail.
///
/// The limit is four bounds, because a step leaves up to two of them, from the evaluations before and after it, and
/// products of errors are not counted. All rows are moved until all are met at once. Then coordinates are moved on while
/// their residuals fall, because bounds grow along a chain of turns and residuals do not. Velocities are corrected
/// further, down to a single bound, while their residuals fall by half.
///
/// A projected state comes back from the next projection bit for bit, if its residuals are below eps^(3/4) of the
/// largest entry of q, or of v, times the largest entry of their row of J. Only such residuals are compared with their
/// bounds at once; others when no step makes them smaller.
///
/// In a space of [`Redundant`] rows these may agree to some digits only. Steps meet all rows in least squares. At first rows
/// count as dependent of which at most `eps^(1/4)` is orthogonal to others, and if no such step helps, `sqrt(eps)`. Where
/// no step helps, residuals are accepted that are at most `sqrt(eps)` of the lengths that their row is computed from, an
/// eighth of its error bound; for a row whose gradient is none beside the largest one, those of all rows. Generated bounds of
/// such rows end at 64 times the largest length, because those of a long chain of turns say nothing.
///
/// For dual numbers one more step follows, because derivatives converge one step after the values.
///
/// # Errors
///
/// - [`Error::NotFinite`] if q, v or a result of the closures is NaN or infinite;
/// - [`Error::DependentConstraints`] and [`Error::SingularMassMatrix`] if the equations for the first step, or those
///   for the velocities, are singular. They are tested even if there is nothing to move, so that a returned state can
///   be solved;
/// - [`Error::NotConverged`] with the largest remaining residual, if no step, however short, makes the residuals
///   smaller, if the iteration reaches a singular point, or after 100 steps. This is the result for constraints that
///   cannot be met together, and for starts from which the way is blocked.
///
/// # Examples
///
/// A pendulum of length 1 in Cartesian coordinates:
///
/// ```
/// use lagrange_runtime::{nalgebra::vector, project::project};
///
/// let (q, v) = project(
///     &vector![1.01_f64, 0.0],
///     &vector![0.5, 2.0],
///     |_, _| [[3.0, 0.0], [0.0, 3.0]],
///     |q| ([q.norm_squared() - 1.0], [5.0 * q.norm_squared()], [[2.0 * q[0], 2.0 * q[1]]]),
///     |q, v| ([2.0 * q.dot(v)], [8.0 * q.abs().dot(&v.abs())], [[2.0 * q[0], 2.0 * q[1]]]),
/// )?;
/// assert!((q - vector![1.0, 0.0]).norm() < 1e-15);
/// assert!((v - vector![0.0, 2.0]).norm() < 1e-15);
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
pub fn project<S, const N: usize, const C: usize, const H: usize>(
    q: &SVector<S, N>,
    v: &SVector<S, N>,
    mass: impl Fn(&SVector<S, N>, &SVector<S, N>) -> [[S; N]; N],
    position: impl Fn(&SVector<S, N>) -> ([S; H], [S; H], [[S; N]; H]),
    velocity: impl Fn(&SVector<S, N>, &SVector<S, N>) -> ([S; C], [S; C], [[S; N]; C]),
) -> Result<(SVector<S, N>, SVector<S, N>), Error>
where
    S: RealField + Copy,
{
    project_in(
        &Flat,
        q,
        v,
        &Constraints {
            mass: |q: &SVector<S, N>, v: &SVector<S, N>, m: &mut [[S; N]; N]| *m = mass(q, v),
            position: |q: &SVector<S, N>,
                       residuals: &mut [S; H],
                       rows: &mut [[S; N]; H],
                       bounds: &mut Bounds<S, H>| {
                let evaluated = position(q);
                (*residuals, *rows) = (evaluated.0, evaluated.2);
                if bounds.are_wanted(residuals, rows) {
                    bounds.values = evaluated.1;
                }
            },
            velocity: |q: &SVector<S, N>,
                       v: &SVector<S, N>,
                       residuals: &mut [S; C],
                       rows: &[[S; N]; C],
                       bounds: &mut Bounds<S, C>| {
                let evaluated = velocity(q, v);
                *residuals = evaluated.0;
                if bounds.are_wanted(residuals, rows) {
                    bounds.values = evaluated.1;
                }
            },
            rows: |q: &SVector<S, N>, rows: &mut [[S; N]; C]| *rows = velocity(q, v).2,
        },
    )
}

/// The constraints of [`project_in`]: functions that write matrices into zeros, because a large system has no room on
/// its stack for copies of them.
///
/// `N` velocities, `NQ` coordinates, `C` constraints; the first `H` are holonomic.
#[derive(Clone, Copy, Debug)]
pub struct Constraints<M, P, V, J> {
    /// `mass(q, v, m)`: M; its lower triangle is read.
    pub mass: M,
    /// `position(q, residuals, rows, bounds)`: the residuals of the holonomic constraints, their Jacobian by rows, and,
    /// if [they are wanted](Bounds::are_wanted) with these, their error bounds.
    pub position: P,
    /// `velocity(q, v, residuals, rows, bounds)`: J v + d(residual)/dt of all constraints, and, if they are wanted,
    /// their error bounds. The rows already contain J of all constraints.
    pub velocity: V,
    /// `rows(q, rows)`: J of all constraints.
    pub rows: J,
}

/// [`project`] for coordinates that do not move by addition: unit quaternions, four of the `NQ` coordinates each, are
/// turned by three of the `N` entries of a displacement.
///
/// `space` defines the motion; J, v and the steps of Newton's method are along its directions. Returned quaternions
/// have unit length; a start of another length is first normalised, at the same orientation.
///
/// # Errors
///
/// Those of [`project`]; [`Error::NotFinite`] for a quaternion of zeros, too.
///
/// # Examples
///
/// A body whose x axis is to be at right angles to the x axis of the world, `R e_x . e_x = 0`:
///
/// ```
/// use lagrange_runtime::nalgebra::{Vector3, Vector4, vector};
/// use lagrange_runtime::{project::{Bounds, Constraints, Turning, project_in}, rotation};
///
/// type Quaternion = Vector4<f64>;
/// let space = Turning {
///     integrate: |q: &Quaternion, d: &Vector3<f64>| {
///         Quaternion::from(rotation::moved(&(*q).into(), &(*d).into()))
///     },
/// };
/// let residual = |q: &Quaternion| [1.0 - 2.0 * (q.y * q.y + q.z * q.z)];
/// // d/dt R e_x = R (w x e_x), and that has the components R (0, w_z, -w_y).
/// let row = |q: &Quaternion| {
///     [[0.0, -2.0 * (q.x * q.z + q.y * q.w), 2.0 * (q.x * q.y - q.z * q.w)]]
/// };
/// let (q, v) = project_in(
///     &space,
///     &vector![0.0, 0.0, 0.7, 0.8],
///     &vector![1.0, 2.0, 3.0],
///     &Constraints {
///         mass: |_: &Quaternion, _: &Vector3<f64>, m: &mut [[f64; 3]; 3]| {
///             (m[0][0], m[1][1], m[2][2]) = (1.0, 2.0, 3.0);
///         },
///         position: |q: &Quaternion,
///                    residuals: &mut [f64; 1],
///                    rows: &mut [[f64; 3]; 1],
///                    bounds: &mut Bounds<f64, 1>| {
///             (*residuals, *rows) = (residual(q), row(q));
///             if bounds.are_wanted(residuals, rows) {
///                 bounds.values = [8.0];
///             }
///         },
///         velocity: |_: &Quaternion,
///                    v: &Vector3<f64>,
///                    residuals: &mut [f64; 1],
///                    rows: &[[f64; 3]; 1],
///                    bounds: &mut Bounds<f64, 1>| {
///             *residuals = [rows[0][1] * v.y + rows[0][2] * v.z];
///             if bounds.are_wanted(residuals, rows) {
///                 bounds.values = [8.0 * (v.y.abs() + v.z.abs())];
///             }
///         },
///         rows: |q: &Quaternion, rows: &mut [[f64; 3]; 1]| *rows = row(q),
///     },
/// )?;
/// assert!((q - vector![0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt()]).norm() < 1e-15);
/// assert!((v - vector![1.0, 2.0, 0.0]).norm() < 1e-15);
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
pub fn project_in<
    S,
    X,
    M,
    P,
    V,
    J,
    const NQ: usize,
    const N: usize,
    const C: usize,
    const H: usize,
>(
    space: &X,
    q: &SVector<S, NQ>,
    v: &SVector<S, N>,
    constraints: &Constraints<M, P, V, J>,
) -> Result<(SVector<S, NQ>, SVector<S, N>), Error>
where
    S: RealField + Copy,
    X: Space<S, NQ, N>,
    M: Fn(&SVector<S, NQ>, &SVector<S, N>, &mut [[S; N]; N]),
    P: Fn(&SVector<S, NQ>, &mut [S; H], &mut [[S; N]; H], &mut Bounds<S, H>),
    V: Fn(&SVector<S, NQ>, &SVector<S, N>, &mut [S; C], &[[S; N]; C], &mut Bounds<S, C>),
    J: Fn(&SVector<S, NQ>, &mut [[S; N]; C]),
{
    check_finite(&[("q", q.as_slice()), ("v", v.as_slice())])?;
    let Constraints {
        mass,
        position,
        velocity,
        rows,
    } = constraints;
    // Three matrices of a large system fill its stack, so both stages use them in turn. A tuple of arrays would be a
    // copy of them in debug builds.
    let zero = S::zero();
    let mut m = [[zero; N]; N];
    let mut jacobian = [[zero; N]; C];
    let mut spare = [[zero; N]; C];
    let mut places = Places {
        mass: &mut m,
        jacobian: &mut jacobian,
        spare: &mut spare,
    };
    let q = space.start(q);
    mass(&q, v, places.mass);
    let q = position::project(space, q, position, rows, &mut places)?;
    clear(places.mass);
    mass(&q, v, places.mass);
    clear(places.jacobian);
    rows(&q, places.jacobian);
    let of_state = |v: &SVector<S, N>,
                    residuals: &mut [S; C],
                    rows: &[[S; N]; C],
                    bounds: &mut Bounds<S, C>| {
        velocity(&q, v, residuals, rows, bounds);
    };
    let v = if X::REDUNDANT {
        velocity::project_redundant(v, &of_state, &mut places)?
    } else {
        velocity::project(v, &of_state, &mut places)?
    };
    Ok((q, v))
}

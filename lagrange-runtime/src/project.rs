//! Projection of a state onto the constraints.
//!
//! Integration meets the constraints of an acceleration only, so that the positions drift off; and a
//! start that a person writes down rarely meets them to all digits. [`project`] moves a state onto
//! them by as little as it can, as the masses measure it (Eich, "Convergence results for a coordinate
//! projection method applied to mechanical systems with algebraic constraints", *SIAM J. Numer. Anal.*
//! 30, 1993).

mod position;
mod rounding;
mod space;
mod velocity;

use nalgebra::{RealField, SVector};

use crate::{Error, linalg::all_finite, math::constant};
pub use space::{Flat, Space, Turning};

/// Moves the state (q, v) onto the constraints.
///
/// 1. The coordinates by Newton's method in the metric of M at the start: each step is the smallest
///    dq, as dqᵀ M dq measures it, that meets the linearized constraints `J dq = -residual`. A step is
///    halved until the residual falls enough, so that distant starts come closer steadily.
/// 2. The velocities by the dv that is smallest in the metric of M at the new coordinates and meets
///    `J v = -d(residual)/dt`: an impulse that the constraints could exert. The equations are linear, so
///    that passes after the first one only remove rounding errors.
///
/// # Arguments
///
/// `N` coordinates, `C` constraints of which the first `H` are holonomic. The mass matrix may be
/// singular as in [`kkt`](crate::linalg::kkt); its lower triangle is read.
///
/// - `mass(q, v)` gives M;
/// - `position(q)` gives the residuals of the holonomic constraints, and their Jacobian by rows;
/// - `velocity(q, v)` gives J v + d(residual)/dt of all constraints, which for a nonholonomic one is its
///   residual, and J by rows, those of the holonomic ones first.
///
/// Where M leaves the smallest dq open, since some direction has neither inertia nor a holonomic
/// constraint, dq is the smallest one that the nonholonomic constraints allow, that is whose change of
/// their residuals J dq is zero. So whatever can be solved for accelerations can be projected.
///
/// # When it stops
///
/// A residual is met when it is at most 4 eps of the size of its terms: of `Σ_j |J_ij q_j|`, and for
/// velocities of `Σ_j |J_ij v_j|`, at the start or now, and d(residual)/dt. A state that meets the
/// constraints in this sense comes back as it is, bit for bit.
///
/// Where a residual is made of larger terms that J does not show, rounding errors keep it from that. When
/// no step makes it smaller, it is evaluated at some twelve neighbours, from an eighth of the Newton step
/// downwards, and counts as met if on both sides it differs from its linearization by more than a
/// sixteenth of itself, although J is the same there: only rounding errors do that. A residual that
/// jumps over zero, or has a minimum above it, is not met.
///
/// For dual numbers one more step follows, since derivatives converge one step after the values.
///
/// # Errors
///
/// - [`Error::NotFinite`] when q, v or what the closures make of them is NaN or infinite;
/// - [`Error::DependentConstraints`] and [`Error::SingularMassMatrix`] when the equations for the first
///   step, or those for the velocities, are singular. They are judged even if there is nothing to
///   move, so that a state that comes back can be solved;
/// - [`Error::NotConverged`] with the largest residual that remains when no step makes it smaller, when
///   the iteration runs into a singular place, or after 100 steps. Constraints that cannot be met
///   together end so, and starts from which the way is blocked.
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
///     |q| ([q.norm_squared() - 1.0], [[2.0 * q[0], 2.0 * q[1]]]),
///     |q, v| ([2.0 * q.dot(v)], [[2.0 * q[0], 2.0 * q[1]]]),
/// )?;
/// assert!((q - vector![1.0, 0.0]).norm() < 1e-15);
/// assert!((v - vector![0.0, 2.0]).norm() < 1e-15);
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
pub fn project<S, const N: usize, const C: usize, const H: usize>(
    q: &SVector<S, N>,
    v: &SVector<S, N>,
    mass: impl Fn(&SVector<S, N>, &SVector<S, N>) -> [[S; N]; N],
    position: impl Fn(&SVector<S, N>) -> ([S; H], [[S; N]; H]),
    velocity: impl Fn(&SVector<S, N>, &SVector<S, N>) -> ([S; C], [[S; N]; C]),
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
            position: |q: &SVector<S, N>, residual: &mut [S; H], rows: &mut [[S; N]; H]| {
                (*residual, *rows) = position(q);
            },
            rates: |q: &SVector<S, N>, v: &SVector<S, N>| velocity(q, v).0,
            rows: |q: &SVector<S, N>, rows: &mut [[S; N]; C]| (_, *rows) = velocity(q, v),
        },
    )
}

/// What [`project_in`] asks of constraints: functions that write matrices to places of zeros, for a large system has
/// no room on its stack for copies of them.
///
/// `N` velocities, `NQ` coordinates, `C` constraints of which the first `H` are holonomic.
#[derive(Clone, Copy, Debug)]
pub struct Constraints<M, P, R, J> {
    /// `mass(q, v, m)`: M, of which the lower triangle is read.
    pub mass: M,
    /// `position(q, residuals, rows)`: the residuals of the holonomic constraints, and their Jacobian by rows.
    pub position: P,
    /// `rates(q, v)`: J v + d(residual)/dt of all constraints.
    pub rates: R,
    /// `rows(q, rows)`: J of all constraints.
    pub rows: J,
}

/// [`project`] where the coordinates are moved otherwise than by adding: unit quaternions, four of the
/// `NQ` coordinates each, are turned by three of the `N` entries of a displacement.
///
/// `space` tells how; J, v and the steps of Newton's method are along its directions. Of a quaternion
/// the sizes are 1. Quaternions come back of unit length: what is not at the start, is first made so,
/// at the same orientation.
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
/// use lagrange_runtime::{project::{Constraints, Turning, project_in}, rotation};
///
/// type Quaternion = Vector4<f64>;
/// let space = Turning {
///     integrate: |q: &Quaternion, d: &Vector3<f64>| {
///         Quaternion::from(rotation::moved(&(*q).into(), &(*d).into()))
///     },
///     difference: |from: &Quaternion, to: &Quaternion| {
///         Vector3::from(rotation::difference(&(*from).into(), &(*to).into()))
///     },
///     sizes: |_: &Quaternion| [1.0; 3],
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
///         position: |q: &Quaternion, residuals: &mut [f64; 1], rows: &mut [[f64; 3]; 1]| {
///             (*residuals, *rows) = (residual(q), row(q));
///         },
///         rates: |q: &Quaternion, v: &Vector3<f64>| [row(q)[0][1] * v.y + row(q)[0][2] * v.z],
///         rows: |q: &Quaternion, rows: &mut [[f64; 3]; 1]| *rows = row(q),
///     },
/// )?;
/// assert!((q - vector![0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt()]).norm() < 1e-15);
/// assert!((v - vector![1.0, 2.0, 0.0]).norm() < 1e-15);
/// # Ok::<(), lagrange_runtime::Error>(())
/// ```
pub fn project_in<S, M, P, R, J, const NQ: usize, const N: usize, const C: usize, const H: usize>(
    space: &impl Space<S, NQ, N>,
    q: &SVector<S, NQ>,
    v: &SVector<S, N>,
    constraints: &Constraints<M, P, R, J>,
) -> Result<(SVector<S, NQ>, SVector<S, N>), Error>
where
    S: RealField + Copy,
    M: Fn(&SVector<S, NQ>, &SVector<S, N>, &mut [[S; N]; N]),
    P: Fn(&SVector<S, NQ>, &mut [S; H], &mut [[S; N]; H]),
    R: Fn(&SVector<S, NQ>, &SVector<S, N>) -> [S; C],
    J: Fn(&SVector<S, NQ>, &mut [[S; N]; C]),
{
    if !all_finite(q.as_slice()) || !all_finite(v.as_slice()) {
        return Err(Error::NotFinite);
    }
    let Constraints {
        mass,
        position,
        rates,
        rows,
    } = constraints;
    // Three matrices of a large system fill its stack: both stages have their turn with them. A tuple of arrays would be
    // a copy of them in debug builds.
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
    cleared(places.mass);
    mass(&q, v, places.mass);
    cleared(places.jacobian);
    rows(&q, places.jacobian);
    let v = velocity::project(v, &|v| rates(&q, v), &mut places)?;
    Ok((q, v))
}

/// Where all matrices are.
struct Places<'a, S, const N: usize, const C: usize> {
    /// M in the lower triangle; above the diagonal comes what factors it.
    mass: &'a mut [[S; N]; N],
    jacobian: &'a mut [[S; N]; C],
    /// For the factors, and for J at neighbours.
    spare: &'a mut [[S; N]; C],
}

/// A place of zeros.
fn cleared<S: RealField + Copy, const N: usize>(rows: &mut [[S; N]]) {
    rows.as_flattened_mut().fill(S::zero());
}

/// A residual is met when it is at most this many eps of the size of its terms.
const ROUNDING: f64 = 4.0;

/// Which entries are met, by the size of their terms.
fn met<S: RealField + Copy, const R: usize>(entries: &[S; R], sizes: &[S; R]) -> [bool; R] {
    let unit = constant::<S>(ROUNDING) * S::default_epsilon();
    let mut met = [false; R];
    for i in 0..R {
        met[i] = entries[i].abs() <= unit * sizes[i];
    }
    met
}

/// `Σ_j |row_j x_j|`.
fn size_of_terms<S: RealField + Copy, const N: usize>(row: &[S; N], x: &[S; N]) -> S {
    let mut sum = S::zero();
    for i in 0..N {
        sum += (row[i] * x[i]).abs();
    }
    sum
}

/// The entries with the other sign.
fn negated<S: RealField + Copy, const R: usize>(entries: &[S; R]) -> [S; R] {
    let mut negated = *entries;
    for i in 0..R {
        negated[i] = -entries[i];
    }
    negated
}

/// `x + fraction * step`.
///
/// By entries: sums of nalgebra's vectors compare their shapes and hold a panic for the case that they
/// differ.
fn moved<S: RealField + Copy, const N: usize>(
    x: &SVector<S, N>,
    step: &[S; N],
    fraction: S,
) -> SVector<S, N> {
    let mut moved = *x;
    let entries = &mut moved.data.0[0];
    for i in 0..N {
        entries[i] += fraction * step[i];
    }
    moved
}

/// The largest entry, each one by the largest entry of its row of J.
fn scaled_size<S: RealField + Copy, const N: usize, const R: usize>(
    entries: &[S; R],
    jacobian: &[[S; N]],
) -> S {
    let mut largest = S::zero();
    for k in 0..R.min(jacobian.len()) {
        let mut scale = S::zero();
        for i in 0..N {
            scale = scale.max(jacobian[k][i].abs());
        }
        largest = largest.max(entries[k].abs() / scale);
    }
    largest
}

/// The failure to meet constraints of which `residuals` remain.
fn not_converged<S: RealField + Copy>(residuals: &[S]) -> Error {
    let mut residual: f64 = 0.0;
    for &entry in residuals {
        let value: f64 = nalgebra::convert_unchecked(entry);
        residual = residual.max(value.abs());
    }
    Error::NotConverged { residual }
}

//! The values that generated methods return.

use nalgebra::{SMatrix, SVector};

/// Accelerations and constraint multipliers at a state: the solution of the equations of motion
/// `M a = f + Jᵀ λ`, `J a = γ`.
///
/// `N` is the number of coordinates, `C` the number of constraints.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Motion, nalgebra::{SVector, vector}};
///
/// // A pendulum of mass 1 kg at rest, in Cartesian coordinates: the rod carries the weight.
/// let motion = Motion { acceleration: vector![0.0, 0.0], multipliers: vector![9.81] };
/// let Motion { acceleration, multipliers } = motion;
/// assert_eq!(acceleration, SVector::<f64, 2>::zeros());
/// assert_eq!(multipliers[0], 9.81);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion<S, const N: usize, const C: usize> {
    /// The accelerations `a = dv/dt`, in the order of the coordinates.
    pub acceleration: SVector<S, N>,
    /// The Lagrange multipliers λ, in the order of the constraints. `Jᵀ λ` is the force that the
    /// constraints exert on the coordinates.
    pub multipliers: SVector<S, C>,
}

/// The motion of a system whose rows of J may depend on each other, `#[lagrangian(redundant)]`.
///
/// The accelerations and the forces Jᵀ λ are unique. The multipliers are those of least Euclidean norm.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{RedundantMotion, nalgebra::vector};
///
/// // A mass of 2 kg hangs on two equal branches.
/// let motion = RedundantMotion { acceleration: vector![0.0], multipliers: vector![9.81, 9.81], rank: 1 };
/// assert_eq!(motion.motion().multipliers.sum(), 19.62);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RedundantMotion<S, const N: usize, const C: usize> {
    /// The accelerations `a = dv/dt`, in the order of the velocities.
    pub acceleration: SVector<S, N>,
    /// The multipliers λ, in the order of the constraints.
    pub multipliers: SVector<S, C>,
    /// The number of rows of J that do not depend on each other at this state.
    pub rank: usize,
}

impl<S: Copy, const N: usize, const C: usize> RedundantMotion<S, N, C>
where
    SVector<S, N>: Copy,
    SVector<S, C>: Copy,
{
    /// The same without the rank, as generic code has it.
    pub fn motion(&self) -> Motion<S, N, C> {
        Motion {
            acceleration: self.acceleration,
            multipliers: self.multipliers,
        }
    }
}

/// The motion of a state while some contacts are closed: the solution of `M a = f + Jᵀ λ + J_cᵀ F` with `J a = γ` and,
/// in the rows of the active contacts, `J_c a = γ_c`.
///
/// `N` is the number of velocities, `C` the number of constraints, `P` the number of contacts.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{ActiveMotion, nalgebra::{SVector, vector}};
///
/// // A mass of 1 kg at rest on the floor.
/// let motion = ActiveMotion {
///     acceleration: vector![0.0],
///     multipliers: SVector::<f64, 0>::zeros(),
///     contact_forces: vector![9.81],
/// };
/// assert!(motion.contact_forces[0] > 0.0, "the floor pushes");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActiveMotion<S, const N: usize, const C: usize, const P: usize> {
    /// The accelerations `a = dv/dt`.
    pub acceleration: SVector<S, N>,
    /// The multipliers λ, in the order of the constraints.
    pub multipliers: SVector<S, C>,
    /// The forces F, in the order of the contacts. A force that pushes is positive; that of a contact that is not
    /// active is 0.
    pub contact_forces: SVector<S, P>,
}

/// An impact: the solution of `M (v⁺ - v) = Jᵀ L + J_cᵀ P`.
///
/// `N` is the number of velocities, `C` the number of constraints, `P` the number of contacts.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Impact, nalgebra::{SVector, vector}};
///
/// // A mass of 1 kg falls on the floor at 2 m/s and stays there.
/// let hit = Impact {
///     velocity: vector![0.0],
///     multipliers: SVector::<f64, 0>::zeros(),
///     impulses: vector![2.0],
/// };
/// assert_eq!(hit.velocity[0] - -2.0, hit.impulses[0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact<S, const N: usize, const C: usize, const P: usize> {
    /// The velocity v⁺ after the impact.
    pub velocity: SVector<S, N>,
    /// The impulses L of the constraints, in their order.
    pub multipliers: SVector<S, C>,
    /// The impulses P of the contacts, in their order. An impulse that pushes is positive; that of a contact that is not
    /// active is 0.
    pub impulses: SVector<S, P>,
}

/// The linearization of the equations of motion at a state: with `y = [q; v]`, small deviations
/// follow `d(δy)/dt = A δy + B δu`.
///
/// `N2` is twice the number of coordinates, `K` the number of inputs.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Linearization, nalgebra::{matrix, vector}};
///
/// // A mass of 2 kg on a spring of 8 N/m, driven by a force.
/// let spring = Linearization { a: matrix![0.0, 1.0; -4.0, 0.0], b: matrix![0.0; 0.5] };
/// assert_eq!(spring.a * vector![0.25, 0.0] + spring.b * vector![1.0], vector![0.0, -0.5]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linearization<S, const N2: usize, const K: usize> {
    /// The derivative A of `dy/dt` by the state `y = [q; v]`.
    pub a: SMatrix<S, N2, N2>,
    /// The derivative B of `dy/dt` by the inputs u.
    pub b: SMatrix<S, N2, K>,
}

/// The linearization of a constrained system on its independent displacements: with `d = Z y` for the displacement of q
/// and `w` for the change of v, `y` and `z = Zᵀ w` follow `d[y; z]/dt = A [y; z] + B du`.
///
/// `N` is the number of velocities, `R` the number of degrees of freedom, `R2` twice that plus the number of states of first
/// order, `K` the number of inputs.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{ReducedLinearization, nalgebra::{SMatrix, matrix}};
///
/// // A mass on the floor, on a spring along x.
/// let spring = ReducedLinearization {
///     a: matrix![0.0, 1.0; -4.0, 0.0],
///     b: SMatrix::<f64, 2, 0>::zeros(),
///     basis: matrix![1.0; 0.0],
/// };
/// assert_eq!(spring.a.determinant(), 4.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReducedLinearization<S, const N: usize, const R: usize, const R2: usize, const K: usize>
{
    /// The derivative A of the rates of [y; z] by [y; z].
    pub a: SMatrix<S, R2, R2>,
    /// The derivative B by the inputs u.
    pub b: SMatrix<S, R2, K>,
    /// The orthonormal basis Z of the displacements that keep the constraints.
    pub basis: SMatrix<S, N, R>,
}

/// The derivatives of a vector of `R` entries by the displacement of q, by v, by the states z and by u.
///
/// `N` is the number of velocities, `K` the number of inputs, `Z` the number of states. Column j of `q` is the derivative along direction j of
/// the velocities; except for rotations this is the derivative by the coordinate.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Derivatives, nalgebra::{SMatrix, matrix, vector}};
///
/// // The power u v of a motor.
/// let (v, u) = (3.0, 2.0);
/// let power: Derivatives<f64, 1, 1, 1> =
///     Derivatives { q: matrix![0.0], v: matrix![u], z: SMatrix::zeros(), u: matrix![v] };
/// assert_eq!(power.v * vector![0.5] + power.u * vector![0.1], vector![1.3]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Derivatives<S, const R: usize, const N: usize, const K: usize, const Z: usize = 0> {
    /// By the displacement of the coordinates.
    pub q: SMatrix<S, R, N>,
    /// By the velocities.
    pub v: SMatrix<S, R, N>,
    /// By the states.
    pub z: SMatrix<S, R, Z>,
    /// By the inputs.
    pub u: SMatrix<S, R, K>,
}

/// The derivatives of a scalar by the displacement of q, by v, by the states z and by u.
///
/// `N` is the number of velocities, `K` the number of inputs, `Z` the number of states.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Gradient, nalgebra::{SVector, vector}};
///
/// let gradient: Gradient<f64, 2, 1> =
///     Gradient { q: vector![0.0, -9.81], v: vector![0.0, 0.0], z: SVector::zeros(), u: vector![1.0] };
/// assert_eq!(gradient.q[1], -9.81);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gradient<S, const N: usize, const K: usize, const Z: usize = 0> {
    /// By the displacement of the coordinates.
    pub q: SVector<S, N>,
    /// By the velocities.
    pub v: SVector<S, N>,
    /// By the states.
    pub z: SVector<S, Z>,
    /// By the inputs.
    pub u: SVector<S, K>,
}

/// The terms of the variational midpoint rule at a state, and bounds of their rounding errors.
///
/// `N` is the number of velocities. The bounds are in units of half of the machine epsilon, as for
/// [`project()`](crate::project::project).
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{MidpointTerms, nalgebra::vector};
///
/// // A mass of 2 kg at 0.5 m on a spring of 8 N/m, at 3 m/s.
/// let spring = MidpointTerms {
///     momenta: vector![6.0],
///     forces: vector![-4.0],
///     momenta_bounds: vector![12.0],
///     forces_bounds: vector![8.0],
/// };
/// assert_eq!(spring.momenta + spring.forces * 0.5, vector![4.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MidpointTerms<S, const N: usize> {
    /// The momenta p = dL/dv.
    pub momenta: SVector<S, N>,
    /// The forces F = dL/dq + Q.
    pub forces: SVector<S, N>,
    /// The bounds of the momenta.
    pub momenta_bounds: SVector<S, N>,
    /// The bounds of the forces.
    pub forces_bounds: SVector<S, N>,
}

/// The state (q, p) after a step of [`midpoint_step`](crate::midpoint_step), and the reactions of the constraints.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Step, nalgebra::{SVector, vector}};
///
/// // A free mass of 2 kg at 3 m/s, after 0.5 s.
/// let step = Step { q: vector![1.5], p: vector![6.0], multipliers: SVector::<f64, 0>::zeros() };
/// assert_eq!(step.p[0] / 2.0 * 0.5, step.q[0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<S, const NQ: usize, const N: usize, const C: usize> {
    /// The coordinates at the end.
    pub q: SVector<S, NQ>,
    /// The momenta p = dL/dv at the end.
    pub p: SVector<S, N>,
    /// The multipliers λ of the constraints, in their order: forces, the impulses of both ends over the step.
    pub multipliers: SVector<S, C>,
}

/// The derivatives of a [`Step`] by its start and by the inputs.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{MomentumDerivatives, StepDerivatives, nalgebra::matrix};
///
/// // A free mass of 2 kg during 0.5 s, pushed by u.
/// let d = StepDerivatives {
///     q: MomentumDerivatives { q: matrix![1.0], p: matrix![0.25], u: matrix![0.0625] },
///     p: MomentumDerivatives { q: matrix![0.0], p: matrix![1.0], u: matrix![0.5] },
/// };
/// assert_eq!(d.q.q * d.p.p - d.q.p * d.p.q, matrix![1.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepDerivatives<S, const N: usize, const K: usize> {
    /// The derivatives of the displacement of the coordinates at the end.
    pub q: MomentumDerivatives<S, N, K>,
    /// The derivatives of the momenta at the end.
    pub p: MomentumDerivatives<S, N, K>,
}

/// The derivatives of a step of [`rk4_step`](crate::rk4_step) by its start and by the inputs.
///
/// `N` is the number of velocities, `K` the number of inputs.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Derivatives, StepSensitivities, nalgebra::{SMatrix, matrix}};
///
/// // A free mass of 2 kg during 0.5 s, pushed by u.
/// let d = StepSensitivities {
///     q: Derivatives { q: matrix![1.0], v: matrix![0.5], z: SMatrix::zeros(), u: matrix![0.0625] },
///     v: Derivatives { q: matrix![0.0], v: matrix![1.0], z: SMatrix::zeros(), u: matrix![0.25] },
/// };
/// assert_eq!(d.q.q * d.v.v - d.q.v * d.v.q, matrix![1.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSensitivities<S, const N: usize, const K: usize> {
    /// The derivatives of the displacement of the coordinates at the end.
    pub q: Derivatives<S, N, N, K>,
    /// The derivatives of the velocities at the end.
    pub v: Derivatives<S, N, N, K>,
}

/// The derivatives of a vector of `N` entries by the displacement of q, by p and by u.
///
/// `N` is the number of velocities, `K` the number of inputs.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{MomentumDerivatives, nalgebra::matrix};
///
/// // p/m of a mass of 2 kg.
/// let velocity = MomentumDerivatives { q: matrix![0.0], p: matrix![0.5], u: matrix![0.0] };
/// assert_eq!(velocity.p[0], 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MomentumDerivatives<S, const N: usize, const K: usize> {
    /// By the displacement of the coordinates.
    pub q: SMatrix<S, N, N>,
    /// By the momenta.
    pub p: SMatrix<S, N, N>,
    /// By the inputs.
    pub u: SMatrix<S, N, K>,
}

/// The position and orientation of a frame.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Pose, nalgebra::{Matrix3, vector}};
///
/// let hand = Pose { origin: vector![1.0, 0.0, 0.5], rotation: Matrix3::identity() };
/// let tip = hand.origin + hand.rotation * vector![0.0, 0.0, 0.25];
/// assert_eq!(tip, vector![1.0, 0.0, 0.75]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<S> {
    /// The origin in world coordinates.
    pub origin: SVector<S, 3>,
    /// The rotation matrix: its columns are the frame's axes in world components.
    pub rotation: SMatrix<S, 3, 3>,
}

/// The equations of motion of a system in readable form.
///
/// Generated code never evaluates these texts.
///
/// ```
/// use lagrange_runtime::Equations;
///
/// // What the macro gives of a mass on a spring, say.
/// const SPRING: Equations = Equations {
///     text: "m*der(der(x)) = -k*x\n",
///     latex: r"m \ddot{x} &= -k x",
/// };
/// assert_eq!(SPRING.text.lines().count(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equations {
    /// The equations as plain text, one per line.
    pub text: &'static str,
    /// The equations as a LaTeX `aligned` body.
    pub latex: &'static str,
}

/// A joint of a robot from a file: its name and its limits.
///
/// A limit that the file does not have is infinite, for example the angle of a `continuous` joint. Positions are in rad
/// or m, velocities in rad/s or m/s, efforts in N m or N.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::Joint;
///
/// let elbow = Joint { name: "elbow", lower: -2.0, upper: 2.0, velocity: f64::INFINITY, effort: 87.0 };
/// let command = 120.0_f64.clamp(-elbow.effort, elbow.effort);
/// assert_eq!((elbow.name, command), ("elbow", 87.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// The name in the file.
    pub name: &'static str,
    /// The least position.
    pub lower: f64,
    /// The greatest position.
    pub upper: f64,
    /// The greatest speed.
    pub velocity: f64,
    /// The greatest force or torque.
    pub effort: f64,
}

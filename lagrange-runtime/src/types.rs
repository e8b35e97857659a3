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

/// The equations of motion of a system, written out for people.
///
/// Generated code never evaluates these texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equations {
    /// The equations as plain text, one per line.
    pub text: &'static str,
    /// The equations as a LaTeX `aligned` body.
    pub latex: &'static str,
}

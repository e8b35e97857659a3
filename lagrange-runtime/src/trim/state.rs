//! States, and what may change of them.

use nalgebra::SVector;

/// What [`trim`](super::trim()) may change: of each displacement of q, velocity and input whether it is free.
///
/// Of a rotation the three displacements are rotations about the axes that it has at the start.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::Free;
///
/// // The angle of a pendulum on a cart, and the force on the cart.
/// let free = Free { q: [false, true], v: [false; 2], u: [true] };
/// assert_eq!(free, free.clone());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Free<const N: usize, const K: usize> {
    /// The displacements of q.
    pub q: [bool; N],
    /// The velocities.
    pub v: [bool; N],
    /// The inputs.
    pub u: [bool; K],
}

/// A state: coordinates, velocities and inputs.
pub(super) type State<S, const NQ: usize, const N: usize, const K: usize> =
    (SVector<S, NQ>, SVector<S, N>, SVector<S, K>);

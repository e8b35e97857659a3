//! States, and their free entries.

use nalgebra::SVector;

/// The entries that [`trim`](super::trim()) may change: for each displacement of q, velocity and input whether it is
/// free.
///
/// The three displacements of a rotation are rotations about its axes at the start.
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

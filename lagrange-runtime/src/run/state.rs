//! States and their rates.

use nalgebra::SVector;

/// A state (q, v, z).
pub(super) type State<S, const NQ: usize, const N: usize, const Z: usize> =
    (SVector<S, NQ>, SVector<S, N>, SVector<S, Z>);

/// The rates of v and of z.
pub(super) type Rates<S, const N: usize, const Z: usize> = (SVector<S, N>, SVector<S, Z>);

/// A time with the state and the inputs there.
pub(super) type Seen<S, const NQ: usize, const N: usize, const Z: usize, const K: usize> =
    (S, State<S, NQ, N, Z>, SVector<S, K>);

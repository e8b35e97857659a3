//! The space of the coordinates, with its displacements.

use nalgebra::{RealField, SVector};

use super::places::moved;
use crate::math::{constant, is_plain};

/// The effect of displacements of `N` numbers on `NQ` coordinates.
///
/// ```
/// use lagrange_runtime::nalgebra::{SVector, vector};
/// use lagrange_runtime::project::{Flat, Space};
///
/// /// Half of a step from there.
/// fn halfway<P, const NQ: usize, const N: usize>(
///     space: &P,
///     from: &SVector<f64, NQ>,
///     step: &[f64; N],
/// ) -> SVector<f64, NQ>
/// where
///     P: Space<f64, NQ, N>,
/// {
///     space.moved(&space.start(from), step, 0.5)
/// }
/// assert_eq!(halfway(&Flat, &vector![1.0, 2.0], &[2.0, 6.0]), vector![2.0, 5.0]);
/// ```
pub trait Space<S, const NQ: usize, const N: usize> {
    /// True if rows of J may depend on each other.
    const REDUNDANT: bool = false;

    /// `q` moved by `fraction * step`.
    fn moved(&self, q: &SVector<S, NQ>, step: &[S; N], fraction: S) -> SVector<S, NQ>;

    /// The same point in the space's normal form.
    fn start(&self, q: &SVector<S, NQ>) -> SVector<S, NQ>;
}

/// Coordinates that displacements are added to.
///
/// ```
/// use lagrange_runtime::nalgebra::vector;
/// use lagrange_runtime::project::{Flat, Space};
///
/// let q = vector![1.0, 2.0];
/// assert_eq!(Flat.moved(&q, &[1.0, 4.0], 0.5), vector![1.5, 4.0]);
/// // They are written as they are.
/// assert_eq!(Space::<f64, 2, 2>::start(&Flat, &q), q);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Flat;

impl<S: RealField + Copy, const N: usize> Space<S, N, N> for Flat {
    fn moved(&self, q: &SVector<S, N>, step: &[S; N], fraction: S) -> SVector<S, N> {
        moved(q, step, fraction)
    }

    fn start(&self, q: &SVector<S, N>) -> SVector<S, N> {
        *q
    }
}

/// Coordinates with unit quaternions among them.
#[derive(Clone, Copy, Debug)]
pub struct Turning<I> {
    /// `integrate(q, d)`: q moved by the displacement d, quaternions of unit length.
    pub integrate: I,
}

impl<S, I, const NQ: usize, const N: usize> Space<S, NQ, N> for Turning<I>
where
    S: RealField + Copy,
    I: Fn(&SVector<S, NQ>, &SVector<S, N>) -> SVector<S, NQ>,
{
    fn moved(&self, q: &SVector<S, NQ>, step: &[S; N], fraction: S) -> SVector<S, NQ> {
        let mut displacement = SVector::zeros();
        for i in 0..N {
            displacement.data.0[0][i] = fraction * step[i];
        }
        (self.integrate)(q, &displacement)
    }

    /// Quaternions of unit length; those of unit length to rounding stay unchanged.
    fn start(&self, q: &SVector<S, NQ>) -> SVector<S, NQ> {
        let unit = (self.integrate)(q, &SVector::zeros());
        let limit = constant::<S>(2.0) * S::default_epsilon();
        let mut is_unit = true;
        for i in 0..NQ {
            is_unit &= (unit.data.0[0][i] - q.data.0[0][i]).abs() <= limit;
        }
        if is_unit && is_plain::<S>() { *q } else { unit }
    }
}

/// A space of motions whose rows of J may depend on each other; see [`Redundant`](crate::linalg::Redundant).
///
/// ```
/// use lagrange_runtime::project::{Flat, Redundant, Space};
///
/// assert!(<Redundant<Flat> as Space<f64, 2, 2>>::REDUNDANT);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Redundant<X>(pub X);

impl<S, X: Space<S, NQ, N>, const NQ: usize, const N: usize> Space<S, NQ, N> for Redundant<X> {
    const REDUNDANT: bool = true;

    fn moved(&self, q: &SVector<S, NQ>, step: &[S; N], fraction: S) -> SVector<S, NQ> {
        self.0.moved(q, step, fraction)
    }

    fn start(&self, q: &SVector<S, NQ>) -> SVector<S, NQ> {
        self.0.start(q)
    }
}

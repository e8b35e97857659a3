//! The coordinates as a space that displacements move in.

use nalgebra::{RealField, SVector};

use crate::math::{constant, is_plain};

/// How displacements of `N` numbers move `NQ` coordinates.
///
/// ```
/// use lagrange_runtime::nalgebra::{SVector, vector};
/// use lagrange_runtime::project::{Flat, Space};
///
/// /// Half of the way, whatever the coordinates are.
/// fn halfway<P, const NQ: usize, const N: usize>(
///     space: &P,
///     from: &SVector<f64, NQ>,
///     to: &SVector<f64, NQ>,
/// ) -> SVector<f64, NQ>
/// where
///     P: Space<f64, NQ, N>,
/// {
///     let start = space.start(from);
///     space.moved(&start, &space.between(&start, to), 0.5)
/// }
/// assert_eq!(halfway(&Flat, &vector![1.0, 2.0], &vector![2.0, 6.0]), vector![1.5, 4.0]);
/// let sizes: [f64; 2] = Flat.sizes(&vector![1.0, 2.0]);
/// assert_eq!(sizes, [1.0, 2.0]);
/// ```
pub trait Space<S, const NQ: usize, const N: usize> {
    /// `q` moved by `fraction * step`.
    fn moved(&self, q: &SVector<S, NQ>, step: &[S; N], fraction: S) -> SVector<S, NQ>;

    /// The displacement from one point to another.
    fn between(&self, from: &SVector<S, NQ>, to: &SVector<S, NQ>) -> [S; N];

    /// The sizes that rounding of the coordinates is relative to, one for each direction.
    fn sizes(&self, q: &SVector<S, NQ>) -> [S; N];

    /// The same point as the space writes it.
    fn start(&self, q: &SVector<S, NQ>) -> SVector<S, NQ>;
}

/// Coordinates that displacements are added to.
///
/// ```
/// use lagrange_runtime::nalgebra::vector;
/// use lagrange_runtime::project::{Flat, Space};
///
/// let (from, to) = (vector![1.0, 2.0], vector![2.0, 6.0]);
/// let step: [f64; 2] = Flat.between(&from, &to);
/// assert_eq!(step, [1.0, 4.0]);
/// assert_eq!(Flat.moved(&from, &step, 0.5), vector![1.5, 4.0]);
/// // Rounding is relative to the coordinates themselves, which are written as they are.
/// let sizes: [f64; 2] = Flat.sizes(&from);
/// assert_eq!((sizes, Flat.start(&from)), ([1.0, 2.0], from));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Flat;

impl<S: RealField + Copy, const N: usize> Space<S, N, N> for Flat {
    fn moved(&self, q: &SVector<S, N>, step: &[S; N], fraction: S) -> SVector<S, N> {
        super::moved(q, step, fraction)
    }

    fn between(&self, from: &SVector<S, N>, to: &SVector<S, N>) -> [S; N] {
        let mut between = [S::zero(); N];
        for i in 0..N {
            between[i] = to.data.0[0][i] - from.data.0[0][i];
        }
        between
    }

    fn sizes(&self, q: &SVector<S, N>) -> [S; N] {
        let [sizes] = q.data.0;
        sizes
    }

    fn start(&self, q: &SVector<S, N>) -> SVector<S, N> {
        *q
    }
}

/// Coordinates of which some are unit quaternions.
#[derive(Clone, Copy, Debug)]
pub struct Turning<I, D, X> {
    /// `integrate(q, d)`: q moved by the displacement d, quaternions of unit length.
    pub integrate: I,
    /// `difference(q0, q1)`: the displacement for which `integrate(q0, d)` is q1.
    pub difference: D,
    /// For each direction the coordinate that moves along it, and 1 for those of rotations.
    pub sizes: X,
}

impl<S, I, D, X, const NQ: usize, const N: usize> Space<S, NQ, N> for Turning<I, D, X>
where
    S: RealField + Copy,
    I: Fn(&SVector<S, NQ>, &SVector<S, N>) -> SVector<S, NQ>,
    D: Fn(&SVector<S, NQ>, &SVector<S, NQ>) -> SVector<S, N>,
    X: Fn(&SVector<S, NQ>) -> [S; N],
{
    fn moved(&self, q: &SVector<S, NQ>, step: &[S; N], fraction: S) -> SVector<S, NQ> {
        let mut displacement = SVector::zeros();
        for i in 0..N {
            displacement.data.0[0][i] = fraction * step[i];
        }
        (self.integrate)(q, &displacement)
    }

    fn between(&self, from: &SVector<S, NQ>, to: &SVector<S, NQ>) -> [S; N] {
        let [between] = (self.difference)(from, to).data.0;
        between
    }

    fn sizes(&self, q: &SVector<S, NQ>) -> [S; N] {
        (self.sizes)(q)
    }

    /// Quaternions of unit length; those that are as near to it as rounding allows stay as they are.
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

//! The acceptance test of an unrolled solution.
//!
//! A few values get a branch for each comparison, which waits only for the compared values; a common branch would wait
//! for the last of them. The test that values are finite, and not too large, uses their sum.

use nalgebra::RealField;

use super::{
    sums::{in_four_sums, joined},
    tolerances::{ACCEPTED, ordinary, threshold},
};
use crate::math::{constant, is_finite, mul_add};

/// Pivots of L D Lᵀ.
///
/// ```
/// // Of M = [2 1; 1 3] that of the first coordinate is the entry of M, that of the second one 3 - 1/2.
/// let pivots = lagrange_runtime::linalg::Pivots { entries: [2.0], reduced: [2.5], diagonal: [3.0] };
/// assert!(pivots.reduced[0] <= pivots.diagonal[0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pivots<S, const K: usize, const N: usize> {
    /// The pivots that are the diagonal entries themselves, each once.
    pub entries: [S; K],
    /// The pivots from which something was subtracted.
    pub reduced: [S; N],
    /// The diagonal entries of the reduced pivots.
    pub diagonal: [S; N],
}

/// The acceptance test of an unrolled solution of `M a = f`, or of `M a = f + Jᵀ λ` with `J a = γ`.
///
/// The arrays are used in their order: put the values that are computed last at the end.
///
/// ```
/// use lagrange_runtime::linalg::{AcceptanceTest, Pivots};
///
/// let accepts = |pivot, acceleration: f64| {
///     let mass = Pivots { entries: [2.0], reduced: [pivot], diagonal: [1.0] };
///     AcceptanceTest::of_mass(mass, [acceleration]).accepts()
/// };
/// assert!(accepts(1e-6, -3.0));
/// assert!(!accepts(1e-10, -3.0) && !accepts(1.0, f64::NAN) && !accepts(f64::NAN, 0.0));
///
/// let accepts = |scale: f64, residual, free, hidden| {
///     let test = AcceptanceTest {
///         mass: Pivots { entries: [2.0], reduced: [], diagonal: [] },
///         complement: Pivots { entries: [], reduced: [0.5], diagonal: [scale] },
///         residual: &[residual],
///         terms: &[3.0],
///         free: [free],
///         hidden: [hidden],
///     };
///     test.accepts()
/// };
/// assert!(accepts(0.5, 1e-16, 1.0, 1e200));
/// assert!(!accepts(1e9, 1e-16, 1.0, 0.0) && !accepts(0.5, 1e-10, 1.0, 0.0));
/// assert!(!accepts(0.5, 0.0, 1e101, 0.0) && !accepts(0.5, 0.0, 1.0, f64::NAN));
///
/// // Equations are tested without pivots too.
/// let none = Pivots { entries: [], reduced: [], diagonal: [] };
/// let mass = Pivots { entries: [2.0], reduced: [], diagonal: [] };
/// let test = AcceptanceTest { mass, complement: none, residual: &[1e-10], terms: &[3.0], free: [], hidden: [] };
/// assert!(!test.accepts());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AcceptanceTest<
    'a,
    S,
    const KM: usize,
    const NM: usize,
    const KC: usize,
    const NC: usize,
    const R: usize,
    const F: usize,
    const H: usize,
> {
    /// The pivots of M.
    pub mass: Pivots<S, KM, NM>,
    /// The pivots of J M⁻¹ Jᵀ.
    pub complement: Pivots<S, KC, NC>,
    /// The residuals of the equations that rounding may violate.
    pub residual: &'a [S; R],
    /// The sums of the sizes of their terms.
    pub terms: &'a [S; R],
    /// The accelerations that occur in none of these equations: their size must be ordinary.
    pub free: [S; F],
    /// Other values that must be finite.
    pub hidden: [S; H],
}

impl<S: RealField + Copy, const KM: usize, const NM: usize, const H: usize>
    AcceptanceTest<'static, S, KM, NM, 0, 0, 0, 0, H>
{
    /// The test without constraints, or where only M was factored; `hidden` has the solution.
    ///
    /// ```
    /// use lagrange_runtime::linalg::{AcceptanceTest, Pivots};
    ///
    /// let mass = Pivots { entries: [2.0], reduced: [], diagonal: [] };
    /// assert_eq!(AcceptanceTest::of_mass(mass, [3.0]).hidden, [3.0]);
    /// ```
    #[inline(always)]
    pub fn of_mass(mass: Pivots<S, KM, NM>, hidden: [S; H]) -> Self {
        let complement = Pivots {
            entries: [],
            reduced: [],
            diagonal: [],
        };
        Self {
            mass,
            complement,
            residual: &[],
            terms: &[],
            free: [],
            hidden,
        }
    }
}

impl<
    S: RealField + Copy,
    const KM: usize,
    const NM: usize,
    const KC: usize,
    const NC: usize,
    const R: usize,
    const F: usize,
    const H: usize,
> AcceptanceTest<'_, S, KM, NM, KC, NC, R, F, H>
{
    /// Returns whether the solution can be trusted.
    ///
    /// ```
    /// use lagrange_runtime::linalg::{AcceptanceTest, Pivots};
    ///
    /// let mass = Pivots { entries: [2.0], reduced: [], diagonal: [] };
    /// assert!(!AcceptanceTest::of_mass(mass, [f64::INFINITY]).accepts());
    /// ```
    ///
    /// All pivots of L D Lᵀ must be [`regular`](super::regular), and no value NaN or infinite. If the sum of the values
    /// overflows, the result is false too. With constraints:
    ///
    /// - no diagonal entry of J M⁻¹ Jᵀ can be rounding error: each pivot exceeds eps times their sum. A row of J that
    ///   should be zero, such as `l sin(pi)` in a stretched linkage, has pivots that look regular alone; only the other
    ///   rows reveal it;
    /// - L cannot underflow: pivots of M are at most 1e100 for `f64` and 1e12 for `f32`, and diagonal entries of J M⁻¹ Jᵀ
    ///   are within 1e±100 or 1e±12;
    /// - the equations of the constraints are [met](super::met);
    /// - products of the sum of the sizes of all terms, and of all accepted values, neither overflow nor underflow: the
    ///   sum is within 1e±100 or 1e±12, or zero.
    #[inline(always)]
    pub fn accepts(self) -> bool {
        let Self {
            mass,
            complement,
            residual,
            terms,
            mut free,
            hidden,
        } = self;
        let of_mass = threshold::<S>(KM + NM);
        let is_positive = || {
            holds::<KM>(|i| mass.entries[i] > S::zero())
                && holds::<NM>(|i| mass.reduced[i] > of_mass * mass.diagonal[i])
        };
        // Constraints that give velocities leave no pivot, but their equations are tested.
        if KC + NC + R + F == 0 {
            let sum = added(added(-S::zero(), &mass.entries), &hidden);
            return is_positive() && is_finite(sum);
        }
        let (least, most) = ordinary::<S>();
        let scale = added(added(-S::zero(), &complement.entries), &complement.diagonal);
        // A pivot is at most its diagonal entry.
        let floor = mul_add(scale, S::default_epsilon(), least);
        let of_complement = threshold::<S>(KC + NC);
        // The reciprocal of the largest accepted residual, a power of two.
        let once: S = constant::<S>(ACCEPTED) * S::default_epsilon();
        let size = added(-S::zero(), terms);
        // Times 0 all values are 0, except NaN and infinity.
        let hidden = added(-S::zero(), &hidden);
        // In place, because mapping an array may become a call.
        for value in &mut free {
            *value = value.abs();
        }
        let sizes = added(size, &free);
        let sizes = if H > 0 {
            mul_add(hidden, S::zero(), sizes)
        } else {
            sizes
        };
        is_positive()
            && added(added(-S::zero(), &mass.entries), &mass.reduced) <= most
            && scale <= most
            && holds::<KC>(|k| complement.entries[k] > floor)
            && holds::<NC>(|k| {
                complement.reduced[k] > mul_add(of_complement, complement.diagonal[k], floor)
            })
            && holds::<R>(|k| residual[k].abs() / once <= terms[k])
            && sizes <= most
            && (size >= least || size == S::zero())
    }
}

/// Returns whether a condition holds for all of so many values. Many values are tested in fours, each with one branch.
/// More of them would become one comparison of vectors of 512 bits on targets that have them, and these slow down all
/// other computations on Intel's processors.
#[inline(always)]
fn holds<const N: usize>(of: impl Fn(usize) -> bool) -> bool {
    let at_once = if N > 4 { 4 } else { 1 };
    for first in (0..N).step_by(at_once) {
        let mut holds = true;
        for i in first..N.min(first + at_once) {
            holds &= of(i);
        }
        if !holds {
            return false;
        }
    }
    true
}

/// A sum and these entries; a few entries are added one after the other, as they become known.
#[inline(always)]
fn added<S: RealField + Copy>(sum: S, entries: &[S]) -> S {
    if entries.len() > FEW {
        let sums = [-S::zero(); 4];
        return sum + joined(in_four_sums(sums, entries, |sum, entry| sum + entry));
    }
    entries.iter().fold(sum, |sum, entry| sum + *entry)
}

/// At most this many values may wait for each other.
const FEW: usize = 8;

//! Whether an unrolled solution can be trusted.
//!
//! Of few, each comparison is a branch of its own, which waits for nothing but what is compared; together they would be one
//! answer after the last of them. What has to be finite, or not too large, is so where a sum is.

use nalgebra::RealField;

use super::{
    sums::{in_four_sums, joined},
    tolerances::{ACCEPTED, ordinary, threshold},
};
use crate::math::{constant, is_finite, mul_add};

/// Whether generated code has the careful way of a short solution apart from the quick one, with terms of its own, so that
/// nothing is kept for it: with the standard library. Without it code shall be short.
///
/// ```
/// assert_eq!(lagrange_runtime::linalg::APART, cfg!(feature = "std"));
/// ```
pub const APART: bool = cfg!(feature = "std");

/// What a function gives, called out of line: what is as large as a matrix, and needed seldom, is then no part of the
/// frame of whoever asks for it. A large frame costs time also where it is not used, since each of its pages is touched.
///
/// ```
/// assert_eq!(lagrange_runtime::linalg::apart(|| [[0.0; 99]; 99][0][0]), 0.0);
/// ```
#[cold]
#[inline(never)]
pub fn apart<R>(compute: impl FnOnce() -> R) -> R {
    compute()
}

/// Pivots of L D Lᵀ.
///
/// ```
/// // Of M = [2 1; 1 3] that of the first coordinate is the entry of M, that of the second one 3 - 1/2.
/// let pivots = lagrange_runtime::linalg::Pivots { entries: [2.0], reduced: [2.5], diagonal: [3.0] };
/// assert!(pivots.reduced[0] <= pivots.diagonal[0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pivots<S, const K: usize, const N: usize> {
    /// Those that are the diagonal entries themselves, each once.
    pub entries: [S; K],
    /// Those from which something was taken away.
    pub reduced: [S; N],
    /// The diagonal entries that the latter came from.
    pub diagonal: [S; N],
}

/// Whether all pivots of L D Lᵀ are [`regular`](super::regular), and neither one of them nor one of the values is NaN or
/// infinite. Where their sum overflows the answer is no, too.
///
/// Pivots and values are taken in their order: what is known last shall come last.
///
/// ```
/// use lagrange_runtime::linalg::{Pivots, is_trusted};
///
/// let trusts = |pivot, value: f64| {
///     is_trusted(Pivots { entries: [2.0], reduced: [pivot], diagonal: [1.0] }, [value])
/// };
/// assert!(trusts(1e-6, -3.0));
/// assert!(!trusts(1e-10, -3.0) && !trusts(1.0, f64::NAN) && !trusts(f64::NAN, 0.0));
/// ```
#[inline(always)]
pub fn is_trusted<S: RealField + Copy, const K: usize, const N: usize, const V: usize>(
    pivots: Pivots<S, K, N>,
    values: [S; V],
) -> bool {
    let Pivots {
        entries,
        reduced,
        diagonal,
    } = pivots;
    let share = threshold::<S>(K + N);
    let sum = added(added(-S::zero(), &entries), &values);
    holds::<K>(|i| entries[i] > S::zero())
        && holds::<N>(|i| reduced[i] > share * diagonal[i])
        && is_finite(sum)
}

/// Whether the solution of equations with constraints can be trusted, by what [`all_regular`](super::all_regular),
/// [`met`](super::met) and [`is_ordinary`](super::is_ordinary) ask; of what these accept all sizes together must be
/// ordinary.
///
/// `mass` are the pivots of M, `complement` those of J M⁻¹ Jᵀ. `free` has what else shall be of ordinary size, such as the
/// accelerations that no constraint binds, and `hidden` what shall be finite.
///
/// ```
/// use lagrange_runtime::linalg::{Pivots, is_trusted_motion};
///
/// let trusts = |scale: f64, residual, free, hidden| {
///     let mass = Pivots { entries: [2.0], reduced: [], diagonal: [] };
///     let complement = Pivots { entries: [], reduced: [0.5], diagonal: [scale] };
///     is_trusted_motion(mass, complement, &[residual], &[3.0], [free], [hidden])
/// };
/// assert!(trusts(0.5, 1e-16, 1.0, 1e200));
/// assert!(!trusts(1e9, 1e-16, 1.0, 0.0) && !trusts(0.5, 1e-10, 1.0, 0.0));
/// assert!(!trusts(0.5, 0.0, 1e101, 0.0) && !trusts(0.5, 0.0, 1.0, f64::NAN));
/// ```
#[inline(always)]
pub fn is_trusted_motion<
    S: RealField + Copy,
    const KM: usize,
    const NM: usize,
    const KC: usize,
    const NC: usize,
    const R: usize,
    const F: usize,
    const H: usize,
>(
    mass: Pivots<S, KM, NM>,
    complement: Pivots<S, KC, NC>,
    residual: &[S; R],
    terms: &[S; R],
    mut free: [S; F],
    hidden: [S; H],
) -> bool {
    let (least, most) = ordinary::<S>();
    let scale = added(added(-S::zero(), &complement.entries), &complement.diagonal);
    // A pivot is at most its diagonal entry.
    let floor = mul_add(scale, S::default_epsilon(), least);
    let [of_mass, of_complement] = [threshold::<S>(KM + NM), threshold::<S>(KC + NC)];
    // One by what is left at most, which is a power of two.
    let once: S = constant::<S>(ACCEPTED) * S::default_epsilon();
    let size = added(-S::zero(), terms);
    // Times 0 all are 0 but NaN and the infinite ones.
    let hidden = added(-S::zero(), &hidden);
    // In place: what maps an array may be a call.
    for value in &mut free {
        *value = value.abs();
    }
    let sizes = added(size, &free);
    let sizes = if H > 0 {
        mul_add(hidden, S::zero(), sizes)
    } else {
        sizes
    };
    holds::<KM>(|i| mass.entries[i] > S::zero())
        && holds::<NM>(|i| mass.reduced[i] > of_mass * mass.diagonal[i])
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

/// Whether something does of so many: of many in fours, each of which is one answer. More would be made one comparison of
/// vectors of 512 bits where the target has them, beside which Intel's processors compute everything else more slowly.
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

/// A sum and these entries: of few one after the other, as they become known.
#[inline(always)]
fn added<S: RealField + Copy>(sum: S, entries: &[S]) -> S {
    if entries.len() > FEW {
        let sums = [-S::zero(); 4];
        return sum + joined(in_four_sums(sums, entries, |sum, entry| sum + entry));
    }
    entries.iter().fold(sum, |sum, entry| sum + *entry)
}

/// Of so many values each may wait for the one before.
const FEW: usize = 8;

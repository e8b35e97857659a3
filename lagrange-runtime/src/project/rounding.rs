//! Whether what remains of a residual is nothing but rounding errors of its evaluation.
//!
//! A residual can be made of terms that J does not show, such as `(q + 100.1) + 0.2 - 100.3`, and then
//! no size of them tells how small it can become. Rounding errors show by themselves: a residual changes
//! along a short step as J tells, but for them. So it is evaluated at neighbours, along the Newton step
//! that failed to make it smaller, and is accepted where the changes differ from J's by a good part
//! of the residual itself. A jump (`sign`), a minimum above zero or a kink is told from that since the
//! residual follows J there on at least one side, or at a shorter distance.

use nalgebra::{RealField, SVector};

use super::Space;
use crate::math::constant;

/// Neighbours are at these fractions of a step, irregular so that no period of the residual fits.
const FRACTIONS: [f64; 3] = [1.0, 0.77, 0.59];
/// The steps to neighbours, as fractions of the Newton step: within the first one, rounding errors of a
/// sixteenth of the residual are told from its change of an eighth.
const FAR: f64 = 0.125;
const VISIBLE: f64 = 0.0625;
/// Much nearer, at these fractions of that, rounding errors hide any change; between two jumps it shows.
const NEAR: [f64; 4] = [1e-3, 1e-6, 1e-9, 1e-12];
/// By J, the curvature may change the residual by this part of it.
const BENT: f64 = 0.03;
/// How often the steps are made a quarter of what they were, where they are bent.
const MAX_SHORTENINGS: usize = 12;

/// A residual and its derivatives at x, and the Newton step from there.
pub(super) struct Residual<'a, X, S, const NQ: usize, const N: usize, const R: usize> {
    pub(super) space: &'a X,
    pub(super) x: &'a SVector<S, NQ>,
    pub(super) entries: &'a [S; R],
    /// J in the first rows.
    pub(super) jacobian: &'a [[S; N]],
    pub(super) step: &'a [S; N],
}

/// How far away a neighbour is, and by what it is judged.
#[derive(Clone, Copy)]
enum Distance {
    Far,
    Near,
}

/// What neighbours tell of an entry.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    /// It changes as J tells.
    Follows,
    /// It does not.
    Differs,
    /// J changes too much to tell.
    Bent,
}

/// Whether an entry is settled: met, or at the level of its rounding errors.
#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    Open,
    Settled,
    Unsettled,
}

impl<X, S, const NQ: usize, const N: usize, const R: usize> Residual<'_, X, S, NQ, N, R>
where
    S: RealField + Copy,
    X: Space<S, NQ, N>,
{
    /// Which entries are `met` or at the level of their rounding errors. `evaluate` writes entries, and their J to the
    /// first rows of `spare`.
    #[inline(never)]
    pub(super) fn settled<const C: usize>(
        &self,
        met: &[bool; R],
        spare: &mut [[S; N]; C],
        evaluate: &impl Fn(&SVector<S, NQ>, &mut [S; R], &mut [[S; N]; C]),
    ) -> [bool; R] {
        let mut verdicts = [Verdict::Open; R];
        for i in 0..R {
            if met[i] {
                verdicts[i] = Verdict::Settled;
            }
        }
        let mut length = FAR;
        for _ in 0..MAX_SHORTENINGS {
            if !verdicts.contains(&Verdict::Open) {
                break;
            }
            self.judge(&mut verdicts, length, spare, evaluate);
            length *= 0.25;
        }
        let mut settled = [false; R];
        for i in 0..R {
            settled[i] = verdicts[i] == Verdict::Settled;
        }
        settled
    }

    /// Judges what is open by neighbours up to `length` away; what is bent there stays open.
    fn judge<const C: usize>(
        &self,
        verdicts: &mut [Verdict; R],
        length: f64,
        spare: &mut [[S; N]; C],
        evaluate: &impl Fn(&SVector<S, NQ>, &mut [S; R], &mut [[S; N]; C]),
    ) {
        let mut changes = self.changes(length, Distance::Far, spare, evaluate);
        for nearer in NEAR {
            if !changes.contains(&Change::Differs) {
                break;
            }
            let near = self.changes(length * nearer, Distance::Near, spare, evaluate);
            for i in 0..R {
                if changes[i] == Change::Differs {
                    changes[i] = near[i];
                }
            }
        }
        for i in 0..R {
            verdicts[i] = match (verdicts[i], changes[i]) {
                (Verdict::Open, Change::Differs) => Verdict::Settled,
                (Verdict::Open, Change::Follows) => Verdict::Unsettled,
                (verdict, _) => verdict,
            };
        }
    }

    /// Which entries differ from their linearization on both sides.
    fn changes<const C: usize>(
        &self,
        length: f64,
        distance: Distance,
        spare: &mut [[S; N]; C],
        evaluate: &impl Fn(&SVector<S, NQ>, &mut [S; R], &mut [[S; N]; C]),
    ) -> [Change; R] {
        let mut changes = [Change::Differs; R];
        for side in [-length, length] {
            let mut here = [Change::Follows; R];
            for fraction in FRACTIONS {
                let fraction = constant(side * fraction);
                let there = self.space.moved(self.x, self.step, fraction);
                self.compare(&there, distance, &mut here, spare, evaluate);
            }
            for i in 0..R {
                if changes[i] == Change::Differs || here[i] == Change::Bent {
                    changes[i] = here[i];
                }
            }
        }
        changes
    }

    /// Adds what is seen at `there`.
    #[inline(never)]
    fn compare<const C: usize>(
        &self,
        there: &SVector<S, NQ>,
        distance: Distance,
        changes: &mut [Change; R],
        spare: &mut [[S; N]; C],
        evaluate: &impl Fn(&SVector<S, NQ>, &mut [S; R], &mut [[S; N]; C]),
    ) {
        let mut entries = [S::zero(); R];
        evaluate(there, &mut entries, spare);
        let moves = self.space.between(self.x, there);
        for k in 0..R.min(C).min(self.jacobian.len()) {
            let (here, old, new) = (self.entries[k], &self.jacobian[k], &spare[k]);
            let (mut change, mut bend) = (S::zero(), S::zero());
            for i in 0..N {
                change += old[i] * moves[i];
                bend += (new[i] - old[i]) * moves[i];
            }
            let expected = here + change + bend * constant(0.5);
            let least = match distance {
                Distance::Far => constant::<S>(VISIBLE) * here.abs(),
                Distance::Near => constant::<S>(0.5) * change.abs(),
            };
            let difference = (entries[k] - expected).abs();
            // NaN and infinity are as good as bent.
            let straight = bend.abs() <= constant::<S>(BENT) * here.abs();
            if !straight || !difference.is_finite() {
                changes[k] = Change::Bent;
            } else if changes[k] == Change::Follows && difference >= least {
                changes[k] = Change::Differs;
            }
        }
    }
}

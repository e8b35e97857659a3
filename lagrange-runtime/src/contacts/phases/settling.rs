//! Corrections of a state: closed gaps as they were, and rates of 0 for held rows.

use nalgebra::{RealField, SVector};

use super::super::friction::{Contact, Fixed, Law, PerRow, Rows, Setting, solve_modes};
use super::super::resolve::{stop_joints, unloaded};
use super::super::{FrictionTerms, Frictional};
use super::{At, Phases};
use crate::Error;

/// The most corrections onto closed gaps, and onto rates of 0. One is exact but for rounding and curvature.
const CORRECTIONS: usize = 4;

impl<S: RealField + Copy, const P: usize, const M: usize> Phases<S, P, M> {
    /// The state in which the rates of held rows are 0, and closed gaps are as they were when they closed.
    ///
    /// # Errors
    ///
    /// The errors of [`acceleration`](Self::acceleration).
    #[allow(clippy::type_complexity)] // The state (q, v).
    pub(crate) fn settle<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
    ) -> Result<(SVector<S, NQ>, SVector<S, N>), Error>
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let (mut q, mut v) = (*q, *v);
        if self.closed() == [false; P] {
            return Ok((q, v));
        }
        for _ in 0..CORRECTIONS {
            match self.off_gaps(system, (t, &q, &v, u))? {
                Some(change) => q = system.integrate(&q, &change),
                None => break,
            }
        }
        for _ in 0..CORRECTIONS {
            match self.off_rates(system, (t, &q, &v, u))? {
                Some(change) => {
                    v += stop_joints::<S, T, NQ, N, K, C, P, M>(change, &self.held_joints());
                }
                None => break,
            }
        }
        Ok((q, v))
    }

    /// The displacement that makes closed gaps those at which they closed, unless they are but for rounding.
    fn off_gaps<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
    ) -> Result<Option<SVector<S, N>>, Error>
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let gaps = system.gaps(t, q, v, u);
        let terms = system.friction_terms(t, q, v, u);
        let mut offsets: PerRow<S, Fixed<P, M>> = Rows::filled(Fixed, S::zero());
        let mut is_off = false;
        for k in 0..P {
            if self.contacts[k] != Contact::Open {
                offsets.contacts[k][0] = gaps[k] - self.gaps[k];
                is_off |= (gaps[k] - self.gaps[k]).abs() > terms.gap_bounds[k];
            }
        }
        let slips = [0; P];
        is_off
            .then(|| self.correction(system, (t, q, v, u), &terms, (slips, offsets)))
            .transpose()
    }

    /// The change of the velocities that makes the rates of held rows 0, unless they are but for rounding.
    fn off_rates<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
    ) -> Result<Option<SVector<S, N>>, Error>
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let rates = system.gap_rates(t, q, v, u);
        let terms = system.friction_terms(t, q, v, u);
        let mut slips = [0; P];
        let mut offsets: PerRow<S, Fixed<P, M>> = Rows::filled(Fixed, S::zero());
        let mut is_off = false;
        for k in 0..P {
            if self.contacts[k] == Contact::Open {
                continue;
            }
            if self.contacts[k] == Contact::Sticks {
                slips[k] = T::SLIPS[k];
            }
            let [of_gap, of_slips @ ..] = &mut offsets.contacts[k];
            *of_gap = rates[k];
            is_off |= rates[k].abs() > terms.gap_rate_bounds[k];
            let values = terms.slips.iter().zip(&terms.slip_bounds);
            for (offset, (slip, bound)) in of_slips.iter_mut().zip(values).take(slips[k]) {
                *offset = slip[k];
                is_off |= slip[k].abs() > bound[k];
            }
        }
        is_off
            .then(|| self.correction(system, (t, q, v, u), &terms, (slips, offsets)))
            .transpose()
    }

    /// The smallest change, in the metric of M, by which these offsets of closed gaps and of some sliding velocities vanish.
    fn correction<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
        terms: &FrictionTerms<S, N, P, M>,
        (slips, offsets): ([usize; P], PerRow<S, Fixed<P, M>>),
    ) -> Result<SVector<S, N>, Error>
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let mut modes = self.modes();
        let mut contacts = [Law::Absent; P];
        for k in 0..P {
            if self.contacts[k] == Contact::Open {
                continue;
            }
            modes.contacts[k] = Contact::Sticks;
            contacts[k] = Law::Rests {
                slips: slips[k],
                friction: S::one(),
            };
        }
        let joints = self.joints.map(|joint| joint.is_none().then(S::zero));
        let setting = Setting {
            offsets,
            ..unloaded(system, t, (q, v, u), terms, (contacts, joints))
        };
        Ok(solve_modes(&setting, &modes)?.x)
    }
}

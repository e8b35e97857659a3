//! Impacts at the end of a phase: further contacts that strike at once, and bounces that end.

use nalgebra::{RealField, SVector};

use super::super::Frictional;
use super::super::friction::Contact;
use super::super::resolve::{Knowledge, Slip};
use super::super::step::strike;
use super::{At, MANY, Phases};
use crate::Error;
use crate::math::constant;

impl<S: RealField + Copy, const P: usize, const M: usize> Phases<S, P, M> {
    /// The velocities after an impact at these contacts. Contacts whose bounce is below the tolerance stay closed.
    pub(super) fn solve_impact<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &mut self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
        closed: &[bool; P],
    ) -> Result<SVector<S, N>, Error>
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let mut v = *v;
        let mut closed = *closed;
        let mut modes = self.modes();
        let mut small = [S::zero(); P];
        // A contact may push another one inwards; further impacts then follow at once.
        for _ in 0..64 {
            let rates = system.gap_rates(t, q, &v, u);
            for k in 0..P {
                if closed[k] {
                    self.strikes[k] = self.strikes[k].max(-rates[k]);
                }
            }
            let struck = strike(system, t, (q, &v, u), &closed)?;
            (v, modes) = (struck.0, struck.1);
            let rates = system.gap_rates(t, q, &v, u);
            let bounds = system.friction_terms(t, q, &v, u).gap_rate_bounds;
            let tolerance = self.tolerance;
            let touches = self.find_touching(system, (t, q, &v, u));
            small =
                core::array::from_fn(|k| self.strikes[k] * tolerance + bounds[k] * constant(64.0));
            let strikes =
                |k: usize, closed: &[bool; P]| (closed[k] || touches[k]) && rates[k] < -small[k];
            if !(0..P).any(|k| strikes(k, &closed)) {
                break;
            }
            closed = core::array::from_fn(|k| closed[k] || strikes(k, &closed));
        }
        let rates = system.gap_rates(t, q, &v, u);
        let mut stays = core::array::from_fn(|k| closed[k] && rates[k] <= small[k]);
        let gaps = system.gaps(t, q, &v, u);
        let bounds = system.friction_terms(t, q, &v, u).gap_bounds;
        for k in 0..P {
            // A contact that was seen late bounces from the place of its strike.
            let is_open = closed[k] && self.contacts[k] == Contact::Open;
            if is_open && gaps[k] - self.gaps[k] < -bounds[k] * constant(MANY) {
                self.gaps[k] = gaps[k];
            }
        }
        let mut knowledge = Knowledge::by_state();
        for k in 0..P {
            if modes.contacts[k] == Contact::Sticks {
                knowledge.slips[k] = Slip::Zero;
            }
        }
        for j in 0..M {
            knowledge.joints[j] = self.joints[j];
        }
        // Bounces below the rounding of a gap end one after the other, each with the contacts that stay closed by then.
        for _ in 0..=P {
            knowledge.stays = stays;
            self.decide(system, (t, q, &v, u), &stays, &knowledge)?;
            let bounces = self.bounces_within_rounding(system, (t, q, &v, u), &closed)?;
            if bounces == [false; P] {
                break;
            }
            for k in 0..P {
                stays[k] |= bounces[k];
            }
        }
        Ok(self.settle(system, (t, q, &v, u))?.1)
    }

    /// The open contacts whose gap is rounding, and closes. Their guards are not known to be positive, so that nothing else
    /// would see them close.
    pub(super) fn find_touching<
        T,
        const NQ: usize,
        const N: usize,
        const K: usize,
        const C: usize,
    >(
        &self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
    ) -> [bool; P]
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        let gaps = system.gaps(t, q, v, u);
        let rates = system.gap_rates(t, q, v, u);
        let bounds = system.friction_terms(t, q, v, u).gap_bounds;
        // The time of the event is rounded.
        let rounding = t.abs() * S::default_epsilon() * constant(4.0);
        core::array::from_fn(|k| {
            let reach = bounds[k] * constant(MANY) + rates[k].abs() * rounding;
            let is_open = self.contacts[k] == Contact::Open;
            is_open && gaps[k] - self.gaps[k] <= reach && rates[k] < S::zero()
        })
    }

    /// The open ones of these contacts that will close before their gap is beyond its rounding error.
    fn bounces_within_rounding<T, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        &self,
        system: &T,
        (t, q, v, u): At<'_, S, NQ, N, K>,
        closed: &[bool; P],
    ) -> Result<[bool; P], Error>
    where
        T: Frictional<S, NQ, N, K, C, P, M>,
    {
        if (0..P).all(|k| !closed[k] || self.contacts[k] != Contact::Open) {
            return Ok([false; P]);
        }
        let a = self.acceleration(system, (t, q, v, u))?;
        let second = system.contact_jacobian(t, q, v, u) * a - system.contact_gamma(t, q, v, u);
        let rates = system.gap_rates(t, q, v, u);
        let bounds = system.friction_terms(t, q, v, u).gap_bounds;
        Ok(core::array::from_fn(|k| {
            let height = rates[k] * rates[k] * constant(-0.5) / second[k];
            let falls = second[k] < S::zero() && height <= bounds[k];
            closed[k] && self.contacts[k] == Contact::Open && falls
        }))
    }
}

//! The step to solve for, its solution, and products of J.

use nalgebra::{RealField, SVector};

use super::maps::Maps;
use crate::{
    Error, MidpointTerms, Step, System,
    linalg::{Redundant, check_finite},
    math::constant,
};

/// The step to solve for.
pub(super) struct Problem<'a, S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>
{
    pub(super) system: &'a M,
    pub(super) q: SVector<S, NQ>,
    pub(super) p: &'a SVector<S, N>,
    pub(super) u: &'a SVector<S, K>,
    pub(super) h: S,
    /// The time in the middle, and at the end.
    pub(super) middle: S,
    pub(super) end: S,
    /// The rows of J at the start.
    pub(super) rows: [[S; N]; C],
    /// The rows of J that depend on others.
    pub(super) left_out: [bool; C],
}

/// The solution.
pub(super) struct Solved<S, const NQ: usize, const N: usize, const C: usize> {
    pub(super) step: Step<S, NQ, N, C>,
    pub(super) d: SVector<S, N>,
    pub(super) alpha: [S; C],
    /// The velocities at the end.
    pub(super) v: SVector<S, N>,
    pub(super) beta: [S; C],
}

impl<'a, S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>
    Problem<'a, S, M, NQ, N, K, C>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    pub(super) fn new(
        system: &'a M,
        t: S,
        q: &SVector<S, NQ>,
        p: &'a SVector<S, N>,
        u: &'a SVector<S, K>,
        h: S,
    ) -> Result<Self, Error> {
        check_finite(&[
            ("t", &[t]),
            ("q", q.as_slice()),
            ("p", p.as_slice()),
            ("u", u.as_slice()),
            ("h", &[h]),
        ])?;
        // The velocities d/h would not be finite.
        if h == S::zero() {
            return Err(Error::NotFinite { argument: "h" });
        }
        let q = system.integrate(q, &SVector::zeros());
        let rows = rows_of(system, t, &q, u);
        let mut left_out = [false; C];
        const {
            assert!(
                !M::REACTING,
                "`midpoint_step` has no forces that depend on multipliers: step by `rk4_step`"
            )
        };
        if M::REDUNDANT {
            let mut mass = system.mass_matrix(t, &q, &SVector::zeros(), u).data.0;
            let mut work = [[S::zero(); N]; C];
            let factors = Redundant::factor(&mut mass, &rows, &mut work)?;
            for row in factors.dependent() {
                if let Some(flag) = left_out.get_mut(row) {
                    *flag = true;
                }
            }
        }
        Ok(Self {
            system,
            q,
            p,
            u,
            h,
            middle: t + h * constant(0.5),
            end: t + h,
            rows,
            left_out,
        })
    }

    pub(super) fn terms(&self, t: S, q: &SVector<S, NQ>, v: &SVector<S, N>) -> MidpointTerms<S, N> {
        self.system.midpoint_terms(t, q, v, self.u)
    }

    pub(super) fn maps(&self, d: &SVector<S, N>, terms: &MidpointTerms<S, N>) -> Maps<S, N> {
        Maps::new(&M::ANGULAR, d, self.h, (&terms.momenta, &terms.forces))
    }
}

/// The rows of J.
pub(super) fn rows_of<S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: &M,
    t: S,
    q: &SVector<S, NQ>,
    u: &SVector<S, K>,
) -> [[S; N]; C]
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    let jacobian = system.constraint_jacobian(t, q, &SVector::zeros(), u);
    jacobian.transpose().data.0
}

/// Jᵀ λ
pub(super) fn reactions<S: RealField + Copy, const N: usize, const C: usize>(
    rows: &[[S; N]; C],
    multipliers: &[S; C],
) -> SVector<S, N> {
    let mut sum = [S::zero(); N];
    for (row, multiplier) in rows.iter().zip(multipliers) {
        for i in 0..N {
            sum[i] += row[i] * *multiplier;
        }
    }
    sum.into()
}

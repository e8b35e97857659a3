//! The equations that a run integrates: of a system, of one with states, or of one whose contacts open and close.

use nalgebra::{RealField, SMatrix, SVector};

use super::advance::Event;
use super::state::{Rates, Seen, State};
use crate::{Error, Stateful, System};

/// Equations of motion, and the phases in which they are the same.
///
/// A phase ends where one of its guards gets 0. Without contacts there is one phase.
#[doc(hidden)]
pub trait Drive<
    S: RealField + Copy,
    const NQ: usize,
    const N: usize,
    const Z: usize,
    const K: usize,
>: Sized
{
    /// For each velocity whether it is an angular velocity.
    const ANGULAR: [bool; N];

    /// True if the motion can run backwards.
    const RUNS_BACKWARDS: bool = true;

    /// q moved by a displacement.
    fn integrate(&self, q: &SVector<S, NQ>, d: &SVector<S, N>) -> SVector<S, NQ>;

    /// The mass matrix.
    fn mass_matrix(&self, t: S, state: &State<S, NQ, N, Z>) -> SMatrix<S, N, N>;

    /// The rates of v and z.
    ///
    /// # Errors
    ///
    /// The errors of the acceleration.
    fn rates(
        &self,
        t: S,
        state: &State<S, NQ, N, Z>,
        u: &SVector<S, K>,
    ) -> Result<Rates<S, N, Z>, Error>;

    /// The state moved onto the constraints.
    ///
    /// # Errors
    ///
    /// The errors of [`System::project`].
    fn project(
        &self,
        t: S,
        state: &State<S, NQ, N, Z>,
        u: &SVector<S, K>,
    ) -> Result<State<S, NQ, N, Z>, Error>;

    /// The state after the first phase has been found, at the start.
    ///
    /// # Errors
    ///
    /// The errors of [`Frictional::resolve`](crate::Frictional::resolve).
    fn begin(
        &mut self,
        _t: S,
        state: &State<S, NQ, N, Z>,
        _u: &SVector<S, K>,
        _tolerance: S,
    ) -> Result<State<S, NQ, N, Z>, Error> {
        Ok(*state)
    }

    /// The first guard that gets 0 up to a part of a step, and the part at which it does. The function gives the time, the
    /// state and the inputs at a part.
    fn first_change(
        &mut self,
        _until: S,
        _at: &dyn Fn(&Self, S) -> Seen<S, NQ, N, Z, K>,
    ) -> Option<(usize, S)> {
        None
    }

    /// The value of a guard.
    fn guard(&self, _number: usize, _t: S, _state: &State<S, NQ, N, Z>, _u: &SVector<S, K>) -> S {
        S::zero()
    }

    /// The state after a guard has got 0, at the start of the next phase.
    ///
    /// # Errors
    ///
    /// The errors of [`Frictional::resolve`](crate::Frictional::resolve).
    fn change(
        &mut self,
        _number: usize,
        _t: S,
        state: &State<S, NQ, N, Z>,
        _u: &SVector<S, K>,
    ) -> Result<(State<S, NQ, N, Z>, Option<Event>), Error> {
        Ok((*state, None))
    }

    /// The state after a step without event, and whether it is another one.
    ///
    /// # Errors
    ///
    /// The errors of [`rates`](Self::rates).
    fn settle(
        &self,
        _t: S,
        state: &State<S, NQ, N, Z>,
        _u: &SVector<S, K>,
    ) -> Result<(State<S, NQ, N, Z>, bool), Error> {
        Ok((*state, false))
    }
}

/// A system with coordinates and velocities alone, in the phases H.
#[derive(Clone, Copy, Debug)]
pub struct Mechanical<'a, T, H, const C: usize> {
    pub(super) system: &'a T,
    pub(super) phases: H,
}

/// One phase.
#[derive(Clone, Copy, Debug)]
pub struct OnePhase;

impl<S, T, const NQ: usize, const N: usize, const K: usize, const C: usize> Drive<S, NQ, N, 0, K>
    for Mechanical<'_, T, OnePhase, C>
where
    S: RealField + Copy,
    T: System<S, NQ, N, K, C>,
{
    const ANGULAR: [bool; N] = T::ANGULAR;

    fn integrate(&self, q: &SVector<S, NQ>, d: &SVector<S, N>) -> SVector<S, NQ> {
        self.system.integrate(q, d)
    }

    fn mass_matrix(&self, t: S, (q, v, _): &State<S, NQ, N, 0>) -> SMatrix<S, N, N> {
        self.system.mass_matrix(t, q, v, &SVector::zeros())
    }

    fn rates(
        &self,
        t: S,
        (q, v, z): &State<S, NQ, N, 0>,
        u: &SVector<S, K>,
    ) -> Result<Rates<S, N, 0>, Error> {
        Ok((self.system.acceleration(t, q, v, u)?, *z))
    }

    fn project(
        &self,
        t: S,
        (q, v, z): &State<S, NQ, N, 0>,
        u: &SVector<S, K>,
    ) -> Result<State<S, NQ, N, 0>, Error> {
        let (q, v) = self.system.project(t, q, v, u)?;
        Ok((q, v, *z))
    }
}

/// A system with states of first order.
#[derive(Clone, Copy, Debug)]
pub struct WithStates<'a, T, const C: usize> {
    pub(super) system: &'a T,
}

impl<S, T, const NQ: usize, const N: usize, const Z: usize, const K: usize, const C: usize>
    Drive<S, NQ, N, Z, K> for WithStates<'_, T, C>
where
    S: RealField + Copy,
    T: Stateful<S, NQ, N, Z, K, C>,
{
    const ANGULAR: [bool; N] = T::ANGULAR;

    fn integrate(&self, q: &SVector<S, NQ>, d: &SVector<S, N>) -> SVector<S, NQ> {
        self.system.integrate(q, d)
    }

    fn mass_matrix(&self, t: S, (q, v, z): &State<S, NQ, N, Z>) -> SMatrix<S, N, N> {
        self.system.mass_matrix(t, q, v, z, &SVector::zeros())
    }

    fn rates(
        &self,
        t: S,
        (q, v, z): &State<S, NQ, N, Z>,
        u: &SVector<S, K>,
    ) -> Result<Rates<S, N, Z>, Error> {
        let a = self.system.acceleration(t, q, v, z, u)?;
        Ok((a, self.system.state_rates(t, q, v, z, u)))
    }

    fn project(
        &self,
        t: S,
        (q, v, z): &State<S, NQ, N, Z>,
        u: &SVector<S, K>,
    ) -> Result<State<S, NQ, N, Z>, Error> {
        let (q, v) = self.system.project(t, q, v, z, u)?;
        Ok((q, v, *z))
    }
}

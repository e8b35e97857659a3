//! Functions whose changes of sign end steps.

use nalgebra::{RealField, SVector};

use super::advance::Event;
use super::drive::Drive;
use super::pair::Dense;
use super::state::State;

/// A function of the time and the state.
#[doc(hidden)]
pub trait Reads<S, const NQ: usize, const N: usize, const Z: usize, O> {
    /// Its value.
    fn read(&self, t: S, q: &SVector<S, NQ>, v: &SVector<S, N>, z: &SVector<S, Z>) -> O;
}

/// A function of (t, q, v).
#[derive(Clone, Copy, Debug)]
pub struct OfMotion<F>(pub(super) F);

/// A function of (t, q, v, z).
#[derive(Clone, Copy, Debug)]
pub struct OfStates<F>(pub(super) F);

impl<S, F, O, const NQ: usize, const N: usize, const Z: usize> Reads<S, NQ, N, Z, O> for OfMotion<F>
where
    F: Fn(S, &SVector<S, NQ>, &SVector<S, N>) -> O,
{
    fn read(&self, t: S, q: &SVector<S, NQ>, v: &SVector<S, N>, _: &SVector<S, Z>) -> O {
        (self.0)(t, q, v)
    }
}

impl<S, F, O, const NQ: usize, const N: usize, const Z: usize> Reads<S, NQ, N, Z, O> for OfStates<F>
where
    F: Fn(S, &SVector<S, NQ>, &SVector<S, N>, &SVector<S, Z>) -> O,
{
    fn read(&self, t: S, q: &SVector<S, NQ>, v: &SVector<S, N>, z: &SVector<S, Z>) -> O {
        (self.0)(t, q, v, z)
    }
}

/// The inputs where none are given: zero.
#[derive(Clone, Copy, Debug)]
pub struct NoInputs;

impl<S: RealField + Copy, const NQ: usize, const N: usize, const Z: usize, const K: usize>
    Reads<S, NQ, N, Z, SVector<S, K>> for NoInputs
{
    fn read(
        &self,
        _: S,
        _: &SVector<S, NQ>,
        _: &SVector<S, N>,
        _: &SVector<S, Z>,
    ) -> SVector<S, K> {
        SVector::zeros()
    }
}

/// A list of functions of the time and the state, each with the sign that it had last: 1 or -1, and 0 if none is known.
#[doc(hidden)]
pub trait Watches<S: RealField + Copy, const NQ: usize, const N: usize, const Z: usize> {
    /// The number of functions.
    const COUNT: usize;

    /// The value of the function of this number.
    fn value(
        &self,
        number: usize,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
    ) -> S;

    /// The last sign of the function of this number.
    fn sign(&self, number: usize) -> i8;

    /// Replaces it.
    fn set_sign(&mut self, number: usize, sign: i8);
}

/// The empty list.
#[derive(Clone, Copy, Debug)]
pub struct NoEvents;

impl<S: RealField + Copy, const NQ: usize, const N: usize, const Z: usize> Watches<S, NQ, N, Z>
    for NoEvents
{
    const COUNT: usize = 0;

    fn value(&self, _: usize, _: S, _: &SVector<S, NQ>, _: &SVector<S, N>, _: &SVector<S, Z>) -> S {
        S::one()
    }

    fn sign(&self, _: usize) -> i8 {
        0
    }

    fn set_sign(&mut self, _: usize, _: i8) {}
}

/// A list and one function more.
#[derive(Clone, Copy, Debug)]
pub struct Watched<E, F> {
    list: E,
    function: F,
    sign: i8,
}

impl<E, F> Watched<E, F> {
    pub(super) fn new(list: E, function: F) -> Self {
        Self {
            list,
            function,
            sign: 0,
        }
    }
}

impl<S, E, F, const NQ: usize, const N: usize, const Z: usize> Watches<S, NQ, N, Z>
    for Watched<E, F>
where
    S: RealField + Copy,
    E: Watches<S, NQ, N, Z>,
    F: Reads<S, NQ, N, Z, S>,
{
    const COUNT: usize = E::COUNT.wrapping_add(1);

    fn value(
        &self,
        number: usize,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
    ) -> S {
        if number < E::COUNT {
            self.list.value(number, t, q, v, z)
        } else {
            self.function.read(t, q, v, z)
        }
    }

    fn sign(&self, number: usize) -> i8 {
        if number < E::COUNT {
            self.list.sign(number)
        } else {
            self.sign
        }
    }

    fn set_sign(&mut self, number: usize, sign: i8) {
        if number < E::COUNT {
            self.list.set_sign(number, sign);
        } else {
            self.sign = sign;
        }
    }
}

/// Takes the signs at a state where none is known.
pub(super) fn see<S: RealField + Copy, const NQ: usize, const N: usize, const Z: usize>(
    events: &mut impl Watches<S, NQ, N, Z>,
    state: (S, &State<S, NQ, N, Z>),
) {
    for number in 0..count(events) {
        if events.sign(number) == 0 {
            let sign = sign_at(events, number, state);
            events.set_sign(number, sign);
        }
    }
}

/// The event whose function has changed its sign at the end of a step: two events at one time, or a projection. At the end
/// of the run no step follows that could show the other sign of a function that is 0.
pub(super) fn passed<S: RealField + Copy, const NQ: usize, const N: usize, const Z: usize>(
    events: &mut impl Watches<S, NQ, N, Z>,
    state: (S, &State<S, NQ, N, Z>),
    is_end_of_run: bool,
) -> Option<Event> {
    for number in 0..count(events) {
        let (before, now) = (events.sign(number), sign_at(events, number, state));
        if changes(before, now) || is_end_of_run && before != 0 && now == 0 {
            events.set_sign(number, 0);
            return Some(Event::Zero(number));
        }
    }
    None
}

/// The number of the function that changes its sign first within a step, and the part of the step at which it does.
pub(super) fn first<S, D, const NQ: usize, const N: usize, const Z: usize, const K: usize>(
    events: &impl Watches<S, NQ, N, Z>,
    drive: &D,
    step: &Dense<S, NQ, N, Z>,
) -> Option<(usize, S)>
where
    S: RealField + Copy,
    D: Drive<S, NQ, N, Z, K>,
{
    let mut earliest: Option<(usize, S)> = None;
    for number in 0..count(events) {
        let sign = |part: S| {
            let (t, state) = step.at_part(drive, part);
            sign_at(events, number, (t, &state))
        };
        let Some(part) = change(events.sign(number), sign) else {
            continue;
        };
        if earliest.is_none_or(|(_, known)| part < known) {
            earliest = Some((number, part));
        }
    }
    earliest
}

/// The first part of a step at which a sign differs from the one before.
fn change<S: RealField + Copy>(mut before: i8, sign: impl Fn(S) -> i8) -> Option<S> {
    let quarter = crate::math::constant::<S>(0.25);
    let mut from = S::zero();
    for _ in 0..4 {
        let to = from + quarter;
        let now = sign(to);
        if changes(before, now) {
            let (mut low, mut high) = (from, to);
            // As many halves as f64 has digits.
            for _ in 0..54 {
                let middle = (low + high) / crate::math::constant(2.0);
                if changes(before, sign(middle)) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            return Some(high);
        }
        if now != 0 {
            before = now;
        }
        from = to;
    }
    None
}

/// Returns whether one sign is the opposite of another.
fn changes(before: i8, now: i8) -> bool {
    matches!((before, now), (1, -1) | (-1, 1))
}

fn sign_at<S: RealField + Copy, const NQ: usize, const N: usize, const Z: usize>(
    events: &impl Watches<S, NQ, N, Z>,
    number: usize,
    (t, (q, v, z)): (S, &State<S, NQ, N, Z>),
) -> i8 {
    let value = events.value(number, t, q, v, z);
    if value > S::zero() {
        1
    } else if value < S::zero() {
        -1
    } else {
        0
    }
}

fn count<
    S: RealField + Copy,
    E: Watches<S, NQ, N, Z>,
    const NQ: usize,
    const N: usize,
    const Z: usize,
>(
    _: &E,
) -> usize {
    E::COUNT
}

//! Motions by steps of controlled error, with events.

mod events;
mod pair;
mod sizes;

use nalgebra::{RealField, SVector, try_convert};

use crate::{Error, System, linalg::check_finite, math::constant};
use events::{NoEvents, Watched, Watches};
use pair::{Dense, Start};
use sizes::Sizes;

/// The inputs where none are given: zero.
type NoInputs<S, const NQ: usize, const N: usize, const K: usize> =
    fn(S, &SVector<S, NQ>, &SVector<S, N>) -> SVector<S, K>;

/// The motion of a system as an iterator over its steps, whose lengths keep the error of each below a tolerance.
///
/// ```text
/// Run::new(&system, t, q, v)       // starts at the time t
///     .input(|t, q, v| u)          // the inputs, 0 without this
///     .tolerance(1e-9)             // the default
///     .event(|t, q, v| g)          // ends a step where g is 0; any number of these
///     .project_every_step()        // moves each state onto the constraints
///     .until(10.0)                 // ends there; a time before t runs backwards
/// ```
///
/// Each item is the state at the end of a step. Within the last step, [`at`](Run::at) gives the state at any time. The
/// runner neither allocates nor needs the standard library.
///
/// # Method
///
/// The pair of orders 5 and 4 of Dormand and Prince ("A family of embedded Runge-Kutta formulae", *J. Comput. Appl. Math.*
/// 6, 1980), with the dense output of order 4 and the step control of E. Hairer, S. P. Nørsett and G. Wanner, *Solving
/// Ordinary Differential Equations I*, sections II.4 to II.6. It steps the displacement d of q since the start of the step,
/// and v: q is [`System::integrate`]`(q, d)`, and for a rotation d' is the inverse of the right Jacobian of the exponential
/// map times v (H. Munthe-Kaas, "High order Runge-Kutta methods on manifolds", *Appl. Numer. Math.* 29, 1999). So a
/// rotation stays a rotation, and the orders are those of the pair.
///
/// A step is accepted if the estimated error of each coordinate and of each velocity is at most the tolerance times the
/// largest size that it has had in this run; the size of a rotation is 1 rad. No length or mass is compared with a fixed
/// number, so the unit of a quantity does not matter. A part that stays at 0 but for rounding is judged by the speed that
/// the kinetic energy of the whole system would give it, times a few roundings.
///
/// # Events
///
/// An event is a change of sign of its function within a step. It is looked for at four points of each step, so two zeros
/// within a quarter of a step are missed. Its time is found to rounding, by steps that end there, and the step that ends
/// there is the item. A function that is 0 at the start changes its sign only after it has had one.
///
/// # Constraints
///
/// Without [`project_every_step`](Run::project_every_step) constraints drift, as the equations enforce their second
/// derivative only. A [`Baumgarte`](crate::Baumgarte) can be run too.
///
/// # Errors
///
/// An item is an error if the acceleration fails at the start of a step, or within every step however short; if the
/// projection fails; [`Error::NotConverged`] if a step that would be accurate is shorter than the rounding of t, with the
/// estimated error of the shortest step as its residual; [`Error::NotFinite`] with the name of an argument that is not
/// finite. An error ends the run.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Error, Run, System, nalgebra::SVector};
///
/// /// The times at which the first coordinate changes its sign under constant inputs, and the states halfway there.
/// fn crossings<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
///     system: &M,
///     (q, v, u): (SVector<f64, NQ>, SVector<f64, N>, SVector<f64, K>),
///     until: f64,
///     report: &mut dyn FnMut(f64, (SVector<f64, NQ>, SVector<f64, N>)),
/// ) -> Result<(), Error>
/// where
///     M: System<f64, NQ, N, K, C>,
/// {
///     let run = Run::new(system, 0.0, q, v).input(|_, _, _| u).event(|_, q, _| q[0]);
///     let mut run = run.tolerance(1e-10).project_every_step().until(until);
///     let mut before = 0.0;
///     while let Some(step) = run.next() {
///         let step = step?;
///         if step.event.is_some() {
///             report(step.t, run.at((before + step.t) / 2.0));
///         }
///         before = step.t;
///     }
///     Ok(())
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Run<'a, S, M, U, E, const NQ: usize, const N: usize, const K: usize, const C: usize> {
    system: &'a M,
    input: U,
    events: E,
    tolerance: S,
    end: Option<S>,
    projects: bool,
    t: S,
    q: SVector<S, NQ>,
    v: SVector<S, N>,
    /// The acceleration at the start of the next step, if it is known.
    a: Option<SVector<S, N>>,
    /// The length that the next step should have.
    h: Option<S>,
    /// The error of the last accepted step, in parts of the largest one that is accepted.
    error: S,
    sizes: Sizes<S, N>,
    dense: Dense<S, NQ, N>,
    has_ended: bool,
}

/// The end of a step of [`Run`].
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Advance, Event, nalgebra::vector};
///
/// let step = Advance { t: 0.5, q: vector![1.0], v: vector![-2.0], event: Some(Event::Zero(0)) };
/// assert!(matches!(step.event, Some(Event::Zero(0))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advance<S, const NQ: usize, const N: usize> {
    /// The time.
    pub t: S,
    /// The coordinates.
    pub q: SVector<S, NQ>,
    /// The velocities, after the event.
    pub v: SVector<S, N>,
    /// The event that ended the step.
    pub event: Option<Event>,
}

/// An event that ends a step of [`Run`].
///
/// # Examples
///
/// ```
/// use lagrange_runtime::Event;
///
/// assert_ne!(Event::Zero(0), Event::Zero(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// The function of this number, in the order of the calls of [`Run::event`], has changed its sign.
    Zero(usize),
}

impl<'a, S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>
    Run<'a, S, M, NoInputs<S, NQ, N, K>, NoEvents, NQ, N, K, C>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    /// The motion from the state (q, v) at the time t, with a tolerance of 1e-9, without an end.
    #[must_use]
    pub fn new(system: &'a M, t: S, q: SVector<S, NQ>, v: SVector<S, N>) -> Self {
        Self {
            system,
            input: |_, _, _| SVector::zeros(),
            events: NoEvents,
            tolerance: constant(1e-9),
            end: None,
            projects: false,
            t,
            q,
            v,
            a: None,
            h: None,
            error: constant(1e-4),
            sizes: Sizes::new::<M, NQ, K, C>(&q, &v),
            dense: Dense::still(t, q, v),
            has_ended: false,
        }
    }
}

impl<'a, S, M, U, E, const NQ: usize, const N: usize, const K: usize, const C: usize>
    Run<'a, S, M, U, E, NQ, N, K, C>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
    U: Fn(S, &SVector<S, NQ>, &SVector<S, N>) -> SVector<S, K>,
    E: Watches<S, NQ, N>,
{
    /// With these inputs, a function of (t, q, v). Where they jump, steps are short: end a run there and start another.
    #[must_use]
    pub fn input<F>(self, input: F) -> Run<'a, S, M, F, E, NQ, N, K, C>
    where
        F: Fn(S, &SVector<S, NQ>, &SVector<S, N>) -> SVector<S, K>,
    {
        Run {
            system: self.system,
            input,
            events: self.events,
            tolerance: self.tolerance,
            end: self.end,
            projects: self.projects,
            t: self.t,
            q: self.q,
            v: self.v,
            a: None,
            h: self.h,
            error: self.error,
            sizes: self.sizes,
            dense: self.dense,
            has_ended: self.has_ended,
        }
    }

    /// With an event where this function of (t, q, v) changes its sign.
    #[must_use]
    pub fn event<F>(self, function: F) -> Run<'a, S, M, U, Watched<E, F>, NQ, N, K, C>
    where
        F: Fn(S, &SVector<S, NQ>, &SVector<S, N>) -> S,
    {
        Run {
            system: self.system,
            input: self.input,
            events: Watched::new(self.events, function),
            tolerance: self.tolerance,
            end: self.end,
            projects: self.projects,
            t: self.t,
            q: self.q,
            v: self.v,
            a: self.a,
            h: self.h,
            error: self.error,
            sizes: self.sizes,
            dense: self.dense,
            has_ended: self.has_ended,
        }
    }

    /// With this bound of the relative error of a step, 1e-9 without this call. Below some 100 roundings of S no step
    /// gets more accurate.
    #[must_use]
    pub fn tolerance(mut self, tolerance: S) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Moves the state onto the constraints after each step, by [`System::project`].
    #[must_use]
    pub fn project_every_step(mut self) -> Self {
        self.projects = true;
        self
    }

    /// Ends at this time, exactly. A time before the start makes the steps negative.
    #[must_use]
    pub fn until(mut self, end: S) -> Self {
        self.end = Some(end);
        self
    }

    /// The state at a time within the last step, by the interpolation of order 4; at a time beyond, that of the nearest end
    /// of the step. Before the first step it is the start. After an event that changes the velocities it is the state
    /// before that.
    #[must_use]
    pub fn at(&self, t: S) -> (SVector<S, NQ>, SVector<S, N>) {
        self.dense.at(self.system, t)
    }

    fn step(&mut self) -> Result<Option<Advance<S, NQ, N>>, Error> {
        check_finite(&[
            ("t", &[self.t]),
            ("q", self.q.as_slice()),
            ("v", self.v.as_slice()),
            ("tolerance", &[self.tolerance]),
            ("until", &[self.end.unwrap_or(self.t)]),
        ])?;
        if self.h.is_none() {
            events::see(&mut self.events, (self.t, &self.q, &self.v));
        }
        if let Some(event) = events::passed(&mut self.events, (self.t, &self.q, &self.v)) {
            return Ok(Some(self.advance(Some(event))));
        }
        let left = self.end.map(|end| end - self.t);
        if left.is_some_and(|left| left.is_zero()) {
            return Ok(None);
        }
        let start = self.start()?;
        self.sizes.see_energy(self.system, &start);
        let (mut trial, is_last) = self.accepted(&start, left)?;
        let passed = events::first(&self.events, self.system, &trial);
        if let Some((number, part)) = passed {
            trial = self.located(&start, number, trial.h * part, trial);
        }
        let is_last = is_last && passed.is_none();
        if let (Some(end), true) = (self.end, is_last) {
            trial.end_time = end;
        }
        self.t = trial.end_time;
        (self.q, self.v) = trial.end;
        self.a = Some(trial.a);
        self.dense = trial;
        self.sizes.see(&self.dense);
        if self.projects {
            let u = (self.input)(self.t, &self.q, &self.v);
            (self.q, self.v) = self.system.project(self.t, &self.q, &self.v, &u)?;
            self.a = None;
        }
        events::see(&mut self.events, (self.t, &self.q, &self.v));
        let event = passed.map(|(number, _)| {
            // At its zero the sign of a function is rounding.
            self.events.set_sign(number, 0);
            Event::Zero(number)
        });
        Ok(Some(self.advance(event)))
    }

    fn advance(&self, event: Option<Event>) -> Advance<S, NQ, N> {
        Advance {
            t: self.t,
            q: self.q,
            v: self.v,
            event,
        }
    }

    fn acceleration(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
    ) -> Result<SVector<S, N>, Error> {
        self.system.acceleration(t, q, v, &(self.input)(t, q, v))
    }

    fn start(&self) -> Result<Start<S, NQ, N>, Error> {
        let a = match self.a {
            Some(a) => a,
            None => self.acceleration(self.t, &self.q, &self.v)?,
        };
        Ok(Start {
            t: self.t,
            q: self.q,
            v: self.v,
            a,
        })
    }

    /// The first trial whose error is small enough, and whether it ends at the end of the run.
    fn accepted(
        &mut self,
        start: &Start<S, NQ, N>,
        left: Option<S>,
    ) -> Result<(Dense<S, NQ, N>, bool), Error> {
        let backwards = left.is_some_and(|left| left.is_sign_negative());
        let sign = if backwards { -S::one() } else { S::one() };
        let proposed = self.h.unwrap_or_else(|| self.sizes.first(start, left));
        let mut h = self
            .sizes
            .at_most_a_turn::<M, NQ, K, C>(&start.v, proposed.abs())
            * sign;
        let mut was_rejected = false;
        loop {
            // A last step that is a little longer, in place of a tiny one.
            let is_last = left.is_some_and(|left| h.abs() * constant(1.01) >= left.abs());
            if let (true, Some(left)) = (is_last, left) {
                h = left;
            }
            let acceleration = |t, q: &_, v: &_| self.acceleration(t, q, v);
            let trial = start.step(self.system, acceleration, h);
            let (shorter, failure) = match trial {
                Ok(trial) => {
                    let error = self.sizes.error(&trial, self.tolerance);
                    if error <= S::one() {
                        let factor = growth(error, self.error, was_rejected);
                        self.error = error.max(constant(1e-4));
                        // A step that the end has cut short says little about the next one.
                        self.h = Some((h * factor).abs().max(if is_last {
                            proposed.abs()
                        } else {
                            S::zero()
                        }));
                        return Ok((trial, is_last));
                    }
                    let residual = self.sizes.largest(&trial);
                    let residual = try_convert(residual).unwrap_or(f64::NAN);
                    (rejection(error), Error::NotConverged { residual })
                }
                Err(error) => (constant(0.1), error),
            };
            was_rejected = true;
            h *= shorter;
            if start.t + h * constant(0.25) == start.t {
                return Err(failure);
            }
        }
    }

    /// The step that ends where an event function is 0, by steps of corrected length from the first guess h on.
    fn located(
        &self,
        start: &Start<S, NQ, N>,
        number: usize,
        mut h: S,
        longest: Dense<S, NQ, N>,
    ) -> Dense<S, NQ, N> {
        let value = |dense: &Dense<S, NQ, N>, part: S| {
            let (t, (q, v)) = dense.at_part(self.system, part);
            self.events.value(number, t, &q, &v)
        };
        let mut best = longest;
        // From a guess by interpolation, two or three corrections reach the rounding.
        for _ in 0..8 {
            let acceleration = |t, q: &_, v: &_| self.acceleration(t, q, v);
            let Ok(trial) = start.step(self.system, acceleration, h) else {
                return best;
            };
            best = trial;
            let before = constant::<S>(1.0 - 1.0 / 64.0);
            let (end, shortly) = (value(&best, S::one()), value(&best, before));
            let change = -end * (h - h * before) / (end - shortly);
            let next = h + change;
            let is_within = (next / longest.h) > S::zero() && next.abs() <= longest.h.abs();
            if !is_within || start.t + next == start.t + h {
                return best;
            }
            h = next;
        }
        best
    }
}

/// The factor from an accepted step to the next, by its error and that of the one before.
fn growth<S: RealField + Copy>(error: S, before: S, was_rejected: bool) -> S {
    let most = if was_rejected { 1.0 } else { 10.0 };
    if error <= S::zero() {
        return constant(most);
    }
    let by_error = error.powf(constant(-(0.2 - 0.04 * 0.75)));
    let factor = constant::<S>(0.9) * by_error * before.powf(constant(0.04));
    factor.max(constant(0.2)).min(constant(most))
}

/// The factor from a rejected step to the next trial.
fn rejection<S: RealField + Copy>(error: S) -> S {
    let factor = constant::<S>(0.9) * error.powf(constant(-(0.2 - 0.04 * 0.75)));
    // An error that is not finite says nothing but that the step is too long.
    if factor > constant(0.1) {
        factor.min(constant(0.9))
    } else {
        constant(0.1)
    }
}

impl<S, M, U, E, const NQ: usize, const N: usize, const K: usize, const C: usize> Iterator
    for Run<'_, S, M, U, E, NQ, N, K, C>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
    U: Fn(S, &SVector<S, NQ>, &SVector<S, N>) -> SVector<S, K>,
    E: Watches<S, NQ, N>,
{
    type Item = Result<Advance<S, NQ, N>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let item = self.step().transpose();
        self.has_ended = !matches!(item, Some(Ok(_)));
        item
    }
}

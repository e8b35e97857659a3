//! Motions by steps of controlled error, with events.

mod advance;
mod drive;
mod events;
mod hybrid;
mod pair;
mod sizes;
mod state;

use nalgebra::{RealField, SVector, try_convert};

use crate::{Error, Frictional, Stateful, System, linalg::check_finite, math::constant};
pub use advance::{Advance, Event};
use drive::{Drive, Mechanical, OnePhase, WithStates};
use events::{NoEvents, NoInputs, OfMotion, OfStates, Reads, Watched, Watches};
use hybrid::Hybrid;
use pair::{Dense, Start};
use sizes::Sizes;
use state::{Rates, State};

/// The motion of a system as an iterator over its steps, whose lengths keep the error of each below a tolerance.
///
/// ```text
/// Run::new(&system, t, q, v)       // starts at the time t
///     .input(|t, q, v| u)          // the inputs, 0 without this
///     .tolerance(1e-9)             // the default
///     .event(|t, q, v| g)          // ends a step where g is 0; any number of these
///     .project_every_step()        // moves each state onto the constraints
///     .until(10.0)                 // ends there; a time before t runs backwards
///
/// Run::with_states(&system, t, q, v, z)   // with states of first order
/// Run::hybrid(&system, t, q, v)           // with contacts and dry joints that change their modes
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
/// number, so the unit of a quantity does not matter. A part that stays at 0 but for rounding is measured by the speed that
/// the kinetic energy of the whole system would give it, times a few roundings.
///
/// # Events
///
/// An event is a change of sign of its function within a step. It is looked for at four points of each step, so two zeros
/// within a quarter of a step are missed. Its time is found to rounding, by steps that end there, and the step that ends
/// there is the item. A function that is 0 at the start changes its sign only after it has had one, and one that gets 0 at
/// the end of the run is an event there.
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
pub struct Run<S, D, U, E, const NQ: usize, const N: usize, const Z: usize, const K: usize> {
    drive: D,
    input: U,
    events: E,
    tolerance: S,
    end: Option<S>,
    projects: bool,
    t: S,
    state: State<S, NQ, N, Z>,
    has_begun: bool,
    /// The rates at the start of the next step, if they are known.
    rates: Option<Rates<S, N, Z>>,
    /// The length that the next step should have.
    h: Option<S>,
    /// The error of the last accepted step, in parts of the largest one that is accepted.
    error: S,
    sizes: Sizes<S, N, Z>,
    dense: Dense<S, NQ, N, Z>,
    has_ended: bool,
}

impl<'a, S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>
    Run<S, Mechanical<'a, M, OnePhase, C>, NoInputs, NoEvents, NQ, N, 0, K>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    /// The motion from the state (q, v) at the time t, with a tolerance of 1e-9, without an end.
    #[must_use]
    pub fn new(system: &'a M, t: S, q: SVector<S, NQ>, v: SVector<S, N>) -> Self {
        let phases = OnePhase;
        Self::from(Mechanical { system, phases }, t, (q, v, SVector::zeros()))
    }
}

impl<
    'a,
    S,
    T,
    const NQ: usize,
    const N: usize,
    const K: usize,
    const C: usize,
    const P: usize,
    const M: usize,
> Run<S, Mechanical<'a, T, Hybrid<S, P, M>, C>, NoInputs, NoEvents, NQ, N, 0, K>
where
    S: RealField + Copy,
    T: Frictional<S, NQ, N, K, C, P, M>,
{
    /// The motion of a system with contacts and dry joints, which close and open, stick and slide by themselves.
    ///
    /// Between two events the contacts and joints are in phases: each contact is open, sticks or slides, and each dry joint
    /// rests or moves. The motion of a phase has the equations of [`resolve`](Frictional::resolve) with these modes. A phase
    /// ends where a gap closes, the force of a contact stops pushing, a sliding velocity or the velocity of a joint gets
    /// 0, or the friction that holds it gets to its bound.
    ///
    /// # Method
    ///
    /// The times of these events are found as those of [`event`](Run::event). A gap that gets smaller and then larger within a
    /// quarter of a step is looked at where it is smallest, too. At a closing contact the law of
    /// [`contact_step`](crate::contact_step) with h = 0 acts on all closed contacts. Then the laws of
    /// [`resolve`](Frictional::resolve) give the next phase. A contact that begins to slide has the friction of sliding, also
    /// where friction jumps at a sliding velocity of 0: up to a millionth of the velocities it is that of a millionth.
    /// A contact that sticks has that of a sliding velocity of 0. Impacts that come without end are ended: the contact
    /// closes when its rate after an impact is below the tolerance times the largest rate with which it has struck, or when
    /// the height of its bounce is within the rounding error of its gap. Contacts whose gaps are 0 to rounding, and get
    /// smaller after an impact, strike with it. In space all contacts whose sliding velocities are about 0 come to rest
    /// together. Of several changes at one time one is the event. A
    /// closed contact at the start is one whose gap is at most its rounding error. Closed gaps and held rates are kept at 0
    /// after each step; a gap that was negative when its contact closed keeps its value.
    ///
    /// A step that ends at an event has q and v after it, and [`at`](Run::at) gives those before it. Friction has no motion
    /// backwards: an end before the start is [`Error::NotConverged`] with the time that is left.
    ///
    /// # Errors
    ///
    /// The errors of [`Run`] and of [`resolve`](Frictional::resolve), such as [`Error::NoContactSolution`], and
    /// [`Error::NotConverged`] if more and more events come at the same time, or the end is before the start.
    ///
    /// # Examples
    ///
    /// ```
    /// use lagrange_runtime::{Error, Event, Frictional, Run, nalgebra::SVector};
    ///
    /// /// The time of the first impact.
    /// fn strikes<
    ///     T,
    ///     const NQ: usize,
    ///     const N: usize,
    ///     const K: usize,
    ///     const C: usize,
    ///     const P: usize,
    ///     const M: usize,
    /// >(
    ///     system: &T,
    ///     (q, v): (SVector<f64, NQ>, SVector<f64, N>),
    /// ) -> Result<Option<f64>, Error>
    /// where
    ///     T: Frictional<f64, NQ, N, K, C, P, M>,
    /// {
    ///     for step in Run::hybrid(system, 0.0, q, v).until(10.0) {
    ///         let step = step?;
    ///         if let Some(Event::Closes(_)) = step.event {
    ///             return Ok(Some(step.t));
    ///         }
    ///     }
    ///     Ok(None)
    /// }
    /// ```
    #[must_use]
    pub fn hybrid(system: &'a T, t: S, q: SVector<S, NQ>, v: SVector<S, N>) -> Self {
        let phases = Hybrid::new();
        Self::from(Mechanical { system, phases }, t, (q, v, SVector::zeros()))
    }
}

impl<'a, S, T, const NQ: usize, const N: usize, const Z: usize, const K: usize, const C: usize>
    Run<S, WithStates<'a, T, C>, NoInputs, NoEvents, NQ, N, Z, K>
where
    S: RealField + Copy,
    T: Stateful<S, NQ, N, Z, K, C>,
{
    /// The motion of a system with states z of first order. Inputs and events are functions of (t, q, v, z).
    ///
    /// It solves `M a = f(t, q, v, z, u)` with the constraints and `dz/dt = g(t, q, v, z, u)`, with the steps of
    /// [`Run`] for q and v. The error of each state is measured by its largest size, and by its change in the step. An
    /// item has q and v; [`states`](Run::states) and [`states_at`](Run::states_at) give z.
    ///
    /// # Errors
    ///
    /// The errors of [`Run`].
    ///
    /// # Examples
    ///
    /// ```
    /// use lagrange_runtime::{Error, Run, Stateful, nalgebra::SVector};
    ///
    /// /// The time at which the first state is 1.
    /// fn reaches<T, const NQ: usize, const N: usize, const Z: usize, const K: usize, const C: usize>(
    ///     system: &T,
    ///     (q, v, z): (SVector<f64, NQ>, SVector<f64, N>, SVector<f64, Z>),
    ///     u: SVector<f64, K>,
    /// ) -> Result<Option<f64>, Error>
    /// where
    ///     T: Stateful<f64, NQ, N, Z, K, C>,
    /// {
    ///     let run = Run::with_states(system, 0.0, q, v, z).input(|_, _, _, _| u);
    ///     for step in run.event(|_, _, _, z| z[0] - 1.0).until(10.0) {
    ///         let step = step?;
    ///         if step.event.is_some() {
    ///             return Ok(Some(step.t));
    ///         }
    ///     }
    ///     Ok(None)
    /// }
    /// ```
    #[must_use]
    pub fn with_states(
        system: &'a T,
        t: S,
        q: SVector<S, NQ>,
        v: SVector<S, N>,
        z: SVector<S, Z>,
    ) -> Self {
        Self::from(WithStates { system }, t, (q, v, z))
    }
}

impl<'a, S, T, H, U, E, const NQ: usize, const N: usize, const K: usize, const C: usize>
    Run<S, Mechanical<'a, T, H, C>, U, E, NQ, N, 0, K>
where
    S: RealField + Copy,
{
    /// With these inputs, a function of (t, q, v). Where they jump, steps are short: end a run there and start another.
    #[must_use]
    pub fn input<F>(self, input: F) -> Run<S, Mechanical<'a, T, H, C>, OfMotion<F>, E, NQ, N, 0, K>
    where
        F: Fn(S, &SVector<S, NQ>, &SVector<S, N>) -> SVector<S, K>,
    {
        self.with_input(OfMotion(input))
    }

    /// With an event where this function of (t, q, v) changes its sign.
    #[must_use]
    pub fn event<F>(
        self,
        function: F,
    ) -> Run<S, Mechanical<'a, T, H, C>, U, Watched<E, OfMotion<F>>, NQ, N, 0, K>
    where
        F: Fn(S, &SVector<S, NQ>, &SVector<S, N>) -> S,
    {
        self.with_event(OfMotion(function))
    }
}

impl<
    'a,
    S,
    T,
    U,
    E,
    const NQ: usize,
    const N: usize,
    const Z: usize,
    const K: usize,
    const C: usize,
> Run<S, WithStates<'a, T, C>, U, E, NQ, N, Z, K>
where
    S: RealField + Copy,
{
    /// With these inputs, a function of (t, q, v, z).
    ///
    /// # Examples
    ///
    /// ```
    /// use lagrange_runtime::{Run, Stateful, nalgebra::SVector};
    ///
    /// /// The number of steps in a second under inputs that follow the first state.
    /// fn steps<T, const NQ: usize, const N: usize, const Z: usize, const K: usize, const C: usize>(
    ///     system: &T,
    ///     (q, v, z): (SVector<f64, NQ>, SVector<f64, N>, SVector<f64, Z>),
    /// ) -> usize
    /// where
    ///     T: Stateful<f64, NQ, N, Z, K, C>,
    /// {
    ///     let run = Run::with_states(system, 0.0, q, v, z).input(|_, _, _, z| SVector::repeat(-z[0]));
    ///     run.until(1.0).count()
    /// }
    /// ```
    #[must_use]
    pub fn input<F>(self, input: F) -> Run<S, WithStates<'a, T, C>, OfStates<F>, E, NQ, N, Z, K>
    where
        F: Fn(S, &SVector<S, NQ>, &SVector<S, N>, &SVector<S, Z>) -> SVector<S, K>,
    {
        self.with_input(OfStates(input))
    }

    /// With an event where this function of (t, q, v, z) changes its sign.
    ///
    /// # Examples
    ///
    /// ```
    /// use lagrange_runtime::{Run, Stateful, nalgebra::SVector};
    ///
    /// /// The number of times that the first state changes its sign in a second.
    /// fn changes<T, const NQ: usize, const N: usize, const Z: usize, const K: usize, const C: usize>(
    ///     system: &T,
    ///     (q, v, z): (SVector<f64, NQ>, SVector<f64, N>, SVector<f64, Z>),
    /// ) -> usize
    /// where
    ///     T: Stateful<f64, NQ, N, Z, K, C>,
    /// {
    ///     let run = Run::with_states(system, 0.0, q, v, z).event(|_, _, _, z| z[0]);
    ///     run.until(1.0).flatten().filter(|step| step.event.is_some()).count()
    /// }
    /// ```
    #[must_use]
    pub fn event<F>(
        self,
        function: F,
    ) -> Run<S, WithStates<'a, T, C>, U, Watched<E, OfStates<F>>, NQ, N, Z, K>
    where
        F: Fn(S, &SVector<S, NQ>, &SVector<S, N>, &SVector<S, Z>) -> S,
    {
        self.with_event(OfStates(function))
    }
}

impl<S, D, U, E, const NQ: usize, const N: usize, const Z: usize, const K: usize>
    Run<S, D, U, E, NQ, N, Z, K>
where
    S: RealField + Copy,
{
    fn with_input<F>(self, input: F) -> Run<S, D, F, E, NQ, N, Z, K> {
        Run {
            rates: None,
            ..self.with(|_, events| (input, events))
        }
    }

    fn with_event<F>(self, function: F) -> Run<S, D, U, Watched<E, F>, NQ, N, Z, K> {
        self.with(|input, events| (input, Watched::new(events, function)))
    }

    /// The run with an input and events made of its own.
    fn with<F, G>(self, change: impl FnOnce(U, E) -> (F, G)) -> Run<S, D, F, G, NQ, N, Z, K> {
        let (input, events) = change(self.input, self.events);
        Run {
            drive: self.drive,
            input,
            events,
            tolerance: self.tolerance,
            end: self.end,
            projects: self.projects,
            t: self.t,
            state: self.state,
            has_begun: self.has_begun,
            rates: self.rates,
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

    /// The states z of first order at the end of the last step. Before the first step they are those of the start.
    ///
    /// # Examples
    ///
    /// ```
    /// use lagrange_runtime::{Error, Run, Stateful, nalgebra::SVector};
    ///
    /// /// The states after a second.
    /// fn after<T, const NQ: usize, const N: usize, const Z: usize, const K: usize, const C: usize>(
    ///     system: &T,
    ///     (q, v, z): (SVector<f64, NQ>, SVector<f64, N>, SVector<f64, Z>),
    /// ) -> Result<SVector<f64, Z>, Error>
    /// where
    ///     T: Stateful<f64, NQ, N, Z, K, C>,
    /// {
    ///     let mut run = Run::with_states(system, 0.0, q, v, z).until(1.0);
    ///     while let Some(step) = run.next() {
    ///         step?;
    ///     }
    ///     Ok(run.states())
    /// }
    /// ```
    #[must_use]
    pub fn states(&self) -> SVector<S, Z> {
        self.state.2
    }
}

impl<S, D, U, E, const NQ: usize, const N: usize, const Z: usize, const K: usize>
    Run<S, D, U, E, NQ, N, Z, K>
where
    S: RealField + Copy,
    D: Drive<S, NQ, N, Z, K>,
{
    /// The state at a time within the last step, by the interpolation of order 4; at a time beyond, that of the nearest end
    /// of the step. Before the first step it is the start. After an event that changes the velocities it is the state
    /// before that.
    #[must_use]
    pub fn at(&self, t: S) -> (SVector<S, NQ>, SVector<S, N>) {
        let (q, v, _) = self.dense.at(&self.drive, t);
        (q, v)
    }

    /// The states z at a time within the last step, as [`at`](Self::at) gives q and v.
    ///
    /// # Examples
    ///
    /// ```
    /// use lagrange_runtime::{Error, Run, Stateful, nalgebra::SVector};
    ///
    /// /// The states after half a second.
    /// fn after<T, const NQ: usize, const N: usize, const Z: usize, const K: usize, const C: usize>(
    ///     system: &T,
    ///     (q, v, z): (SVector<f64, NQ>, SVector<f64, N>, SVector<f64, Z>),
    /// ) -> Result<SVector<f64, Z>, Error>
    /// where
    ///     T: Stateful<f64, NQ, N, Z, K, C>,
    /// {
    ///     let mut run = Run::with_states(system, 0.0, q, v, z);
    ///     while let Some(step) = run.next() {
    ///         if step?.t >= 0.5 {
    ///             break;
    ///         }
    ///     }
    ///     Ok(run.states_at(0.5))
    /// }
    /// ```
    #[must_use]
    pub fn states_at(&self, t: S) -> SVector<S, Z> {
        self.dense.at(&self.drive, t).2
    }
}

impl<S, D, const NQ: usize, const N: usize, const Z: usize, const K: usize>
    Run<S, D, NoInputs, NoEvents, NQ, N, Z, K>
where
    S: RealField + Copy,
    D: Drive<S, NQ, N, Z, K>,
{
    fn from(drive: D, t: S, state: State<S, NQ, N, Z>) -> Self {
        Self {
            drive,
            input: NoInputs,
            events: NoEvents,
            tolerance: constant(1e-9),
            end: None,
            projects: false,
            t,
            state,
            has_begun: false,
            rates: None,
            h: None,
            error: constant(1e-4),
            sizes: Sizes::new::<D, NQ, K>(&state),
            dense: Dense::still(t, state),
            has_ended: false,
        }
    }
}

/// The event or guard that ends a step early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    /// The event function of this number.
    Zero(usize),
    /// The guard of this number.
    Phase(usize),
}

impl<S, D, U, E, const NQ: usize, const N: usize, const Z: usize, const K: usize>
    Run<S, D, U, E, NQ, N, Z, K>
where
    S: RealField + Copy,
    D: Drive<S, NQ, N, Z, K>,
    U: Reads<S, NQ, N, Z, SVector<S, K>>,
    E: Watches<S, NQ, N, Z>,
{
    fn step(&mut self) -> Result<Option<Advance<S, NQ, N>>, Error> {
        check_finite(&[
            ("t", &[self.t]),
            ("q", self.state.0.as_slice()),
            ("v", self.state.1.as_slice()),
            ("z", self.state.2.as_slice()),
            ("tolerance", &[self.tolerance]),
            ("until", &[self.end.unwrap_or(self.t)]),
        ])?;
        let left = self.end.map_or_else(S::zero, |end| self.t - end);
        if !D::RUNS_BACKWARDS && left > S::zero() {
            let residual = try_convert(left).unwrap_or(f64::NAN);
            return Err(Error::NotConverged { residual });
        }
        if !self.has_begun {
            let u = self.inputs(self.t, &self.state);
            let begun = self.drive.begin(self.t, &self.state, &u, self.tolerance);
            self.state = begun.map_err(Error::of_computed)?;
            self.has_begun = true;
            events::see(&mut self.events, (self.t, &self.state));
        }
        if let Some(event) = self.passed_event() {
            return Ok(Some(self.advance(Some(event))));
        }
        let left = self.end.map(|end| end - self.t);
        if left.is_some_and(|left| left.is_zero()) {
            return Ok(None);
        }
        let start = self.start()?;
        self.sizes.see_energy(&self.drive, &start);
        let (mut trial, is_last) = self.find_accepted(&start, left)?;
        let passed = self.find_end(&trial);
        if let Some((ends, part)) = passed {
            trial = self.locate(&start, ends, trial.h * part, trial);
        }
        if let (Some(end), true) = (self.end, is_last && passed.is_none()) {
            trial.end_time = end;
        }
        self.t = trial.end_time;
        self.state = trial.end;
        self.rates = Some(trial.rates);
        self.dense = trial;
        self.sizes.see(&self.dense);
        let event = self.finish(passed.map(|(ends, _)| ends))?;
        let event = event.or_else(|| self.passed_event());
        Ok(Some(self.advance(event)))
    }

    /// The event that the state at the end of the last step shows.
    fn passed_event(&mut self) -> Option<Event> {
        let is_end_of_run = self.end == Some(self.t);
        events::passed(&mut self.events, (self.t, &self.state), is_end_of_run)
    }

    /// Takes the end of a step: what ended it, and the projections.
    fn finish(&mut self, ends: Option<Ends>) -> Result<Option<Event>, Error> {
        if self.projects {
            let u = self.inputs(self.t, &self.state);
            self.state = self.drive.project(self.t, &self.state, &u)?;
            self.rates = None;
        }
        let u = self.inputs(self.t, &self.state);
        let mut event = None;
        if let Some(Ends::Phase(guard)) = ends {
            let changed = self.drive.change(guard, self.t, &self.state, &u);
            (self.state, event) = changed.map_err(Error::of_computed)?;
            self.rates = None;
        } else {
            let settled = self.drive.settle(self.t, &self.state, &u);
            let (state, is_other) = settled.map_err(Error::of_computed)?;
            if is_other {
                (self.state, self.rates) = (state, None);
            }
        }
        events::see(&mut self.events, (self.t, &self.state));
        if let Some(Ends::Zero(number)) = ends {
            // At its zero the sign of a function is rounding.
            self.events.set_sign(number, 0);
            event = Some(Event::Zero(number));
        }
        Ok(event)
    }

    fn advance(&self, event: Option<Event>) -> Advance<S, NQ, N> {
        Advance {
            t: self.t,
            q: self.state.0,
            v: self.state.1,
            event,
        }
    }

    fn inputs(&self, t: S, (q, v, z): &State<S, NQ, N, Z>) -> SVector<S, K> {
        self.input.read(t, q, v, z)
    }

    fn rates(&self, t: S, state: &State<S, NQ, N, Z>) -> Result<Rates<S, N, Z>, Error> {
        self.drive.rates(t, state, &self.inputs(t, state))
    }

    fn start(&self) -> Result<Start<S, NQ, N, Z>, Error> {
        let rates = match self.rates {
            Some(rates) => rates,
            None => self.rates(self.t, &self.state)?,
        };
        Ok(Start {
            t: self.t,
            state: self.state,
            rates,
        })
    }

    /// The first event or guard within a step, and the part of the step at which it comes.
    fn find_end(&mut self, trial: &Dense<S, NQ, N, Z>) -> Option<(Ends, S)> {
        let zero = events::first(&self.events, &self.drive, trial);
        let until = zero.map_or(S::one(), |(_, part)| part);
        let input = &self.input;
        let changed = self.drive.first_change(until, &|drive, part| {
            let (t, state) = trial.at_part(drive, part);
            let u = input.read(t, &state.0, &state.1, &state.2);
            (t, state, u)
        });
        changed
            .map(|(guard, part)| (Ends::Phase(guard), part))
            .or(zero.map(|(number, part)| (Ends::Zero(number), part)))
    }

    /// The first trial whose error is small enough, and whether it ends at the end of the run.
    fn find_accepted(
        &mut self,
        start: &Start<S, NQ, N, Z>,
        left: Option<S>,
    ) -> Result<(Dense<S, NQ, N, Z>, bool), Error> {
        let backwards = left.is_some_and(|left| left.is_sign_negative());
        let sign = if backwards { -S::one() } else { S::one() };
        let proposed = self.h.unwrap_or_else(|| self.sizes.first(start, left));
        // A step that leaves t as it is would lead nowhere.
        let shortest = start.t.abs() * S::default_epsilon() * constant(16.0);
        let mut h = self
            .sizes
            .at_most_a_turn::<D, NQ, K>(&start.state.1, proposed.abs())
            .max(shortest)
            * sign;
        let mut was_rejected = false;
        loop {
            // A last step that is a little longer, in place of a tiny one.
            let is_last = left.is_some_and(|left| h.abs() * constant(1.01) >= left.abs());
            if let (true, Some(left)) = (is_last, left) {
                h = left;
            }
            let rates = |t, state: &_| self.rates(t, state);
            let trial = start.step(&self.drive, rates, h);
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

    /// The step that ends where an event function or a guard is 0, by steps of corrected length from the first guess h on:
    /// the secant method, whose first slope is that of the interpolation.
    fn locate(
        &self,
        start: &Start<S, NQ, N, Z>,
        ends: Ends,
        mut h: S,
        longest: Dense<S, NQ, N, Z>,
    ) -> Dense<S, NQ, N, Z> {
        let value = |dense: &Dense<S, NQ, N, Z>, part: S| {
            let (t, state) = dense.at_part(&self.drive, part);
            match ends {
                Ends::Zero(number) => {
                    let (q, v, z) = &state;
                    self.events.value(number, t, q, v, z)
                }
                Ends::Phase(guard) => {
                    let u = self.inputs(t, &state);
                    self.drive.guard(guard, t, &state, &u)
                }
            }
        };
        let (mut best, mut last) = (longest, None);
        // From a guess by interpolation two or three corrections reach the rounding, and some eight at rough tolerances.
        for _ in 0..16 {
            let rates = |t, state: &_| self.rates(t, state);
            let Ok(trial) = start.step(&self.drive, rates, h) else {
                return best;
            };
            best = trial;
            let end = value(&best, S::one());
            let (other, at_other) = last.unwrap_or_else(|| {
                let before = constant::<S>(1.0 - 1.0 / 64.0);
                (h * before, value(&best, before))
            });
            let change = -end * (h - other) / (end - at_other);
            last = Some((h, end));
            // A guard of forces may jump: a correction as long as the part by which it is predicted then says nothing.
            let is_phase = matches!(ends, Ends::Phase(_));
            if is_phase && change.abs() * constant(128.0) > h.abs() {
                return best;
            }
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

impl<S, D, U, E, const NQ: usize, const N: usize, const Z: usize, const K: usize> Iterator
    for Run<S, D, U, E, NQ, N, Z, K>
where
    S: RealField + Copy,
    D: Drive<S, NQ, N, Z, K>,
    U: Reads<S, NQ, N, Z, SVector<S, K>>,
    E: Watches<S, NQ, N, Z>,
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

//! A motion as the states of its frames.

use lagrange_runtime::nalgebra::SVector;
use lagrange_runtime::{Error, Stateful, System, rk4_step, rk4_step_with_states};

/// The state of a system at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State<const NQ: usize, const N: usize> {
    /// The time in seconds.
    pub t: f64,
    /// The coordinates.
    pub q: SVector<f64, NQ>,
    /// The velocities.
    pub v: SVector<f64, N>,
}

/// A motion: one state for each frame of the animation and each point of the plots.
///
/// [`run`](Self::run) makes one by the classical Runge-Kutta method. States from another integrator are collected from
/// an iterator.
///
/// ```
/// use lagrangian::{lagrangian, vector};
/// use lagrangian_page::Recording;
///
/// lagrangian! {
///     pub struct Pendulum { theta: coordinate, m, l: parameter, g: parameter = 9.81 }
///     pub let bob = [l * sin(theta), -l * cos(theta)];
///     T = m * der(bob)^2 / 2;
///     V = m * g * bob.y;
/// }
///
/// let pendulum = Pendulum::new(0.5, 1.0);
/// let motion = Recording::run(&pendulum, (vector![1.0], vector![0.0]), 5.0, 1e-3)?;
/// let heights: Vec<f64> = motion.map(|s| pendulum.bob(&s.q).y).collect();
/// assert_eq!(heights.len(), motion.times().count());
/// # Ok::<(), lagrangian::Error>(())
/// ```
///
/// `Z` is the number of states of first order, which [`run_with_states`](Self::run_with_states) records too.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording<const NQ: usize, const N: usize, const Z: usize = 0> {
    states: Vec<State<NQ, N>>,
    /// The states of first order, as many as `states`.
    of_first_order: Vec<SVector<f64, Z>>,
}

/// Frames per second, if that makes neither too few nor too many frames.
const RATE: f64 = 60.0;
const FEWEST: f64 = 300.0;
const MOST: f64 = 3000.0;

impl<const NQ: usize, const N: usize> Recording<NQ, N> {
    /// The motion of a system from the state (q, v) at the time 0 with zero inputs, for `seconds` seconds, in steps of
    /// at most `step` seconds.
    ///
    /// The steps are those of [`rk4_step`]. After each step, and at the start, the state is projected onto the
    /// constraints. There is no error control: check whether half the step changes the motion. There are 60 frames a
    /// second, but at least 300 and at most 3000 in all. If `step` is not positive, each frame is one step.
    ///
    /// # Errors
    ///
    /// The errors of [`System::acceleration`] and [`System::project`] on the way.
    pub fn run<M, const K: usize, const C: usize>(
        system: &M,
        start: (SVector<f64, NQ>, SVector<f64, N>),
        seconds: f64,
        step: f64,
    ) -> Result<Self, Error>
    where
        M: System<f64, NQ, N, K, C>,
    {
        Self::run_with(system, start, |_| SVector::zeros(), seconds, step)
    }

    /// The same with `inputs` as a function of the state. They are evaluated before each step and constant during it,
    /// like those of a digital controller.
    ///
    /// # Errors
    ///
    /// The errors of [`run`](Self::run).
    pub fn run_with<M, const K: usize, const C: usize>(
        system: &M,
        (mut q, mut v): (SVector<f64, NQ>, SVector<f64, N>),
        mut inputs: impl FnMut(&State<NQ, N>) -> SVector<f64, K>,
        seconds: f64,
        step: f64,
    ) -> Result<Self, Error>
    where
        M: System<f64, NQ, N, K, C>,
    {
        if C > 0 {
            let u = inputs(&State { t: 0.0, q, v });
            (q, v) = system.project(0.0, &q, &v, &u)?;
        }
        let mut advance = |t, (q, v): (SVector<f64, NQ>, SVector<f64, N>), h| {
            let u = inputs(&State { t, q, v });
            let (q, v) = rk4_step(system, t, &q, &v, &u, h)?;
            match C {
                0 => Ok((q, v)),
                _ => system.project(t + h, &q, &v, &u),
            }
        };
        let states = recorded((q, v), seconds, step, &mut advance)?;
        Ok(states
            .into_iter()
            .map(|(t, (q, v))| State { t, q, v })
            .collect())
    }
}

/// The state at the start and at each frame, with its time. `advance` makes a step from a time on, of a length.
fn recorded<T: Copy>(
    mut state: T,
    seconds: f64,
    step: f64,
    advance: &mut dyn FnMut(f64, T, f64) -> Result<T, Error>,
) -> Result<Vec<(f64, T)>, Error> {
    let frames = (seconds * RATE).round().clamp(FEWEST, MOST);
    let steps = (seconds / frames / step).ceil().max(1.0);
    let steps = if steps.is_finite() { steps } else { 1.0 };
    let h = seconds / frames / steps;
    let mut states = vec![(0.0, state)];
    for frame in 0..frames as u32 {
        let start = f64::from(frame) * steps;
        for i in 0..steps as u64 {
            state = advance((start + i as f64) * h, state, h)?;
        }
        states.push(((start + steps) * h, state));
    }
    Ok(states)
}

impl<const NQ: usize, const N: usize, const Z: usize> Recording<NQ, N, Z> {
    /// The motion of a system with states of first order from (q, v, z), as [`run_with`](Recording::run_with), in steps
    /// of [`rk4_step_with_states`].
    ///
    /// ```
    /// use lagrangian::{lagrangian, vector};
    /// use lagrangian_page::Recording;
    ///
    /// lagrangian! {
    ///     struct Motor { q: coordinate, i: state, j, r, l: parameter, u: input }
    ///     T = j * der(q)^2 / 2;
    ///     der(i) = (u - r * i - der(q)) / l;
    ///     Q.q = i;
    /// }
    ///
    /// let motor = Motor::new(0.1, 1.0, 0.01);
    /// let still = (vector![0.0], vector![0.0], vector![0.0]);
    /// let motion = Recording::run_with_states(&motor, still, |_, _| vector![12.0], 3.0, 1e-3)?;
    /// // The speed at which the motor takes no current.
    /// let ends = motion.map_with_states(|s, z| (s.v[0], z[0])).last();
    /// assert!(ends.is_some_and(|(speed, current)| (speed - 12.0).abs() < 1e-8 && current.abs() < 1e-8));
    /// # Ok::<(), lagrangian::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Stateful::acceleration`] and [`Stateful::project`] on the way.
    pub fn run_with_states<M, const K: usize, const C: usize>(
        system: &M,
        start: (SVector<f64, NQ>, SVector<f64, N>, SVector<f64, Z>),
        mut inputs: impl FnMut(&State<NQ, N>, &SVector<f64, Z>) -> SVector<f64, K>,
        seconds: f64,
        step: f64,
    ) -> Result<Self, Error>
    where
        M: Stateful<f64, NQ, N, Z, K, C>,
    {
        let (mut q, mut v, z) = start;
        if C > 0 {
            let u = inputs(&State { t: 0.0, q, v }, &z);
            (q, v) = system.project(0.0, &q, &v, &z, &u)?;
        }
        let mut advance =
            |t, (q, v, z): (SVector<f64, NQ>, SVector<f64, N>, SVector<f64, Z>), h| {
                let u = inputs(&State { t, q, v }, &z);
                let (mut q, mut v, z) = rk4_step_with_states(system, t, &q, &v, &z, &u, h)?;
                if C > 0 {
                    (q, v) = system.project(t + h, &q, &v, &z, &u)?;
                }
                Ok((q, v, z))
            };
        let states = recorded((q, v, z), seconds, step, &mut advance)?;
        let (states, of_first_order) = states
            .into_iter()
            .map(|(t, (q, v, z))| (State { t, q, v }, z))
            .unzip();
        Ok(Self {
            states,
            of_first_order,
        })
    }

    /// A value of each state and of its states of first order.
    pub fn map_with_states<T>(
        &self,
        mut value: impl FnMut(&State<NQ, N>, &SVector<f64, Z>) -> T,
    ) -> impl Iterator<Item = T> {
        self.states
            .iter()
            .zip(&self.of_first_order)
            .map(move |(state, z)| value(state, z))
    }

    /// All states, in order.
    #[must_use]
    pub fn states(&self) -> &[State<NQ, N>] {
        &self.states
    }

    /// The time of each state in seconds.
    pub fn times(&self) -> impl Iterator<Item = f64> + Clone {
        self.states.iter().map(|state| state.t)
    }

    /// A value of each state, for a plot or a shape of a scene.
    pub fn map<T>(&self, value: impl FnMut(&State<NQ, N>) -> T) -> impl Iterator<Item = T> {
        self.states.iter().map(value)
    }
}

impl<const NQ: usize, const N: usize> FromIterator<State<NQ, N>> for Recording<NQ, N> {
    fn from_iter<I: IntoIterator<Item = State<NQ, N>>>(states: I) -> Self {
        let states: Vec<State<NQ, N>> = states.into_iter().collect();
        Self {
            of_first_order: vec![SVector::zeros(); states.len()],
            states,
        }
    }
}

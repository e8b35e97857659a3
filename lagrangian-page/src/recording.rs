//! A motion as the states of its frames.

use lagrange_runtime::nalgebra::SVector;
use lagrange_runtime::{Error, System, rk4_step};

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
#[derive(Clone, Debug, PartialEq)]
pub struct Recording<const NQ: usize, const N: usize> {
    states: Vec<State<NQ, N>>,
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
        let frames = (seconds * RATE).round().clamp(FEWEST, MOST);
        let steps = (seconds / frames / step).ceil().max(1.0);
        let steps = if steps.is_finite() { steps } else { 1.0 };
        let h = seconds / frames / steps;
        if C > 0 {
            let u = inputs(&State { t: 0.0, q, v });
            (q, v) = system.project(0.0, &q, &v, &u)?;
        }
        let mut states = vec![State { t: 0.0, q, v }];
        for frame in 0..frames as u32 {
            let start = f64::from(frame) * steps;
            for i in 0..steps as u64 {
                let t = (start + i as f64) * h;
                let u = inputs(&State { t, q, v });
                (q, v) = rk4_step(system, t, &q, &v, &u, h)?;
                if C > 0 {
                    (q, v) = system.project(t + h, &q, &v, &u)?;
                }
            }
            let t = (start + steps) * h;
            states.push(State { t, q, v });
        }
        Ok(Self { states })
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
        Self {
            states: states.into_iter().collect(),
        }
    }
}

//! Motions step by step.

use lagrange_engine::RoutineError;

use crate::{Error, Method, Model, Shape, Variable};

/// The most steps: beyond, times have no digits left for a step.
const MOST_STEPS: f64 = 1e15;

/// A state at a time.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    /// The time.
    pub t: f64,
    /// The coordinates.
    pub q: Vec<f64>,
    /// The velocities.
    pub v: Vec<f64>,
    /// The states of first order.
    pub z: Vec<f64>,
}

impl State {
    /// A state of a model. The quaternions of rotations get unit length.
    ///
    /// ```
    /// use lagrangian_live::{Model, State};
    ///
    /// let text = "struct Top { att: rotation } body { frame: world.rotate(att), inertia: diag(1, 2, 3) }";
    /// let model = Model::read(text).unwrap();
    /// let state = State::new(&model, &[], 0.0, vec![0.0, 0.0, 0.0, 2.0], vec![0.0; 3], vec![])?;
    /// assert_eq!(state.q, [0.0, 0.0, 0.0, 1.0]);
    /// # Ok::<(), lagrangian_live::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Wrong lengths. `State` if a quaternion is 0, or not finite.
    pub fn new(
        model: &Model,
        parameters: &[f64],
        t: f64,
        q: Vec<f64>,
        v: Vec<f64>,
        z: Vec<f64>,
    ) -> Result<Self, Error> {
        let lists = [
            ("q", model.coordinates(), &q),
            ("v", model.velocities(), &v),
            ("z", model.states(), &z),
        ];
        for (name, variables, entries) in lists {
            if variables.len() != entries.len() {
                return Err(Error::Length {
                    name: name.to_owned(),
                    expected: variables.len(),
                    found: entries.len(),
                });
            }
        }
        let mut state = Self { t, q, v, z };
        // Rotations have one velocity less than coordinates.
        if state.q.len() == state.v.len() {
            return Ok(state);
        }
        let (start, no_change) = (state.q.clone(), vec![0.0; state.v.len()]);
        model.call(
            "integrate",
            parameters,
            &[&start, &no_change],
            &mut [&mut state.q],
        )?;
        if state.q.iter().all(|entry| entry.is_finite()) {
            return Ok(state);
        }
        Err(Error::State {
            index: 0,
            reason: RoutineError::NotFinite,
            argument: Some("q".to_owned()),
            row: None,
            constraint: None,
        })
    }
}

/// A motion under way, by the classical Runge-Kutta method of order 4. Systems with constraints are moved onto them at the
/// start and after each step.
///
/// Contacts and dry friction that sticks do not act: the method `contact_step` has their laws.
///
/// ```
/// use lagrangian_live::{Model, Motion, State, Steps};
///
/// let model = Model::read("struct Ball { y: coordinate, u: input } T = der(y)^2 / 2; V = 10 * y; Q.y = u;").unwrap();
/// let state = State::new(&model, &[], 0.0, vec![3.0], vec![0.0], vec![])?;
/// let mut motion = Motion::new(&model, vec![], state)?;
/// let steps = Steps::new(0.0, 1.0, 0.25).unwrap();
/// for number in 1..=steps.count() {
///     motion.step(&[4.0], steps.end(number))?;
/// }
/// assert!(motion.state().q[0].abs() < 1e-14);
/// # Ok::<(), lagrangian_live::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Motion<'a> {
    model: &'a Model,
    parameters: Vec<f64>,
    state: State,
}

impl<'a> Motion<'a> {
    /// A motion that begins at a state, or at its projection onto the constraints.
    ///
    /// ```
    /// use lagrangian_live::{Model, Motion, State};
    ///
    /// let model = Model::read("struct Bob { r: coordinate[2] } T = der(r)^2; holonomic rod: r^2 = 1;").unwrap();
    /// let near = State::new(&model, &[], 0.0, vec![1.1, 0.0], vec![0.0; 2], vec![])?;
    /// let motion = Motion::new(&model, vec![], near)?;
    /// assert!((motion.state().q[0] - 1.0).abs() < 1e-15);
    /// # Ok::<(), lagrangian_live::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of `project`.
    pub fn new(model: &'a Model, parameters: Vec<f64>, state: State) -> Result<Self, Error> {
        let mut motion = Self {
            model,
            parameters,
            state,
        };
        let mut state = motion.state.clone();
        motion.driven(&[]).project(&mut state)?;
        motion.state = state;
        Ok(motion)
    }

    fn driven<'b>(&'b self, inputs: &'b [f64]) -> Driven<'b> {
        Driven {
            model: self.model,
            parameters: &self.parameters,
            inputs,
        }
    }

    /// The state so far.
    ///
    /// ```
    /// use lagrangian_live::{Model, Motion, State};
    ///
    /// let model = Model::read("struct Free { x: coordinate } T = der(x)^2;").unwrap();
    /// let state = State::new(&model, &[], 2.0, vec![1.0], vec![0.0], vec![])?;
    /// assert_eq!(Motion::new(&model, vec![], state.clone())?.state(), &state);
    /// # Ok::<(), lagrangian_live::Error>(())
    /// ```
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Moves the state to a time by one step, with constant inputs.
    ///
    /// ```
    /// use lagrangian_live::{Model, Motion, State};
    ///
    /// let model = Model::read("struct Free { x: coordinate } T = der(x)^2;").unwrap();
    /// let state = State::new(&model, &[], 0.0, vec![1.0], vec![2.0], vec![])?;
    /// let mut motion = Motion::new(&model, vec![], state)?;
    /// motion.step(&[], 0.5)?;
    /// assert_eq!((motion.state().t, motion.state().q[0]), (0.5, 2.0));
    /// # Ok::<(), lagrangian_live::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of the step and of `project`. The state stays as it was then.
    pub fn step(&mut self, inputs: &[f64], end: f64) -> Result<(), Error> {
        let mut moved = self.state.clone();
        self.driven(inputs).step(&mut moved, end)?;
        self.state = moved;
        Ok(())
    }
}

/// A model with its parameters, and with inputs that stay the same: for the program of this package, and for pages.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Driven<'a> {
    pub model: &'a Model,
    pub parameters: &'a [f64],
    pub inputs: &'a [f64],
}

impl Driven<'_> {
    /// Moves a state onto the constraints, if there are any.
    pub fn project(&self, state: &mut State) -> Result<(), Error> {
        if self.model.constraints().is_empty() {
            return Ok(());
        }
        self.replace("project", state, 0.0)
    }

    /// A step to the time `end`, and onto the constraints. After an error the state is undefined.
    pub fn step(&self, state: &mut State, end: f64) -> Result<(), Error> {
        self.replace("rk4_step", state, end - state.t)?;
        state.t = end;
        self.project(state)
    }

    /// The results of a method of the state, one after the other.
    pub fn evaluate(&self, method: &Method, state: &State) -> Result<Vec<f64>, Error> {
        let mut results: Vec<Vec<f64>> = method
            .results
            .iter()
            .map(|(_, shape)| vec![0.0; shape.len()])
            .collect();
        let mut written: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
        self.call(method, (state, 0.0), &mut written)?;
        Ok(results.concat())
    }

    /// Replaces q and v, and z by a method that has it among its results.
    fn replace(&self, method: &str, state: &mut State, h: f64) -> Result<(), Error> {
        let before = state.clone();
        let method = self.model.method(method)?;
        let State { q, v, z, .. } = state;
        let mut results: Vec<&mut [f64]> = vec![q, v, z];
        results.truncate(method.results.len());
        self.call(method, (&before, h), &mut results)
    }

    fn call(
        &self,
        method: &Method,
        (state, h): (&State, f64),
        results: &mut [&mut [f64]],
    ) -> Result<(), Error> {
        let (t, h) = ([state.t], [h]);
        let arguments = method
            .arguments
            .iter()
            .map(|argument| match &argument.name[..] {
                "t" => &t[..],
                "q" => &state.q,
                "v" => &state.v,
                "z" => &state.z,
                "h" => &h,
                _ => self.inputs,
            });
        let arguments: Vec<&[f64]> = arguments.collect();
        self.model
            .call(&method.name, self.parameters, &arguments, results)
    }
}

/// The names of the elements of a variable.
#[doc(hidden)]
pub fn elements(variable: &Variable) -> Vec<String> {
    let name = &variable.name;
    let names = (0..variable.shape.len()).map(|i| match variable.shape {
        Shape::Scalar => name.clone(),
        Shape::Vector(_) => format!("{name}[{i}]"),
        Shape::Matrix(_, columns) => format!("{name}[{}, {}]", i / columns, i % columns),
    });
    names.collect()
}

/// Steps of one length between two times, the last of which may be shorter.
///
/// ```
/// use lagrangian_live::Steps;
///
/// let steps = Steps::new(0.0, 1.0, 0.3).unwrap();
/// let ends: Vec<f64> = (0..=steps.count()).map(|number| steps.end(number)).collect();
/// assert_eq!(ends, [0.0, 0.3, 0.6, 0.3 * 3.0, 1.0]);
/// assert!(Steps::new(1.0, 1.0, 0.3).is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Steps {
    start: f64,
    until: f64,
    step: f64,
    count: u64,
}

impl Steps {
    /// Steps from a start to an end after it. `None` for other numbers, and for more than 10^15 steps.
    ///
    /// ```
    /// use lagrangian_live::Steps;
    ///
    /// assert!(Steps::new(0.0, 1.0, 1e-3).is_some());
    /// assert!(Steps::new(0.0, 1.0, 1e-300).is_none());
    /// ```
    pub fn new(start: f64, until: f64, step: f64) -> Option<Self> {
        let are_in_order = start.is_finite() && until.is_finite() && until > start && step > 0.0;
        // A last step that is a rounding error is none.
        let count = ((until - start) / step - 1e-9).ceil().max(1.0);
        (are_in_order && count <= MOST_STEPS).then_some(Self {
            start,
            until,
            step,
            count: count as u64,
        })
    }

    /// The number of steps.
    ///
    /// ```
    /// assert_eq!(lagrangian_live::Steps::new(0.0, 1.0, 0.1).unwrap().count(), 10);
    /// ```
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The time after this number of steps.
    ///
    /// ```
    /// assert_eq!(lagrangian_live::Steps::new(0.0, 1.0, 0.1).unwrap().end(10), 1.0);
    /// ```
    pub fn end(&self, number: u64) -> f64 {
        if number >= self.count {
            self.until
        } else {
            self.start + number as f64 * self.step
        }
    }
}

//! Motions for Python.

use std::time::{Duration, Instant};

use lagrangian_live::{Error, Motion, State, Steps};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::{AtState, other_error};
use crate::numbers::{Entries, array, reserved, tuple};
use crate::system::System;

/// The time between two looks for signals, such as Ctrl-C, and the steps between two looks at the clock.
const PATIENCE: Duration = Duration::from_millis(50);
const STEPS: u64 = 16;

/// The inputs of a simulation.
enum Inputs<'py> {
    Known(Known),
    /// A function of the state at the start of a step.
    Function(Bound<'py, PyAny>),
}

/// Inputs that are known before the motion.
enum Known {
    Constant(Vec<f64>),
    /// A row of this length for each step.
    Rows(Vec<f64>, usize),
}

impl<'py> Inputs<'py> {
    fn read(object: Option<Bound<'py, PyAny>>, length: usize, steps: u64) -> PyResult<Self> {
        let object = match object {
            None => return Ok(Self::Known(Known::Constant(vec![0.0; length]))),
            Some(object) if object.is_callable() => return Ok(Self::Function(object)),
            Some(object) => object,
        };
        if length == 0 {
            return Err(PyTypeError::new_err("the system has no inputs for `u`"));
        }
        let Entries { values, shape } = Entries::read("u", &object)?;
        let known = match shape[..] {
            [] if length == 1 => Known::Constant(values),
            [row_length] if row_length == length => Known::Constant(values),
            [rows, row_length] if row_length == length && rows as u64 == steps => {
                Known::Rows(values, length)
            }
            _ => {
                return Err(PyValueError::new_err(format!(
                    "`u` has the shape {}, expected ({length},), or ({steps}, {length}) for {steps} steps, or a \
                     function u(t, q, v)",
                    tuple(&shape)
                )));
            }
        };
        Ok(Self::Known(known))
    }
}

impl Known {
    /// The inputs of a step.
    fn of_step(&self, number: u64) -> &[f64] {
        match self {
            Self::Constant(values) => values,
            Self::Rows(values, length) => {
                let number = usize::try_from(number).unwrap_or(usize::MAX);
                values.chunks_exact(*length).nth(number).unwrap_or_default()
            }
        }
    }
}

/// The inputs that a function gives at a state.
fn called(function: &Bound<PyAny>, state: &State, length: usize) -> PyResult<Vec<f64>> {
    let py = function.py();
    let vector = |values: &Vec<f64>| array(py, values.clone(), &[values.len()]);
    let mut arguments = vec![
        state.t.into_pyobject(py)?.into_any(),
        vector(&state.q)?,
        vector(&state.v)?,
    ];
    if !state.z.is_empty() {
        arguments.push(vector(&state.z)?);
    }
    let object = function.call1(PyTuple::new(py, arguments)?)?;
    let Entries { values, shape } = Entries::read("u", &object)?;
    match shape[..] {
        [] if length == 1 => Ok(values),
        [row_length] if row_length == length => Ok(values),
        _ => Err(PyValueError::new_err(format!(
            "`u` gives an array of the shape {}, expected ({length},)",
            tuple(&shape)
        ))),
    }
}

/// The states of a motion, one after the other.
struct Rows {
    count: usize,
    t: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    z: Vec<f64>,
}

impl Rows {
    fn new(count: Option<usize>, [m, n, z]: [usize; 3]) -> PyResult<Self> {
        let memory = |length: usize| reserved(count.and_then(|count| count.checked_mul(length)));
        Ok(Self {
            count: 0,
            t: memory(1)?,
            q: memory(m)?,
            v: memory(n)?,
            z: memory(z)?,
        })
    }

    fn add(&mut self, state: &State) {
        self.count += 1;
        self.t.push(state.t);
        self.q.extend_from_slice(&state.q);
        self.v.extend_from_slice(&state.v);
        self.z.extend_from_slice(&state.z);
    }

    /// The arrays of t, q, v and z.
    fn arrays<'py>(self, py: Python<'py>, [m, n, z]: [usize; 3]) -> PyResult<Bound<'py, PyTuple>> {
        let count = self.count;
        let arrays = [
            array(py, self.t, &[count])?,
            array(py, self.q, &[count, m])?,
            array(py, self.v, &[count, n])?,
            array(py, self.z, &[count, z])?,
        ];
        PyTuple::new(py, arrays)
    }
}

/// A vector of the state at the start.
fn start_of(name: &str, object: Option<&Bound<PyAny>>, length: usize) -> PyResult<Vec<f64>> {
    let Some(object) = object else {
        return Ok(vec![0.0; length]);
    };
    let Entries { values, shape } = Entries::read(name, object)?;
    match shape[..] {
        [] if length == 1 => Ok(values),
        [row_length] if row_length == length => Ok(values),
        _ => Err(PyValueError::new_err(format!(
            "`{name}` has the shape {}, expected ({length},)",
            tuple(&shape)
        ))),
    }
}

/// The start of a motion as Python gives it: q, v and z.
pub(crate) type Start<'a, 'py> = (
    &'a Bound<'py, PyAny>,
    &'a Bound<'py, PyAny>,
    Option<&'a Bound<'py, PyAny>>,
);

/// The arrays of t, q, v and z of a motion. The times are those of the start and of the end, and the length of a step.
pub(crate) fn simulate<'py>(
    system: &System,
    py: Python<'py>,
    (q, v, z): Start<'_, 'py>,
    (start, until, step): (f64, f64, f64),
    u: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let live = &system.model.get().live;
    let lists = [live.coordinates(), live.velocities(), live.states()];
    let sizes = lists.map(<[_]>::len);
    let [m, n, nz] = sizes;
    let (q, v) = (start_of("q", Some(q), m)?, start_of("v", Some(v), n)?);
    let z = start_of("z", z, nz)?;
    let Some(steps) = Steps::new(start, until, step) else {
        return Err(PyValueError::new_err(format!(
            "no steps of {step} from {start} until {until}: the end is after the start, the step is positive, and \
                 there are at most 1e15 of them"
        )));
    };
    let inputs = live.inputs().iter().map(|input| input.shape.len()).sum();
    let inputs_of_steps = Inputs::read(u, inputs, steps.count())?;
    let count = usize::try_from(steps.count()).ok();
    let mut rows = Rows::new(count.and_then(|count| count.checked_add(1)), sizes)?;
    let parameters = system.parameters.clone();
    let motion = py.detach(|| {
        let state = State::new(live, &parameters, start, q, v, z)?;
        Motion::new(live, parameters, state)
    });
    let mut motion = match motion {
        Ok(motion) => motion,
        Err(error) => return Err(failure(error, (start, 0), None)?),
    };
    rows.add(motion.state());
    let mut number = 0;
    while number < steps.count() {
        let done = match &inputs_of_steps {
            Inputs::Function(function) => {
                let u = called(function, motion.state(), inputs)?;
                motion.step(&u, steps.end(number + 1)).map(|()| {
                    rows.add(motion.state());
                    number += 1;
                })
            }
            Inputs::Known(known) => {
                let done = py.detach(|| {
                    let began = Instant::now();
                    while number < steps.count() {
                        motion.step(known.of_step(number), steps.end(number + 1))?;
                        rows.add(motion.state());
                        number += 1;
                        if number.is_multiple_of(STEPS) && began.elapsed() > PATIENCE {
                            break;
                        }
                    }
                    Ok(())
                });
                py.check_signals()?;
                done
            }
        };
        if let Err(error) = done {
            let place = (motion.state().t, number);
            let rows = rows.arrays(py, sizes)?;
            return Err(failure(error, place, Some(rows))?);
        }
    }
    rows.arrays(py, sizes)
}

/// The exception at a time and a step, with the motion so far.
fn failure(
    error: Error,
    (time, number): (f64, u64),
    rows: Option<Bound<PyTuple>>,
) -> PyResult<PyErr> {
    if !matches!(error, Error::State { .. }) {
        return Ok(other_error(&error));
    }
    let error = AtState::new(error, usize::try_from(number).unwrap_or(usize::MAX))?;
    let words = format!("at t = {time}: {}", error.words);
    Ok(error.exception(words, Some(time), rows.map(|rows| rows.into_any().unbind())))
}

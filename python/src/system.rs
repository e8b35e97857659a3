//! A model with its parameters, whose methods are called by number.

use std::ops::Range;

use lagrangian_live::{Error, Method};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::errors::AtState;
use crate::model::{Model, dimensions};
use crate::numbers::{Entries, ReadArgument, array, reserved, tuple};
use crate::simulation;

/// So many states are evaluated before Python looks for signals, such as Ctrl-C.
const CHUNK: usize = 512;

/// A model with its parameters.
#[pyclass(frozen, module = "lagrangian._lagrangian")]
pub(crate) struct System {
    pub(crate) model: Py<Model>,
    pub(crate) parameters: Vec<f64>,
}

/// The arguments of a call.
struct Call<'a> {
    method: &'a Method,
    read_arguments: Vec<ReadArgument>,
    /// The number of states, and whether they are a batch.
    count: usize,
    is_batch: bool,
    /// True if a number such as the time is given for each state.
    is_each: bool,
}

#[pymethods]
impl System {
    /// Takes a value for each parameter.
    #[new]
    fn new(model: Py<Model>, values: Vec<Bound<PyAny>>) -> PyResult<Self> {
        let live = &model.get().live;
        let mut parameters = Vec::new();
        for (parameter, object) in live.parameters().iter().zip(&values) {
            let name = &parameter.name;
            let Entries { values, shape } = Entries::read(name, object)?;
            let expected = dimensions(parameter.shape);
            match values[..] {
                // A number fills an array.
                [value] if shape.is_empty() => {
                    parameters.extend(std::iter::repeat_n(value, parameter.shape.len()));
                }
                _ if shape == expected => parameters.extend(values),
                _ => {
                    let (shape, expected) = (tuple(&shape), tuple(&expected));
                    let message = format!("`{name}` has the shape {shape}, expected {expected}");
                    return Err(PyValueError::new_err(message));
                }
            }
        }
        Ok(Self { model, parameters })
    }

    /// The values of the parameters, row by row.
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.parameters.clone(), &[self.parameters.len()])
    }

    /// Evaluates the method of a number: its fields as a tuple, or its one value.
    #[pyo3(signature = (number, arguments, named = None))]
    fn call<'py>(
        &self,
        py: Python<'py>,
        number: usize,
        arguments: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let model = self.model.get();
        let Some(method) = model.live.methods().get(number) else {
            return Err(PyValueError::new_err("no method has this number"));
        };
        let call = Call::read(method, arguments, named)?;
        let mut results = Vec::new();
        for (_, shape) in &method.results {
            let length = shape.len().checked_mul(call.count);
            let mut values = reserved(length)?;
            values.resize(length.unwrap_or(0), f64::NAN);
            results.push(values);
        }
        let mut failed = None;
        let mut note = |done: Result<(), Error>, first| match done {
            Ok(()) => Ok(()),
            Err(error) => {
                let error = AtState::new(error, first)?;
                failed.get_or_insert(error);
                Ok::<(), PyErr>(())
            }
        };
        if call.count == 1 && model.is_derived(number) {
            note(self.evaluate(model, &call, &mut results, 0..1), 0)?;
        } else {
            for start in (0..call.count).step_by(CHUNK) {
                let end = call.count.min(start + CHUNK);
                let done = py.detach(|| self.evaluate(model, &call, &mut results, start..end));
                note(done, start)?;
                py.check_signals()?;
            }
            if call.count > 0 {
                model.note_derived(number);
            }
        }
        let results = call.tuple(py, results)?;
        match failed {
            None => Ok(results),
            Some(error) => {
                let words = match call.is_batch {
                    true => format!("{} (state {})", error.words, error.index),
                    false => error.words.clone(),
                };
                let results = call.is_batch.then(|| results.unbind());
                Err(error.exception(words, None, results))
            }
        }
    }

    /// The arrays of t, q, v and z of a motion.
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        v: &Bound<'py, PyAny>,
        z: Option<&Bound<'py, PyAny>>,
        times: (f64, f64, f64),
        u: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        simulation::simulate(self, py, (q, v, z), times, u)
    }
}

impl System {
    /// Evaluates the states of a range. The number of a state in an error counts from the start of the range.
    fn evaluate(
        &self,
        model: &Model,
        call: &Call,
        results: &mut [Vec<f64>],
        range: Range<usize>,
    ) -> Result<(), Error> {
        if !call.is_each {
            return self.evaluate_together(model, call, results, range);
        }
        let mut outcome = Ok(());
        for state in range.clone() {
            let done = self.evaluate_together(model, call, results, state..state + 1);
            let done = done.map_err(|mut error| {
                if let Error::State { index, .. } = &mut error {
                    *index = state - range.start;
                }
                error
            });
            outcome = outcome.and(done);
        }
        outcome
    }

    fn evaluate_together(
        &self,
        model: &Model,
        call: &Call,
        results: &mut [Vec<f64>],
        range: Range<usize>,
    ) -> Result<(), Error> {
        let part = |length: usize| length * range.start..length * range.end;
        let pairs = call.method.arguments.iter().zip(&call.read_arguments);
        let arguments: Vec<&[f64]> = pairs
            .map(
                |(argument, read)| match argument.is_scalar && !call.is_each {
                    true => &read.values[..],
                    false => read.values.get(part(argument.length)).unwrap_or_default(),
                },
            )
            .collect();
        let mut results: Vec<&mut [f64]> = call
            .method
            .results
            .iter()
            .zip(results)
            .map(|((_, shape), values)| values.get_mut(part(shape.len())).unwrap_or_default())
            .collect();
        let name = &call.method.name;
        let count = range.len();
        model
            .live
            .call_batch(name, &self.parameters, &arguments, &mut results, count)
    }
}

/// A call as Python writes it: `acceleration(q, v, u)`.
fn written(method: &Method) -> String {
    let names = method.arguments.iter().map(|argument| &argument.name[..]);
    let names: Vec<&str> = names.collect();
    format!("{}({})", method.name, names.join(", "))
}

/// Arguments in the order of the method, given by place or by name.
fn ordered<'py>(
    method: &Method,
    arguments: &Bound<'py, PyTuple>,
    named: Option<&Bound<'py, PyDict>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let wrong = |words: String| PyTypeError::new_err(format!("`{}` {words}", written(method)));
    let names = &method.arguments;
    if arguments.len() > names.len() {
        let (expected, found) = (names.len(), arguments.len());
        let arguments = if expected == 1 {
            "argument"
        } else {
            "arguments"
        };
        return Err(wrong(format!(
            "takes {expected} {arguments}, found {found}"
        )));
    }
    let mut ordered: Vec<Option<Bound<PyAny>>> = arguments.iter().map(Some).collect();
    ordered.resize(names.len(), None);
    if let Some(named) = named {
        for (name, value) in named.iter() {
            let name: String = name.extract()?;
            // `lambda` is a word of Python.
            let bare = name.strip_suffix('_').unwrap_or(&name);
            let index = names
                .iter()
                .position(|argument| argument.name == name || argument.name == bare);
            match index.and_then(|index| ordered.get_mut(index)) {
                None => return Err(wrong(format!("has no argument `{name}`"))),
                Some(Some(_)) => return Err(wrong(format!("has two values for `{name}`"))),
                Some(place) => *place = Some(value),
            }
        }
    }
    names
        .iter()
        .zip(ordered)
        .map(|(argument, value)| {
            value.ok_or_else(|| wrong(format!("has no value for `{}`", argument.name)))
        })
        .collect()
}

impl<'a> Call<'a> {
    fn read(
        method: &'a Method,
        arguments: &Bound<PyTuple>,
        named: Option<&Bound<PyDict>>,
    ) -> PyResult<Self> {
        let values = ordered(method, arguments, named)?;
        let mut read_arguments = Vec::with_capacity(values.len());
        for (argument, value) in method.arguments.iter().zip(&values) {
            let name = &argument.name;
            let read = match argument.is_scalar {
                true => ReadArgument::numbers(name, value)?,
                false => ReadArgument::vectors(name, argument.length, value)?,
            };
            if argument.is_flags && !read.values.iter().all(|flag| *flag == 0.0 || *flag == 1.0) {
                let message = format!("`{name}` has entries that are neither True nor False");
                return Err(PyValueError::new_err(message));
            }
            read_arguments.push(read);
        }
        let mut call = Self {
            is_batch: read_arguments.iter().any(|read| read.states.is_some()),
            is_each: false,
            count: 1,
            method,
            read_arguments,
        };
        call.spread()?;
        Ok(call)
    }

    /// Gives all arguments the number of states of the batch.
    fn spread(&mut self) -> PyResult<()> {
        if !self.is_batch {
            return Ok(());
        }
        let names = self.method.arguments.iter();
        let mut batch: Option<(&str, usize)> = None;
        for (argument, read) in names.zip(&self.read_arguments) {
            let Some(states) = read.states else { continue };
            match batch {
                // One state in a batch is that of all.
                None | Some((_, 1)) => batch = Some((&argument.name, states)),
                Some((_, count)) if states == count || states == 1 => {}
                Some((first, count)) => {
                    let name = &argument.name;
                    return Err(PyValueError::new_err(format!(
                        "`{first}` has {count} states, `{name}` has {states}"
                    )));
                }
            }
        }
        self.count = batch.map_or(1, |(_, count)| count);
        self.is_each = self
            .method
            .arguments
            .iter()
            .zip(&self.read_arguments)
            .any(|(argument, read)| argument.is_scalar && read.states.is_some());
        for (argument, read) in self.method.arguments.iter().zip(&mut self.read_arguments) {
            let is_one = matches!(read.states, None | Some(1));
            if is_one && (self.is_each || !argument.is_scalar) {
                read.repeat(self.count)?;
            }
        }
        Ok(())
    }

    /// The fields as arrays; the one value of a method that has no fields; a number for a scalar at one state.
    fn tuple<'py>(&self, py: Python<'py>, results: Vec<Vec<f64>>) -> PyResult<Bound<'py, PyAny>> {
        let mut results = results.into_iter();
        let mut fields = Vec::with_capacity(self.method.fields.len());
        for (_, shape) in &self.method.fields {
            let values = match shape.is_empty() {
                true => Vec::new(),
                false => results.next().unwrap_or_default(),
            };
            let dimensions_of_field = dimensions(*shape);
            fields.push(
                match (self.is_batch, dimensions_of_field.is_empty(), &values[..]) {
                    (false, true, [value]) => value.into_pyobject(py)?.into_any(),
                    (false, ..) => array(py, values, &dimensions_of_field)?,
                    (true, ..) => array(
                        py,
                        values,
                        &[&[self.count], &dimensions_of_field[..]].concat(),
                    )?,
                },
            );
        }
        match &self.method.fields[..] {
            [(name, _)] if *name == self.method.name => fields
                .pop()
                .ok_or_else(|| PyValueError::new_err("the method has no value")),
            _ => Ok(PyTuple::new(py, fields)?.into_any()),
        }
    }
}

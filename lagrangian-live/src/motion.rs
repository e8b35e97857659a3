//! The motion of a model: for the program of this package, and for pages. Not part of the public interface.

use crate::{Error, Method, Model, Shape, Variable};

/// The names of the elements of a variable.
pub fn elements(variable: &Variable) -> Vec<String> {
    let name = &variable.name;
    let names = (0..variable.shape.len()).map(|i| match variable.shape {
        Shape::Scalar => name.clone(),
        Shape::Vector(_) => format!("{name}[{i}]"),
        Shape::Matrix(_, columns) => format!("{name}[{}, {}]", i / columns, i % columns),
    });
    names.collect()
}

/// A state at a time.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    pub t: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub z: Vec<f64>,
}

/// A model with its parameters, and with inputs that stay the same.
#[derive(Clone, Copy)]
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
        let lengths = method.results.iter().map(|(_, shape)| shape.len());
        let mut results: Vec<Vec<f64>> = lengths.map(|length| vec![0.0; length]).collect();
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

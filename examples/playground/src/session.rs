//! The model on the page and its motion.

use std::sync::{Mutex, PoisonError};

use lagrangian_live::figure::Figure;
use lagrangian_live::motion::{Driven, State, elements};
use lagrangian_live::{Error, Model, Variable, declarations};

use crate::{answers, languages};

/// The model, if there is one.
static SESSION: Mutex<Option<Session>> = Mutex::new(None);

/// A model under way.
pub(crate) struct Session {
    pub(crate) model: Model,
    pub(crate) parameters: Vec<f64>,
    pub(crate) inputs: Vec<f64>,
    /// The state at the start, for programs in other languages.
    pub(crate) start: State,
    state: State,
    figure: Figure,
    /// The energy at the start, or after a change by the page.
    reference: f64,
    /// The work of inputs, dampers and moving constraints since then.
    work: f64,
}

/// Calls `with` for the model. Without one, there is nothing to say.
pub(crate) fn with<T: Default>(with: impl FnOnce(&mut Session) -> T) -> T {
    let mut session = SESSION.lock().unwrap_or_else(PoisonError::into_inner);
    session.as_mut().map(with).unwrap_or_default()
}

/// Reads a declaration, or the first one in a program.
pub(crate) fn read(text: &str) -> String {
    let within = match text.contains("lagrangian!") {
        true => declarations(text),
        false => Ok(Vec::new()),
    };
    let read = within.and_then(|texts| Model::read(texts.first().map_or(text, String::as_str)));
    match read {
        Ok(model) => {
            let answer = answers::of_model(&model);
            let mut session = SESSION.lock().unwrap_or_else(PoisonError::into_inner);
            *session = Some(Session {
                model,
                parameters: Vec::new(),
                inputs: Vec::new(),
                start: State::default(),
                state: State::default(),
                figure: Figure {
                    dimension: 2,
                    shapes: Vec::new(),
                },
                reference: f64::NAN,
                work: 0.0,
            });
            answer
        }
        Err(messages) => answers::of_messages(&messages),
    }
}

pub(crate) fn start(numbers: &[f64]) -> String {
    with(|session| {
        let mut numbers = numbers.iter().copied();
        let mut next = |count: usize| numbers.by_ref().take(count).collect::<Vec<f64>>();
        let model = &session.model;
        session.parameters = next(names(model.parameters()).len());
        session.inputs = next(names(model.inputs()).len());
        session.state = State {
            t: 0.0,
            q: next(model.coordinates().len()),
            v: next(model.velocities().len()),
            z: next(model.states().len()),
        };
        session.settled()
    })
}

pub(crate) fn adapt(numbers: &[f64]) -> String {
    with(|session| {
        let (parameters, inputs) = (session.parameters.clone(), session.inputs.clone());
        let state = session.state.clone();
        let (values, driving) = numbers.split_at(parameters.len().min(numbers.len()));
        (session.parameters, session.inputs) = (values.to_vec(), driving.to_vec());
        match session.settle() {
            Ok(()) => answers::of_figure(&session.figure),
            Err(error) => {
                session.parameters = parameters;
                session.inputs = inputs;
                session.state = state;
                answers::of_error(&error.to_string())
            }
        }
    })
}

pub(crate) fn advance(time: f64, step: f64) -> String {
    with(|session| {
        let (before, work) = (session.state.clone(), session.work);
        let count = (time / step).ceil().clamp(1.0, 1e5);
        for _ in 0..count as u32 {
            if let Err(error) = session.step(time / count) {
                (session.state, session.work) = (before, work);
                return format!("at t = {:.4}: {error}", session.state.t);
            }
        }
        let State { q, v, z, .. } = &session.state;
        if q.iter().chain(v).chain(z).all(|entry| entry.is_finite()) {
            return String::new();
        }
        (session.state, session.work) = (before, work);
        format!("at t = {:.4}: the numbers have run away", session.state.t)
    })
}

pub(crate) fn report() -> Vec<f64> {
    with(|session| session.report())
}

pub(crate) fn words(kind: u32) -> String {
    with(|session| match kind {
        0 => session.model.equations().mathml.clone(),
        1 => languages::rust(session),
        2 => languages::c(session),
        _ => languages::python(session),
    })
}

/// The names of all elements.
pub(crate) fn names(variables: &[Variable]) -> Vec<String> {
    variables.iter().flat_map(elements).collect()
}

impl Session {
    fn driven(&self) -> Driven<'_> {
        Driven {
            model: &self.model,
            parameters: &self.parameters,
            inputs: &self.inputs,
        }
    }

    /// At the start.
    fn settled(&mut self) -> String {
        match self.settle() {
            Ok(()) => {
                self.start = self.state.clone();
                answers::of_figure(&self.figure)
            }
            Err(error) => answers::of_error(&error.to_string()),
        }
    }

    /// Moves the state onto the constraints, with its energy as the reference.
    fn settle(&mut self) -> Result<(), Error> {
        let mut state = self.state.clone();
        // A displacement by nothing gives quaternions unit length.
        let no_change = vec![0.0; state.v.len()];
        self.model.call(
            "integrate",
            &self.parameters,
            &[&self.state.q, &no_change],
            &mut [&mut state.q],
        )?;
        self.driven().project(&mut state)?;
        // From here on a step must be possible.
        self.driven()
            .evaluate(self.model.method("acceleration")?, &state)?;
        self.figure = Figure::new(&self.driven(), &state);
        self.state = state;
        self.reference = self.value("energy");
        self.work = 0.0;
        Ok(())
    }

    /// As two of the integrator, so that Simpson's rule for the work has a middle.
    fn step(&mut self, h: f64) -> Result<(), Error> {
        let t = self.state.t;
        let mut powers = [self.power(), 0.0, 0.0];
        for half in [1, 2] {
            let mut state = self.state.clone();
            self.driven()
                .step(&mut state, t + f64::from(half) * h / 2.0)?;
            self.state = state;
            powers[half as usize] = self.power();
        }
        self.work += h / 6.0 * (powers[0] + 4.0 * powers[1] + powers[2]);
        Ok(())
    }

    /// The power of all forces that are not in T + V. It is NaN where it is not known: if the energy depends on time or
    /// on states.
    fn power(&self) -> f64 {
        let is_known = self.model.states().is_empty() && !answers::has_time(&self.model);
        if !is_known {
            return f64::NAN;
        }
        let forces = ["generalized_forces", "constraint_forces"].map(|name| {
            let method = self.model.method(name).ok()?;
            self.driven().evaluate(method, &self.state).ok()
        });
        let forces = forces.iter().flatten();
        let powers = forces.map(|forces| {
            forces
                .iter()
                .zip(&self.state.v)
                .map(|(force, velocity)| force * velocity)
                .sum::<f64>()
        });
        powers.sum()
    }

    /// A method of one value; NaN if there is none.
    fn value(&self, name: &str) -> f64 {
        let method = self.model.method(name).ok();
        let value = method.and_then(|method| self.driven().evaluate(method, &self.state).ok());
        match value.as_deref() {
            Some([value]) => *value,
            _ => f64::NAN,
        }
    }

    fn gap(&self) -> f64 {
        let method = self.model.method("constraint_residual").ok();
        let gaps = method.and_then(|method| self.driven().evaluate(method, &self.state).ok());
        gaps.map_or(f64::NAN, |gaps| {
            gaps.iter().fold(0.0, |most: f64, gap| most.max(gap.abs()))
        })
    }

    fn report(&self) -> Vec<f64> {
        let State { t, q, v, z } = &self.state;
        let energy = self.value("energy");
        let measured = [
            *t,
            self.value("kinetic_energy"),
            self.value("potential_energy"),
            energy,
            energy - self.reference - self.work,
            self.gap(),
        ];
        let points = self.figure.points(&self.driven(), &self.state);
        [&measured, &q[..], v, z, &points.unwrap_or_default()].concat()
    }
}

/// Numbers as text with all their digits.
pub(crate) fn exact(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:?}")).collect();
    format!("[{}]", numbers.join(", "))
}

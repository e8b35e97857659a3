//! Errors of declarations and calls as exceptions of Python, whose classes are in `lagrangian/_errors.py`.

use lagrangian_live::{Diagnostic, Error, Severity};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::import_exception!(lagrangian._errors, DeclarationError);
pyo3::import_exception!(lagrangian._errors, MechanicsError);

/// A message as the arguments of `lagrangian.Diagnostic`.
type Told = (
    &'static str,
    String,
    String,
    Option<String>,
    (usize, usize, usize, usize),
    String,
);

/// A message, with the name of the file before its place.
pub(crate) fn told(message: &Diagnostic, file: Option<&str>) -> Told {
    let severity = match message.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let text = match file {
        Some(file) => message.in_file(file),
        None => message.to_string(),
    };
    (
        severity,
        message.code.clone(),
        message.message.clone(),
        message.help.clone(),
        (
            message.line,
            message.column,
            message.end_line,
            message.end_column,
        ),
        text,
    )
}

/// A wrong declaration.
pub(crate) fn declaration_error(messages: &[Diagnostic], file: Option<&str>) -> PyErr {
    let messages: Vec<Told> = messages.iter().map(|message| told(message, file)).collect();
    DeclarationError::new_err((messages,))
}

/// The parts of an error at a state.
pub(crate) struct AtState {
    pub(crate) index: usize,
    /// The reason in words, with the name of the argument.
    pub(crate) words: String,
    /// The name of the reason, the argument that is not finite, and the row and the name of the constraint that depends on
    /// others.
    pub(crate) reason: (String, Option<String>, Option<usize>, Option<String>),
}

impl AtState {
    /// The number of the state counts from `first`.
    pub(crate) fn new(error: Error, first: usize) -> PyResult<Self> {
        let Error::State {
            index,
            reason,
            argument,
            row,
            constraint,
        } = error
        else {
            return Err(other_error(&error));
        };
        let words = match argument.as_ref().or(constraint.as_ref()) {
            Some(name) => format!("{reason}: `{name}`"),
            None => reason.to_string(),
        };
        Ok(Self {
            index: first + index,
            words,
            reason: (format!("{reason:?}"), argument, row, constraint),
        })
    }

    /// The exception: what it says, its number, its time in a motion, and the results of the other states.
    pub(crate) fn exception(
        self,
        words: String,
        time: Option<f64>,
        results: Option<Py<PyAny>>,
    ) -> PyErr {
        let (reason, argument, row, constraint) = self.reason;
        MechanicsError::new_err((
            words, self.index, reason, argument, row, constraint, time, results,
        ))
    }
}

/// An error that is not about a state.
pub(crate) fn other_error(error: &Error) -> PyErr {
    match error {
        Error::Declaration(messages) => declaration_error(messages, None),
        Error::UnknownName(_) | Error::Export(_) | Error::Count { .. } | Error::Length { .. } => {
            PyValueError::new_err(error.to_string())
        }
        other => PyRuntimeError::new_err(other.to_string()),
    }
}

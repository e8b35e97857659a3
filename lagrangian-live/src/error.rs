//! The errors of calls.

use std::fmt;

use lagrange_engine::RoutineError;

use crate::Diagnostic;

/// The reason why a call has no results.
///
/// ```
/// use lagrangian_live::{Error, Model, RoutineError};
///
/// let model = Model::read("struct S { x: coordinate, m: parameter } T = m * der(x)^2 / 2;").unwrap();
/// let call = |name: &str, m: f64| model.call(name, &[m], &[&[0.0], &[1.0]], &mut [&mut [0.0]]);
/// let unknown = call("acelleration", 1.0).unwrap_err();
/// assert_eq!(unknown.to_string(), "unknown name `acelleration`: did you mean `acceleration`?");
/// let massless = call("acceleration", 0.0).unwrap_err();
/// assert!(matches!(massless, Error::State { index: 0, reason: RoutineError::SingularMassMatrix, .. }));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// A name that the model does not have, with the most similar one.
    UnknownName(String),
    /// A wrong number of arguments or results.
    Count {
        /// `arguments` or `results`.
        what: &'static str,
        /// The names of those that the method has.
        names: Vec<String>,
        /// The number of those that were given.
        found: usize,
    },
    /// An argument or a result of a wrong length.
    Length {
        /// Its name.
        name: String,
        /// The length that it must have.
        expected: usize,
        /// The length that it has.
        found: usize,
    },
    /// A state where the method has no value. The other states of a batch have theirs.
    State {
        /// The number of the first such state, from 0.
        index: usize,
        /// The reason.
        reason: RoutineError,
        /// The name of the first argument, or element of a parameter, that is not finite, if that is the reason; `result`
        /// if all are.
        argument: Option<String>,
        /// The first constraint that adds nothing to those above it, if that is the reason: its number, where contacts
        /// follow the constraints, as in `Error::DependentConstraints` of the methods in Rust.
        row: Option<usize>,
        /// The name of this constraint or contact.
        constraint: Option<String>,
    },
    /// A method that texts in other languages cannot contain.
    Export(String),
    /// The declaration is not valid any more, because a file that it names has changed.
    Declaration(Vec<Diagnostic>),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName(message) | Self::Export(message) => f.write_str(message),
            Self::Count { what, names, found } => {
                let names = names.join(", ");
                write!(f, "the {what} are ({names}), found {found}")
            }
            Self::Length {
                name,
                expected,
                found,
            } => write!(f, "`{name}` has the length {expected}, found {found}"),
            Self::State {
                index,
                reason,
                argument,
                constraint,
                ..
            } => {
                write!(f, "{reason}")?;
                if let Some(name) = argument.as_ref().or(constraint.as_ref()) {
                    write!(f, ": `{name}`")?;
                }
                match index {
                    0 => Ok(()),
                    _ => write!(f, " (state {index})"),
                }
            }
            Self::Declaration(messages) => {
                let messages: Vec<String> = messages.iter().map(Diagnostic::to_string).collect();
                f.write_str(&messages.join("\n\n"))
            }
        }
    }
}

impl std::error::Error for Error {}

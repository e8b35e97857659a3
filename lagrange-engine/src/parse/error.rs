//! Errors of the text form.

use std::fmt;

use crate::MultibodyError;

/// The place and reason of an error in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The error.
    pub kind: ParseErrorKind,
}

/// The reason why a line could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The line begins with an unknown word.
    UnknownKeyword(String),
    /// The operation of a node is unknown.
    UnknownOperation(String),
    /// A part of the line is malformed.
    Malformed,
    /// Too many or too few parts.
    WrongCount,
    /// A number that cannot be read, or is not finite.
    BadNumber(String),
    /// A label that no earlier line defines.
    UndefinedLabel(String),
    /// A symbol with a number beyond the declared ones.
    UndeclaredSymbol,
    /// A repeated declaration.
    Repeated,
    /// Rotations after the first node or frame.
    Late,
    /// An invalid frame, body or gravity.
    Multibody(MultibodyError),
    /// Neither `kinetic` nor `potential` nor `lagrangian`, and no body.
    NoEnergy,
    /// `lagrangian` beside `kinetic` or `potential`.
    TwoEnergies,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.kind {
            ParseErrorKind::UnknownKeyword(word) => write!(f, "no line begins with `{word}`"),
            ParseErrorKind::UnknownOperation(name) => write!(f, "no operation is called `{name}`"),
            ParseErrorKind::Malformed => write!(f, "malformed"),
            ParseErrorKind::WrongCount => write!(f, "too many or too few parts"),
            ParseErrorKind::BadNumber(text) => write!(f, "`{text}` is not a number of this place"),
            ParseErrorKind::UndefinedLabel(label) => write!(f, "`{label}` is not defined"),
            ParseErrorKind::UndeclaredSymbol => write!(f, "the symbol is not declared"),
            ParseErrorKind::Repeated => write!(f, "given before"),
            ParseErrorKind::Late => write!(f, "rotations stand before nodes and frames"),
            ParseErrorKind::Multibody(error) => error.fmt(f),
            ParseErrorKind::NoEnergy => write!(f, "no energy is given"),
            ParseErrorKind::TwoEnergies => write!(f, "energies beside a Lagrangian"),
        }
    }
}

impl std::error::Error for ParseError {}

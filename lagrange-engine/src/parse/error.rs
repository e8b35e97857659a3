//! What can be wrong with the text form.

use std::fmt;

use crate::MultibodyError;

/// Where and why a text could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub kind: ParseErrorKind,
}

/// Why a line could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The line begins with a word that no line begins with.
    UnknownKeyword(String),
    /// The operation of a node is none.
    UnknownOperation(String),
    /// A part of the line has not the form that is needed there.
    Malformed,
    /// Too many or too few parts.
    WrongCount,
    /// A number that cannot be read, or is not finite.
    BadNumber(String),
    /// A label that no earlier line defines.
    UndefinedLabel(String),
    /// A symbol with a number beyond what is declared.
    UndeclaredSymbol,
    /// Given for the second time.
    Repeated,
    /// Rotations behind the first node or frame.
    Late,
    /// A frame, a body or gravity that cannot be.
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

//! Arguments of generated methods as Rust types, and signatures of the methods that routines call.

use proc_macro2::{Ident, Span};

use super::assembly::Text;
use crate::generated::{
    CLEAR, DIFFERENTIATED, EQUATION_DERIVATIVES, LINEARIZE, LINEARIZED, LINEARIZED_UNCHECKED,
    Method, PIVOTED, PIVOTED_UNCHECKED, TOUCHING_ROWS,
};
use crate::methods::{Argument, Layout, METHODS, Row, Size, Value};

/// A method as its callers see it.
pub(super) struct Signature {
    /// `None` for a private one.
    pub(super) method: Option<Method>,
    pub(super) name: &'static str,
    pub(super) arguments: Vec<Argument>,
    pub(super) value: Value,
    pub(super) fallible: bool,
}

/// Routines without a public method: the name of the routine, the name of the method, the arguments and the value, and
/// whether the method may fail. A method without a value writes its results to places of zeros, which are further
/// arguments.
const PRIVATE: [(&str, &str, &[Argument], Value, bool); 7] = [
    (
        "private touching_rows",
        TOUCHING_ROWS,
        &[Argument::Q],
        Value::TouchingRows,
        false,
    ),
    (
        "private clear",
        CLEAR,
        &[Argument::Q, Argument::V],
        Value::Pair(Size::Coordinates, Size::N),
        false,
    ),
    (
        "private solve_pivoted",
        PIVOTED,
        &[Argument::Q, Argument::V, Argument::States, Argument::U],
        Value::RedundantMotion,
        true,
    ),
    (
        "private solve_pivoted_unchecked",
        PIVOTED_UNCHECKED,
        &[Argument::Q, Argument::V, Argument::States, Argument::U],
        Value::Vector(Size::N),
        false,
    ),
    (
        "private linearized",
        LINEARIZED,
        &[Argument::Q, Argument::V, Argument::States, Argument::U],
        Value::Nothing,
        true,
    ),
    (
        "private linearized_unchecked",
        LINEARIZED_UNCHECKED,
        &[Argument::Q, Argument::V, Argument::States, Argument::U],
        Value::Nothing,
        false,
    ),
    (
        "private differentiated",
        DIFFERENTIATED,
        &[Argument::Q, Argument::V, Argument::States, Argument::U],
        Value::DerivativePair(Size::N, Size::Constraints),
        true,
    ),
];

impl Signature {
    pub(super) fn of(row: &Row, layout: &Layout) -> Self {
        Self {
            method: Some(row.method),
            name: row.name(),
            arguments: row.arguments(layout),
            value: row.value(layout),
            fallible: row.fallible,
        }
    }

    /// The private method that writes the value of a public one to a place.
    pub(super) fn of_writer(row: &Row, layout: &Layout) -> Option<Self> {
        let signature = Self::of(row, layout);
        let name = signature.find_writer(layout)?;
        Some(Self {
            method: None,
            name,
            ..signature
        })
    }

    /// Returns whether the method writes its results to places that are arguments.
    pub(super) fn has_places(&self) -> bool {
        self.method.is_none() && self.value == Value::Nothing
    }

    /// Returns whether the method writes its value to zeros at `__value`, its last argument.
    pub(super) fn has_value_place(&self, layout: &Layout) -> bool {
        self.method.is_none() && self.find_writer(layout).is_some()
    }

    /// The method that writes the value to a place, if other methods need the value and it is large.
    pub(super) fn find_writer(&self, layout: &Layout) -> Option<&'static str> {
        let name = match (self.method, self.value) {
            (Some(Method::EquationDerivatives), _) => EQUATION_DERIVATIVES,
            (Some(Method::Linearize), _) => LINEARIZE,
            (None, Value::DerivativePair(..) | Value::Linearization) => self.name,
            _ => return None,
        };
        self.value.is_large(layout).then_some(name)
    }
}

/// The method that a step calls by the name of a routine.
pub(super) fn find_signature(routine: &str, layout: &Layout) -> Option<Signature> {
    let mut private = PRIVATE.iter();
    if let Some((_, name, arguments, value, fallible)) = private.find(|(name, ..)| *name == routine)
    {
        return Some(Signature {
            method: None,
            name,
            arguments: layout.arguments(arguments),
            value: match *value {
                Value::RedundantMotion if layout.constraints == 0 => Value::Vector(Size::N),
                Value::RedundantMotion if !layout.has_redundant_rows() => Value::Motion,
                value => value,
            },
            fallible: *fallible,
        });
    }
    let name = routine.trim_start_matches("private ");
    let row = METHODS.iter().find(|row| row.name() == name)?;
    Some(Signature::of(row, layout))
}

impl Argument {
    /// All names of arguments of generated methods.
    pub(crate) fn all_names() -> impl Iterator<Item = Ident> {
        [
            "t", "q", "v", "u", "a", "p", "d", "q0", "q1", "y", "dy", "w", "z", "motion", "l",
        ]
        .into_iter()
        .map(|name| Ident::new(name, Span::call_site()))
    }

    /// `q: &__rt::SVector<S, 2>, `
    pub(super) fn declare(self, layout: &Layout, text: &mut Text) {
        text.push_str(self.name());
        match (self, self.size()) {
            (Self::Motion, _) => {
                text.push_str(": &");
                Value::Motion.write(layout, text);
            }
            (Self::Active, Some(size)) => {
                text.push_str(": &[__rt::core::primitive::bool");
                text.push_number(b"; ", layout.size(size));
                text.push_str("]");
            }
            (Self::StateArray | Self::InputArray | Self::Restitution, Some(size)) => {
                text.push_number(b": &[S; ", layout.size(size));
                text.push_str("]");
            }
            (Self::RateArray, Some(size)) => {
                text.push_number(b": &mut [S; ", layout.size(size));
                text.push_str("]");
            }
            (_, Some(size)) => {
                text.push_str(": &");
                Value::Vector(size).write(layout, text);
            }
            (_, None) => text.push_str(": S"),
        }
        text.push_str(", ");
    }
}

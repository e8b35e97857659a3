//! The values of Rust that hold the arrays of a routine.

use lagrange_engine::{Argument as RoutineArgument, Shape, View};

use crate::methods::Argument;

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// `S`
    Scalar,
    /// `[S; n]`
    Array,
    /// `[[S; columns]; rows]`
    Rows,
    /// `[[S; rows]; columns]`
    Columns,
    /// An expression for each entry.
    Entries,
}

/// A value that holds an array.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The value, `__x3` or `q.data.0[0]`.
    pub(super) value: String,
    pub(super) form: Form,
    /// The same as a vector or a matrix of nalgebra, or as a scalar.
    pub(super) typed: Option<String>,
    /// The length of a row.
    pub(super) columns: usize,
    entries: Vec<String>,
    /// True while all entries are zeros.
    pub(super) is_fresh: bool,
}

impl Place {
    pub(super) fn new(value: String, form: Form, columns: usize) -> Self {
        Place {
            value,
            form,
            typed: None,
            columns: columns.max(1),
            entries: Vec::new(),
            is_fresh: false,
        }
    }

    /// A reference to zeros.
    pub(super) fn fresh(name: &str, form: Form, columns: usize) -> Self {
        Place {
            is_fresh: true,
            ..Self::new(name.to_owned(), form, columns)
        }
    }

    /// Expressions for entries that no statement has bound.
    pub(super) fn entries(entries: Vec<String>) -> Self {
        Place {
            entries,
            ..Self::new(String::new(), Form::Entries, 1)
        }
    }

    /// A value of nalgebra, or a scalar.
    pub(super) fn typed(value: String, shape: Shape) -> Self {
        let (data, form, columns) = match shape {
            Shape::Scalar => (value.clone(), Form::Scalar, 1),
            Shape::Vector(length) => (format!("{value}.data.0[0]"), Form::Array, length),
            Shape::Matrix(_, columns) => (format!("{value}.data.0"), Form::Columns, columns),
        };
        Place {
            typed: Some(value),
            ..Self::new(data, form, columns)
        }
    }

    /// An argument of a method.
    pub(super) fn of_argument(argument: &RoutineArgument, arguments: &[Argument]) -> Self {
        let (name, length) = (argument.name.clone(), argument.length);
        let is_array = |argument: &Argument| {
            let is_array = matches!(
                argument,
                Argument::Active
                    | Argument::Restitution
                    | Argument::StateArray
                    | Argument::InputArray
            );
            is_array && argument.name() == name
        };
        match (&name[..], argument.is_scalar) {
            (_, true) => Self::typed(name, Shape::Scalar),
            _ if arguments.iter().any(is_array) => Self::new(name, Form::Array, length),
            ("a", _) if arguments.contains(&Argument::Motion) => {
                Self::typed("motion.acceleration".to_owned(), Shape::Vector(length))
            }
            ("lambda", _) => Self::typed("motion.multipliers".to_owned(), Shape::Vector(length)),
            _ => Self::typed(name, Shape::Vector(length)),
        }
    }

    /// The same value with rows for columns; the array has this number of rows.
    pub(super) fn transposed(self, rows: usize) -> Self {
        let form = match self.form {
            Form::Rows => Form::Columns,
            Form::Columns => Form::Rows,
            other => other,
        };
        Place {
            form,
            typed: None,
            columns: rows,
            ..self
        }
    }

    /// The entry of a view at a row and a column, each a number or a variable.
    pub(super) fn entry(&self, view: View, i: &str, j: &str) -> String {
        let value = &self.value;
        // The pass of an enclosing loop.
        let pass = ("__row", view.advance);
        let flat = || write_offset(view.offset, &[pass, (i, view.stride), (j, 1)]);
        match self.form {
            Form::Scalar => value.clone(),
            Form::Array => format!("{value}[{}]", flat()),
            Form::Entries => flat()
                .parse::<usize>()
                .ok()
                .and_then(|index| self.entries.get(index))
                .cloned()
                .unwrap_or_default(),
            Form::Rows | Form::Columns => {
                let pass = ("__row", view.advance / self.columns);
                let row = write_offset(view.offset / self.columns, &[pass, (i, 1)]);
                let column = write_offset(view.offset % self.columns, &[(j, 1)]);
                match self.form {
                    Form::Rows => format!("{value}[{row}][{column}]"),
                    _ => format!("{value}[{column}][{row}]"),
                }
            }
        }
    }

    /// Sets one of the expressions, or adds to it.
    pub(super) fn set(&mut self, index: usize, operator: &str, value: &str) {
        if let Some(entry) = self.entries.get_mut(index) {
            *entry = match operator.strip_suffix('=') {
                Some("") | None => value.to_owned(),
                Some(operator) => format!("{entry} {operator} {value}"),
            };
        }
    }
}

/// `2 + __i * 3`
fn write_offset(fixed: usize, terms: &[(&str, usize)]) -> String {
    let (mut fixed, mut parts) = (fixed, Vec::new());
    for (variable, stride) in terms {
        match (variable.parse::<usize>(), stride) {
            (_, 0) => {}
            (Ok(number), _) => fixed += number * stride,
            (_, 1) => parts.push((*variable).to_owned()),
            _ => parts.push(format!("{variable} * {stride}")),
        }
    }
    if fixed > 0 || parts.is_empty() {
        parts.insert(0, fixed.to_string());
    }
    parts.join(" + ")
}

//! Steps of routines that are functions of the runtime: the table of their calls.

use lagrange_engine::{Array, Step, View};

use super::assembly::{blamed, matrix, vector_of};
use super::places::Form;
use super::steps::Printer;
use crate::methods::{Layout, Value};

/// The value of a function of the runtime, and its call with the values of the arguments.
fn call(function: &str, values: &[String], _layout: &Layout) -> Option<(Value, String)> {
    Some(match (function, values) {
        ("reduced", [a, b, jacobian, rates]) => (
            Value::ReducedLinearization,
            format!(
                "linalg::reduced(&__rt::Linearization {{ a: {a}, b: {b} }}, &{jacobian}, &{rates})"
            ),
        ),
        _ => return None,
    })
}

impl Printer<'_> {
    pub(super) fn library(&mut self, function: &str, arguments: &[View], results: &[View]) {
        let values = arguments.iter().map(|view| self.value(*view));
        let values: Vec<String> = values.collect();
        let Some((value, call)) = call(function, &values, self.layout()) else {
            return self.unprinted(function);
        };
        let failure = match self.routine.is_fallible {
            true => blamed() + "?",
            false => String::new(),
        };
        // The sizes of the value may determine those within the function.
        let of_type = format!(": {}", value.returned(false, self.layout()));
        self.bind(
            results,
            (value, &of_type),
            &format!("__rt::{call}{failure}"),
        );
    }

    /// Returns whether a function of the runtime reads an array.
    pub(super) fn is_for_library(&self, array: Array) -> bool {
        let mut is_read = false;
        self.routine.for_each_step(&mut |step| {
            if let Step::Library { arguments, .. } = step {
                is_read |= arguments.iter().any(|view| view.array == array);
            }
        });
        is_read
    }

    /// The entries as a vector or a matrix; as an array only if an argument of the method is one.
    fn value(&self, view: View) -> String {
        let place = self.place(view.array);
        let is_given = matches!(view.array, Array::Argument(_));
        match (&place.typed, place.form) {
            (Some(typed), _) if self.is_whole(view) && is_given && !typed.contains('.') => {
                format!("*{typed}")
            }
            (Some(typed), _) if self.is_whole(view) => typed.clone(),
            (None, Form::Array) if self.is_whole(view) && is_given => self.owned(view),
            (_, Form::Columns) if self.is_whole(view) => matrix(&place.value),
            (_, Form::Rows) if self.is_whole(view) => matrix(&place.value) + ".transpose()",
            _ => vector_of(self.owned(view)),
        }
    }
}

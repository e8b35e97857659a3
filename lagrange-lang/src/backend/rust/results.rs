//! Prints the value of a method: where the results of its routine are while steps write them, and how they are returned.

use lagrange_engine::{Array, Shape, Step, View};

use super::assembly::{matrix, ok, vector_of};
use super::body::is_large;
use super::library;
use super::places::{Form, Place};
use super::printer::{CHANGED, Printer, made_apart, name_of, zeros, zeros_of};
use super::signature::find_signature;
use crate::generated::Method;
use crate::methods::Value;

impl Printer<'_> {
    /// Prints all steps, and the value.
    pub(super) fn print_body(&mut self) {
        let layout = self.layout();
        if self.signature.method == Some(Method::Rhs) && !layout.time {
            self.push("__rt::linalg::check_finite(&[(\"t\", &[t])])?;");
        }
        let value = self.signature.value;
        if self.signature.has_places() {
            self.define_places();
            self.print_steps_of_places();
            return self.print_result();
        }
        let parts = value.parts(layout);
        if !self.is_written_in_place() {
            self.print_steps(&self.routine.steps);
            return self.print_result();
        }
        if let [(_, Shape::Matrix(rows, columns))] = parts[..]
            && !self.signature.fallible
        {
            self.push(format!(
                "__rt::linalg::matrix_by::<S, {rows}, {columns}>(|__r0| {{"
            ));
            let place = Place::fresh("__r0", Form::Columns, columns);
            self.define(Array::Result(0), place);
            self.print_steps(&self.routine.steps);
            return self.push("})");
        }
        let zeros = || zeros_of(value, layout);
        let borrowed = if self.signature.has_value_place(layout) {
            "__value"
        } else if self.signature.fallible {
            let zeros = made_apart(value, layout, ok(zeros()));
            self.push(format!("let mut __result = {zeros};"));
            self.push("if let __rt::core::result::Result::Ok(__value) = &mut __result {");
            "__value"
        } else {
            let zeros = made_apart(value, layout, zeros());
            self.push(format!("let mut __result = {zeros};"));
            "__result"
        };
        for (index, (path, shape)) in parts.into_iter().enumerate() {
            let (form, data, columns) = match shape {
                Shape::Matrix(_, columns) => (Form::Columns, "data.0", columns),
                _ => (Form::Array, "data.0[0]", shape.len()),
            };
            let name = name_of(Array::Result(index));
            if !shape.is_empty() {
                self.push(format!("let {name} = &mut {borrowed}{path}.{data};"));
            }
            self.define(Array::Result(index), Place::fresh(&name, form, columns));
        }
        for (from, to) in self.results_by_calls() {
            let place = self.place(to).into_owned();
            self.define(from, place);
        }
        self.print_steps(&self.routine.steps);
        if self.signature.has_value_place(layout) {
            return self.print_result();
        }
        self.push(if self.signature.fallible {
            "}\n__result"
        } else {
            "__result"
        });
    }

    /// Prints the steps of a method with places. If the results are large, the steps before those by pivoting, which
    /// return if they succeed, have a frame of their own.
    fn print_steps_of_places(&mut self) {
        let steps = &self.routine.steps;
        let by_pivoting = |step: &Step| matches!(step, Step::Call { routine, .. } if *routine == "private differentiated");
        let results = self.routine.results.iter();
        let are_large = is_large(results.map(|result| result.shape.len()).sum());
        let Some(index) = steps.iter().position(by_pivoting).filter(|_| are_large) else {
            return self.print_steps(steps);
        };
        let (before, after) = steps.split_at(index);
        self.push("if (|| {");
        self.print_block(before);
        self.push(format!(
            "__rt::core::result::Result::Err(__rt::Error::NOT_FINITE) }})().is_ok() {{ return {}; }}",
            ok("()")
        ));
        self.print_steps(after);
    }

    /// The places of results that are arguments.
    fn define_places(&mut self) {
        for (index, result) in self.routine.results.iter().enumerate() {
            if let Shape::Matrix(_, columns) = result.shape {
                let name = name_of(Array::Result(index));
                self.define(
                    Array::Result(index),
                    Place::fresh(&name, Form::Columns, columns),
                );
            }
        }
    }

    /// The local arrays that a called method writes to places and that become results, each with its result: they have the
    /// same place.
    pub(super) fn results_by_calls(&self) -> Vec<(Array, Array)> {
        let mut arrays = Vec::new();
        for step in &self.routine.steps {
            if let Step::Call {
                routine, results, ..
            } = step
                && find_signature(routine, self.layout()).is_some_and(|called| called.has_places())
            {
                arrays.extend(results.iter().map(|view| view.array));
            }
        }
        self.routine
            .steps
            .iter()
            .filter_map(|step| match step {
                Step::Copy {
                    from,
                    to,
                    is_transposed: false,
                    is_negated: false,
                } => Some((*from, *to)),
                _ => None,
            })
            .filter(|(from, to)| {
                let is_result = matches!(to.array, Array::Result(_));
                is_result
                    && arrays.contains(&from.array)
                    && self.is_whole(*from)
                    && self.is_whole(*to)
            })
            .map(|(from, to)| (from.array, to.array))
            .collect()
    }

    /// Returns whether several steps write a result that is a matrix, or the matrix is large. Then the steps write the
    /// matrix at the place where the method returns it. The compiler would copy a local matrix into the value. A value
    /// that a called method writes to its place and a function changes there has no other places.
    fn is_written_in_place(&self) -> bool {
        if !self.results_by_calls().is_empty() {
            return true;
        }
        if self.signature.has_value_place(self.layout()) {
            return !self.is_differentiated(Array::Result(0));
        }
        let mut writes = Vec::new();
        self.routine.for_each_step(&mut |step| {
            // The value may hold a whole array, but not a part of one.
            let is_copy = matches!(
                step,
                Step::Copy {
                    from,
                    is_transposed: false,
                    is_negated: false,
                    ..
                } if self.is_whole(*from)
            );
            if !library::is_function(step) && !is_copy {
                writes.extend(step.writes());
            }
        });
        let mut matrices = self
            .routine
            .results
            .iter()
            .enumerate()
            .filter(|(_, result)| matches!(result.shape, Shape::Matrix(..)));
        matrices.any(|(index, result)| {
            let writes_of_result: Vec<&View> = writes
                .iter()
                .filter(|view| view.array == Array::Result(index))
                .collect();
            writes_of_result.len() > 1
                || writes_of_result.iter().any(|view| !self.is_whole(**view))
                || !writes_of_result.is_empty()
                    && is_large(result.shape.len())
                    && !self.is_differentiated(Array::Result(index))
        })
    }

    /// The value of the method.
    pub(super) fn print_result(&mut self) {
        let layout = self.layout();
        let value = self.signature.value;
        if self.signature.has_places() || self.signature.has_value_place(layout) {
            if self.signature.fallible {
                self.text.push_str(&ok("()"));
            }
            return;
        }
        let paths = value.parts(layout);
        let parts: Vec<String> = paths
            .iter()
            .enumerate()
            .map(|(index, (_, shape))| {
                let view = View::whole(Array::Result(index), shape.len());
                match (&self.place(view.array).typed, shape) {
                    (Some(typed), _) => typed.clone(),
                    (None, Shape::Scalar) => self.entry(view, "0", "0"),
                    (None, Shape::Matrix(..)) if shape.is_empty() => zeros(*shape),
                    (None, Shape::Matrix(..)) => matrix(format!("*{}", name_of(view.array))),
                    (None, _) => vector_of(self.owned(view)),
                }
            })
            .collect();
        if value == Value::Nothing {
            let rates = View::whole(Array::Result(0), self.length(Array::Result(0)));
            self.push(format!("*dy = {};", self.owned(rates)));
        }
        let whole = parts[0].strip_suffix(&paths[0].0).map(str::to_owned);
        let is_whole = |whole: &String| {
            let mut pairs = parts.iter().zip(&paths);
            pairs.all(|(part, (path, _))| part.strip_prefix(whole) == Some(path))
        };
        let value = match whole.filter(|whole| parts.len() > 1 && is_whole(whole)) {
            Some(whole) if whole == CHANGED => return self.push("}\n__result"),
            Some(whole) => whole,
            None => value.construct(&mut parts.into_iter(), layout),
        };
        let value = if self.signature.fallible {
            ok(value)
        } else {
            value
        };
        self.text.push_str(&value);
    }
}

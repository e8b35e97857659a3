//! Prints routines as bodies of methods: each step as statements.
//!
//! The arrays of a routine are values of several types (`places.rs`). An array that one step writes as a whole is bound by
//! that step: it needs no zeros before.

use lagrange_engine::{Array, Operations, Routine, Step, View};

use super::assembly::{list, only_if, return_unless};
use super::context::Context;
use super::function::{Definition, Details};
use super::places::{Form, Place};
use super::printer::{Printer, call_writer, constant, name_of};
use super::signature::Signature;
use super::values::in_words;
use crate::generated::Method;
use crate::methods::{Row, Value};

/// The body of a method by its routine.
pub(super) fn define(context: &Context, row: &Row) -> Definition {
    let name = match row.method {
        Method::Rhs => Method::StateDerivative.name(),
        Method::Solve if context.skeleton.layout.has_redundant_rows() => "private solve",
        _ => row.name(),
    };
    let layout = &context.skeleton.layout;
    let signature = Signature::of(row, layout);
    let definition = print_routine(context, name, &signature);
    let Some(writer) = signature.find_writer(layout) else {
        return definition;
    };
    let Definition { details, .. } = definition;
    Definition {
        body: call_writer(writer, &signature, layout).into(),
        details,
    }
}

/// The body of a method of this signature by the routine of this name; nothing if the system has no such routine.
pub(super) fn print_routine(context: &Context, name: &str, signature: &Signature) -> Definition {
    match context.routines().method(name) {
        Some(routine) => define_routine(context, routine, signature),
        None => Definition::default(),
    }
}

pub(super) fn define_routine(
    context: &Context,
    routine: Routine,
    signature: &Signature,
) -> Definition {
    let details = describe(context, &routine);
    let routine = routine.with_library_calls();
    let mut printer = Printer::new(context, signature, &routine);
    printer.print_body();
    Definition {
        body: printer.text.into(),
        details,
    }
}

/// The operations on the common path, up to the first return, and the other work.
fn describe(context: &Context, routine: &Routine) -> Details {
    let common = common_path(context, &routine.steps);
    Details {
        formula: String::new(),
        operations: count_operations(&common),
        beyond: in_words(&common),
    }
}

/// The steps up to the first return, with the steps of derivatives by private methods.
fn common_path(context: &Context, steps: &[Step]) -> Vec<Step> {
    fn returns(step: &Step) -> bool {
        match step {
            Step::If { then, .. } => then.last().is_some_and(returns),
            _ => matches!(step, Step::Return),
        }
    }
    let end = steps
        .iter()
        .position(returns)
        .map_or(steps.len(), |index| index + 1);
    steps[..end]
        .iter()
        .flat_map(|step| match step {
            Step::Call { routine, .. }
                if routine.starts_with("private linearized")
                    || routine == "private differentiated" =>
            {
                let called = context.routines().method(routine);
                called.map_or(Vec::new(), |called| common_path(context, &called.steps))
            }
            _ => vec![step.clone()],
        })
        .collect()
}

/// The operations of steps. Words name the operations of products of matrices and of calls.
fn count_operations(steps: &[Step]) -> Operations {
    steps
        .iter()
        .map(|step| match step {
            Step::Compute(compute) => compute.schedule.operations(),
            Step::Add { to, .. } => Operations {
                additions: to.len() as u32,
                ..Operations::default()
            },
            Step::ForEachRow { steps, .. }
            | Step::Apart { steps, .. }
            | Step::Library { steps, .. } => count_operations(steps),
            _ => Operations::default(),
        })
        .fold(Operations::default(), |sum, operations| sum + operations)
}

impl Printer<'_> {
    /// The arrays that steps write, each once, without the blocks that end in a return, whose results are separate.
    fn arrays_written(steps: &[Step]) -> Vec<Array> {
        let mut arrays = Vec::new();
        for step in steps {
            match step {
                Step::If { then, .. } if matches!(then.last(), Some(Step::Return)) => {}
                Step::If { then: steps, .. }
                | Step::ForEachRow { steps, .. }
                | Step::Apart { steps, .. } => {
                    arrays.extend(Self::arrays_written(steps));
                }
                _ => {}
            }
            arrays.extend(step.writes().into_iter().map(|view| view.array));
        }
        arrays
    }

    /// Prints a block, at whose end its variables go out of scope.
    pub(super) fn print_block(&mut self, steps: &[Step]) {
        let (defined, later) = (self.places.len(), std::mem::take(&mut self.written_later));
        self.print_steps(steps);
        self.places.truncate(defined);
        self.written_later = later;
    }

    pub(super) fn print_steps(&mut self, steps: &[Step]) {
        for (index, step) in steps.iter().enumerate() {
            self.written_later = Self::arrays_written(&steps[index + 1..]);
            self.print_step(step);
            for view in step.writes() {
                let is_zero = matches!(step, Step::Fill { value: 0.0, .. });
                let mut places = self.places.iter_mut().rev();
                if let Some((_, place)) = places.find(|(array, _)| *array == view.array) {
                    place.is_fresh &= is_zero;
                }
            }
        }
    }

    fn print_step(&mut self, step: &Step) {
        match step {
            Step::Compute(compute) => self.compute(compute),
            Step::Call {
                routine,
                arguments,
                results,
                is_tried,
            } => self.call(routine, *is_tried, arguments, results),
            Step::Library {
                function,
                arguments,
                results,
                ..
            } => self.library(function, arguments, results),
            Step::Kernel {
                kernel,
                arguments,
                results,
            } => self.kernel(*kernel, arguments, results),
            Step::Copy {
                from,
                to,
                is_transposed,
                is_negated,
            } => self.print_copy(*from, *to, *is_transposed, *is_negated),
            Step::Fill { to, value: 0.0 } if self.is_new_matrix(*to) => {
                self.define_zeros(*to);
            }
            Step::Fill { to, value: 0.0 } if self.place(to.array).is_fresh => {}
            Step::Fill { to, value } => {
                let value = match (self.signature.value, to.array) {
                    // The rank of J is a number.
                    (Value::RedundantMotion, Array::Result(2)) => value.to_string(),
                    _ => constant(*value),
                };
                self.assign(*to, "=", &|_, _, _| value.clone());
            }
            Step::Identity { to } => {
                let size = to.rows.min(to.columns);
                let (entry, one) = (self.entry(*to, "__i", "__i"), constant(1.0));
                self.push(format!("for __i in 0..{size} {{ {entry} = {one}; }}"));
            }
            Step::Add {
                from,
                to,
                factor,
                by,
            } => {
                let operator = if *factor == -1.0 { "-=" } else { "+=" };
                let by = by.map(|by| self.entry(by, "0", "0") + " * ");
                let factor = only_if(factor.abs() != 1.0, || constant(*factor) + " * ");
                let scale = factor + &by.unwrap_or_default();
                self.assign(*to, operator, &|printer, i, j| {
                    format!("{scale}{}", printer.entry(*from, i, j))
                });
            }
            Step::Multiply { left, right, to } => self.multiply(*left, *right, *to),
            Step::If { condition, then } => {
                let condition = self.condition(condition);
                self.push(format!("if {condition} {{"));
                self.print_block(then);
                self.push("}");
            }
            Step::RequireFinite(views) => self.require_finite(views),
            Step::Return => {
                self.text.push_str("return ");
                self.print_result();
                self.push(";");
            }
            Step::ForEachRow { rows, unit, steps } => self.print_rows(*rows, *unit, steps),
            Step::Apart { results, steps } => self.print_apart(results, steps),
            Step::Loop { .. } | Step::Break | Step::Fail(_) => self.unprinted("a loop"),
        }
    }

    /// Binds the second array to the place of the first one, if its entries stay; otherwise copies them.
    fn print_copy(&mut self, from: View, to: View, is_transposed: bool, is_negated: bool) {
        if self.results_by_calls().contains(&(from.array, to.array)) {
            return;
        }
        if !is_negated && self.is_alias(from, to) {
            let mut place = self.place(from.array).into_owned();
            // An argument is a reference, a part of one is not.
            if matches!(from.array, Array::Argument(_)) && place.form != Form::Scalar {
                let is_part = |typed: &String| typed.contains('.');
                place.typed = place.typed.map(|typed| match is_part(&typed) {
                    true => typed,
                    false => format!("*{typed}"),
                });
            }
            let place = if is_transposed {
                place.transposed(from.rows)
            } else {
                place
            };
            self.define(to.array, place);
            return;
        }
        let sign = if is_negated { "-" } else { "" };
        self.assign(to, "=", &|printer, i, j| {
            let (i, j) = if is_transposed { (j, i) } else { (i, j) };
            format!("{sign}{}", printer.entry(from, i, j))
        });
    }

    /// Prints a loop over rows, in which the entry of the row in `unit` is 1, and the other entries are 0.
    fn print_rows(&mut self, rows: usize, unit: View, steps: &[Step]) {
        let (name, zero, one) = (name_of(unit.array), constant(0.0), constant(1.0));
        let defined = self.places.len();
        self.push(format!("for __row in 0..{rows} {{"));
        if self.is_defined(unit.array) {
            self.assign(unit, "=", &|_, _, _| zero.clone());
        } else {
            self.push(format!("let mut {name} = [{zero}; {}];", unit.len()));
            self.define(unit.array, Place::new(name, Form::Array, unit.len()));
        }
        let entry = self.entry(unit, "0", "__row");
        self.push(format!("{entry} = {one};"));
        self.print_block(steps);
        self.places.truncate(defined);
        self.push("}");
    }

    /// Prints steps in a closure, which has a frame of its own, and binds its results.
    fn print_apart(&mut self, results: &[View], steps: &[Step]) {
        let results: Vec<&View> = results.iter().filter(|view| !view.is_empty()).collect();
        let is_result = |array| results.iter().any(|view| view.array == array);
        let names = list(results.iter().map(|view| name_of(view.array)));
        let names = if results.len() == 1 {
            names
        } else {
            format!("({names})")
        };
        let is_fallible = steps.iter().any(|step| matches!(step, Step::Kernel { .. }));
        self.push(format!("let {names} = (|| {{"));
        let (defined, later) = (self.places.len(), std::mem::take(&mut self.written_later));
        self.print_steps(steps);
        self.written_later = later;
        let values = results
            .iter()
            .map(|view| match self.place(view.array).form {
                Form::Entries => self.owned(**view),
                _ => name_of(view.array),
            });
        let values = list(values);
        let values = match results.len() {
            1 => values,
            _ => format!("({values})"),
        };
        let [values, failure] = match is_fallible {
            true => [
                format!("__rt::core::result::Result::Ok::<_, __rt::Error>({values})"),
                "?".to_owned(),
            ],
            false => [values, String::new()],
        };
        let mut within = self.places.split_off(defined);
        within.retain(|(array, _)| is_result(*array));
        for (array, place) in &mut within {
            if place.form == Form::Entries {
                *place = Place::new(name_of(*array), Form::Array, self.length(*array));
            }
        }
        self.places.extend(within);
        self.push(format!("{values} }})(){failure};"));
    }

    fn require_finite(&mut self, views: &[View]) {
        let views: Vec<View> = views
            .iter()
            .filter(|view| !view.is_empty())
            .copied()
            .collect();
        if views.is_empty() {
            return;
        }
        let finite = self.finite(&views);
        let is_argument = |view: &View| matches!(view.array, Array::Argument(_));
        if !views.iter().all(is_argument) {
            return self.push(return_unless(finite));
        }
        // Later steps test the other arguments. The first one that is not finite is reported.
        let named = self
            .routine
            .arguments
            .iter()
            .enumerate()
            .filter(|(_, argument)| !argument.is_flags)
            .map(|(index, argument)| {
                let entries = self.slice(View::whole(Array::Argument(index), argument.length));
                format!("({:?}, {entries})", argument.name)
            });
        let named = list(named);
        self.push(format!(
            "if !({finite}) {{
                 return __rt::core::result::Result::Err(__rt::linalg::first_not_finite(&[{named}]));
             }}"
        ));
    }
}

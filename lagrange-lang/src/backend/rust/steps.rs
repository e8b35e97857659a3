//! Prints routines as bodies of methods: each step as statements.
//!
//! The arrays of a routine are values of several types (`places.rs`). An array that one step writes as a whole is bound by
//! that step: it needs no zeros before.

use std::borrow::Cow;
use std::fmt::{Display, Write};

use lagrange_engine::{Array, Equations, Kernel, Operations, Routine, Shape, Step, View};

use super::assembly::{list, matrix, ok, only_if, return_unless, vector_of};
use super::body::is_large;
use super::context::Context;
use super::function::{Definition, Details};
use super::library;
use super::places::{Form, Place};
use super::signature::{Signature, find_signature};
use super::values::in_words;
use crate::generated::Method;
use crate::methods::{Layout, Row, Value};

/// The body of a method by its routine.
pub(super) fn define(context: &Context, row: &Row) -> Definition {
    let name = match row.method {
        Method::Rhs => Method::StateDerivative.name(),
        Method::Solve if context.skeleton.layout.has_redundant_rows() => "private solve",
        _ => row.name(),
    };
    print_routine(context, name, &Signature::of(row, &context.skeleton.layout))
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
    printer.body();
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

pub(super) struct Printer<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) signature: &'a Signature,
    pub(super) routine: &'a Routine,
    /// The values that hold arrays; the last one of an array counts.
    places: Vec<(Array, Place)>,
    /// The arrays that later steps of the block write.
    pub(super) written_later: Vec<Array>,
    /// The number of variables that hold no array.
    other_names: usize,
    pub(super) text: String,
}

impl<'a> Printer<'a> {
    pub(super) fn new(
        context: &'a Context<'a>,
        signature: &'a Signature,
        routine: &'a Routine,
    ) -> Self {
        let mut places = Vec::new();
        for (index, argument) in routine.arguments.iter().enumerate() {
            let place = Place::of_argument(argument, &signature.arguments);
            places.push((Array::Argument(index), place));
        }
        Printer {
            context,
            signature,
            routine,
            places,
            written_later: Vec::new(),
            other_names: 0,
            text: String::new(),
        }
    }

    pub(super) fn body(&mut self) {
        let layout = self.layout();
        if self.signature.method == Some(Method::Rhs) && !layout.time {
            self.push("__rt::linalg::check_finite(&[(\"t\", &[t])])?;");
        }
        let value = self.signature.value;
        if self.signature.has_places() {
            self.define_places();
            self.print_steps(&self.routine.steps);
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
        let mut zeros = parts.iter().map(|(_, shape)| zeros(*shape));
        let zeros = value.construct(&mut zeros, layout);
        let borrowed = if self.signature.fallible {
            self.push(format!("let mut __result = {};", ok(zeros)));
            self.push("if let __rt::core::result::Result::Ok(__value) = &mut __result {");
            "__value"
        } else {
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
        self.push(if self.signature.fallible {
            "}\n__result"
        } else {
            "__result"
        });
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
    fn results_by_calls(&self) -> Vec<(Array, Array)> {
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
    /// matrix at the place where the method returns it. The compiler would copy a local matrix into the value.
    fn is_written_in_place(&self) -> bool {
        if !self.results_by_calls().is_empty() {
            return true;
        }
        let mut writes = Vec::new();
        self.routine.for_each_step(&mut |step| {
            let is_copy = matches!(
                step,
                Step::Copy {
                    is_transposed: false,
                    is_negated: false,
                    ..
                }
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

    pub(super) fn layout(&self) -> &'a Layout {
        &self.context.skeleton.layout
    }

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
    fn print_block(&mut self, steps: &[Step]) {
        let (defined, later) = (self.places.len(), std::mem::take(&mut self.written_later));
        self.print_steps(steps);
        self.places.truncate(defined);
        self.written_later = later;
    }

    fn print_steps(&mut self, steps: &[Step]) {
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
            } => {
                if self.results_by_calls().contains(&(from.array, to.array)) {
                    return;
                }
                if !is_negated && self.is_alias(*from, *to) {
                    let mut place = self.place(from.array).into_owned();
                    // An argument is a reference, a part of one is not.
                    if matches!(from.array, Array::Argument(_)) && place.form != Form::Scalar {
                        let is_part = |typed: &String| typed.contains('.');
                        place.typed = place.typed.map(|typed| match is_part(&typed) {
                            true => typed,
                            false => format!("*{typed}"),
                        });
                    }
                    let place = if *is_transposed {
                        place.transposed(from.rows)
                    } else {
                        place
                    };
                    self.define(to.array, place);
                    return;
                }
                let sign = if *is_negated { "-" } else { "" };
                self.assign(*to, "=", &|printer, i, j| {
                    let (i, j) = if *is_transposed { (j, i) } else { (i, j) };
                    format!("{sign}{}", printer.entry(*from, i, j))
                });
            }
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
            Step::ForEachRow { rows, unit, steps } => {
                let (name, zero, one) = (name_of(unit.array), constant(0.0), constant(1.0));
                let defined = self.places.len();
                self.push(format!("for __row in 0..{rows} {{"));
                if self.is_defined(unit.array) {
                    self.assign(*unit, "=", &|_, _, _| zero.clone());
                } else {
                    self.push(format!("let mut {name} = [{zero}; {}];", unit.len()));
                    self.define(unit.array, Place::new(name, Form::Array, unit.len()));
                }
                let entry = self.entry(*unit, "0", "__row");
                self.push(format!("{entry} = {one};"));
                self.print_block(steps);
                self.places.truncate(defined);
                self.push("}");
            }
            Step::Apart { results, steps } => {
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
            Step::Loop { .. } | Step::Break | Step::Fail(_) => self.unprinted("a loop"),
        }
    }

    /// Code that does not compile, for steps that no printed method has.
    pub(super) fn unprinted(&mut self, what: &str) {
        self.push(format!(
            "compile_error!(\"{what} is not printed: this is a bug of the `lagrangian` crate\");"
        ));
    }

    pub(super) fn push(&mut self, text: impl Display) {
        let _ = writeln!(self.text, "{text}");
    }

    /// Returns whether a place for the second array would only repeat the first one.
    fn is_alias(&self, from: View, to: View) -> bool {
        self.is_whole(from)
            && self.is_whole(to)
            && !self.is_defined(to.array)
            && (!self.wants_matrix(to.array) || self.place(from.array).typed.is_some())
            && !self.written_later.contains(&from.array)
            && !self.written_later.contains(&to.array)
    }

    pub(super) fn is_whole(&self, view: View) -> bool {
        view.offset == 0 && view.len() == self.length(view.array)
    }

    pub(super) fn length(&self, array: Array) -> usize {
        match array {
            Array::Argument(index) => self.routine.arguments[index].length,
            Array::Result(index) => self.routine.results[index].shape.len(),
            Array::Local(index) => self.routine.locals[index],
        }
    }

    pub(super) fn is_defined(&self, array: Array) -> bool {
        self.places.iter().any(|(held, _)| *held == array)
    }

    /// The place of an array; for one that no step has written, an array without entries.
    pub(super) fn place(&self, array: Array) -> Cow<'_, Place> {
        let mut places = self.places.iter().rev();
        match places.find(|(held, _)| *held == array) {
            Some((_, place)) => Cow::Borrowed(place),
            None => Cow::Owned(Place::entries(Vec::new())),
        }
    }

    pub(super) fn is_new_matrix(&self, view: View) -> bool {
        !self.is_defined(view.array) && self.is_whole(view) && self.wants_matrix(view.array)
    }

    /// Binds a reference to a matrix of zeros.
    pub(super) fn define_zeros(&mut self, view: View) {
        let (name, zero) = (name_of(view.array), constant(0.0));
        let (rows, columns) = (view.rows, view.columns);
        self.push(format!("let {name} = &mut [[{zero}; {rows}]; {columns}];"));
        self.define(view.array, Place::fresh(&name, Form::Columns, columns));
    }

    pub(super) fn define(&mut self, array: Array, place: Place) {
        self.places.push((array, place));
    }

    /// `__x3`, with `mut` if later steps write the array.
    pub(super) fn bound_name(&self, array: Array) -> String {
        let is_written = self.written_later.contains(&array) || self.uses(array).0;
        let mutable = if is_written { "mut " } else { "" };
        format!("{mutable}{}", name_of(array))
    }

    /// A further variable, for a value that holds several arrays or a part of one.
    pub(super) fn other_name(&mut self) -> String {
        self.other_names += 1;
        format!("__s{}", self.other_names)
    }

    /// Returns whether a solution writes over a matrix, of which it reads a triangle, and whether other steps read the
    /// matrix.
    pub(super) fn uses(&self, matrix: Array) -> (bool, bool) {
        let (mut is_overwritten, mut is_read) = (false, false);
        self.routine.for_each_step(&mut |step| {
            let mut views = step.reads().into_iter().map(|view| view.array == matrix);
            let overwrites = match step {
                Step::Kernel { kernel, .. } => {
                    kernel.equations() != Some(Equations::Reacting)
                        && (!matches!(kernel, Kernel::SolveUnchecked(_))
                            || self.is_read_once(matrix))
                }
                Step::Library { function, .. } => matches!(
                    *function,
                    "differentiate"
                        | "differentiate_redundant"
                        | "by_parameters"
                        | "by_parameters_redundant"
                ),
                _ => false,
            };
            if overwrites {
                is_overwritten |= views.next().unwrap_or_default();
            }
            is_read |= views.any(|reads_it| reads_it);
        });
        (is_overwritten, is_read)
    }

    /// Returns whether a single step reads an array.
    pub(super) fn is_read_once(&self, array: Array) -> bool {
        let mut count = 0;
        self.routine.for_each_step(&mut |step| {
            count += usize::from(step.reads().iter().any(|view| view.array == array));
        });
        count == 1
    }

    /// The entry at a row and a column, given as numbers or variables.
    pub(super) fn entry(&self, view: View, i: &str, j: &str) -> String {
        self.place(view.array).entry(view, i, j)
    }

    /// All entries in order.
    pub(super) fn elements(&self, view: View) -> String {
        let place = self.place(view.array);
        let places = (0..view.rows).flat_map(|i| (0..view.columns).map(move |j| (i, j)));
        list(places.map(|(i, j)| place.entry(view, &i.to_string(), &j.to_string())))
    }

    /// A reference to an array of the entries.
    pub(super) fn array(&self, view: View) -> String {
        match self.place(view.array) {
            place if place.form == Form::Array && self.is_whole(view) => {
                let is_reference =
                    matches!(view.array, Array::Argument(_)) && place.typed.is_none();
                let sign = if is_reference { "" } else { "&" };
                format!("{sign}{}", place.value)
            }
            _ => format!("&[{}]", self.elements(view)),
        }
    }

    /// A reference to a matrix of columns that is changed.
    pub(super) fn reference(&self, view: View) -> String {
        match view.columns {
            0 => "&mut []".to_owned(),
            _ => self.place(view.array).value.clone(),
        }
    }

    /// A slice of the entries, in any order.
    pub(super) fn slice(&self, view: View) -> String {
        match self.place(view.array) {
            place if matches!(place.form, Form::Rows | Form::Columns) && self.is_whole(view) => {
                format!("{}.as_flattened()", place.value)
            }
            _ => self.array(view),
        }
    }

    /// A reference to a vector of the entries.
    pub(super) fn vector(&self, view: View) -> String {
        let place = self.place(view.array);
        match &place.typed {
            Some(typed) if self.is_whole(view) => match view.array {
                Array::Argument(_) if !typed.contains('.') => typed.clone(),
                _ => format!("&{typed}"),
            },
            _ => format!("&{}", vector_of(self.owned(view))),
        }
    }

    /// An array of the entries.
    pub(super) fn owned(&self, view: View) -> String {
        let array = self.array(view);
        match array.strip_prefix('&') {
            Some(array) => array.to_owned(),
            None => format!("*{array}"),
        }
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

    /// The value of the method.
    fn print_result(&mut self) {
        let layout = self.layout();
        let value = self.signature.value;
        if self.signature.has_places() {
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

/// The value of a called method that is changed and returned.
pub(super) const CHANGED: &str = "(*__value)";

/// The variable of an array.
pub(super) fn name_of(array: Array) -> String {
    match array {
        Array::Argument(index) => format!("__given{index}"),
        Array::Result(index) => format!("__r{index}"),
        Array::Local(index) => format!("__x{index}"),
    }
}

/// A constant of the scalar type.
pub(super) fn constant(value: f64) -> String {
    format!("__rt::math::constant::<S>({value:?})")
}

/// Zeros of the type of a part.
pub(super) fn zeros(shape: Shape) -> String {
    let zero = constant(0.0);
    match shape {
        Shape::Scalar => zero,
        Shape::Vector(length) => vector_of(format!("[{zero}; {length}]")),
        Shape::Matrix(rows, columns) => matrix(format!("[[{zero}; {rows}]; {columns}]")),
    }
}

//! Prints routines as bodies of methods: each step as statements.
//!
//! The arrays of a routine are values of several types (`places.rs`). An array that one step writes as a whole is bound by
//! that step: it needs no zeros before.

use std::borrow::Cow;
use std::fmt::{Display, Write};

use lagrange_engine::{Array, Compute, Kernel, Operations, Routine, Shape, Step, View};

use super::assembly::{blamed, list, ok, unless, vector_of};
use super::body::Body;
use super::context::Context;
use super::cost_model::MOST_STATEMENTS;
use super::function::{Definition, Details};
use super::places::{Form, Place, index};
use super::symbols::Source;
use super::terms::is_in_place;
use super::values::{called_method, in_words};
use crate::generated::{INERTIA, Method, ROWS};
use crate::methods::{Argument, Layout, Row};

/// The body of a method by its routine.
pub(super) fn definition(context: &Context, row: &Row) -> Definition {
    let routine = context.routines().method(row.name());
    let body = routine.as_ref().map(|routine| {
        let mut printer = Printer::new(context, row, routine);
        printer.steps(&routine.steps);
        if !matches!(routine.steps.last(), Some(Step::Return)) {
            printer.result();
        }
        printer.text
    });
    Definition {
        body: body.unwrap_or_default().into(),
        details: routine.as_ref().map(details).unwrap_or_default(),
    }
}

/// The operations on the common path, up to the first return, and the other work.
fn details(routine: &Routine) -> Details {
    let returns = |step: &Step| match step {
        Step::If { then, .. } => matches!(then.last(), Some(Step::Return)),
        _ => false,
    };
    let end = routine.steps.iter().position(returns);
    let common = &routine.steps[..end.unwrap_or(routine.steps.len())];
    let mut operations = Operations::default();
    for step in common {
        if let Step::Compute(compute) = step {
            operations = operations + compute.schedule.operations();
        }
    }
    Details {
        formula: String::new(),
        operations,
        beyond: in_words(common),
    }
}

/// The text of the value for the entry at a row and a column.
type Value<'f> = &'f dyn Fn(&Printer, &str, &str) -> String;

pub(super) struct Printer<'a> {
    pub(super) context: &'a Context<'a>,
    row: &'a Row,
    pub(super) routine: &'a Routine,
    /// The places of the arguments, the results and the local arrays that are defined.
    places: [Vec<Option<Place>>; 3],
    /// The steps that have yet to be printed and write an array.
    writes: [Vec<usize>; 3],
    pub(super) text: String,
}

impl<'a> Printer<'a> {
    fn new(context: &'a Context<'a>, row: &'a Row, routine: &'a Routine) -> Self {
        let layout = &context.skeleton.layout;
        let given = row.arguments(layout);
        let arguments = routine.arguments.iter();
        let arguments = arguments.map(|argument| Some(Place::of_argument(argument, &given)));
        let counts = [
            routine.arguments.len(),
            routine.results.len(),
            routine.locals.len(),
        ];
        let mut printer = Printer {
            context,
            row,
            routine,
            places: [
                arguments.collect(),
                vec![None; counts[1]],
                vec![None; counts[2]],
            ],
            writes: counts.map(|count| vec![0; count]),
            text: String::new(),
        };
        printer.expect_writes(&routine.steps);
        printer
    }

    pub(super) fn layout(&self) -> &'a Layout {
        &self.context.skeleton.layout
    }

    /// Counts the steps that write each array, but those before a return, which have arrays of their own.
    fn expect_writes(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::If { then, .. } if matches!(then.last(), Some(Step::Return)) => {}
                Step::If { then: steps, .. } | Step::ForEachRow { steps, .. } => {
                    self.expect_writes(steps);
                }
                _ => {}
            }
            for view in step.writes() {
                let (kind, at) = position(view.array);
                self.writes[kind][at] += 1;
            }
        }
    }

    pub(super) fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            for view in step.writes() {
                let (kind, at) = position(view.array);
                let left = &mut self.writes[kind][at];
                *left = left.saturating_sub(1);
            }
            self.step(step);
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Compute(compute) => self.compute(compute),
            Step::Call {
                routine,
                arguments,
                results,
                ..
            } => self.call(routine, arguments, results),
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
                if !is_negated && self.is_alias(*from, *to) {
                    let place = self.place(from.array).into_owned();
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
            Step::Fill { to, value } => {
                let value = constant(*value);
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
                let factor = (factor.abs() != 1.0).then(|| constant(*factor) + " * ");
                let scale = factor.unwrap_or_default() + &by.unwrap_or_default();
                self.assign(*to, operator, &|printer, i, j| {
                    format!("{scale}{}", printer.entry(*from, i, j))
                });
            }
            Step::Multiply { left, right, to } => self.multiply(*left, *right, *to),
            Step::If { condition, then } => {
                let condition = self.condition(condition);
                self.push(format!("if {condition} {{"));
                let places = self.places.clone();
                self.steps(then);
                self.places = places;
                self.push("}");
            }
            Step::RequireFinite(views) => self.require_finite(views),
            Step::Return => {
                self.text.push_str("return ");
                self.result();
                self.push(";");
            }
            Step::ForEachRow { .. } | Step::Loop { .. } | Step::Break | Step::Fail(_) => {
                self.unprinted("a loop");
            }
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
        let is_final = |array| {
            let (kind, at) = position(array);
            self.writes[kind][at] == 0
        };
        self.is_whole(from)
            && self.is_whole(to)
            && !self.is_defined(to.array)
            && is_final(from.array)
            && is_final(to.array)
    }

    pub(super) fn is_whole(&self, view: View) -> bool {
        view.offset == 0 && view.len() == self.length(view.array)
    }

    fn length(&self, array: Array) -> usize {
        match array {
            Array::Argument(at) => self.routine.arguments[at].length,
            Array::Result(at) => self.routine.results[at].shape.len(),
            Array::Local(at) => self.routine.locals[at],
        }
    }

    fn is_defined(&self, array: Array) -> bool {
        let (kind, at) = position(array);
        self.places[kind][at].is_some()
    }

    /// The place of an array; for one that no step has written, an array without entries.
    pub(super) fn place(&self, array: Array) -> Cow<'_, Place> {
        let (kind, at) = position(array);
        match &self.places[kind][at] {
            Some(place) => Cow::Borrowed(place),
            None => Cow::Owned(Place::entries(Vec::new())),
        }
    }

    fn define(&mut self, array: Array, place: Place) {
        let (kind, at) = position(array);
        self.places[kind][at] = Some(place);
    }

    /// `mut ` for an array that later steps write.
    fn mutable(&self, array: Array) -> &'static str {
        let (kind, at) = position(array);
        if self.writes[kind][at] > 0 || self.is_overwritten(array) {
            "mut "
        } else {
            ""
        }
    }

    /// Returns whether a solution writes over a matrix.
    fn is_overwritten(&self, array: Array) -> bool {
        let mut is_overwritten = false;
        self.routine.for_each_step(&mut |step| {
            if let Step::Kernel { arguments, .. } = step {
                is_overwritten |= arguments.first().is_some_and(|view| view.array == array);
            }
        });
        is_overwritten
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
                format!("&{}", place.value)
            }
            _ => format!("&[{}]", self.elements(view)),
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

    /// Statements that set entries, or add to them.
    fn assign(&mut self, to: View, operator: &str, value: Value) {
        if to.is_empty() {
            return;
        }
        if !self.is_defined(to.array) {
            let is_single = |view: View| view.rows == 1 || view.columns == 1;
            if matches!(to.array, Array::Result(_)) && is_single(to) {
                let length = self.length(to.array);
                let zeros = vec![constant(0.0); length];
                self.define(to.array, Place::entries(zeros));
            } else {
                self.bind_entries(to, value);
                return;
            }
        }
        let mut place = self.place(to.array).into_owned();
        if place.form == Form::Entries {
            for i in 0..to.rows {
                for j in 0..to.columns {
                    let value = value(self, &i.to_string(), &j.to_string());
                    place.set(to.at(i, j, 0), operator, &value);
                }
            }
            self.define(to.array, place);
            return;
        }
        self.for_each(to.rows, to.columns, |printer, i, j| {
            let (entry, value) = (printer.entry(to, i, j), value(printer, i, j));
            format!("{entry} {operator} {value};")
        });
    }

    /// `let mut __x3 = [..];`
    fn bind_entries(&mut self, to: View, value: Value) {
        let name = name_of(to.array);
        let mutable = self.mutable(to.array);
        let (form, row, count) = match to.rows == 1 || to.columns == 1 {
            true => (Form::Array, to.len(), 1),
            false => (Form::Rows, to.columns, to.rows),
        };
        let at =
            |printer: &Self, i: usize, j: usize| value(printer, &i.to_string(), &j.to_string());
        let text = if to.len() <= MOST_STATEMENTS && self.is_whole(to) {
            let rows = (0..to.rows).map(|i| list((0..to.columns).map(|j| at(self, i, j))));
            match form {
                Form::Array => list(rows),
                _ => list(rows.map(|row| format!("[{row}]"))),
            }
        } else {
            String::new()
        };
        if text.is_empty() {
            let zero = constant(0.0);
            let zeros = match form {
                Form::Array => format!("[{zero}; {row}]"),
                _ => format!("[[{zero}; {row}]; {count}]"),
            };
            self.push(format!("let mut {name} = {zeros};"));
            self.define(to.array, Place::new(name, form, to.columns));
            self.assign(to, "=", value);
        } else {
            self.push(format!("let {mutable}{name} = [{text}];"));
            self.define(to.array, Place::new(name, form, to.columns));
        }
    }

    /// A statement for each entry: few are written one by one, others in loops.
    fn for_each(
        &mut self,
        rows: usize,
        columns: usize,
        statement: impl Fn(&Self, &str, &str) -> String,
    ) {
        if rows * columns <= MOST_STATEMENTS {
            for i in 0..rows {
                for j in 0..columns {
                    let text = statement(self, &i.to_string(), &j.to_string());
                    self.push(text);
                }
            }
            return;
        }
        let [(first, i), (second, j)] = [(rows, "__i"), (columns, "__j")].map(|(count, name)| {
            let one = ("".to_owned(), "0");
            if count == 1 {
                one
            } else {
                (format!("for {name} in 0..{count} {{"), name)
            }
        });
        let text = statement(self, i, j);
        let ends = first.matches('{').count() + second.matches('{').count();
        self.push(format!("{first}{second} {text} {}", "}".repeat(ends)));
    }

    /// to += left right
    fn multiply(&mut self, left: View, right: View, to: View) {
        if left.columns == 0 {
            return;
        }
        let inner = left.columns;
        self.for_each(to.rows, 1, |printer, i, _| {
            let columns = if right.columns == 1 { "0" } else { "__j" };
            let (a, b) = (
                printer.entry(left, i, "__k"),
                printer.entry(right, "__k", columns),
            );
            let sum = printer.entry(to, i, columns);
            let text = format!("{sum} = __rt::math::mul_add({a}, {b}, {sum});");
            match right.columns {
                1 => format!("for __k in 0..{inner} {{ {text} }}"),
                count => format!("for __k in 0..{inner} {{ for __j in 0..{count} {{ {text} }} }}"),
            }
        });
    }

    fn compute(&mut self, compute: &Compute) {
        let sources = compute.reads.iter().filter_map(|(input, view)| {
            let place = self.place(view.array);
            let columns = view.columns;
            match place.form {
                Form::Entries => Source::new(*input, &self.owned(*view), Form::Array, columns),
                form => Source::new(*input, &place.value, form, columns),
            }
        });
        let sources: Vec<Source> = sources.collect();
        let results: Vec<_> = compute
            .writes
            .iter()
            .map(|write| &write.values[..])
            .collect();
        let parameters = &self.context.parameters;
        let mut body = Body::of(&compute.schedule, &results, (parameters, &sources));
        let (mut patterns, mut bound) = (Vec::new(), Vec::new());
        for write in &compute.writes {
            patterns.push(self.mutable(write.to.array).to_owned() + &name_of(write.to.array));
            bound.push(write);
        }
        let is_one = bound.len() == 1;
        body.push(if is_one { "" } else { "(" });
        for write in &bound {
            let (array, to) = (write.to.array, write.to);
            let is_vector = to.rows == 1 || to.columns == 1;
            match array {
                Array::Result(at) if !is_vector => {
                    body.value(self.routine.results[at].shape, &write.values);
                    let value = Place::typed(name_of(array), Shape::Matrix(to.rows, to.columns));
                    self.define(array, value);
                }
                _ if is_vector => {
                    body.array(&write.values);
                    self.define(array, Place::new(name_of(array), Form::Array, to.columns));
                }
                _ => {
                    body.rows(&write.values, to.columns);
                    self.define(array, Place::new(name_of(array), Form::Rows, to.columns));
                }
            }
            body.push(if is_one { "" } else { ", " });
        }
        body.push(if is_one { "" } else { ")" });
        let values = body.finish();
        let pattern = list(patterns);
        let pattern = if is_one {
            pattern
        } else {
            format!("({pattern})")
        };
        self.push(format!("let {pattern} = {{ {values} }};"));
    }

    fn call(&mut self, routine: &str, arguments: &[View], results: &[View]) {
        let layout = self.layout();
        let Some(row) = called_method(routine) else {
            return self.unprinted(routine);
        };
        let given = row.arguments(layout);
        let passed = self.passed(&given, arguments);
        if let Some(writer) = in_place(row.method, layout) {
            let (to, name) = (results[0], name_of(results[0].array));
            let zero = constant(0.0);
            let zeros = format!("[[{zero}; {}]; {}]", to.columns, to.rows);
            let all = list(passed.into_iter().chain([format!("&mut {name}")]));
            self.push(format!("let mut {name} = {zeros};\nself.{writer}({all});"));
            self.define(to.array, Place::new(name, Form::Rows, to.columns));
            return;
        }
        let failure = match row.fallible {
            false => String::new(),
            true if self.are_own(&given, arguments) => "?".to_owned(),
            true => blamed() + "?",
        };
        let (name, parts) = (row.name(), row.value(layout).parts(layout));
        let call = format!("self.{name}({}){failure}", list(passed));
        let first = results.first().map(|view| view.array);
        let bound = match (first, &parts[..]) {
            (Some(array), [_]) => name_of(array),
            _ => format!("__s{}", self.text.len()),
        };
        let mutable = first.map_or("", |array| self.mutable(array));
        self.push(format!("let {mutable}{bound} = {call};"));
        for (view, (path, shape)) in results.iter().zip(parts) {
            let place = Place::typed(format!("{bound}{path}"), shape);
            if self.is_whole(*view) && !self.is_defined(view.array) {
                self.define(view.array, place);
            } else {
                self.assign(*view, "=", &|_, i, j| {
                    let whole = View::matrix(view.array, view.rows, view.columns);
                    place.entry(whole, i, j)
                });
            }
        }
    }

    /// Returns whether a call passes arguments of this method under their names, so that an error names the right one.
    fn are_own(&self, given: &[Argument], arguments: &[View]) -> bool {
        let mut pairs = given.iter().zip(arguments);
        pairs.all(|(argument, view)| match view.array {
            Array::Argument(at) => self.routine.arguments[at].name == argument.name(),
            _ => false,
        })
    }

    /// The arguments of a call.
    fn passed(&self, given: &[Argument], views: &[View]) -> Vec<String> {
        let pairs = given.iter().zip(views);
        let passed = pairs.map(|(argument, view)| match argument {
            Argument::T => self.entry(*view, "0", "0"),
            _ => self.vector(*view),
        });
        passed.collect()
    }

    /// A reference to a vector of the entries.
    fn vector(&self, view: View) -> String {
        let place = self.place(view.array);
        match &place.typed {
            Some(typed) if self.is_whole(view) => match view.array {
                Array::Argument(_) => typed.clone(),
                _ => format!("&{typed}"),
            },
            _ => format!("&{}", vector_of(self.owned(view))),
        }
    }

    /// An array of the entries.
    fn owned(&self, view: View) -> String {
        let array = self.array(view);
        array.trim_start_matches('&').to_owned()
    }

    fn kernel(&mut self, kernel: Kernel, arguments: &[View], results: &[View]) {
        let call = match (kernel, arguments) {
            (Kernel::Solve(_), [mass, jacobian, forces, _]) if jacobian.is_empty() => {
                let mass = &self.place(mass.array).value;
                format!("solve_in_place(&mut {mass}, {})", self.array(*forces))
            }
            _ => return self.unprinted("a dense operation"),
        };
        let name = name_of(results[0].array);
        let blamed = blamed();
        self.push(format!("let {name} = __rt::linalg::{call}{blamed}?;"));
        self.define(
            results[0].array,
            Place::new(name, Form::Array, results[0].columns),
        );
    }

    fn require_finite(&mut self, views: &[View]) {
        let views = views.iter().filter(|view| !view.is_empty());
        let views: Vec<View> = views.copied().collect();
        let named = |at: usize| {
            let argument = &self.routine.arguments[at];
            let entries = self.slice(View::whole(Array::Argument(at), argument.length));
            format!("({:?}, {entries})", argument.name)
        };
        let all = self.routine.arguments.iter().enumerate();
        let all = all
            .filter(|(_, argument)| !argument.is_flags)
            .map(|(at, _)| at);
        let all: Vec<usize> = all.collect();
        let of_arguments = views
            .iter()
            .all(|view| matches!(view.array, Array::Argument(_)));
        let text = match (of_arguments, views.len()) {
            (_, 0) => return,
            (true, count) if count == all.len() => {
                let named = list(all.into_iter().map(named));
                format!("__rt::linalg::check_finite(&[{named}])?;")
            }
            (true, _) => {
                // Later steps test the others. The first argument that is not finite is reported.
                let (finite, named) = (self.finite(&views), list(all.into_iter().map(named)));
                format!(
                    "if !({finite}) {{
                         return __rt::core::result::Result::Err(__rt::linalg::first_not_finite(&[{named}]));
                     }}"
                )
            }
            (false, _) => unless(self.finite(&views)),
        };
        self.push(text);
    }

    /// The value of the method.
    fn result(&mut self) {
        let layout = self.layout();
        let value = self.row.value(layout);
        let parts = value.parts(layout);
        let parts = parts.iter().enumerate().map(|(at, (_, shape))| {
            let view = match *shape {
                Shape::Matrix(rows, columns) => View::matrix(Array::Result(at), rows, columns),
                _ => View::whole(Array::Result(at), shape.len()),
            };
            match (&self.place(view.array).typed, shape) {
                (Some(typed), _) => typed.clone(),
                (None, Shape::Scalar) => self.entry(view, "0", "0"),
                (None, _) => vector_of(self.owned(view)),
            }
        });
        let value = value.constructed(&parts.collect::<Vec<String>>());
        let value = if self.row.fallible { ok(value) } else { value };
        self.text.push_str(&value);
    }
}

/// The method that writes a large matrix to its place.
fn in_place(method: Method, layout: &Layout) -> Option<&'static str> {
    match method {
        Method::MassMatrix if is_in_place(layout) => Some(INERTIA),
        Method::ConstraintJacobian if is_in_place(layout) => Some(ROWS),
        _ => None,
    }
}

/// The kind of an array and its number.
fn position(array: Array) -> (usize, usize) {
    match array {
        Array::Argument(at) => (0, at),
        Array::Result(at) => (1, at),
        Array::Local(at) => (2, at),
    }
}

/// The variable of an array.
fn name_of(array: Array) -> String {
    match position(array) {
        (0, at) => index("__given", at),
        (1, at) => index("__r", at),
        (_, at) => index("__x", at),
    }
}

/// A constant of the scalar type.
pub(super) fn constant(value: f64) -> String {
    format!("__rt::math::constant::<S>({value:?})")
}

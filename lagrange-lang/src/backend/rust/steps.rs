//! Prints routines as bodies of methods: each step as statements.
//!
//! The arrays of a routine are values of several types (`places.rs`). An array that one step writes as a whole is bound by
//! that step: it needs no zeros before.

use std::borrow::Cow;
use std::fmt::{Display, Write};

use lagrange_engine::{Array, Compute, Kernel, Operations, Routine, Shape, Step, View};

use super::assembly::{blamed, list, matrix, ok, unless, vector_of};
use super::body::{Body, by_columns};
use super::context::Context;
use super::cost_model::MOST_STATEMENTS;
use super::function::{Definition, Details};
use super::places::{Form, Place, index};
use super::symbols::Source;
use super::terms::is_in_place;
use super::values::{called_method, in_words};
use crate::generated::{INERTIA, Method, ROWS};
use crate::methods::{Argument, Layout, Row, Value};

/// The body of a method by its routine.
pub(super) fn definition(context: &Context, row: &Row) -> Definition {
    let name = match row.method {
        Method::Rhs => Method::StateDerivative.name(),
        _ => row.name(),
    };
    let routine = context.routines().method(name);
    let body = routine.as_ref().map(|routine| {
        let mut printer = Printer::new(context, row, routine);
        printer.body();
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
    Details {
        formula: String::new(),
        operations: operations_of(common),
        beyond: in_words(common),
    }
}

/// The operations of steps; those of products of matrices and of calls are named in words.
fn operations_of(steps: &[Step]) -> Operations {
    let each = steps.iter().map(|step| match step {
        Step::Compute(compute) => compute.schedule.operations(),
        Step::Add { to, .. } => Operations {
            additions: to.len() as u32,
            ..Operations::default()
        },
        Step::ForEachRow { steps, .. } => operations_of(steps),
        _ => Operations::default(),
    });
    each.fold(Operations::default(), |sum, operations| sum + operations)
}

/// The text of the value for the entry at a row and a column.
type EntryText<'f> = &'f dyn Fn(&Printer, &str, &str) -> String;

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

    fn body(&mut self) {
        let layout = self.layout();
        if self.row.method == Method::Rhs && !layout.time {
            self.push("__rt::linalg::check_finite(&[(\"t\", &[t])])?;");
        }
        if !self.has_pieces(&self.routine.steps) {
            self.steps(&self.routine.steps);
            return self.result();
        }
        // Matrices that several steps write are written at the place where they are returned: the compiler would copy
        // them into the value.
        let value = self.row.value(layout);
        let parts = value.parts(layout);
        if let [(_, Shape::Matrix(rows, columns))] = parts[..]
            && !self.row.fallible
        {
            self.push(format!(
                "__rt::linalg::matrix_by::<S, {rows}, {columns}>(|__r0| {{"
            ));
            self.define(
                Array::Result(0),
                Place::fresh("__r0", Form::Columns, columns),
            );
            self.steps(&self.routine.steps);
            return self.push("})");
        }
        let zeros: Vec<String> = parts.iter().map(|(_, shape)| zeros(*shape)).collect();
        let zeros = value.constructed(&zeros, layout);
        let borrowed = if self.row.fallible {
            self.push(format!("let mut __result = {};", ok(zeros)));
            self.push("if let __rt::core::result::Result::Ok(__value) = &mut __result {");
            "__value"
        } else {
            self.push(format!("let mut __result = {zeros};"));
            "__result"
        };
        for (at, (path, shape)) in parts.into_iter().enumerate() {
            let (form, data, columns) = match shape {
                Shape::Matrix(_, columns) => (Form::Columns, "data.0", columns),
                _ => (Form::Array, "data.0[0]", shape.len()),
            };
            let name = name_of(Array::Result(at));
            if !shape.is_empty() {
                self.push(format!("let {name} = &mut {borrowed}{path}.{data};"));
            }
            self.define(Array::Result(at), Place::fresh(&name, form, columns));
        }
        self.steps(&self.routine.steps);
        self.push(if self.row.fallible {
            "}\n__result"
        } else {
            "__result"
        });
    }

    /// Returns whether steps write parts of a result that is a matrix, or add to it.
    fn has_pieces(&self, steps: &[Step]) -> bool {
        let is_matrix = |array| match array {
            Array::Result(at) => matches!(self.routine.results[at].shape, Shape::Matrix(..)),
            _ => false,
        };
        steps.iter().any(|step| match step {
            Step::If { then: steps, .. } | Step::ForEachRow { steps, .. } => self.has_pieces(steps),
            Step::Compute(compute) => {
                let mut writes = compute.writes.iter();
                writes
                    .any(|write| is_matrix(write.to.array) && (write.adds || write.to.advance > 0))
            }
            Step::Call { results, .. } => {
                let mut results = results.iter();
                results.any(|view| is_matrix(view.array) && !self.is_whole(*view))
            }
            step => step.writes().iter().any(|view| is_matrix(view.array)),
        })
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
            for view in step.writes() {
                let (kind, at) = position(view.array);
                if let Some(place) = &mut self.places[kind][at] {
                    place.is_fresh &= matches!(step, Step::Fill { value: 0.0, .. });
                }
            }
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
            Step::Fill { to, value: 0.0 } if self.place(to.array).is_fresh => {}
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
            Step::ForEachRow { rows, unit, steps } => {
                let (name, zero, one) = (name_of(unit.array), constant(0.0), constant(1.0));
                self.push(format!("for __row in 0..{rows} {{"));
                if self.is_defined(unit.array) {
                    self.assign(*unit, "=", &|_, _, _| zero.clone());
                } else {
                    self.push(format!("let mut {name} = [{zero}; {}];", unit.len()));
                    self.define(unit.array, Place::new(name, Form::Array, unit.len()));
                }
                let entry = self.entry(*unit, "0", "__row");
                self.push(format!("{entry} = {one};"));
                self.steps(steps);
                self.push("}");
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
        if self.writes[kind][at] > 0 || self.uses(array).0 {
            "mut "
        } else {
            ""
        }
    }

    /// Returns whether a solution writes over a matrix, and whether other steps read it.
    fn uses(&self, matrix: Array) -> (bool, bool) {
        let (mut is_overwritten, mut is_read) = (false, false);
        self.routine.for_each_step(&mut |step| {
            let mut views = step.reads().into_iter().map(|view| view.array == matrix);
            if let Step::Kernel { .. } = step {
                is_overwritten |= views.next().unwrap_or_default();
            }
            is_read |= views.any(|is_it| is_it);
        });
        (is_overwritten, is_read)
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
    fn assign(&mut self, to: View, operator: &str, value: EntryText) {
        if to.is_empty() {
            return;
        }
        if !self.is_defined(to.array) {
            let is_single = |view: View| view.rows == 1 || view.columns == 1;
            let is_part = matches!(to.array, Array::Result(_)) || !self.is_whole(to);
            if is_part && is_single(to) {
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
        self.for_each((to.rows, to.columns, place.form), |printer, i, j| {
            let (entry, value) = (printer.entry(to, i, j), value(printer, i, j));
            format!("{entry} {operator} {value};")
        });
    }

    /// `let mut __x3 = [..];`
    fn bind_entries(&mut self, to: View, value: EntryText) {
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

    /// A statement for each entry: few are written one by one, others in loops, the last of which is over entries beside
    /// each other.
    fn for_each(
        &mut self,
        (rows, columns, form): (usize, usize, Form),
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
        let [i, j] = [(rows, "__i"), (columns, "__j")];
        let [i, j] = [i, j].map(|(count, name)| if count == 1 { "0" } else { name });
        let mut loops = [(i, rows), (j, columns)];
        if form == Form::Columns {
            loops.reverse();
        }
        let mut text = statement(self, i, j);
        for (name, count) in loops.into_iter().rev().filter(|(_, count)| *count > 1) {
            text = format!("for {name} in 0..{count} {{ {text} }}");
        }
        self.push(text);
    }

    /// to += left right
    fn multiply(&mut self, left: View, right: View, to: View) {
        if left.columns == 0 {
            return;
        }
        let inner = left.columns;
        self.for_each((to.rows, 1, Form::Rows), |printer, i, _| {
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
        let (mut patterns, mut places, mut copied) = (Vec::new(), Vec::new(), Vec::new());
        for write in &compute.writes {
            let (array, to, values) = (write.to.array, write.to, &write.values[..]);
            let place = self.place(array);
            let first = (to.offset % place.columns, to.offset / place.columns);
            match place.form {
                Form::Columns if to.advance == 0 && (write.adds || place.is_fresh) => {
                    let entries = by_columns(values, to.columns, first);
                    let place = super::body::Place::Argument(&place.value);
                    match write.adds {
                        true => body.increase(place, &entries),
                        false => body.assign(place, &entries),
                    }
                    continue;
                }
                _ if self.is_defined(array) => {
                    let name = format!("__w{}", copied.len());
                    patterns.push(name.clone());
                    places.push((Place::new(name.clone(), Form::Array, to.columns), write));
                    copied.push((Place::new(name, Form::Array, to.columns), write));
                }
                _ => {
                    let name = name_of(array);
                    patterns.push(self.mutable(array).to_owned() + &name);
                    let is_vector = to.rows == 1 || to.columns == 1;
                    let place = match array {
                        Array::Result(at)
                            if matches!(self.routine.results[at].shape, Shape::Matrix(..)) =>
                        {
                            Place::typed(name, self.routine.results[at].shape)
                        }
                        _ if is_vector => Place::new(name, Form::Array, to.columns),
                        _ => Place::new(name, Form::Rows, to.columns),
                    };
                    places.push((place, write));
                }
            }
        }
        let [open, between, close] = match patterns.len() {
            0 | 1 => ["", "", ""],
            _ => ["(", ", ", ")"],
        };
        body.push(open);
        for (place, write) in &places {
            match place.form {
                Form::Columns => {
                    let shape = Shape::Matrix(write.to.rows, write.to.columns);
                    body.value(shape, &write.values);
                }
                Form::Rows => body.rows(&write.values, write.to.columns),
                _ => body.array(&write.values),
            }
            body.push(between);
        }
        body.push(close);
        let values = body.finish();
        let pattern = match patterns.is_empty() {
            true => String::new(),
            false => format!("let {open}{}{close} = ", list(patterns)),
        };
        let end = if pattern.is_empty() { "" } else { ";" };
        self.push(format!("{pattern}{{ {values} }}{end}"));
        for (place, write) in places {
            if !self.is_defined(write.to.array) {
                self.define(write.to.array, place);
            }
        }
        for (place, write) in copied {
            let operator = if write.adds { "+=" } else { "=" };
            let from = View::matrix(write.to.array, write.to.rows, write.to.columns);
            self.assign(write.to, operator, &|_, i, j| place.entry(from, i, j));
        }
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
            if writer == INERTIA && self.uses(to.array).1 {
                self.push(format!("__rt::linalg::mirror(&mut {name});"));
            }
            self.define(to.array, Place::new(name, Form::Rows, to.columns));
            return;
        }
        let failure = match row.fallible {
            false => String::new(),
            true if self.are_own(&given, arguments) => "?".to_owned(),
            true if self.are_parts(arguments) => ".map_err(__rt::Error::of_state)?".to_owned(),
            true => blamed() + "?",
        };
        let (name, parts) = (row.name(), row.value(layout).parts(layout));
        let call = format!("self.{name}({}){failure}", list(passed));
        let binds = |view: View| self.is_whole(view) && !self.is_defined(view.array);
        let (mutable, bound) = match (results, &parts[..]) {
            ([view], [_]) if binds(*view) => (self.mutable(view.array), name_of(view.array)),
            _ => ("", format!("__s{}", self.text.len())),
        };
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

    /// Returns whether arguments are parts of arguments of this method.
    fn are_parts(&self, arguments: &[View]) -> bool {
        let mut arguments = arguments.iter();
        arguments.all(|view| matches!(view.array, Array::Argument(_)))
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
                Array::Argument(_) if !typed.contains('.') => typed.clone(),
                _ => format!("&{typed}"),
            },
            _ => format!("&{}", vector_of(self.owned(view))),
        }
    }

    /// An array of the entries.
    fn owned(&self, view: View) -> String {
        let array = self.array(view);
        match array.strip_prefix('&') {
            Some(array) => array.to_owned(),
            None => format!("*{array}"),
        }
    }

    fn kernel(&mut self, kernel: Kernel, arguments: &[View], results: &[View]) {
        let call = match (kernel, arguments) {
            (Kernel::Solve(_), [mass, jacobian, forces, _]) if jacobian.is_empty() => {
                let mass = &self.place(mass.array).value;
                format!("solve_in_place(&mut {mass}, {})", self.array(*forces))
            }
            (Kernel::Moved | Kernel::Difference, [from, to]) => {
                let function = match kernel {
                    Kernel::Moved => "moved",
                    _ => "difference",
                };
                let (from, to) = (self.array(*from), self.array(*to));
                let name = format!("__k{}", self.text.len());
                self.push(format!(
                    "let {name} = __rt::rotation::{function}({from}, {to});"
                ));
                return self.assign(results[0], "=", &|_, _, j| format!("{name}[{j}]"));
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
                (None, Shape::Matrix(..)) => zeros(*shape),
                (None, _) => vector_of(self.owned(view)),
            }
        });
        let parts: Vec<String> = parts.collect();
        if value == Value::Nothing {
            let rates = View::whole(Array::Result(0), self.length(Array::Result(0)));
            self.push(format!("*dy = {};", self.owned(rates)));
        }
        let value = value.constructed(&parts, layout);
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

/// Zeros of the type of a part.
fn zeros(shape: Shape) -> String {
    let zero = constant(0.0);
    match shape {
        Shape::Scalar => zero,
        Shape::Vector(length) => vector_of(format!("[{zero}; {length}]")),
        Shape::Matrix(rows, columns) => matrix(format!("[[{zero}; {rows}]; {columns}]")),
    }
}

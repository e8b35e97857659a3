//! Prints routines as bodies of methods: each step as statements.
//!
//! The arrays of a routine are values of several types (`places.rs`). An array that one step writes as a whole is bound by
//! that step: it needs no zeros before.

use std::borrow::Cow;
use std::fmt::{Display, Write};

use lagrange_engine::{Array, Compute, Equations, Operand, Operations, Routine, Shape, Step, View};

use super::assembly::{blamed, list, matrix, ok, unless, vector_of};
use super::body::{Body, by_columns, is_large};
use super::context::Context;
use super::cost_model::MOST_STATEMENTS;
use super::function::{Definition, Details};
use super::library;
use super::places::{Form, Place};
use super::signature::{Signature, called};
use super::symbols::Source;
use super::terms::is_in_place;
use super::values::in_words;
use crate::generated::{INERTIA, Method, ROWS};
use crate::methods::{Argument, Layout, Row, Value};

/// The body of a method by its routine.
pub(super) fn definition(context: &Context, row: &Row) -> Definition {
    let name = match row.method {
        Method::Rhs => Method::StateDerivative.name(),
        _ => row.name(),
    };
    printed(context, name, &Signature::of(row, &context.skeleton.layout))
}

/// The body of a method of this signature by the routine of this name.
pub(super) fn printed(context: &Context, name: &str, signature: &Signature) -> Definition {
    let Some(routine) = context.routines().method(name) else {
        return Definition::default();
    };
    let details = details(&routine);
    let routine = routine.with_library_calls();
    let mut printer = Printer::new(context, signature, &routine);
    printer.body();
    Definition {
        body: printer.text.into(),
        details,
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
        Step::ForEachRow { steps, .. }
        | Step::Apart { steps, .. }
        | Step::Library { steps, .. } => operations_of(steps),
        _ => Operations::default(),
    });
    each.fold(Operations::default(), |sum, operations| sum + operations)
}

/// The text of the value for the entry at a row and a column.
type EntryText<'f> = &'f dyn Fn(&Printer, &str, &str) -> String;

pub(super) struct Printer<'a> {
    pub(super) context: &'a Context<'a>,
    signature: &'a Signature,
    pub(super) routine: &'a Routine,
    /// The values that hold arrays; the last one of an array counts.
    places: Vec<(Array, Place)>,
    /// The arrays that later steps of the block write.
    written_later: Vec<Array>,
    /// The number of variables that hold no array.
    others: usize,
    pub(super) text: String,
}

impl<'a> Printer<'a> {
    fn new(context: &'a Context<'a>, signature: &'a Signature, routine: &'a Routine) -> Self {
        let given = &signature.arguments;
        let places = routine.arguments.iter().enumerate();
        let places =
            places.map(|(at, argument)| (Array::Argument(at), Place::of_argument(argument, given)));
        Printer {
            context,
            signature,
            routine,
            places: places.collect(),
            written_later: Vec::new(),
            others: 0,
            text: String::new(),
        }
    }

    fn body(&mut self) {
        let layout = self.layout();
        if self.signature.method == Some(Method::Rhs) && !layout.time {
            self.push("__rt::linalg::check_finite(&[(\"t\", &[t])])?;");
        }
        let value = self.signature.value;
        let parts = value.parts(layout);
        if !self.is_written_in_place() {
            self.steps(&self.routine.steps);
            return self.result();
        }
        if let [(_, Shape::Matrix(rows, columns))] = parts[..]
            && !self.signature.fallible
        {
            self.push(format!(
                "__rt::linalg::matrix_by::<S, {rows}, {columns}>(|__r0| {{"
            ));
            let place = Place::fresh("__r0", Form::Columns, columns);
            self.define(Array::Result(0), place);
            self.steps(&self.routine.steps);
            return self.push("})");
        }
        let mut zeros = parts.iter().map(|(_, shape)| zeros(*shape));
        let zeros = value.constructed(&mut zeros, layout);
        let borrowed = if self.signature.fallible {
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
        self.push(if self.signature.fallible {
            "}\n__result"
        } else {
            "__result"
        });
    }

    /// Returns whether several steps write a result that is a matrix, or it is large. Then it is written at the place where
    /// it is returned: the compiler would copy it into the value.
    fn is_written_in_place(&self) -> bool {
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
        let results = self.routine.results.iter().enumerate();
        let mut matrices = results.filter(|(_, result)| matches!(result.shape, Shape::Matrix(..)));
        matrices.any(|(at, result)| {
            let own = writes.iter().filter(|view| view.array == Array::Result(at));
            let own: Vec<&View> = own.collect();
            own.len() > 1
                || own.iter().any(|view| !self.is_whole(**view))
                || !own.is_empty() && is_large(result.shape.len())
        })
    }

    pub(super) fn layout(&self) -> &'a Layout {
        &self.context.skeleton.layout
    }

    /// The arrays that steps write, once for each, without the blocks that end in a return: these have results of their own.
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

    /// Prints a block, whose variables end with it.
    fn block(&mut self, steps: &[Step]) {
        let (defined, later) = (self.places.len(), std::mem::take(&mut self.written_later));
        self.steps(steps);
        self.places.truncate(defined);
        self.written_later = later;
    }

    fn steps(&mut self, steps: &[Step]) {
        for (at, step) in steps.iter().enumerate() {
            self.written_later = Self::arrays_written(&steps[at + 1..]);
            self.step(step);
            for view in step.writes() {
                let is_zero = matches!(step, Step::Fill { value: 0.0, .. });
                let mut places = self.places.iter_mut().rev();
                if let Some((_, place)) = places.find(|(array, _)| *array == view.array) {
                    place.is_fresh &= is_zero;
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
            Step::Fill { to, value: 0.0 } if self.is_new_matrix(*to) => {
                self.define_zeros(*to);
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
                self.block(then);
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
                self.block(steps);
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
                self.steps(steps);
                self.written_later = later;
                let values = list(results.iter().map(|view| self.owned(**view)));
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

    fn length(&self, array: Array) -> usize {
        match array {
            Array::Argument(at) => self.routine.arguments[at].length,
            Array::Result(at) => self.routine.results[at].shape.len(),
            Array::Local(at) => self.routine.locals[at],
        }
    }

    pub(super) fn is_defined(&self, array: Array) -> bool {
        self.places.iter().any(|(known, _)| *known == array)
    }

    /// The place of an array; for one that no step has written, an array without entries.
    pub(super) fn place(&self, array: Array) -> Cow<'_, Place> {
        let mut places = self.places.iter().rev();
        match places.find(|(known, _)| *known == array) {
            Some((_, place)) => Cow::Borrowed(place),
            None => Cow::Owned(Place::entries(Vec::new())),
        }
    }

    fn is_new_matrix(&self, view: View) -> bool {
        !self.is_defined(view.array) && self.is_whole(view) && self.wants_matrix(view.array)
    }

    /// Binds a reference to a matrix of zeros.
    fn define_zeros(&mut self, view: View) {
        let (name, zero) = (name_of(view.array), constant(0.0));
        let (rows, columns) = (view.rows, view.columns);
        self.push(format!("let {name} = &mut [[{zero}; {rows}]; {columns}];"));
        self.define(view.array, Place::fresh(&name, Form::Columns, columns));
    }

    pub(super) fn define(&mut self, array: Array, place: Place) {
        self.places.push((array, place));
    }

    /// `__x3`, with `mut` if later steps write the array.
    fn bound_name(&self, array: Array) -> String {
        let is_written = self.written_later.contains(&array) || self.uses(array).0;
        let mutable = if is_written { "mut " } else { "" };
        format!("{mutable}{}", name_of(array))
    }

    /// A further variable, for a value that holds several arrays or a part of one.
    pub(super) fn other_name(&mut self) -> String {
        self.others += 1;
        format!("__s{}", self.others)
    }

    /// Returns whether a solution writes over a matrix, of which it reads a triangle, and whether other steps read the
    /// matrix.
    fn uses(&self, matrix: Array) -> (bool, bool) {
        let (mut is_overwritten, mut is_read) = (false, false);
        self.routine.for_each_step(&mut |step| {
            let mut views = step.reads().into_iter().map(|view| view.array == matrix);
            if let Step::Kernel { kernel, .. } = step
                && kernel.equations() != Some(Equations::Reacting)
            {
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
    pub(super) fn assign(&mut self, to: View, operator: &str, value: EntryText) {
        if to.is_empty() {
            return;
        }
        if self.is_new_matrix(to) {
            self.define_zeros(to);
        } else if !self.is_defined(to.array) {
            let length = self.length(to.array);
            let is_vector = to.rows == 1 || to.columns == 1;
            let is_part = matches!(to.array, Array::Result(_)) || to.len() < length;
            let (name, zero) = (name_of(to.array), constant(0.0));
            let place = if is_vector && is_part {
                Place::entries(vec![zero; length])
            } else if is_vector {
                self.push(format!("let mut {name} = [{zero}; {length}];"));
                Place::new(name, Form::Array, length)
            } else {
                self.push(format!(
                    "let mut {name} = [[{zero}; {}]; {}];",
                    to.columns, to.rows
                ));
                Place::new(name, Form::Rows, to.columns)
            };
            self.define(to.array, place);
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
        let looped = |name: &str, count: usize, text: String| match count {
            1 => text,
            _ => format!("for {name} in 0..{count} {{ {text} }}"),
        };
        let variable = |name, count| if count == 1 { "0" } else { name };
        let (i, k, j) = (
            variable("__i", to.rows),
            variable("__k", left.columns),
            variable("__j", to.columns),
        );
        let (a, b) = (self.entry(left, i, k), self.entry(right, k, j));
        let sum = self.entry(to, i, j);
        let text = format!("{sum} = __rt::math::mul_add({a}, {b}, {sum});");
        let text = looped("__j", to.columns, text);
        let text = looped("__k", left.columns, text);
        self.push(looped("__i", to.rows, text));
    }

    fn compute(&mut self, compute: &Compute) {
        for write in &compute.writes {
            if self.is_new_matrix(write.to) {
                self.define_zeros(write.to);
            }
        }
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
            let (array, to) = (write.to.array, write.to);
            let place = self.place(array);
            if place.form == Form::Columns && to.advance == 0 && (write.adds || place.is_fresh) {
                let first = (to.offset % place.columns, to.offset / place.columns);
                let entries = by_columns(&write.values, to.columns, first);
                let is_zero = entries
                    .iter()
                    .all(|(_, value)| *value == Operand::Constant(0.0));
                let flag = write.flag.filter(|_| !is_zero);
                if let Some(flag) = flag {
                    body.push(&format!("if {} {{\n", self.entry(flag, "0", "0")));
                }
                match write.adds {
                    true => body.increase(&place.value, &entries),
                    false => body.assign(&place.value, &entries),
                }
                body.push(if flag.is_some() { "}\n" } else { "" });
                continue;
            }
            let name = match self.is_defined(array) {
                true => format!("__w{}", patterns.len()),
                false => name_of(array),
            };
            let is_vector = self.is_defined(array) || to.rows == 1 || to.columns == 1;
            let form = if is_vector { Form::Array } else { Form::Rows };
            let place = Place::new(name.clone(), form, to.columns);
            patterns.push(match self.is_defined(array) {
                true => name,
                false => self.bound_name(array),
            });
            bound.push((place, write));
        }
        let [open, between, close] = match patterns.len() {
            0 | 1 => ["", "", ""],
            _ => ["(", ", ", ")"],
        };
        body.push(open);
        for (place, write) in &bound {
            match place.form {
                Form::Rows => body.rows(&write.values, write.to.columns),
                _ => body.array(&write.values),
            }
            body.push(between);
        }
        body.push(close);
        let values = body.finish();
        self.push(match patterns.is_empty() {
            true => format!("{{ {values} }}"),
            false => format!("let {open}{}{close} = {{ {values} }};", list(patterns)),
        });
        for (place, write) in bound {
            if self.is_defined(write.to.array) {
                let operator = if write.adds { "+=" } else { "=" };
                let from = View::matrix(write.to.array, write.to.rows, write.to.columns);
                self.assign(write.to, operator, &|_, i, j| place.entry(from, i, j));
            } else {
                self.define(write.to.array, place);
            }
        }
    }

    fn call(&mut self, routine: &str, arguments: &[View], results: &[View]) {
        let layout = self.layout();
        let Some(called) = called(routine, layout) else {
            return self.unprinted(routine);
        };
        let pairs = called.arguments.iter().zip(arguments);
        let passed = pairs.clone().map(|(argument, view)| match argument {
            Argument::T => self.entry(*view, "0", "0"),
            Argument::Active | Argument::Restitution => self.array(*view),
            // The multipliers are the last argument.
            Argument::Motion => {
                let multipliers = arguments.last().unwrap_or(view);
                let [a, lambda] = [view, multipliers].map(|view| vector_of(self.owned(*view)));
                format!("&__rt::Motion {{ acceleration: {a}, multipliers: {lambda} }}")
            }
            _ => self.vector(*view),
        });
        let passed: Vec<String> = passed.collect();
        if let Some(writer) = called.method.and_then(|method| in_place(method, layout))
            && !self.wants_matrix(results[0].array)
        {
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
        // An error names an argument: one of the method, a part of the state y, or none.
        let is_own = |(argument, view): (&Argument, &View)| match view.array {
            Array::Argument(at) => self.routine.arguments[at].name == argument.name(),
            _ => false,
        };
        let is_given = |view: &View| matches!(view.array, Array::Argument(_));
        let is_own = pairs.clone().all(is_own);
        let mut arrays = results.iter().map(|view| &view.array);
        let is_changed = arrays.any(|array| self.written_later.contains(array));
        if called.fallible && is_own && is_changed && called.value == self.signature.value {
            // It is changed where it is returned: the compiler would copy it out and back.
            let call = format!("self.{}({})", called.name, list(passed));
            self.push(format!(
                "let mut __result = {call};
                 if let __rt::core::result::Result::Ok(__value) = &mut __result {{"
            ));
            return self.define_parts(results, called.value, CHANGED);
        }
        let failure = match called.fallible {
            false => String::new(),
            true if is_own => "?".to_owned(),
            true if arguments.iter().all(is_given) => ".map_err(__rt::Error::of_state)?".to_owned(),
            true => blamed() + "?",
        };
        let call = format!("self.{}({}){failure}", called.name, list(passed));
        self.bind(results, (called.value, ""), &call);
    }

    /// Binds a value, whose parts are the results; its type is `: T`, or nothing where the compiler knows it.
    pub(super) fn bind(&mut self, results: &[View], (value, of_type): (Value, &str), text: &str) {
        let parts = value.parts(self.layout());
        let binds = |view: View| self.is_whole(view) && !self.is_defined(view.array);
        let (pattern, bound) = match (results, &parts[..]) {
            ([view], [_]) if binds(*view) => (self.bound_name(view.array), name_of(view.array)),
            _ => {
                let name = self.other_name();
                (name.clone(), name)
            }
        };
        self.push(format!("let {pattern}{of_type} = {text};"));
        self.define_parts(results, value, &bound);
    }

    fn define_parts(&mut self, results: &[View], value: Value, bound: &str) {
        let parts = value.parts(self.layout());
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
    pub(super) fn owned(&self, view: View) -> String {
        let array = self.array(view);
        match array.strip_prefix('&') {
            Some(array) => array.to_owned(),
            None => format!("*{array}"),
        }
    }

    fn require_finite(&mut self, views: &[View]) {
        let views = views.iter().filter(|view| !view.is_empty());
        let views: Vec<View> = views.copied().collect();
        if views.is_empty() {
            return;
        }
        let finite = self.finite(&views);
        let is_argument = |view: &View| matches!(view.array, Array::Argument(_));
        if !views.iter().all(is_argument) {
            return self.push(unless(finite));
        }
        // Later steps test the other arguments. The first one that is not finite is reported.
        let all = self.routine.arguments.iter().enumerate();
        let all = all.filter(|(_, argument)| !argument.is_flags);
        let named = all.map(|(at, argument)| {
            let entries = self.slice(View::whole(Array::Argument(at), argument.length));
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
    fn result(&mut self) {
        let layout = self.layout();
        let value = self.signature.value;
        let paths = value.parts(layout);
        let parts = paths.iter().enumerate().map(|(at, (_, shape))| {
            let view = View::whole(Array::Result(at), shape.len());
            match (&self.place(view.array).typed, shape) {
                (Some(typed), _) => typed.clone(),
                (None, Shape::Scalar) => self.entry(view, "0", "0"),
                (None, Shape::Matrix(..)) if shape.is_empty() => zeros(*shape),
                (None, Shape::Matrix(..)) => matrix(format!("*{}", name_of(view.array))),
                (None, _) => vector_of(self.owned(view)),
            }
        });
        let parts: Vec<String> = parts.collect();
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
            None => value.constructed(&mut parts.into_iter(), layout),
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
const CHANGED: &str = "(*__value)";

/// The method that writes a large matrix to its place.
fn in_place(method: Method, layout: &Layout) -> Option<&'static str> {
    match method {
        Method::MassMatrix if is_in_place(layout) => Some(INERTIA),
        Method::ConstraintJacobian if is_in_place(layout) => Some(ROWS),
        _ => None,
    }
}

/// The variable of an array.
pub(super) fn name_of(array: Array) -> String {
    match array {
        Array::Argument(at) => format!("__given{at}"),
        Array::Result(at) => format!("__r{at}"),
        Array::Local(at) => format!("__x{at}"),
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

//! Steps of routines that write entries of arrays.

use lagrange_engine::{Array, Compute, Operand, View};

use super::assembly::list;
use super::body::{Body, place_by_columns, place_by_rows};
use super::cost_model::MOST_STATEMENTS;
use super::places::{Form, Place};
use super::printer::{Printer, constant, name_of};
use super::symbols::Source;

/// The text of the value for the entry at a row and a column.
type EntryText<'f> = &'f dyn Fn(&Printer, &str, &str) -> String;

impl Printer<'_> {
    /// Statements that set entries, or add to entries.
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
    pub(super) fn multiply(&mut self, left: View, right: View, to: View) {
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

    pub(super) fn compute(&mut self, compute: &Compute) {
        for write in &compute.writes {
            if self.is_new_matrix(write.to) {
                self.define_zeros(write.to);
            }
        }
        let sources: Vec<Source> = compute
            .reads
            .iter()
            .filter_map(|(input, view)| {
                let place = self.place(view.array);
                let columns = view.columns;
                match place.form {
                    Form::Entries => Source::new(*input, &self.owned(*view), Form::Array, columns),
                    form => Source::new(*input, &place.value, form, columns),
                }
            })
            .collect();
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
            let is_by_rows = place.form == Form::Rows && place.is_fresh && self.is_whole(to);
            let is_by_columns = place.form == Form::Columns && (write.adds || place.is_fresh);
            if is_by_rows || is_by_columns && to.advance == 0 {
                let first = (to.offset % place.columns, to.offset / place.columns);
                let entries = match is_by_rows {
                    true => place_by_rows(&write.values, to.columns),
                    false => place_by_columns(&write.values, to.columns, first),
                };
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
                Form::Rows => body.write_rows(&write.values, write.to.columns),
                _ => body.write_array(&write.values),
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
}

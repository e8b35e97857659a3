//! Steps of routines that call other methods.

use lagrange_engine::{Array, View};

use super::assembly::{blamed, list, vector_of};
use super::places::{Form, Place};
use super::signature::called;
use super::steps::{CHANGED, Printer, constant, name_of};
use super::terms::is_in_place;
use crate::generated::{INERTIA, Method, ROWS};
use crate::methods::{Argument, Layout, Value};

impl Printer<'_> {
    /// A call; the error of one that is tried leaves the results as they were.
    pub(super) fn call(
        &mut self,
        routine: &str,
        is_tried: bool,
        arguments: &[View],
        results: &[View],
    ) {
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
        if called.has_places() {
            for view in results {
                if !view.is_empty() && !self.is_defined(view.array) {
                    self.define_zeros(*view);
                }
            }
            let places = results.iter().map(|view| self.reference(*view));
            let failure = if called.fallible { "?" } else { "" };
            let all = list(passed.into_iter().chain(places));
            return self.push(format!("self.{}({all}){failure};", called.name));
        }
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
            true if is_tried => format!(".unwrap_or({})", self.composed(results, called.value)),
            true if is_own => "?".to_owned(),
            true if arguments.iter().all(is_given) => ".map_err(__rt::Error::of_state)?".to_owned(),
            true => blamed() + "?",
        };
        let call = format!("self.{}({}){failure}", called.name, list(passed));
        self.bind(results, (called.value, ""), &call);
    }

    /// The value of these parts.
    fn composed(&self, parts: &[View], value: Value) -> String {
        let mut parts = parts.iter().map(|view| vector_of(self.owned(*view)));
        value.constructed(&mut parts, self.layout())
    }

    /// Binds a value, whose parts are the results; its type is `: T`, or nothing where the compiler knows it.
    pub(super) fn bind(&mut self, results: &[View], (value, of_type): (Value, &str), text: &str) {
        let parts = value.parts(self.layout());
        let is_changed = results
            .iter()
            .any(|view| self.is_differentiated(view.array));
        let binds = |view: View| self.is_whole(view) && !self.is_defined(view.array);
        let (pattern, bound) = match (results, &parts[..]) {
            ([view], [_]) if binds(*view) => (self.bound_name(view.array), name_of(view.array)),
            _ => {
                let name = self.other_name();
                let mutable = if is_changed { "mut " } else { "" };
                (format!("{mutable}{name}"), name)
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
}

/// The method that writes a large matrix to its place.
fn in_place(method: Method, layout: &Layout) -> Option<&'static str> {
    match method {
        Method::MassMatrix if is_in_place(layout) => Some(INERTIA),
        Method::ConstraintJacobian if is_in_place(layout) => Some(ROWS),
        _ => None,
    }
}

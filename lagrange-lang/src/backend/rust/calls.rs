//! Steps of routines that call methods.

use lagrange_engine::{Array, View};

use super::assembly::{list, map_error, vector_of};
use super::places::{Form, Place};
use super::printer::{CHANGED, Printer, constant, made_apart, name_of, zeros_of};
use super::signature::find_signature;
use super::terms::is_in_place;
use crate::generated::{BLAME, INERTIA, Method, ROWS};
use crate::methods::{Argument, Layout, Value};

impl Printer<'_> {
    /// A call of a method. If the call is tried, an error leaves the results as they were.
    pub(super) fn call(
        &mut self,
        routine: &str,
        is_tried: bool,
        arguments: &[View],
        results: &[View],
    ) {
        let layout = self.layout();
        let Some(called) = find_signature(routine, layout) else {
            return self.unprinted(routine);
        };
        let pairs = called.arguments.iter().zip(arguments);
        let mut passed: Vec<String> = pairs
            .clone()
            .map(|(argument, view)| match argument {
                Argument::T => self.entry(*view, "0", "0"),
                Argument::Active | Argument::Restitution => self.array(*view),
                // The multipliers are the last argument.
                Argument::Motion => {
                    let multipliers = arguments.last().unwrap_or(view);
                    let [a, lambda] = [view, multipliers].map(|view| vector_of(self.owned(*view)));
                    format!("&__rt::Motion {{ acceleration: {a}, multipliers: {lambda} }}")
                }
                _ => self.vector(*view),
            })
            .collect();
        if called.has_places() {
            for view in results {
                if !view.is_empty() && !self.is_defined(view.array) {
                    self.define_zeros(*view);
                }
            }
            let places = results.iter().map(|view| self.reference(*view));
            let failure = if called.fallible { "?" } else { "" };
            let passed = list(passed.into_iter().chain(places));
            return self.push(format!("self.{}({passed}){failure};", called.name));
        }
        if let Some(writer) = called.method.and_then(|method| find_writer(method, layout))
            && !self.wants_matrix(results[0].array)
        {
            let (to, name) = (results[0], name_of(results[0].array));
            let zero = constant(0.0);
            let zeros = format!("[[{zero}; {}]; {}]", to.columns, to.rows);
            let passed = list(passed.into_iter().chain([format!("&mut {name}")]));
            self.push(format!(
                "let mut {name} = {zeros};\nself.{writer}({passed});"
            ));
            if writer == INERTIA && self.uses(to.array).1 {
                self.push(format!("__rt::linalg::mirror(&mut {name});"));
            }
            self.define(to.array, Place::new(name, Form::Rows, to.columns));
            return;
        }
        // An error names an argument: one of the method, a part of the state y, or none.
        let has_same_name = |(argument, view): (&Argument, &View)| match view.array {
            Array::Argument(index) => self.routine.arguments[index].name == argument.name(),
            _ => false,
        };
        let is_argument = |view: &View| matches!(view.array, Array::Argument(_));
        let have_same_names = pairs.clone().all(has_same_name);
        let mut arrays = results.iter().map(|view| &view.array);
        let is_changed = arrays.any(|array| self.written_later.contains(array));
        let is_large = called.value.is_large(layout);
        if called.fallible && have_same_names && is_changed && called.value == self.signature.value
        {
            // The value is changed where the method returns it. The compiler would copy a value in a local out and back.
            let call = format!("self.{}({})", called.name, list(passed));
            self.push(format!(
                "let mut __result = {call};
                 if let __rt::core::result::Result::Ok(__value) = &mut __result {{"
            ));
            return self.define_parts(results, called.value, CHANGED);
        }
        let writer = called.find_writer(layout).filter(|_| !is_tried);
        let call = format!("self.{}({})", called.name, list(passed.clone()));
        if called.fallible && is_large && !is_tried && writer.is_none() {
            let error = match have_same_names {
                true => "*__error".to_owned(),
                false if arguments.iter().all(is_argument) => {
                    "__rt::Error::of_state(*__error)".to_owned()
                }
                false => format!("self.{BLAME}(*__error)"),
            };
            return self.borrow(results, called.value, &call, &error);
        }
        let failure = match called.fallible {
            false => String::new(),
            true if is_tried => format!(".unwrap_or({})", self.compose(results, called.value)),
            true if have_same_names => "?".to_owned(),
            true if arguments.iter().all(is_argument) => {
                ".map_err(__rt::Error::of_state)?".to_owned()
            }
            true => map_error() + "?",
        };
        match writer {
            Some(writer) => {
                let place = self.define_value_place(called.value);
                passed.push(format!("&mut {place}"));
                self.push(format!("self.{writer}({}){failure};", list(passed)));
                self.define_parts(results, called.value, &place);
            }
            None => self.bind(results, (called.value, ""), &format!("{call}{failure}")),
        }
    }

    /// Zeros for a value that another method writes: the place of the value of this method, or a variable.
    fn define_value_place(&mut self, value: Value) -> String {
        let layout = self.layout();
        if self.signature.has_value_place(layout) && value == self.signature.value {
            return CHANGED.to_owned();
        }
        let name = self.other_name();
        let zeros = made_apart(value, layout, zeros_of(value, layout));
        self.push(format!("let mut {name} = {zeros};"));
        name
    }

    /// Binds a reference to a large value where a method returns it, or returns an error: `?` would copy the value twice.
    pub(super) fn borrow(&mut self, results: &[View], value: Value, call: &str, error: &str) {
        let (name, of_type) = (
            self.other_name(),
            value.write_return_type(true, self.layout()),
        );
        let mut arrays = results.iter().map(|view| view.array);
        let mutable = match arrays.any(|array| self.is_differentiated(array)) {
            true => "mut ",
            false => "",
        };
        self.push(format!(
            "let {mutable}{name}: {of_type} = {call};
             let {name} = match &{mutable}{name} {{
                 __rt::core::result::Result::Ok(__value) => __value,
                 __rt::core::result::Result::Err(__error) => return __rt::core::result::Result::Err({error}),
             }};"
        ));
        self.define_parts(results, value, &format!("(*{name})"));
    }

    /// The value of these parts.
    fn compose(&self, parts: &[View], value: Value) -> String {
        let mut parts = parts.iter().map(|view| vector_of(self.owned(*view)));
        value.construct(&mut parts, self.layout())
    }

    /// Binds a value, whose parts are the results. The type of the value is `: T`, or nothing where the compiler knows
    /// the type.
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
fn find_writer(method: Method, layout: &Layout) -> Option<&'static str> {
    match method {
        Method::MassMatrix if is_in_place(layout) => Some(INERTIA),
        Method::ConstraintJacobian if is_in_place(layout) => Some(ROWS),
        _ => None,
    }
}

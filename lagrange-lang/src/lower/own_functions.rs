//! Functions that a declaration defines, `let f(a, b) = e;`.
//!
//! A call evaluates the body with the arguments bound to the parameter names. Every other name keeps its meaning
//! from the declaration. So recursion is impossible, and an argument may have any shape, or be a frame. At the
//! declaration the body is also evaluated once without arguments, as an outline. This finds the mistakes that do
//! not depend on a call.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use proc_macro2::{Ident, Span};
use syn::Attribute;

use super::evaluator::{Evaluator, Source};
use super::functions::{self, is_frame_function};
use super::known_functions::{Given, OwnFunction};
use super::lookup::write_too_early_message;
use super::names;
use super::scope::{Binding, BindingKind};
use super::value::Value;
use crate::errors::{Code, Heard, SpanRange};
use crate::syntax::ast::{Expr, Function, MAX_NESTING, text};
use crate::syntax::name_scopes::called;

/// Maximum nesting depth of expressions through calls. It is the limit for expressions without calls.
const MAX_DEPTH: usize = 3 * MAX_NESTING;

impl Evaluator<'_> {
    /// `let f(a, b) = e;`
    pub(super) fn declare_function(&mut self, function: &Rc<Function>, attributes: &[Attribute]) {
        let captured = self.collect_captured(function);
        let depth_of_called = captured
            .iter()
            .map(|(_, kind, _)| match kind {
                BindingKind::Function(number) => self.functions[*number].depth,
                _ => 0,
            })
            .max()
            .unwrap_or_default();
        let depth = function.body.depth() + depth_of_called;
        let mut is_broken = self.outline(function, attributes);
        if depth > MAX_DEPTH {
            let message = format!(
                "functions in functions, more than {MAX_DEPTH} expressions deep\n\n\
                 help: pass the values that `{}` needs as arguments, or name a part by `let`",
                function.name
            );
            self.errors.error(&function.name, Code::TooDeep, message);
            is_broken = true;
        }
        let kind = BindingKind::Function(self.functions.len());
        self.complete &= names::check(&function.name, kind, &self.scope, self.errors);
        self.functions.push(OwnFunction {
            function: Rc::clone(function),
            captured,
            depth,
            is_broken,
            results: HashMap::new(),
            has_succeeded: false,
            has_failed: false,
            failures: Vec::new(),
        });
        self.scope.declare(Binding {
            name: function.name.clone(),
            kind,
            value: None,
            read: false,
            attributes: attributes.to_vec(),
        });
    }

    /// The meanings of the names in the body that are not parameters.
    fn collect_captured(
        &mut self,
        function: &Function,
    ) -> Vec<(Ident, BindingKind, Option<Value>)> {
        let mut names = HashSet::new();
        let mut captured = Vec::new();
        function.body.for_each_name(&mut |name| {
            if let Some(binding) = self.scope.find(name)
                && names.insert(text(name))
            {
                captured.push((name.clone(), binding.kind, binding.value.clone()));
            }
        });
        function.body.for_each_call(&mut |name| {
            if let Some(number) = self.scope.find_function(name)
                && names.insert(called(name))
            {
                captured.push((name.clone(), BindingKind::Function(number), None));
            }
        });
        captured
    }

    /// Evaluates the body with unknown arguments. Returns whether it has a mistake that does not depend on them.
    fn outline(&mut self, function: &Function, attributes: &[Attribute]) -> bool {
        let (mistakes, complete) = (self.errors.count(), self.complete);
        let outlined = self.outlined.replace(text(&function.name));
        let outside = self.errors.begin_body();
        let mark = self.mark();
        let mut body = self.scope.open_body();
        let mut names = HashSet::new();
        for argument in &function.arguments {
            self.check_argument(argument, names.insert(text(argument)));
            self.scope.declare(Binding {
                name: argument.clone(),
                kind: BindingKind::Argument,
                value: None,
                // A list with a mistake lacks names.
                read: !function.is_whole,
                attributes: attributes.to_vec(),
            });
        }
        self.check_calls(&function.body);
        match function.is_whole {
            true if self.is_frame(&function.body) => {
                self.pass_over(&function.body);
                let message = "a frame is not a value\n\n\
                               help: a function has a value: give it a frame as an argument, and read that one";
                self.errors.error(&function.body, Code::NotAValue, message);
            }
            true => {
                self.evaluate(&function.body);
            }
            false => self.pass_over(&function.body),
        }
        self.scope.end_pass(&mut body);
        self.forget(mark);
        self.outlined = outlined;
        let heard = self.errors.end_body(outside);
        if self.errors.count() == mistakes && function.is_whole && !function.body.is_broken() {
            self.complete = complete;
        }
        heard.is_some()
    }

    fn check_argument(&mut self, argument: &Ident, is_new: bool) {
        let written = text(argument);
        if let Some(message) = names::reserved(&written) {
            self.errors.error(argument, Code::ReservedName, message);
        } else if !is_new {
            let message = format!(
                "duplicate name: `{written}` is already an argument\n\nhelp: choose another name"
            );
            self.errors.error(argument, Code::DuplicateName, message);
        }
    }

    /// Finds calls of functions that are declared here or later, also in branches that depend on arguments.
    fn check_calls(&mut self, body: &Expr) {
        body.for_each_call(&mut |name| {
            let written = text(name);
            let is_known = self.scope.find_function(name).is_some()
                || functions::function(&written).is_some()
                || is_frame_function(&written);
            let out_of_sight = match is_known {
                true => None,
                false => self.find_function_out_of_sight(name, &written),
            };
            if let Some((code, message)) = out_of_sight {
                self.errors.error(name, code, message);
            }
        });
    }

    /// The message for a call of a function that is declared here or later.
    pub(super) fn find_function_out_of_sight(
        &mut self,
        name: &Ident,
        written: &str,
    ) -> Option<(Code, String)> {
        let is_itself = self.outlined.as_deref() == Some(written);
        let later = self.blocks.declared_later(&called(name));
        if !is_itself && later.is_none() {
            return None;
        }
        self.complete = false;
        Some(match later.filter(|_| !is_itself) {
            Some(keyword) => (
                Code::OutOfSight,
                write_too_early_message(&format!("{written}(..)"), keyword),
            ),
            None => (
                Code::Recursion,
                format!(
                    "`{written}` calls itself\n\n\
                     help: each call is replaced by the body of the function, which must end; repeat by `for` or `sum`"
                ),
            ),
        })
    }

    /// The value of a call of the function with this index.
    pub(super) fn call_own_function(
        &mut self,
        number: usize,
        name: &Ident,
        (arguments, receivers): (&[&Expr], usize),
        close: Span,
    ) -> Option<Value> {
        let values: Vec<Option<Given>> = arguments
            .iter()
            .map(|argument| self.evaluate_given(argument))
            .collect();
        let function = Rc::clone(&self.functions[number].function);
        // The length of a list with a mistake is unknown.
        if !function.is_whole || self.are_broken(arguments.iter().copied()) {
            return None;
        }
        self.check_own_count(&function, (arguments, receivers), close)?;
        if self.functions[number].is_broken {
            return None;
        }
        let values = values.into_iter().collect::<Option<Vec<Given>>>()?;
        let result = match self.functions[number].results.get(&values) {
            Some(result) => result.clone(),
            None => {
                let result = self.substitute(number, &function, &values);
                let called = &mut self.functions[number];
                called.results.insert(values, result.clone());
                result
            }
        };
        self.tell_of_call(number, name, &result);
        let value = result.ok()?;
        self.afford(name, value.entries.len())?;
        self.mention(name.span(), Source::Let(text(name)), &value);
        Some(value)
    }

    fn evaluate_given(&mut self, argument: &Expr) -> Option<Given> {
        if self.is_frame(argument) {
            self.evaluate_frame(argument).map(Given::Frame)
        } else {
            self.evaluate(argument).map(Given::Value)
        }
    }

    fn check_own_count(
        &mut self,
        function: &Function,
        (arguments, receivers): (&[&Expr], usize),
        close: Span,
    ) -> Option<()> {
        let count = function.arguments.len();
        if arguments.len() == count {
            return Some(());
        }
        self.complete = false;
        let names: Vec<String> = function.arguments.iter().map(text).collect();
        let (name, names) = (&function.name, names.join(", "));
        let expected = match count {
            0 => "no argument".to_owned(),
            1 => "1 argument".to_owned(),
            count => format!("{count} arguments"),
        };
        let actual = arguments.len();
        let before = match receivers {
            0 => "",
            _ => ", the one before the dot included",
        };
        let message = format!(
            "`{name}` takes {expected}, found {actual}{before}\n\nhelp: it is declared as `{name}({names})`"
        );
        // With too many arguments, the place is the first surplus one. With too few, it is the place of the next
        // one.
        let place = match arguments.get(count) {
            Some(surplus) => SpanRange::from(*surplus),
            None => close.into(),
        };
        self.refuse(place, Code::ArgumentCount, message)
    }

    /// The value of the body with these arguments. Otherwise the mistake in it, if that is known.
    fn substitute(
        &mut self,
        number: usize,
        function: &Function,
        values: &[Given],
    ) -> Result<Value, Option<Heard>> {
        let called = &self.functions[number];
        let binding = |name: &Ident, kind, value| Binding {
            name: name.clone(),
            kind,
            value,
            read: true,
            attributes: Vec::new(),
        };
        let captured = called
            .captured
            .iter()
            .map(|(name, kind, value)| binding(name, *kind, value.clone()));
        let arguments = function
            .arguments
            .iter()
            .zip(values)
            .map(|(name, values)| match values {
                Given::Value(value) => binding(name, BindingKind::Argument, Some(value.clone())),
                Given::Frame(frame) => {
                    let kind = BindingKind::Frame {
                        mutable: false,
                        pose: Some(*frame),
                    };
                    binding(name, kind, None)
                }
            });
        let caller = self.scope.enter_call(captured.chain(arguments));
        let outlined = self.outlined.take();
        let outside = self.errors.begin_body();
        let mark = self.mark();
        let value = self.evaluate(&function.body);
        self.forget(mark);
        let heard = self.errors.end_body(outside);
        self.outlined = outlined;
        self.scope.leave_call(caller);
        value.ok_or(heard)
    }

    /// Reports at a call a mistake in the body. As long as no call has a value, only the first call reports it.
    fn tell_of_call(&mut self, number: usize, name: &Ident, result: &Result<Value, Option<Heard>>) {
        let called = &mut self.functions[number];
        match result {
            Ok(_) => {
                called.has_succeeded = true;
                for (name, heard) in std::mem::take(&mut called.failures) {
                    self.errors.error_of_call(&name, &heard);
                }
            }
            Err(Some(heard)) => {
                let is_first = !std::mem::replace(&mut called.has_failed, true);
                if is_first || called.has_succeeded {
                    self.errors.error_of_call(name, heard);
                } else {
                    called.failures.push((name.clone(), heard.clone()));
                }
            }
            // A part of it has a mistake of its own, which was reported.
            Err(None) => {}
        }
    }
}

//! Outputs: the `let`s and frames that become methods.

use lagrange_engine::Shape;
use proc_macro2::Ident;

use super::lowering::{LoweredOutput, LoweredValue, Lowering};
use super::statements::NameHead;
use super::value::in_words;
use crate::errors::{Code, SpanRange};
use crate::generated::{MAX_HESSIAN, Parts, is_taken, trait_with};
use crate::model::{OutputItem, OutputKind};
use crate::syntax::ast::text;
use crate::tables::Named;

/// Maximum number of outputs of a system. rustc has to compile one or two methods for each.
pub(crate) const MAX_OUTPUTS: usize = 1024;

impl Lowering<'_> {
    /// Registers an output, if the declaration of the name is `pub`.
    pub(super) fn lower_output(&mut self, head: &NameHead<'_>, is_free: bool, value: LoweredValue) {
        let Some(visibility) = head.public else {
            return;
        };
        let name = head.name;
        let (in_loop, mutable) = value.refusals();
        if self.evaluator.blocks.is_in_loop() {
            self.evaluator
                .errors
                .error(name, Code::MethodPlace, in_loop);
            return;
        }
        if head.mutable {
            self.evaluator
                .errors
                .error(name, Code::MethodPlace, mutable);
        }
        let kind = self.find_output_kind(name, &value);
        let is_output = self.check_output_name("output", name);
        // A name that is taken cannot be a method of a stub either.
        if is_free && is_output {
            self.name_output("output", name);
            self.outputs.push(LoweredOutput {
                item: OutputItem {
                    visibility: visibility.clone(),
                    name: name.clone(),
                    attributes: head.attributes.to_vec(),
                    kind,
                },
                value,
            });
        }
    }

    fn find_output_kind(&mut self, name: &Ident, value: &LoweredValue) -> OutputKind {
        let LoweredValue::Value { value, hessian } = value else {
            return OutputKind::Frame;
        };
        let shape = value.as_ref().map(|value| value.shape);
        if let (Some(place), Some(shape)) = (hessian, shape) {
            self.check_hessian(*place, shape);
        }
        OutputKind::Value {
            reads: self.reads.get(&text(name)).copied().unwrap_or_default(),
            hessian: hessian.is_some(),
        }
    }

    fn check_hessian(&mut self, place: SpanRange, shape: Shape) {
        let names = &self.evaluator.names;
        let rows = 2 * names.velocity_count() + names.states.len() + names.inputs.len();
        let (code, message) = if shape != Shape::Scalar {
            let message = format!(
                "`#[hessian]` requests the second derivatives of a scalar, found {}\n\n\
                 help: declare an output for each entry, or remove it",
                in_words(shape)
            );
            (Code::Hessian, message)
        } else if rows > MAX_HESSIAN {
            let message = format!(
                "a Hessian has at most {MAX_HESSIAN} rows, one for each displacement, velocity, \
                 state and input; here it has {rows}\n\nhelp: remove it"
            );
            (Code::TooMany, message)
        } else {
            return;
        };
        self.evaluator.errors.error(place, code, message);
    }

    /// Returns whether a new output or another method may have this name. Reports an error if not.
    pub(super) fn check_output_name(&mut self, what: &str, name: &Ident) -> bool {
        let written = text(name);
        if self.output_names.len() >= MAX_OUTPUTS {
            let message = format!(
                "a system has at most {MAX_OUTPUTS} outputs\n\nhelp: a vector is one output of many values"
            );
            // Only the first surplus output is reported.
            if !std::mem::replace(&mut self.has_surplus_outputs, true) {
                self.evaluator.errors.error(name, Code::TooMany, message);
            }
            return false;
        }
        let parts = Parts {
            contacts: self.evaluator.has_contact(),
            friction: self.evaluator.has_friction(),
            states: !self.evaluator.names.states.is_empty(),
        };
        let (code, message) = if is_taken(&written, parts) {
            let message = format!(
                "the {what} `{written}` has the name of a generated item\n\nhelp: choose another name"
            );
            (Code::OutputName, message)
        } else if let Some(of) = trait_with(&written) {
            let message = format!(
                "the {what} `{written}` would hide the method of this name of the trait `{of}`\n\n\
                 help: choose another name"
            );
            (Code::OutputName, message)
        } else if let Some(Named { what, .. }) = self.output_names.get(&written) {
            let article = if what.starts_with('o') { "an" } else { "a" };
            let message = format!(
                "duplicate name: `{written}` is already {article} {what}\n\nhelp: choose another name"
            );
            (Code::DuplicateName, message)
        } else {
            return true;
        };
        self.evaluator.errors.error(name, code, message);
        false
    }

    pub(super) fn name_output(&mut self, what: &'static str, name: &Ident) {
        let order = self.output_names.len();
        let named = Named { what, order };
        self.output_names.insert(text(name), named);
    }

    /// Declares the name of a statement that becomes a method and may not be in a loop. Returns whether the statement
    /// becomes one.
    pub(super) fn declare_method(&mut self, what: &'static str, name: &Ident) -> bool {
        if self.evaluator.blocks.is_in_loop() {
            let message =
                format!("a {what} cannot be declared in a loop\n\nhelp: declare it after the loop");
            self.evaluator
                .errors
                .error(name, Code::MethodPlace, message);
            return false;
        }
        let is_free = self.check_output_name(what, name);
        if is_free {
            self.name_output(what, name);
        }
        is_free
    }
}

impl LoweredValue {
    /// The reasons against an output in a loop, and against a `mut` output.
    fn refusals(&self) -> (&'static str, &'static str) {
        match self {
            Self::Value { .. } => (
                "an output cannot be declared in a loop\n\n\
                 help: collect its value in a `let mut` before the loop, and declare the output after the loop",
                "an output cannot be `mut`\n\n\
                 help: give the final value another name: `pub let n = ..;`",
            ),
            Self::Frame(_) => (
                "a frame that is an output cannot be declared in a loop\n\n\
                 help: carry it in a `frame mut` declared before the loop, and declare the output after the loop",
                "a frame that is an output cannot be `mut`\n\n\
                 help: give the final frame another name: `pub frame n = ..;`",
            ),
        }
    }
}

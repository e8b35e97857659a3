//! The names of outputs, which become methods beside the generated ones.

use proc_macro2::Ident;

use super::lowering::Lowering;
use crate::generated::{is_taken, trait_with};
use crate::syntax::ast::text;
use crate::tables::Named;

/// The most outputs that a system has: each is a method or two, which rustc has to compile.
pub(crate) const MAX_OUTPUTS: usize = 1024;

impl Lowering<'_> {
    /// Whether a new output, or whatever else becomes a method, may have this name; reports it otherwise.
    pub(super) fn check_output_name(&mut self, what: &str, name: &Ident) -> bool {
        let written = text(name);
        if self.output_names.len() >= MAX_OUTPUTS {
            let message = format!(
                "a system has at most {MAX_OUTPUTS} outputs\n\nhelp: a vector is one output of many values"
            );
            // The first one too many speaks for the others.
            if !std::mem::replace(&mut self.has_surplus_outputs, true) {
                self.evaluator.errors.error(name, message);
            }
            return false;
        }
        let message = if is_taken(&written) {
            format!(
                "the {what} `{written}` has the name of a generated item\n\nhelp: choose another name"
            )
        } else if let Some(of) = trait_with(&written) {
            format!(
                "the {what} `{written}` would hide the method of this name of the trait `{of}`\n\n\
                 help: choose another name"
            )
        } else if let Some(Named { what, .. }) = self.output_names.get(&written) {
            let article = if what.starts_with('o') { "an" } else { "a" };
            format!(
                "duplicate name: `{written}` is already {article} {what}\n\nhelp: choose another name"
            )
        } else {
            return true;
        };
        self.evaluator.errors.error(name, message);
        false
    }

    pub(super) fn name_output(&mut self, what: &'static str, name: &Ident) {
        let order = self.output_names.len();
        let named = Named { what, order };
        self.output_names.insert(text(name), named);
    }

    /// The same for what is a statement of its own, which no loop may repeat. Whether it is a method now.
    pub(super) fn declare_method(&mut self, what: &'static str, name: &Ident) -> bool {
        if self.evaluator.blocks.is_in_loop() {
            let message = format!(
                "a {what} cannot be declared in a loop\n\nhelp: declare it behind the loop"
            );
            self.evaluator.errors.error(name, message);
            return false;
        }
        let is_free = self.check_output_name(what, name);
        if is_free {
            self.name_output(what, name);
        }
        is_free
    }
}

//! The names of outputs, which become methods beside the generated ones.

use proc_macro2::Ident;

use super::lowering::Lowering;
use crate::generated::{is_taken, trait_with};
use crate::syntax::ast::text;

/// The most outputs that a system has: each is a method or two, which rustc has to compile.
pub(crate) const MAX_OUTPUTS: usize = 1024;

impl Lowering<'_> {
    /// Whether a new output may have this name; reports it otherwise.
    pub(super) fn check_output_name(&mut self, name: &Ident) -> bool {
        let written = text(name);
        if self.outputs.len() >= MAX_OUTPUTS {
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
                "the output `{written}` has the name of a generated item\n\nhelp: choose another name"
            )
        } else if let Some(of) = trait_with(&written) {
            format!(
                "the output `{written}` would hide the method of this name of the trait `{of}`\n\n\
                 help: choose another name"
            )
        } else if self.output_names.contains_key(&written) {
            format!("duplicate name: `{written}` is already an output\n\nhelp: choose another name")
        } else {
            return true;
        };
        self.evaluator.errors.error(name, message);
        false
    }
}

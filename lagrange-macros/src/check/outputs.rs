//! The names of outputs, which become methods beside the generated ones.

use proc_macro2::Ident;

use crate::generated::{is_taken, trait_with};
use crate::lower::Lowering;
use crate::lower::scope::text;

/// The most outputs that a system has: each is a method or two, which rustc has to compile.
pub(crate) const MAX_OUTPUTS: usize = 1024;

/// Whether a new output may have this name; reports it otherwise.
pub(crate) fn check_name(name: &Ident, lowering: &mut Lowering<'_>) -> bool {
    let written = text(name);
    if lowering.outputs.len() >= MAX_OUTPUTS {
        let message = format!(
            "a system has at most {MAX_OUTPUTS} outputs\n\nhelp: a vector is one output of many values"
        );
        // The first one too many speaks for the others.
        if !std::mem::replace(&mut lowering.has_surplus_outputs, true) {
            lowering.evaluator.errors.error(name, message);
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
    } else if lowering.output_names.contains_key(&written) {
        format!("duplicate name: `{written}` is already an output\n\nhelp: choose another name")
    } else {
        return true;
    };
    lowering.evaluator.errors.error(name, message);
    false
}

/// Where an output `X` has a Jacobian, `X_jacobian` is the name of another method; reports the later
/// of two outputs that clash so, or the output that clashes with a generated method.
pub(crate) fn jacobian_names(lowering: &mut Lowering<'_>) {
    let evaluator = &mut lowering.evaluator;
    let outputs = &lowering.outputs;
    for (at, output) in outputs.iter().enumerate() {
        let Some(value) = &output.value else { continue };
        if !output.item.has_jacobian(value.shape) {
            continue;
        }
        let name = text(&output.item.name);
        let jacobian = format!("{name}_jacobian");
        let later = match lowering.output_names.get(&jacobian) {
            Some(other) => &outputs[at.max(*other)].item.name,
            None if is_taken(&jacobian) => &output.item.name,
            None => continue,
        };
        let message = format!(
            "the output `{name}` has a method `{jacobian}` beside it, a name that is taken\n\n\
             help: choose another name"
        );
        evaluator.errors.error(later, message);
    }
}

//! Functions in C, and calls of them.

use std::fmt::Write;

use crate::Kernel;
use crate::backend::printer::Printer;
use crate::codegen::{Array, Routine, Step, View};

/// Compilers keep arrays of at most so many numbers in registers.
const MOST_SCALARS: usize = 16;

impl Printer<'_> {
    pub(in crate::backend) fn definition(&mut self, routine: &Routine, linkage: &str) {
        self.prototype(routine, linkage);
        self.text.push_str("\n{\n");
        let real = self.names.real.clone();
        let of_calls = results_of_private_calls(self, routine);
        for (number, length) in routine.locals.iter().enumerate() {
            let is_given = *length <= MOST_SCALARS && of_calls.contains(&Array::Local(number));
            let start = if is_given { " = {0}" } else { "" };
            if *length > 0 {
                let _ = writeln!(self.text, "    {real} x{number}[{length}]{start};");
            }
        }
        if calls_fallible(self, routine) {
            self.line("    int status;");
        }
        // An argument that the text does not read is still an argument of the method.
        let start = self.text.len();
        self.steps(&routine.steps, routine);
        let body = self.text.split_off(start);
        if !reads(&body, "self") {
            self.line("    (void)self;");
        }
        for argument in routine
            .arguments
            .iter()
            .filter(|argument| argument.length > 0)
        {
            if !reads(&body, &argument.name) {
                let _ = writeln!(self.text, "    (void){};", argument.name);
            }
        }
        self.text.push_str(&body);
        self.line("    return 0;\n}\n");
    }

    pub(in crate::backend) fn call(
        &mut self,
        (called, is_tried): (&Routine, bool),
        arguments: &[View],
        results: &[View],
        routine: &Routine,
    ) {
        let mut parts = vec!["self".to_owned()];
        for (argument, view) in called.arguments.iter().zip(arguments) {
            if argument.length > 0 {
                parts.push(match argument.is_scalar {
                    true => self.entry(*view, 0, 0, routine),
                    false => self.pointer(*view, routine),
                });
            }
        }
        for (result, view) in called.results.iter().zip(results) {
            if !result.shape.is_empty() {
                parts.push(self.pointer(*view, routine));
            }
        }
        let function = self.names.function(&called.name);
        let call = format!("{function}({})", parts.join(", "));
        self.ending(&call, called.is_fallible && !is_tried);
    }

    /// The first entry of a contiguous view; a null pointer for an empty one.
    pub(super) fn pointer(&self, view: View, routine: &Routine) -> String {
        if view.is_empty() {
            return "0".to_owned();
        }
        if let Array::Argument(at) = view.array
            && routine.arguments[at].is_scalar
        {
            return format!("&{}", routine.arguments[at].name);
        }
        let array = self.array(view.array, routine);
        match (view.offset, view.advance) {
            (0, 0) => array,
            (offset, 0) => format!("{array} + {offset}"),
            (offset, advance) => format!("{array} + {offset} + pass * {advance}"),
        }
    }
}

/// Returns whether a call of the routine may end with an error.
fn calls_fallible(printer: &Printer, routine: &Routine) -> bool {
    let mut calls = false;
    routine.for_each_step(&mut |step| {
        calls |= match step {
            Step::Kernel { kernel, .. } => {
                matches!(kernel, Kernel::Solve(_) | Kernel::NullSpace(_))
                    || matches!(
                        kernel,
                        Kernel::ContactMotion { .. } | Kernel::ContactImpact { .. }
                    )
            }
            Step::Call {
                routine, is_tried, ..
            } => can_fail(printer, routine) && !is_tried,
            _ => false,
        };
    });
    calls
}

fn can_fail(printer: &Printer, routine: &str) -> bool {
    let mut routines = printer.routines.iter();
    routines.any(|other| other.name == *routine && other.is_fallible)
}

/// The arrays that private functions write unless they fail. Compilers write such a function into its only caller. They
/// keep short arrays in registers, and warn of those that it leaves as they are if it fails.
fn results_of_private_calls(printer: &Printer, routine: &Routine) -> Vec<Array> {
    let mut arrays = Vec::new();
    routine.for_each_step(&mut |step| match step {
        Step::Call {
            routine, results, ..
        } if routine.starts_with("private ") && can_fail(printer, routine) => {
            arrays.extend(results.iter().map(|view| view.array));
        }
        _ => {}
    });
    arrays
}

/// Returns whether a text has a name as a word.
fn reads(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        // A field is no variable.
        !before.is_some_and(is_part) && !after.is_some_and(is_part) && !text[..at].ends_with("->")
    })
}

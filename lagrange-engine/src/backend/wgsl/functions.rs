//! Functions in WGSL, and calls of them.

use std::fmt::Write;

use super::{is_whole, names};
use crate::backend::printer::Printer;
use crate::codegen::{Array, Routine, Step, View};

impl Printer<'_> {
    /// `fn cart_pole_momenta(system_: cart_pole, q_: array<f32, 2>, .., p_: ptr<function, array<f32, 2>>) -> i32`
    pub(super) fn define(&mut self, routine: &Routine) {
        let system = self.names.system.clone();
        let mut parts = vec![format!("system_: {system}")];
        for argument in routine
            .arguments
            .iter()
            .filter(|argument| argument.length > 0)
        {
            parts.push(match argument.is_scalar {
                true => format!("{}: f32", names::word(&argument.name)),
                false => {
                    let ty = if argument.is_flags { "i32" } else { "f32" };
                    format!(
                        "{}_in: array<{ty}, {}>",
                        names::word(&argument.name),
                        argument.length
                    )
                }
            });
        }
        for (result, name) in routine.results.iter().zip(names::results(routine)) {
            if !result.shape.is_empty() {
                parts.push(format!(
                    "{name}: ptr<function, array<f32, {}>>",
                    result.shape.len()
                ));
            }
        }
        let _ = writeln!(
            self.text,
            "fn {}({}) -> i32 {{",
            names::function(&self.names, &routine.name),
            parts.join(", ")
        );
        // Only variables have entries by index.
        for argument in &routine.arguments {
            if argument.length > 0 && !argument.is_scalar {
                let _ = writeln!(
                    self.text,
                    "    var {0} = {0}_in;",
                    names::word(&argument.name)
                );
            }
        }
        for (number, length) in routine.locals.iter().enumerate() {
            if *length > 0 {
                let _ = writeln!(self.text, "    var x{number}: array<f32, {length}>;");
            }
        }
        self.steps(&routine.steps, routine);
        if !matches!(routine.steps.last(), Some(Step::Return)) {
            self.line("    return 0;");
        }
        self.line("}\n");
    }

    /// A variable with the entries of a contiguous view.
    fn copied(&mut self, view: View, routine: &Routine) -> String {
        let name = self.temporary();
        let from = self.indexed(view, "0", "k", routine);
        let _ = writeln!(
            self.text,
            "    var {name}: array<f32, {0}>;\n    for (var k = 0; k < {0}; k++) {{ {name}[k] = {from}; }}",
            view.len()
        );
        name
    }

    /// The copy back.
    fn copy_back(&mut self, name: &str, view: View, routine: &Routine) {
        let to = self.indexed(view, "0", "k", routine);
        let length = view.len();
        let _ = writeln!(
            self.text,
            "    for (var k = 0; k < {length}; k++) {{ {to} = {name}[k]; }}"
        );
    }

    /// A call that passes arrays, and copies of parts.
    pub(in crate::backend) fn call_by_value(
        &mut self,
        (called, is_tried): (&Routine, bool),
        arguments: &[View],
        results: &[View],
        routine: &Routine,
    ) {
        self.line("    {");
        let mut parts = vec!["system_".to_owned()];
        let values: Vec<(bool, View)> = called
            .arguments
            .iter()
            .zip(arguments)
            .filter(|(argument, _)| argument.length > 0)
            .map(|(argument, view)| (argument.is_scalar, *view))
            .collect();
        for (is_scalar, view) in values {
            parts.push(match self.whole(view, routine) {
                _ if is_scalar => self.entry(view, 0, 0, routine),
                Some(array) => array,
                None => self.copied(view, routine),
            });
        }
        let mut back = Vec::new();
        for view in results.iter().filter(|view| !view.is_empty()) {
            let pointer = match (view.array, self.whole(*view, routine)) {
                (Array::Local(_), Some(array)) => format!("&{array}"),
                (Array::Result(at), Some(_)) => names::results(routine).swap_remove(at),
                _ => {
                    let name = self.temporary();
                    let _ = writeln!(self.text, "    var {name}: array<f32, {}>;", view.len());
                    back.push((name.clone(), *view));
                    format!("&{name}")
                }
            };
            parts.push(pointer);
        }
        let call = format!(
            "{}({})",
            names::function(&self.names, &called.name),
            parts.join(", ")
        );
        if is_tried {
            let _ = writeln!(
                self.text,
                "    let status = {call};\n    if (status == 0) {{"
            );
        } else {
            let _ = writeln!(
                self.text,
                "    let status = {call};\n    if (status != 0) {{ return status; }}"
            );
        }
        for (name, view) in back {
            self.copy_back(&name, view, routine);
        }
        self.line(if is_tried { "    }\n    }" } else { "    }" });
    }

    /// The array of a view that covers all of it.
    fn whole(&self, view: View, routine: &Routine) -> Option<String> {
        let length = match view.array {
            Array::Argument(at) => routine.arguments[at].length,
            Array::Result(at) => routine.results[at].shape.len(),
            Array::Local(at) => routine.locals[at],
        };
        is_whole(view, length).then(|| self.array(view.array, routine))
    }
}

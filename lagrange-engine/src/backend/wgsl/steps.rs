//! Steps as statements.

use std::fmt::Write;

use super::{Printer, is_whole, names};
use crate::codegen::{Array, Routine, Step, View};

impl Printer<'_> {
    /// `fn cart_pole_momenta(system_: cart_pole, q_: array<f32, 2>, .., p_: ptr<function, array<f32, 2>>) -> i32`
    pub(super) fn definition(&mut self, routine: &Routine) {
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
            self.names.function(&routine.name),
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

    fn steps(&mut self, steps: &[Step], routine: &Routine) {
        for step in steps {
            self.step(step, routine);
        }
    }

    fn step(&mut self, step: &Step, routine: &Routine) {
        match step {
            Step::Compute(compute) => self.compute(compute, routine),
            Step::Call {
                routine: name,
                arguments,
                results,
                is_tried,
            } => self.call((name, *is_tried), arguments, results, routine),
            Step::Kernel {
                kernel,
                arguments,
                results,
            } => self.kernel(*kernel, arguments, results, routine),
            Step::Copy {
                from,
                to,
                is_transposed,
                is_negated,
            } => {
                let sign = if *is_negated { "0.0f - " } else { "" };
                self.for_each(*to, routine, |printer, to, i, j| {
                    let (i, j) = if *is_transposed { (j, i) } else { (i, j) };
                    format!("{to} = {sign}{};", printer.indexed(*from, i, j, routine))
                });
            }
            Step::Fill { to, value } => {
                let value = Self::number(*value);
                self.for_each(*to, routine, |_, to, _, _| format!("{to} = {value};"));
            }
            Step::Identity { to } => {
                let entry = self.indexed(*to, "i", "i", routine);
                let size = to.rows.min(to.columns);
                let _ = writeln!(
                    self.text,
                    "    for (var i = 0; i < {size}; i++) {{ {entry} = 1.0f; }}"
                );
            }
            Step::Add {
                from,
                to,
                factor,
                by,
            } => {
                let by = by.map_or_else(String::new, |by| {
                    format!(" * {}", self.entry(by, 0, 0, routine))
                });
                let factor = Self::number(*factor);
                self.for_each(*to, routine, |printer, to, i, j| {
                    format!(
                        "{to} += {factor}{by} * {};",
                        printer.indexed(*from, i, j, routine)
                    )
                });
            }
            Step::Multiply { left, right, to } => {
                let sum = self.indexed(*to, "i", "j", routine);
                let a = self.indexed(*left, "i", "k", routine);
                let b = self.indexed(*right, "k", "j", routine);
                let _ = writeln!(
                    self.text,
                    "    for (var i = 0; i < {}; i++) {{ for (var k = 0; k < {}; k++) {{ for (var j = 0; j < {}; j++) {{ \
                     {sum} += {a} * {b}; }} }} }}",
                    left.rows, left.columns, right.columns
                );
            }
            Step::ForEachRow { rows, unit, steps } => {
                let _ = writeln!(self.text, "    for (var row = 0; row < {rows}; row++) {{");
                self.for_each(*unit, routine, |_, to, _, _| format!("{to} = 0.0f;"));
                let entry = self.indexed(*unit, "0", "row", routine);
                let _ = writeln!(self.text, "    {entry} = 1.0f;");
                self.steps(steps, routine);
                self.line("    }");
            }
            Step::Loop { most, steps } => {
                let _ = writeln!(
                    self.text,
                    "    for (var repeat = 0; repeat < {most}; repeat++) {{"
                );
                self.steps(steps, routine);
                self.line("    }");
            }
            Step::Break => self.line("    break;"),
            Step::Fail(status) => {
                let status = self.entry(*status, 0, 0, routine);
                let _ = writeln!(
                    self.text,
                    "    if ({status} != 0.0f) {{ return i32({status}); }}"
                );
            }
            Step::Apart { steps, .. } => self.steps(steps, routine),
            Step::If { condition, then } => {
                self.line("    {\n    var ok = true;");
                self.condition(condition, routine);
                self.line("    if (ok) {");
                self.steps(then, routine);
                self.line("    }\n    }");
            }
            // WGSL may assume that all values are finite.
            Step::RequireFinite(_) => {}
            Step::Return => self.line("    return 0;"),
        }
    }

    /// The name of a further variable.
    pub(super) fn temporary(&mut self) -> String {
        self.temporaries += 1;
        format!("c{}", self.temporaries)
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

    fn call(
        &mut self,
        (name, is_tried): (&str, bool),
        arguments: &[View],
        results: &[View],
        routine: &Routine,
    ) {
        let Some(called) = self.routines.iter().find(|routine| routine.name == name) else {
            return;
        };
        self.line("    {");
        let mut parts = vec!["system_".to_owned()];
        let given: Vec<(bool, View)> = called
            .arguments
            .iter()
            .zip(arguments)
            .filter(|(argument, _)| argument.length > 0)
            .map(|(argument, view)| (argument.is_scalar, *view))
            .collect();
        for (is_scalar, view) in given {
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
        let call = format!("{}({})", self.names.function(name), parts.join(", "));
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

    /// A statement for each entry: the place, and its row and column.
    fn for_each(
        &mut self,
        view: View,
        routine: &Routine,
        statement: impl Fn(&Self, &str, &str, &str) -> String,
    ) {
        if view.len() == 1 {
            let to = self.entry(view, 0, 0, routine);
            let statement = statement(self, &to, "0", "0");
            let _ = writeln!(self.text, "    {statement}");
        } else if !view.is_empty() {
            let to = self.indexed(view, "i", "j", routine);
            let statement = statement(self, &to, "i", "j");
            let _ = writeln!(
                self.text,
                "    for (var i = 0; i < {}; i++) {{ for (var j = 0; j < {}; j++) {{ {statement} }} }}",
                view.rows, view.columns
            );
        }
    }

    /// An entry by numbers.
    pub(super) fn entry(&self, view: View, row: usize, column: usize, routine: &Routine) -> String {
        self.indexed(view, &row.to_string(), &column.to_string(), routine)
    }

    /// An entry by expressions for its row and column.
    pub(super) fn indexed(&self, view: View, row: &str, column: &str, routine: &Routine) -> String {
        if let Array::Argument(at) = view.array
            && routine.arguments[at].is_scalar
        {
            return names::word(&routine.arguments[at].name);
        }
        let mut fixed = view.offset;
        let mut parts = Vec::new();
        if view.advance > 0 {
            parts.push(format!("row * {}", view.advance));
        }
        for (index, stride) in [(row, view.stride), (column, 1)] {
            match index.parse::<usize>() {
                Ok(index) => fixed += index * stride,
                Err(_) => parts.push(format!("{index} * {stride}")),
            }
        }
        if fixed > 0 || parts.is_empty() {
            parts.push(fixed.to_string());
        }
        let entry = format!("{}[{}]", self.array(view.array, routine), parts.join(" + "));
        match view.array {
            Array::Argument(at) if routine.arguments[at].is_flags => {
                format!("select(0.0f, 1.0f, {entry} != 0)")
            }
            _ => entry,
        }
    }

    fn array(&self, array: Array, routine: &Routine) -> String {
        match array {
            Array::Argument(at) => names::word(&routine.arguments[at].name),
            Array::Result(at) => format!("(*{})", names::results(routine).swap_remove(at)),
            Array::Local(at) => format!("x{at}"),
        }
    }
}

//! Steps as statements.

use std::fmt::Write;

use super::{Dialect, Printer, names};
use crate::codegen::cost_model::MOST_STATEMENTS;
use crate::codegen::{Array, Compute, Condition, Routine, Step, View};
use crate::{Equations, Kernel};

impl Printer<'_> {
    pub(in crate::backend) fn definition(&mut self, routine: &Routine, linkage: &str) {
        self.prototype(routine, linkage);
        self.text.push_str("\n{\n");
        let real = self.names.real.clone();
        for (number, length) in routine.locals.iter().enumerate() {
            if *length > 0 {
                let _ = writeln!(self.text, "    {real} x{number}[{length}];");
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

    fn steps(&mut self, steps: &[Step], routine: &Routine) {
        let mut rest = steps;
        while let [step, after @ ..] = rest {
            rest = match (step, after) {
                (Step::Compute(compute), [Step::If { condition, then }, after @ ..])
                    if self.dialect == Dialect::Cuda
                        && condition.tests_solution()
                        && compute.has_sines() =>
                {
                    self.attempt(compute, (condition, then), routine);
                    after
                }
                _ => {
                    self.step(step, routine);
                    after
                }
            };
        }
    }

    /// An unrolled solution without slow paths for sines: if an angle is large, it is not accepted.
    fn attempt(
        &mut self,
        compute: &Compute,
        (condition, then): (&Condition, &[Step]),
        routine: &Routine,
    ) {
        self.line("    int is_small = 1;");
        self.small_angles = true;
        self.compute(compute, routine);
        self.small_angles = false;
        let condition = self.condition(condition, routine);
        let _ = writeln!(self.text, "    if (is_small && {condition}) {{");
        self.steps(then, routine);
        self.line("    }");
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
                let sign = match to.array {
                    Array::Result(at) if routine.results[at].is_count => "(int)",
                    _ if *is_negated => "0 - ",
                    _ => "",
                };
                self.for_each(
                    *to,
                    |printer, to_entry, i, j| {
                        let (i, j) = if *is_transposed { (j, i) } else { (i, j) };
                        let from = printer.indexed(*from, i, j, routine);
                        format!("{to_entry} = {sign}{from};")
                    },
                    routine,
                );
            }
            Step::Fill { to, value } => {
                let value = self.number(*value);
                self.for_each(*to, |_, to, _, _| format!("{to} = {value};"), routine);
            }
            Step::Identity { to } => {
                let size = to.rows.min(to.columns);
                let entry = self.indexed(*to, "i", "i", routine);
                let one = self.number(1.0);
                let _ = writeln!(
                    self.text,
                    "    {{ int i; for (i = 0; i < {size}; i++) {entry} = {one}; }}"
                );
            }
            Step::Add {
                from,
                to,
                factor,
                by,
            } => {
                let factor = self.number(*factor);
                let by = by.map_or_else(String::new, |by| {
                    format!(" * {}", self.entry(by, 0, 0, routine))
                });
                self.for_each(
                    *to,
                    |printer, to, i, j| {
                        let from = printer.indexed(*from, i, j, routine);
                        format!("{to} += {factor}{by} * {from};")
                    },
                    routine,
                );
            }
            Step::Multiply { left, right, to } => {
                let sum = self.indexed(*to, "i", "j", routine);
                let a = self.indexed(*left, "i", "k", routine);
                let b = self.indexed(*right, "k", "j", routine);
                let _ = writeln!(
                    self.text,
                    "    {{\n        int i, j, k;\n        for (i = 0; i < {}; i++) for (k = 0; k < {}; k++) \
                     for (j = 0; j < {}; j++) {sum} += {a} * {b};\n    }}",
                    left.rows, left.columns, right.columns
                );
            }
            Step::ForEachRow { rows, unit, steps } => {
                let _ = writeln!(
                    self.text,
                    "    {{ int pass; for (pass = 0; pass < {rows}; pass++) {{"
                );
                let zero = self.number(0.0);
                self.for_each(*unit, |_, to, _, _| format!("{to} = {zero};"), routine);
                let entry = self.indexed(*unit, "0", "pass", routine);
                let one = self.number(1.0);
                let _ = writeln!(self.text, "    {entry} = {one};");
                self.steps(steps, routine);
                self.line("    } }");
            }
            Step::Loop { most, steps } => {
                let _ = writeln!(
                    self.text,
                    "    {{ int repeat; for (repeat = 0; repeat < {most}; repeat++) {{"
                );
                self.steps(steps, routine);
                self.line("    } }");
            }
            Step::Break => self.line("    break;"),
            Step::Fail(status) => {
                let status = self.entry(*status, 0, 0, routine);
                let _ = writeln!(self.text, "    if ({status} != 0) return (int){status};");
            }
            Step::Apart { steps, .. } => self.steps(steps, routine),
            Step::If { condition, then } => {
                let condition = self.condition(condition, routine);
                let _ = writeln!(self.text, "    if ({condition}) {{");
                self.steps(then, routine);
                self.line("    }");
            }
            Step::RequireFinite(views) => {
                let condition = self.condition(&Condition::Finite(views.clone()), routine);
                let _ = writeln!(self.text, "    if (!({condition})) return 4;");
            }
            Step::Return => self.line("    return 0;"),
        }
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
        let function = self.names.function(name);
        let call = format!("{function}({})", parts.join(", "));
        self.ending(&call, called.is_fallible && !is_tried);
    }

    /// A call whose error ends the function.
    fn ending(&mut self, call: &str, is_fallible: bool) {
        if is_fallible {
            let _ = writeln!(
                self.text,
                "    status = {call};\n    if (status != 0) return status;"
            );
        } else {
            let _ = writeln!(self.text, "    (void){call};");
        }
    }

    fn kernel(&mut self, kernel: Kernel, arguments: &[View], results: &[View], routine: &Routine) {
        let is_tried = matches!(kernel, Kernel::TrySolve(_));
        let scalars =
            usize::from(is_tried || matches!(kernel, Kernel::Remaining | Kernel::IsClear));
        let written = &results[..results.len() - scalars];
        let views = arguments.iter().chain(written);
        let mut pointers: Vec<String> = views.map(|view| self.pointer(*view, routine)).collect();
        let joined = pointers.join(", ");
        let helper = &self.names.helper;
        match kernel {
            Kernel::Solve(equations)
            | Kernel::SolveUnchecked(equations)
            | Kernel::TrySolve(equations) => {
                let matrices = equations.count();
                let (n, constraints) = (arguments[0].rows, arguments[1].rows);
                let count = arguments[matrices].rows;
                let is_checked = i32::from(!matches!(kernel, Kernel::SolveUnchecked(_)));
                let sizes = format!("{n}, {constraints}, {count}, {is_checked}");
                if !equations.reacts() {
                    pointers.insert(matrices, "0".to_owned());
                }
                if equations.may_depend() && !equations.spreads() {
                    pointers.push("0".to_owned());
                }
                let function = match equations {
                    Equations::Regular | Equations::Reacting => format!("dense_solve({sizes}"),
                    _ => format!("redundant_solve({sizes}, {}", treatment(equations)),
                };
                let call = format!("{helper}{function}, {})", pointers.join(", "));
                if is_tried {
                    let status = self.entry(results[2], 0, 0, routine);
                    let real = &self.names.real;
                    let _ = writeln!(self.text, "    {status} = ({real}){call};");
                } else {
                    self.ending(&call, matches!(kernel, Kernel::Solve(_)));
                }
            }
            Kernel::NullSpace(rank) => {
                let [c, n] = [arguments[0].rows, arguments[0].columns];
                self.ending(
                    &format!("{helper}null_space({n}, {c}, {rank}, {joined})"),
                    true,
                );
            }
            Kernel::IsClear => {
                let [n, c] = [0, 1].map(|at| arguments[at].rows);
                let to = self.entry(results[0], 0, 0, routine);
                let real = &self.names.real;
                let _ = writeln!(
                    self.text,
                    "    {to} = ({real}){helper}is_clear({n}, {c}, {joined});"
                );
            }
            Kernel::Limits | Kernel::Changes => {
                let function = if kernel == Kernel::Limits {
                    "limits"
                } else {
                    "changes"
                };
                let n = arguments[0].len();
                let _ = writeln!(self.text, "    {helper}{function}({n}, {joined});");
            }
            Kernel::Remaining => {
                let [c, n] = [arguments[2].rows, arguments[2].columns];
                let to = self.entry(results[0], 0, 0, routine);
                let _ = writeln!(
                    self.text,
                    "    {to} = {helper}remaining({n}, {c}, {joined});"
                );
            }
            Kernel::Significant => {
                let [c, n] = [arguments[0].rows, arguments[0].columns];
                let _ = writeln!(self.text, "    {helper}significant({n}, {c}, {joined});");
            }
            Kernel::Agreement => {
                let [n, c] = [0, 1].map(|at| arguments[at].rows);
                let _ = writeln!(self.text, "    {helper}agreement({n}, {c}, {joined});");
            }
            Kernel::Moved => {
                let _ = writeln!(self.text, "    {helper}moved({joined});");
            }
            Kernel::Difference => {
                let _ = writeln!(self.text, "    {helper}quaternion_difference({joined});");
            }
            Kernel::RotationMatrix => {
                let _ = writeln!(self.text, "    {helper}rotation_matrix({joined});");
            }
        }
    }

    /// A statement for each entry: the place, and its row and column.
    fn for_each(
        &mut self,
        view: View,
        statement: impl Fn(&Self, &str, &str, &str) -> String,
        routine: &Routine,
    ) {
        if view.len() <= MOST_STATEMENTS {
            for i in 0..view.rows {
                for j in 0..view.columns {
                    let (i, j) = (i.to_string(), j.to_string());
                    let to = self.indexed(view, &i, &j, routine);
                    let statement = statement(self, &to, &i, &j);
                    let _ = writeln!(self.text, "    {statement}");
                }
            }
            return;
        }
        let to = self.indexed(view, "i", "j", routine);
        let statement = statement(self, &to, "i", "j");
        let _ = writeln!(
            self.text,
            "    {{ int i, j; for (i = 0; i < {}; i++) for (j = 0; j < {}; j++) {statement} }}",
            view.rows, view.columns
        );
    }

    /// An entry by numbers.
    pub(super) fn entry(&self, view: View, row: usize, column: usize, routine: &Routine) -> String {
        self.indexed(view, &row.to_string(), &column.to_string(), routine)
    }

    /// An entry by expressions for its row and column.
    fn indexed(&self, view: View, row: &str, column: &str, routine: &Routine) -> String {
        if let Array::Argument(at) = view.array
            && routine.arguments[at].is_scalar
        {
            return routine.arguments[at].name.clone();
        }
        let array = self.array(view.array, routine);
        let mut fixed = view.offset;
        let mut parts = Vec::new();
        if view.advance > 0 {
            parts.push(format!("pass * {}", view.advance));
        }
        for (index, stride) in [(row, view.stride), (column, 1)] {
            match index.parse::<usize>() {
                Ok(index) => fixed += index * stride,
                Err(_) if stride == 1 => parts.push(index.to_owned()),
                Err(_) => parts.push(format!("{index} * {stride}")),
            }
        }
        if fixed > 0 || parts.is_empty() {
            parts.push(fixed.to_string());
        }
        let entry = format!("{array}[{}]", parts.join(" + "));
        match view.array {
            Array::Argument(at) if routine.arguments[at].is_flags => format!("({entry} != 0)"),
            _ => entry,
        }
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

    fn array(&self, array: Array, routine: &Routine) -> String {
        match array {
            Array::Argument(at) => routine.arguments[at].name.clone(),
            Array::Result(at) => names::results(routine).swap_remove(at),
            Array::Local(at) => format!("x{at}"),
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
            }
            Step::Call {
                routine, is_tried, ..
            } => {
                let mut called = printer.routines.iter();
                called.any(|other| other.name == *routine && other.is_fallible) && !is_tried
            }
            _ => false,
        };
    });
    calls
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

/// What `redundant_solve` does with dependent rows.
fn treatment(equations: Equations) -> &'static str {
    match equations {
        Equations::Redundant | Equations::ReactingRedundant => "1",
        Equations::LeastSquares { is_coarse: false } => "2",
        Equations::LeastSquares { is_coarse: true } => "3",
        _ => "0",
    }
}

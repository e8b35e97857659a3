//! Steps as statements.

use std::fmt::Write;

use super::c99::names as c99;
use super::printer::{Dialect, Printer};
use super::wgsl::names as wgsl;
use crate::codegen::cost_model::MOST_STATEMENTS;
use crate::codegen::{Array, Compute, Condition, Routine, Step, View};

impl Printer<'_> {
    pub(super) fn steps(&mut self, steps: &[Step], routine: &Routine) {
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
        let condition = format!("is_small && {}", self.condition(condition, routine));
        self.write_if(&condition, then, routine);
    }

    fn step(&mut self, step: &Step, routine: &Routine) {
        match step {
            Step::Compute(compute) => self.compute(compute, routine),
            Step::Call {
                routine: name,
                arguments,
                results,
                is_tried,
            } => {
                let routines = self.routines;
                if let Some(called) = routines.iter().find(|routine| routine.name == *name) {
                    let called = (called, *is_tried);
                    match self.dialect {
                        Dialect::Wgsl => self.call_by_value(called, arguments, results, routine),
                        _ => self.call(called, arguments, results, routine),
                    }
                }
            }
            Step::Kernel {
                kernel,
                arguments,
                results,
            } => match self.dialect {
                Dialect::Wgsl => self.write_kernel(*kernel, arguments, results, routine),
                _ => self.call_kernel(*kernel, arguments, results, routine),
            },
            Step::Copy {
                from,
                to,
                is_transposed,
                is_negated,
            } => {
                let sign = match to.array {
                    Array::Result(at) if routine.results[at].is_count && !self.is_wgsl() => "(int)",
                    _ if *is_negated && self.is_wgsl() => "0.0f - ",
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
                self.write_in_loops(&[("i", size)], &format!("{entry} = {one};"));
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
                let counts = [("i", left.rows), ("k", left.columns), ("j", right.columns)];
                self.write_in_loops(&counts, &format!("{sum} += {a} * {b};"));
            }
            Step::ForEachRow { rows, unit, steps } => {
                let pass = self.pass();
                self.begin_loop(pass, *rows);
                let zero = self.number(0.0);
                self.for_each(*unit, |_, to, _, _| format!("{to} = {zero};"), routine);
                let entry = self.indexed(*unit, "0", pass, routine);
                let one = self.number(1.0);
                let _ = writeln!(self.text, "    {entry} = {one};");
                self.steps(steps, routine);
                self.end_loop();
            }
            Step::Loop { most, steps } => {
                self.begin_loop("repeat", *most);
                self.steps(steps, routine);
                self.end_loop();
            }
            Step::Break => self.line("    break;"),
            Step::Fail(status) => {
                let status = self.entry(*status, 0, 0, routine);
                let _ = match self.dialect {
                    Dialect::Wgsl => writeln!(
                        self.text,
                        "    if ({status} != 0.0f) {{ return i32({status}); }}"
                    ),
                    _ => writeln!(self.text, "    if ({status} != 0) return (int){status};"),
                };
            }
            Step::Apart { steps, .. } | Step::Library { steps, .. } => {
                self.steps(steps, routine);
            }
            Step::If { condition, then } if self.is_wgsl() => {
                self.line("    {\n    var ok = true;");
                self.require(condition, routine);
                self.write_if("ok", then, routine);
                self.line("    }");
            }
            Step::If { condition, then } => {
                let condition = self.condition(condition, routine);
                self.write_if(&condition, then, routine);
            }
            // WGSL may assume that all values are finite.
            Step::RequireFinite(_) if self.is_wgsl() => {}
            Step::RequireFinite(views) => {
                let condition = self.condition(&Condition::Finite(views.clone()), routine);
                let _ = writeln!(self.text, "    if (!({condition})) return 4;");
            }
            Step::Return => self.line("    return 0;"),
        }
    }

    /// Steps if a condition holds.
    fn write_if(&mut self, condition: &str, then: &[Step], routine: &Routine) {
        let _ = writeln!(self.text, "    if ({condition}) {{");
        self.steps(then, routine);
        self.line("    }");
    }

    /// The number of the pass of `ForEachRow`.
    fn pass(&self) -> &'static str {
        if self.is_wgsl() { "row" } else { "pass" }
    }

    fn begin_loop(&mut self, index: &str, count: usize) {
        let _ = match self.dialect {
            Dialect::Wgsl => writeln!(
                self.text,
                "    for (var {index} = 0; {index} < {count}; {index}++) {{"
            ),
            _ => writeln!(
                self.text,
                "    {{ int {index}; for ({index} = 0; {index} < {count}; {index}++) {{"
            ),
        };
    }

    fn end_loop(&mut self) {
        self.line(if self.is_wgsl() { "    }" } else { "    } }" });
    }

    /// A statement in loops over these indices, each with its end. Without a pass there is no loop: it may name an empty
    /// array, which is not declared.
    pub(super) fn write_in_loops(&mut self, counts: &[(&str, usize)], statement: &str) {
        if counts.iter().any(|(_, count)| *count == 0) {
            return;
        }
        let (declared, open, close) = match self.dialect {
            Dialect::Wgsl => ("var ", "{ ", " }"),
            _ => ("", "", ""),
        };
        let heads = counts.iter().map(|(index, count)| {
            format!("for ({declared}{index} = 0; {index} < {count}; {index}++) {open}")
        });
        let heads: String = heads.collect();
        let code = format!("{heads}{statement}{}", close.repeat(counts.len()));
        let code = match (self.dialect, counts.len()) {
            (Dialect::Wgsl, _) => code,
            (_, 1) => format!("{{ int i; {code} }}"),
            (_, 2) => format!("{{ int i, j; {code} }}"),
            _ => format!("{{\n        int i, j, k;\n        {code}\n    }}"),
        };
        let _ = writeln!(self.text, "    {code}");
    }

    /// A statement for each entry: the place, and its row and column.
    fn for_each(
        &mut self,
        view: View,
        statement: impl Fn(&Self, &str, &str, &str) -> String,
        routine: &Routine,
    ) {
        let most = if self.is_wgsl() { 1 } else { MOST_STATEMENTS };
        if view.len() <= most {
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
        self.write_in_loops(&[("i", view.rows), ("j", view.columns)], &statement);
    }

    /// An entry by numbers.
    pub(super) fn entry(&self, view: View, row: usize, column: usize, routine: &Routine) -> String {
        self.indexed(view, &row.to_string(), &column.to_string(), routine)
    }

    /// An entry by expressions for its row and column.
    pub(super) fn indexed(&self, view: View, row: &str, column: &str, routine: &Routine) -> String {
        let array = self.array(view.array, routine);
        if let Array::Argument(at) = view.array
            && routine.arguments[at].is_scalar
        {
            return array;
        }
        let mut fixed = view.offset;
        let mut parts = Vec::new();
        if view.advance > 0 {
            parts.push(format!("{} * {}", self.pass(), view.advance));
        }
        for (index, stride) in [(row, view.stride), (column, 1)] {
            match index.parse::<usize>() {
                Ok(index) => fixed += index * stride,
                Err(_) if stride == 1 && !self.is_wgsl() => parts.push(index.to_owned()),
                Err(_) => parts.push(format!("{index} * {stride}")),
            }
        }
        if fixed > 0 || parts.is_empty() {
            parts.push(fixed.to_string());
        }
        let entry = format!("{array}[{}]", parts.join(" + "));
        match view.array {
            Array::Argument(at) if routine.arguments[at].is_flags => match self.dialect {
                Dialect::Wgsl => format!("select(0.0f, 1.0f, {entry} != 0)"),
                _ => format!("({entry} != 0)"),
            },
            _ => entry,
        }
    }

    pub(super) fn array(&self, array: Array, routine: &Routine) -> String {
        match (array, self.dialect) {
            (Array::Local(at), _) => format!("x{at}"),
            (Array::Argument(at), Dialect::Wgsl) => wgsl::word(&routine.arguments[at].name),
            (Array::Argument(at), _) => routine.arguments[at].name.clone(),
            (Array::Result(at), Dialect::Wgsl) => {
                format!("(*{})", wgsl::results(routine).swap_remove(at))
            }
            (Array::Result(at), _) => c99::results(routine).swap_remove(at),
        }
    }
}

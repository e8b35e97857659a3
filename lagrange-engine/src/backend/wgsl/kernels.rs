//! Dense operations as statements.

use std::fmt::Write;

use crate::backend::printer::Printer;
use crate::codegen::{ACCEPTED, Equations, Kernel, Routine, View};

impl Printer<'_> {
    pub(in crate::backend) fn write_kernel(
        &mut self,
        kernel: Kernel,
        arguments: &[View],
        results: &[View],
        routine: &Routine,
    ) {
        let helper = self.names.helper.clone();
        let list = |printer: &Self, view: View| {
            let entries: Vec<String> = (0..view.len())
                .map(|at| printer.entry(view, at / view.columns, at % view.columns, routine))
                .collect();
            format!("array<f32, {}>({})", entries.len(), entries.join(", "))
        };
        let function = match kernel {
            Kernel::Solve(equations)
            | Kernel::SolveUnchecked(equations)
            | Kernel::TrySolve(equations) => {
                self.solve((kernel, equations), arguments, results, routine);
                return;
            }
            Kernel::NullSpace(rank) => {
                self.null_space(rank, arguments[0], results, routine);
                return;
            }
            Kernel::IsClear => {
                self.is_clear(arguments, results[0], routine);
                return;
            }
            Kernel::Limits | Kernel::Changes | Kernel::Remaining => {
                self.of_residuals(kernel, arguments, results[0], routine);
                return;
            }
            Kernel::Significant => {
                self.significant(arguments, results[0], routine);
                return;
            }
            Kernel::Agreement => {
                self.agreement(arguments, results, routine);
                return;
            }
            // No text in WGSL has these: see `Routines::searching`.
            Kernel::ContactMotion { .. } | Kernel::ContactImpact { .. } => return,
            Kernel::Moved => "moved",
            Kernel::Difference => "difference",
            Kernel::RotationMatrix => "matrix",
        };
        let values: Vec<String> = arguments.iter().map(|view| list(self, *view)).collect();
        let name = self.temporary();
        let _ = writeln!(
            self.text,
            "    let {name} = {helper}{function}({});",
            values.join(", ")
        );
        let view = results[0];
        for at in 0..view.len() {
            let to = self.entry(view, at / view.columns, at % view.columns, routine);
            let _ = writeln!(self.text, "    {to} = {name}[{at}];");
        }
    }

    /// Limits of residuals, and values of residuals beyond them.
    fn of_residuals(&mut self, kernel: Kernel, arguments: &[View], to: View, routine: &Routine) {
        // Without coordinates nothing remains to be moved.
        let count = match kernel {
            Kernel::Remaining => arguments[2].len().min(arguments[0].len()),
            _ => arguments[0].len(),
        };
        let mut views = arguments.iter();
        let [entry, limit] = [views.next(), views.next()].map(|view| {
            view.map_or_else(String::new, |view| self.indexed(*view, "0", "k", routine))
        });
        let body = match kernel {
            Kernel::Limits => {
                let (to, unit) = (
                    self.indexed(to, "0", "k", routine),
                    self.number(2.0 * f64::from(f32::EPSILON)),
                );
                format!("{to} = {unit} * {entry} + 1.1754944e-38f;")
            }
            Kernel::Changes => {
                let to = self.indexed(to, "0", "k", routine);
                format!("{to} = select(-{entry}, 0.0f, abs({entry}) <= {limit});")
            }
            _ => {
                let to = self.entry(to, 0, 0, routine);
                let slope = self.indexed(arguments[2], "k", "i", routine);
                let n = arguments[2].columns;
                format!(
                    "var size = 0.0f; for (var i = 0; i < {n}; i++) {{ size = max(size, abs({slope})); }} \
                     if (abs({entry}) > {limit}) {{ {to} = max({to}, abs({entry}) / size); }}"
                )
            }
        };
        if kernel == Kernel::Remaining {
            let to = self.entry(to, 0, 0, routine);
            let _ = writeln!(self.text, "    {to} = 0.0f;");
        }
        self.write_in_loops(&[("k", count)], &body);
    }

    fn significant(&mut self, arguments: &[View], result: View, routine: &Routine) {
        let (c, n) = (result.rows, result.columns);
        if result.is_empty() {
            return;
        }
        let unit = self.number((n + c) as f64 * f64::from(f32::EPSILON));
        let [entry, bound, to] =
            [arguments[0], arguments[1], result].map(|view| self.indexed(view, "k", "i", routine));
        let _ = writeln!(
            self.text,
            "    for (var k = 0; k < {c}; k++) {{\n        var is_rounding = true;\n        \
             for (var i = 0; i < {n}; i++) {{ is_rounding = is_rounding && abs({entry}) <= {unit} * {bound}; }}\n        \
             for (var i = 0; i < {n}; i++) {{ {to} = select({entry}, 0.0f, is_rounding); }}\n    }}"
        );
    }

    /// The dense solution, in line: the sizes of arrays are parts of their types.
    fn solve(
        &mut self,
        (kernel, equations): (Kernel, Equations),
        arguments: &[View],
        results: &[View],
        routine: &Routine,
    ) {
        let is_checked = !matches!(kernel, Kernel::SolveUnchecked(_));
        let (is_symmetric, may_depend) = (!equations.reacts(), equations.may_depend());
        let helper = self.names.helper.clone();
        let (matrices, right) = arguments.split_at(equations.count());
        let [forces, rates] = [0, 1].map(|at| right[at]);
        let (n, c, count) = (matrices[0].rows, matrices[1].rows, forces.rows);
        self.line("    {");
        self.dense(matrices, routine);
        self.line("    var outcome = 0;");
        if may_depend {
            self.rows(equations);
            if equations.reacts() && is_checked {
                let _ = writeln!(
                    self.text,
                    "    if ({helper}is_undetermined(&dense, &rows)) {{ outcome = 2; }}"
                );
            }
            let _ = writeln!(self.text, "    {helper}leave_out(&dense, &rows);");
        }
        let _ = writeln!(
            self.text,
            "    dense.is_quick = {is_symmetric} && {helper}factor_quickly(&dense);\n    \
             if (!dense.is_quick && outcome == 0) {{ outcome = {helper}factor_carefully(&dense, {is_checked}); }}"
        );
        let _ = writeln!(
            self.text,
            "    for (var at = 0; at < {count} && outcome == 0; at++) {{"
        );
        let _ = writeln!(self.text, "    var right: {helper}column;");
        let force = self.indexed(forces, "at", "i", routine);
        // None of either, if there are no right sides.
        let (forces_to_read, rows) = (n.min(forces.len()), c.min(rates.len()));
        self.write_in_loops(&[("i", forces_to_read)], &format!("right.x[i] = {force};"));
        let rate = self.indexed(rates, "at", "k", routine);
        self.write_in_loops(&[("k", rows)], &format!("right.x[{n} + k] = {rate};"));
        if may_depend {
            let gathers = matches!(equations, Equations::LeastSquares { .. });
            let _ = writeln!(
                self.text,
                "    let whole = right;\n    \
                 if ({gathers} && rows.rank < {c}) {{ right = {helper}share_out(&rows, right, false); }}\n    \
                 for (var k = rows.rank; k < {c}; k++) {{ right.x[{n} + rows.order[k]] = 0.0f; }}"
            );
        }
        let _ = writeln!(
            self.text,
            "    var solved = {helper}refined(&dense, right);\n    \
             if (dense.is_quick && !(solved.error <= {ACCEPTED:?}f)) {{\n        \
             outcome = {helper}factor_carefully(&dense, {is_checked});\n        \
             if (outcome == 0) {{ solved = {helper}refined(&dense, right); }}\n    }}"
        );
        if is_checked {
            let _ = writeln!(
                self.text,
                "    if (outcome == 0 && !(solved.error <= {ACCEPTED:?}f)) {{ outcome = 1; }}"
            );
        }
        if equations.spreads() {
            let _ = writeln!(
                self.text,
                "    if (outcome == 0 && rows.rank < {c}) {{\n        \
                 if ({is_checked} && !{helper}hold(&dense, &rows, whole, solved, false)) {{ outcome = 2; }}\n        \
                 solved = {helper}share_out(&rows, solved, true);\n    }}"
            );
        }
        self.line("    var solution = solved.x;");
        let a = self.indexed(results[0], "at", "i", routine);
        self.write_in_loops(&[("i", forces_to_read)], &format!("{a} = solution[i];"));
        let lambda = self.indexed(results[1], "at", "k", routine);
        self.write_in_loops(&[("k", rows)], &format!("{lambda} = solution[{n} + k];"));
        self.line("    }");
        if equations.spreads() {
            let rank = self.entry(results[2], 0, 0, routine);
            let _ = writeln!(self.text, "    {rank} = f32(rows.rank);");
        }
        match kernel {
            Kernel::TrySolve(_) => {
                let status = self.entry(results[2], 0, 0, routine);
                let _ = writeln!(self.text, "    {status} = f32(outcome);");
            }
            Kernel::Solve(_) => self.line("    if (outcome != 0) { return outcome; }"),
            _ => {}
        }
        self.line("    }");
    }

    /// The variable `dense` with these matrices.
    fn dense(&mut self, matrices: &[View], routine: &Routine) {
        let helper = self.names.helper.clone();
        let [mass, jacobian] = [0, 1].map(|at| matrices[at]);
        let (n, c) = (mass.rows, jacobian.rows);
        let size = n + c;
        let _ = writeln!(
            self.text,
            "    var dense: {helper}dense;\n    dense.n = {n};\n    dense.size = {size};"
        );
        let entry = self.indexed(mass, "i", "k", routine);
        let statement = format!("dense.k[i * {size} + k] = {entry};");
        self.write_in_loops(&[("i", n), ("k", n)], &statement);
        let entry = self.indexed(jacobian, "k", "i", routine);
        let reaction = match matrices.get(2) {
            Some(reactions) => self.indexed(*reactions, "i", "k", routine),
            None => entry.clone(),
        };
        let statement = format!(
            "dense.k[i * {size} + {n} + k] = -{reaction}; dense.k[({n} + k) * {size} + i] = {entry};"
        );
        self.write_in_loops(&[("k", c), ("i", n)], &statement);
        let _ = writeln!(self.text, "    {helper}scales(&dense);");
    }

    /// The variable `rows` with the rows of J of `dense`.
    fn rows(&mut self, equations: Equations) {
        let helper = self.names.helper.clone();
        let share = match equations {
            Equations::LeastSquares { is_coarse: true } => "0.015625f",
            _ => "2.44140625e-4f",
        };
        let _ = writeln!(
            self.text,
            "    var rows: {helper}rows;\n    {helper}scaled_rows(&dense, &rows, {share});"
        );
    }

    /// The sizes of rows, and the largest residuals with which they agree: sqrt(eps) of the lengths that a row is computed
    /// from. A limit is four roundings of each operation on a length, and the lengths of a short linkage pass through
    /// eight.
    fn agreement(&mut self, arguments: &[View], results: &[View], routine: &Routine) {
        let helper = self.names.helper.clone();
        let (n, c) = (arguments[0].rows, arguments[1].rows);
        if arguments[1].is_empty() {
            return;
        }
        self.line("    {");
        self.dense(&arguments[..2], routine);
        let slope = self.indexed(arguments[1], "k", "i", routine);
        let limit = self.indexed(arguments[2], "0", "k", routine);
        let size = self.indexed(results[0], "k", "0", routine);
        let agreed = self.indexed(results[1], "0", "k", routine);
        let _ = writeln!(
            self.text,
            "    var largest = 0.0f;\n    var most = 0.0f;\n    \
             for (var k = 0; k < {c}; k++) {{\n        {size} = 0.0f;\n        {agreed} = {limit};\n        \
             for (var i = 0; i < {n}; i++) {{ {size} = max({size}, abs({slope})); }}\n        \
             largest = max(largest, {size});\n        most = max(most, {limit});\n    }}\n    \
             for (var k = 0; k < {c}; k++) {{\n        if ({helper}is_none(&dense, k)) {{\n            \
             {size} = largest;\n            {agreed} = most;\n        }}\n        {agreed} *= 128.0f;\n    }}\n    }}"
        );
    }

    fn null_space(&mut self, rank: usize, jacobian: View, results: &[View], routine: &Routine) {
        let helper = self.names.helper.clone();
        let (c, n) = (jacobian.rows, jacobian.columns);
        if jacobian.is_empty() {
            return;
        }
        let entry = self.indexed(jacobian, "k", "i", routine);
        // Of rows that may depend on each other, one that is none beside the largest one is not enlarged.
        let (share, none) = match rank < c {
            true => (1.0 / 4096.0, "largest <= 2.44140625e-4f * most"),
            false => (4.0 * (n + c) as f64 * f64::from(f32::EPSILON), "false"),
        };
        let share = self.number(share);
        let _ = writeln!(
            self.text,
            "    {{\n    var rows: {helper}rows;\n    rows.n = {n};\n    rows.c = {c};\n    \
             var most = 0.0f;\n    \
             for (var k = 0; k < {c}; k++) {{ for (var i = 0; i < {n}; i++) {{ most = max(most, abs({entry})); }} }}\n    \
             for (var k = 0; k < {c}; k++) {{\n        var largest = 0.0f;\n        \
             for (var i = 0; i < {n}; i++) {{ largest = max(largest, abs({entry})); }}\n        \
             if ({none}) {{ largest = most; }}\n        \
             rows.scale[k] = {helper}power(largest, 1.0f);\n        \
             for (var i = 0; i < {n}; i++) {{ rows.row[k * {n} + i] = {entry} * rows.scale[k]; }}\n    }}\n    \
             {helper}reflect(&rows, {share});\n    if (rows.rank != {rank}) {{ return 2; }}"
        );
        for (view, function) in results.iter().zip(["free_direction", "inverse_column"]) {
            if !view.is_empty() {
                let to = self.indexed(*view, "i", "k", routine);
                let _ = writeln!(
                    self.text,
                    "    for (var k = 0; k < {}; k++) {{\n        var x = {helper}{function}(&rows, k);\n        \
                     for (var i = 0; i < {n}; i++) {{ {to} = x.x[i]; }}\n    }}",
                    view.columns
                );
            }
        }
        self.line("    }");
    }

    fn is_clear(&mut self, arguments: &[View], result: View, routine: &Routine) {
        let helper = self.names.helper.clone();
        let (n, c) = (arguments[0].rows, arguments[1].rows);
        self.line("    {");
        self.dense(&arguments[..2], routine);
        self.rows(Equations::Redundant);
        let _ = writeln!(
            self.text,
            "    var x: {helper}column;\n    var right: {helper}column;"
        );
        let velocity = self.indexed(arguments[2], "0", "i", routine);
        let rate = self.indexed(arguments[3], "0", "k", routine);
        let to = self.entry(result, 0, 0, routine);
        self.write_in_loops(&[("i", n)], &format!("x.x[i] = {velocity};"));
        let _ = writeln!(
            self.text,
            "    for (var k = 0; k < {c}; k++) {{ right.x[{n} + k] = {rate}; }}\n    \
             {to} = 0.0f;\n    \
             if (rows.is_clear && (rows.rank == {c} || {helper}hold(&dense, &rows, right, x, true))) {{ {to} = 1.0f; }}\n    }}"
        );
    }
}

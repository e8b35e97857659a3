//! Dense operations as calls of helpers.

use std::fmt::Write;

use crate::backend::printer::Printer;
use crate::codegen::{Routine, View};
use crate::{Equations, Kernel};

impl Printer<'_> {
    /// A call whose error ends the function.
    pub(super) fn ending(&mut self, call: &str, is_fallible: bool) {
        if is_fallible {
            let _ = writeln!(
                self.text,
                "    status = {call};\n    if (status != 0) return status;"
            );
        } else {
            let _ = writeln!(self.text, "    (void){call};");
        }
    }

    pub(in crate::backend) fn call_kernel(
        &mut self,
        kernel: Kernel,
        arguments: &[View],
        results: &[View],
        routine: &Routine,
    ) {
        let is_tried = matches!(kernel, Kernel::TrySolve(_));
        let scalars =
            usize::from(is_tried || matches!(kernel, Kernel::Remaining | Kernel::IsClear));
        let written = &results[..results.len() - scalars];
        let mut pointers: Vec<String> = arguments
            .iter()
            .chain(written)
            .map(|view| self.pointer(*view, routine))
            .collect();
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
            Kernel::ContactMotion { is_redundant } | Kernel::ContactImpact { is_redundant } => {
                let [n, c] = [0, 1].map(|at| arguments[at].rows);
                let (p, m) = kernel.laws(arguments).unwrap_or_default();
                let function = match kernel {
                    Kernel::ContactMotion { .. } => "contact_motion",
                    _ => "contact_impact",
                };
                let sizes = format!("{n}, {c}, {p}, {m}, {}", i32::from(is_redundant));
                self.ending(&format!("{helper}{function}({sizes}, {joined})"), true);
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

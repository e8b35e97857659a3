//! Conditions as statements that set `ok`.

use std::fmt::Write;

use crate::backend::printer::Printer;
use crate::codegen::{Condition, Constant, Floor, Pivots, Routine, Sum};

impl Printer<'_> {
    pub(in crate::backend) fn require(&mut self, condition: &Condition, routine: &Routine) {
        match condition {
            Condition::Pivots {
                pivots,
                share,
                floor,
            } => self.require_pivots(pivots, *share, floor.as_ref(), routine),
            Condition::AtMost(sum, most) => {
                let (sum, most) = (self.sum_in_variable(sum, routine), self.number(most.single));
                self.require_that(&format!("{sum} <= {most}"));
            }
            Condition::ZeroOrAtLeast(sum, least) => {
                let (sum, least) = (
                    self.sum_in_variable(sum, routine),
                    self.number(least.single),
                );
                self.require_that(&format!("({sum} >= {least} || {sum} == 0.0f)"));
            }
            Condition::Regular {
                pivots,
                diagonal,
                share,
            } => {
                let share = self.number(*share);
                for at in 0..pivots.len() {
                    let [pivot, entry] =
                        [pivots, diagonal].map(|view| self.entry(*view, 0, at, routine));
                    self.require_that(&format!("{pivot} > {share} * {entry} && {entry} > 0.0f"));
                }
            }
            // WGSL may assume that all values are.
            Condition::Finite(_) | Condition::FiniteSum(_) => {}
            Condition::Library { parts, .. } | Condition::All(parts) => {
                for condition in parts {
                    self.require(condition, routine);
                }
            }
            Condition::Not(condition) => {
                let before = self.temporary();
                let _ = writeln!(self.text, "    let {before} = ok;\n    ok = true;");
                self.require(condition, routine);
                let _ = writeln!(self.text, "    ok = {before} && !ok;");
            }
            Condition::Within {
                values,
                limits,
                times,
            } => {
                let times = self.number(times.single);
                for at in 0..values.len() {
                    let [value, limit] =
                        [values, limits].map(|view| self.entry(*view, 0, at, routine));
                    self.require_that(&format!("abs({value}) * {times} <= {limit}"));
                }
            }
            Condition::Below {
                left,
                right,
                factor,
            } => {
                let [left, right] = [left, right].map(|view| self.entry(*view, 0, 0, routine));
                self.require_that(&format!("{left} < {} * {right}", self.number(*factor)));
            }
            Condition::Equal(a, b) => {
                for at in 0..a.len() {
                    let [a, b] = [a, b].map(|view| self.entry(*view, 0, at, routine));
                    self.require_that(&format!("{a} == {b}"));
                }
            }
            Condition::Is(scalar, value) => {
                let scalar = self.entry(*scalar, 0, 0, routine);
                self.require_that(&format!("{scalar} == {}", self.number(*value)));
            }
        }
    }

    fn require_that(&mut self, condition: &str) {
        let _ = writeln!(self.text, "    ok = ok && {condition};");
    }

    /// A variable with a sum.
    fn sum_in_variable(&mut self, sum: &Sum, routine: &Routine) -> String {
        let name = self.temporary();
        let _ = writeln!(self.text, "    var {name} = 0.0f;");
        for view in &sum.entries {
            for at in 0..view.len() {
                let entry = self.entry(*view, 0, at, routine);
                let _ = writeln!(self.text, "    {name} += {entry};");
            }
        }
        for view in &sum.sizes {
            for at in 0..view.len() {
                let entry = self.entry(*view, 0, at, routine);
                let _ = writeln!(self.text, "    {name} += abs({entry});");
            }
        }
        name
    }

    fn require_pivots(
        &mut self,
        pivots: &Pivots,
        share: Constant,
        floor: Option<&Floor>,
        routine: &Routine,
    ) {
        let floor = floor.map(|floor| {
            let sum = self.sum_in_variable(&floor.sum, routine);
            let [factor, least] =
                [floor.factor, floor.least].map(|constant| self.number(constant.single));
            let _ = writeln!(self.text, "    {sum} = {sum} * {factor} + {least};");
            sum
        });
        let floor = floor.unwrap_or_else(|| self.number(0.0));
        for at in 0..pivots.entries.len() {
            let pivot = self.entry(pivots.entries, 0, at, routine);
            self.require_that(&format!("{pivot} > {floor}"));
        }
        let share = self.number(share.single);
        for at in 0..pivots.reduced.len() {
            let [pivot, entry] =
                [pivots.reduced, pivots.diagonal].map(|view| self.entry(view, 0, at, routine));
            self.require_that(&format!("{pivot} > {share} * {entry} + {floor}"));
        }
    }
}

//! Conditions as statements that set `ok`.

use std::fmt::Write;

use crate::backend::printer::Printer;
use crate::codegen::{AcceptanceTest, Condition, Pivots, Routine, View, threshold};

const EPSILON: f64 = f32::EPSILON as f64;

impl Printer<'_> {
    pub(in crate::backend) fn require(&mut self, condition: &Condition, routine: &Routine) {
        match condition {
            Condition::Accepted { test, .. } => self.require_accepted(test, routine),
            Condition::Met { residual, terms } => self.require_met(*residual, *terms, routine),
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
            Condition::Finite(_) => {}
            Condition::All(all) => {
                for condition in all {
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
                let times = self.number(*times);
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

    fn require_met(&mut self, residual: View, terms: View, routine: &Routine) {
        let unit = self.number(32.0 * EPSILON);
        for at in 0..residual.len() {
            let [left, size] = [residual, terms].map(|view| self.entry(view, 0, at, routine));
            self.require_that(&format!("abs({left}) <= {unit} * {size}"));
        }
    }

    /// `let name = ..;`, the sum of all entries.
    fn sum(&mut self, name: &str, views: &[(View, bool)], routine: &Routine) {
        let _ = writeln!(self.text, "    var {name} = 0.0f;");
        for (view, is_absolute) in views {
            for at in 0..view.len() {
                let entry = self.entry(*view, 0, at, routine);
                let entry = if *is_absolute {
                    format!("abs({entry})")
                } else {
                    entry
                };
                let _ = writeln!(self.text, "    {name} += {entry};");
            }
        }
    }

    fn require_pivots(&mut self, pivots: &Pivots, floor: &str, routine: &Routine) {
        for at in 0..pivots.entries.len() {
            let pivot = self.entry(pivots.entries, 0, at, routine);
            self.require_that(&format!("{pivot} > {floor}"));
        }
        let share = self.number(threshold(
            pivots.entries.len() + pivots.reduced.len(),
            EPSILON,
        ));
        for at in 0..pivots.reduced.len() {
            let [pivot, entry] =
                [pivots.reduced, pivots.diagonal].map(|view| self.entry(view, 0, at, routine));
            self.require_that(&format!("{pivot} > {share} * {entry} + {floor}"));
        }
    }

    fn require_accepted(&mut self, test: &AcceptanceTest, routine: &Routine) {
        self.require_pivots(&test.mass, "0.0f", routine);
        if !test.is_constrained {
            return;
        }
        let [mass, complement] = [test.mass, test.complement];
        self.sum(
            "scale",
            &[(complement.entries, false), (complement.diagonal, false)],
            routine,
        );
        self.sum(
            "inertia",
            &[(mass.entries, false), (mass.reduced, false)],
            routine,
        );
        self.sum("size", &[(test.terms, false)], routine);
        self.sum(
            "sizes",
            &[(test.terms, false), (test.values, true)],
            routine,
        );
        let epsilon = self.number(EPSILON);
        let _ = writeln!(
            self.text,
            "    let least_pivot = scale * {epsilon} + 1e-12f;"
        );
        self.require_that("inertia <= 1e12f && scale <= 1e12f");
        self.require_pivots(&complement, "least_pivot", routine);
        self.require_met(test.residual, test.terms, routine);
        self.require_that("sizes <= 1e12f && (size >= 1e-12f || size == 0.0f)");
    }
}

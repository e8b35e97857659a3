//! Conditions as expressions.

use crate::backend::printer::Printer;
use crate::codegen::{Condition, Constant, Routine, Sum, View};

impl Printer<'_> {
    pub(in crate::backend) fn condition(&self, condition: &Condition, routine: &Routine) -> String {
        let helper = &self.names.helper;
        match condition {
            Condition::Pivots {
                pivots,
                share,
                floor,
            } => {
                let entries = self.sized_pointer(pivots.entries, routine);
                let [reduced, diagonal] =
                    [pivots.reduced, pivots.diagonal].map(|view| self.pointer(view, routine));
                let (count, share) = (pivots.reduced.len(), self.constant_by_precision(*share));
                let floor = floor.as_ref().map_or_else(
                    || "0".to_owned(),
                    |floor| {
                        let sum = self.sum_as_expression(&floor.sum, routine);
                        let [factor, least] = [floor.factor, floor.least]
                            .map(|constant| self.constant_by_precision(constant));
                        format!("({sum}) * {factor} + {least}")
                    },
                );
                format!(
                    "{helper}pivots({entries}, {reduced}, {diagonal}, {count}, {share}, {floor})"
                )
            }
            Condition::AtMost(sum, most) => {
                let sum = self.sum_as_expression(sum, routine);
                format!("{sum} <= {}", self.constant_by_precision(*most))
            }
            Condition::ZeroOrAtLeast(sum, least) => {
                let sum = self.sum_as_expression(sum, routine);
                let least = self.constant_by_precision(*least);
                format!("({sum} >= {least} || {sum} == 0)")
            }
            Condition::FiniteSum(sum) => {
                format!("({}) * 0 == 0", self.sum_as_expression(sum, routine))
            }
            Condition::Regular {
                pivots,
                diagonal,
                share,
            } => {
                let [pivots_at, diagonal] =
                    [pivots, diagonal].map(|view| self.pointer(*view, routine));
                let (count, share) = (pivots.len(), self.number(*share));
                format!("{helper}regular({pivots_at}, {diagonal}, {count}, {share})")
            }
            Condition::Finite(views) => self.finite(views, routine),
            Condition::All(parts) => self.join_conditions(parts, " && ", routine),
            Condition::Library { parts, .. } => {
                self.join_conditions(parts, " &&\n        ", routine)
            }
            Condition::Not(condition) => format!("!({})", self.condition(condition, routine)),
            Condition::Within {
                values,
                limits,
                times,
            } => {
                let [values_at, limits] = [values, limits].map(|view| self.pointer(*view, routine));
                let times = self.constant_by_precision(*times);
                format!(
                    "{helper}within({values_at}, {limits}, {}, {times})",
                    values.len()
                )
            }
            Condition::Below {
                left,
                right,
                factor,
            } => {
                let [left, right] = [left, right].map(|view| self.entry(*view, 0, 0, routine));
                format!("{left} < {} * {right}", self.number(*factor))
            }
            Condition::Equal(a, b) => {
                let [a_at, b] = [a, b].map(|view| self.pointer(*view, routine));
                format!("{helper}equal({a_at}, {b}, {})", a.len())
            }
            Condition::Is(scalar, value) => {
                let scalar = self.entry(*scalar, 0, 0, routine);
                format!("{scalar} == {}", self.number(*value))
            }
        }
    }

    fn join_conditions(
        &self,
        conditions: &[Condition],
        separator: &str,
        routine: &Routine,
    ) -> String {
        let conditions: Vec<String> = conditions
            .iter()
            .map(|condition| self.condition(condition, routine))
            .collect();
        conditions.join(separator)
    }

    fn finite(&self, views: &[View], routine: &Routine) -> String {
        let tests = views.iter().filter(|view| !view.is_empty()).map(|view| {
            let pointer = self.pointer(*view, routine);
            format!("{}all_finite({pointer}, {})", self.names.helper, view.len())
        });
        let tests: Vec<String> = tests.collect();
        if tests.is_empty() {
            "1".to_owned()
        } else {
            tests.join(" && ")
        }
    }

    fn sum_as_expression(&self, sum: &Sum, routine: &Routine) -> String {
        let entries = sum.entries.iter().map(|view| ("sum", *view));
        let sizes = sum.sizes.iter().map(|view| ("sum_of_sizes", *view));
        let calls: Vec<String> = entries
            .chain(sizes)
            .filter(|(_, view)| !view.is_empty())
            .map(|(function, view)| {
                let values = self.sized_pointer(view, routine);
                format!("{}{function}({values})", self.names.helper)
            })
            .collect();
        if calls.is_empty() {
            return self.number(0.0);
        }
        calls.join(" + ")
    }

    /// A constant in the precision of the text, which the compiler of the text knows.
    fn constant_by_precision(&self, constant: Constant) -> String {
        let Constant { double, single } = constant;
        if double == single {
            return self.number(double);
        }
        format!("{}constant({single:?}, {double:?})", self.names.helper)
    }

    fn sized_pointer(&self, view: View, routine: &Routine) -> String {
        format!("{}, {}", self.pointer(view, routine), view.len())
    }
}

impl Condition {
    /// Returns whether this tests the solution of an unrolled factorization.
    ///
    /// ```
    /// use lagrange_engine::Condition;
    /// assert!(!Condition::Finite(Vec::new()).tests_solution());
    /// ```
    pub fn tests_solution(&self) -> bool {
        match self {
            Self::Pivots { .. } | Self::Regular { .. } => true,
            Self::Library { parts, .. } | Self::All(parts) => {
                parts.iter().any(Self::tests_solution)
            }
            _ => false,
        }
    }
}

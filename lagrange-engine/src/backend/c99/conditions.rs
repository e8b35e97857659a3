//! Conditions as expressions.

use crate::backend::printer::Printer;
use crate::codegen::{AcceptanceTest, Condition, Pivots, Routine, View, threshold};

impl Printer<'_> {
    pub(in crate::backend) fn condition(&self, condition: &Condition, routine: &Routine) -> String {
        let helper = &self.names.helper;
        match condition {
            Condition::Accepted { finite, test } => {
                let finite = self.finite(finite, routine);
                format!("{finite} && {}", self.accepted(test, routine))
            }
            Condition::Met { residual, terms } => {
                let [residual_at, terms] =
                    [residual, terms].map(|view| self.pointer(*view, routine));
                format!("{helper}met({residual_at}, {terms}, {})", residual.len())
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
            Condition::All(all) => {
                let all = all
                    .iter()
                    .map(|condition| self.condition(condition, routine));
                all.collect::<Vec<_>>().join(" && ")
            }
            Condition::Not(condition) => format!("!({})", self.condition(condition, routine)),
            Condition::Within {
                values,
                limits,
                times,
            } => {
                let [values_at, limits] = [values, limits].map(|view| self.pointer(*view, routine));
                let times = self.number(*times);
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

    fn finite(&self, views: &[View], routine: &Routine) -> String {
        let views = views.iter().filter(|view| !view.is_empty());
        let all = views.map(|view| {
            let pointer = self.pointer(*view, routine);
            format!("{}all_finite({pointer}, {})", self.names.helper, view.len())
        });
        let all: Vec<String> = all.collect();
        if all.is_empty() {
            "1".to_owned()
        } else {
            all.join(" && ")
        }
    }

    fn accepted(&self, test: &AcceptanceTest, routine: &Routine) -> String {
        let helper = &self.names.helper;
        let mass = self.pivots(&test.mass, routine);
        let values = self.sized_pointer(test.values, routine);
        if !test.is_constrained {
            return format!("{helper}accepted({mass}, {values})");
        }
        let complement = self.pivots(&test.complement, routine);
        let [residual, terms] = [test.residual, test.terms].map(|view| self.pointer(view, routine));
        let count = test.residual.len();
        format!(
            "{helper}accepted_motion({mass}, {complement}, {residual}, {terms}, {count}, {values})"
        )
    }

    /// The arguments for pivots: entries and their number, others with their diagonal entries and number, and the
    /// fraction of these that a regular pivot exceeds.
    fn pivots(&self, pivots: &Pivots, routine: &Routine) -> String {
        let entries = self.sized_pointer(pivots.entries, routine);
        let [reduced, diagonal] =
            [pivots.reduced, pivots.diagonal].map(|view| self.pointer(view, routine));
        let count = pivots.entries.len() + pivots.reduced.len();
        let [double, single] =
            [f64::EPSILON, f64::from(f32::EPSILON)].map(|eps| threshold(count, eps));
        let real = &self.names.real;
        format!(
            "{entries}, {reduced}, {diagonal}, {}, sizeof({real}) == sizeof(float) ? ({real}){single:?} : ({real}){double:?}",
            pivots.reduced.len()
        )
    }

    fn sized_pointer(&self, view: View, routine: &Routine) -> String {
        format!("{}, {}", self.pointer(view, routine), view.len())
    }
}

impl Condition {
    /// Whether this tests the solution of an unrolled factorization.
    pub fn tests_solution(&self) -> bool {
        match self {
            Self::Accepted { .. } | Self::Regular { .. } => true,
            Self::All(all) => all.iter().any(Self::tests_solution),
            _ => false,
        }
    }
}
